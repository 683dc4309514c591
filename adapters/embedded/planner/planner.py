"""Stage 1 without a language model, and what other planners ask of it: likely kinds."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

from adapters.embedded.planner import materials
from adapters.embedded.planner.brought import SHORT, Brought, brought
from adapters.embedded.planner.deciding import (
    BENCH,
    EVERYDAY,
    Decision,
    Mind,
    decide,
    kinds_of,
    likeliest,
    mind,
    on_text,
    ranked,
    recalled,
)
from adapters.embedded.planner.filling import COMPARES, Wanted, fill
from adapters.embedded.planner.lacking import Lacking
from adapters.embedded.planner.reading import LONGEST, SHORT_PASTE, quoted
from adapters.embedded.planner.referring import DOCUMENT, Named, named
from adapters.embedded.planner.shapes import TALK
from adapters.embedded.planner.talk import question, talk
from adapters.embedded.planner.view import View, tags, view
from adapters.embedded.planner.words import idle, unread
from pipeline.domain import (
    FILE_TYPES,
    Arg,
    Noticed,
    PlanPart,
    Proposed,
    Replied,
    Request,
    Sentence,
    Task,
    TaskKind,
    Text,
    Type,
)
from pipeline.lessons import same
from pipeline.naming import unnamed
from pipeline.ports import Lesson, Taught, untaught
from pipeline.table import KINDS
from pipeline.words import say

_SURE, _SURER = 5.0, 6.0
"""Log-odds from which a kind is worth asking for its file; the second where there may be another way."""
_FIRM = 0.75
"""Confidence below which a task on words may be one on a file that did not come."""
_LENGTHY = 400
"""Characters from which a message more likely brings a text than asks for something."""
_ANSWERS, _MUCH = "question-answering", 350
"""Kind; characters from which a text beside a wish is surely what it is about."""
_CLEAR, _SILENT = 0.6, -1.5
"""Below this confidence, where the words alone give every kind less than these log-odds, a third of the plans is right."""


class EmbeddedPlanner:
    """Plans with a small linear model that came with the program; what was liked before, as it was then."""

    def __init__(self, taught: Taught = untaught) -> None:
        self._taught = taught

    @property
    def name(self) -> str:
        return "embedded"

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        """Tasks, or one reply: to plain talk, to files that cannot be used, or a question where it is not clear what is meant."""
        if request.unused and not request.files:
            count = len(request.unused)
            told = Sentence("planner-no-file-usable", {"count": count})
            yield Replied(say(request.person.locale, told))
            return
        seen = view(replace(request, text=unnamed(request)))
        liked = same(await self._taught(request), request)
        made: Sequence[Task] | Sentence = _as_liked(liked, seen) if liked else ()
        if made:
            yield Noticed(Sentence("plan-as-liked"))
        else:
            made = tasks(seen)
        if isinstance(made, Sentence):
            yield Replied(say(request.person.locale, made))
            return
        for task in made:
            yield Proposed(task)


def _as_liked(liked: Lesson, seen: View) -> Sequence[Task]:
    """The kinds and links of a plan that was liked, with what there is now; nothing where something is lacking."""
    decision = recalled(seen, mind(EVERYDAY), liked.plan)
    if decision is None:
        return ()
    made = fill(wanted(decision), materials.material(seen, decision.reading))
    return () if isinstance(made, Lacking) else made


def tasks(seen: View) -> Sequence[Task] | Sentence:
    """The tasks of a request, or what to say instead."""
    if (answer := _unsaid(seen)) is not None:
        return answer
    if len(seen.text) > LONGEST:
        seen = replace(seen, before=())
    thinking = mind(EVERYDAY)
    if answered := _with_answer(seen, thinking):
        return answered
    if own := _with_own_text(seen, thinking):
        return own
    made = _made(decide(seen, thinking), seen, thinking)
    if (made is None or isinstance(made, Sentence)) and not seen.types:
        made = _pasted(seen, thinking) or made
    if made is None and seen.types:
        made = _thanked(seen, thinking) or made
    return talk(seen) if made is None else made


def _unsaid(seen: View) -> Sentence | None:
    """What is said to who does not say, or not in words that are known here, what is to be done."""
    if not any(map(str.isalnum, seen.text)):
        signs = seen.files and seen.text.strip()
        return Sentence("planner-empty-with-files") if signs else talk(seen)
    if seen.types and idle(seen.text):
        return Sentence("planner-empty-with-files")
    return Sentence("planner-unread") if unread(_instruction(seen.text)) else None


def _instruction(text: str) -> str:
    """What a request says besides what it quotes."""
    for quote in quoted(text[:LONGEST]):
        text = text.replace(quote.text, "")
    return text


def _with_answer(seen: View, thinking: Mind) -> Sequence[Task]:
    """The tasks of a request that names an answer of before; nothing where it names none, or what it asks for itself."""
    found = named(seen)
    if found is None or _makes_it(found, seen, thinking):
        return ()
    decision = on_text(decide(found.read, thinking))
    made = _made(decision, found.filled, thinking) if decision.kinds else None
    if made is None or isinstance(made, Sentence):
        return ()
    return [_worded(task, found.place, found.name) for task in made]


def _makes_it(found: Named, seen: View, thinking: Mind) -> bool:
    """Whether what is named is first to be made by the same request ("sum it up and read the summary aloud")."""
    if not found.earlier:
        return False
    before = set(decide(replace(seen, text=found.earlier), thinking).kinds)
    return bool(found.makers & (before or set(decide(seen, thinking).kinds)))


def _worded(task: Task, place: str, name: str) -> Task:
    """With the words that were said in the place of those that were read."""

    def piece(arg: Arg) -> Arg:
        return Text(arg.text.replace(place, name)) if isinstance(arg, Text) else arg

    return replace(task, args={slot: tuple(map(piece, args)) for slot, args in task.args.items()})


def _with_own_text(seen: View, thinking: Mind) -> Sequence[Task]:
    """The tasks of a request that brings a text along, which is meant rather than what was before; nothing where that is in doubt."""
    if seen.files or not (seen.before or seen.said or len(seen.text) > _LENGTHY):
        return ()
    for one in brought(seen.text):
        decision = on_text(decide(View(one.wish, before=(DOCUMENT,)), thinking))
        if not decision.kinds or not _is_wish(one, decision):
            continue
        made = _made(decision, View(one.wish, said=one.text, meant=True), thinking)
        if made and not isinstance(made, Sentence):
            return made
    return ()


def _is_wish(one: Brought, decision: Decision) -> bool:
    """Whether what was taken for a wish is one: not a question that its asker goes on about, nor the first line of a letter."""
    if idle(one.wish):
        return False
    if _ANSWERS in decision.kinds and (len(one.text) < SHORT or not one.asks):
        return False
    return one.certain or decision.confidence >= _FIRM or len(one.text) >= _MUCH


def _pasted(seen: View, thinking: Mind) -> Sequence[Task]:
    """The tasks of a request that makes sense only where a short text after its head is material; nothing where that is in doubt."""
    decision = decide(seen, thinking, paste=SHORT_PASTE)
    made = _made(decision, seen, thinking) if decision.confidence >= _FIRM else None
    return () if made is None or isinstance(made, Sentence) else made


def _thanked(seen: View, thinking: Mind) -> Sequence[Task]:
    """The tasks of the first line, where the talk below it hid what it asks for; nothing where that is in doubt."""
    line = seen.text.strip().partition("\n")[0]
    decision = decide(replace(seen, text=line), thinking)
    made = _made(decision, seen, thinking) if decision.confidence >= _FIRM else None
    return () if made is None or isinstance(made, Sentence) else made


def _made(decision: Decision, seen: View, thinking: Mind) -> Sequence[Task] | Sentence | None:
    """The tasks that were decided on, or what to ask; None for plain talk."""
    if not decision.kinds:
        return _missed(decision, seen, thinking, _SURE)
    if decision.confidence < _FIRM and not (seen.said or decision.reading.quotes):
        missed = _missed(decision, seen, thinking, _SURER)
        if missed is not None:
            return missed
    if decision.confidence < thinking.doubt or _vague(decision, seen, thinking):
        return question(decision, seen)
    made = fill(wanted(decision), materials.material(seen, decision.reading))
    return made.sentence if isinstance(made, Lacking) else made


def _vague(decision: Decision, seen: View, thinking: Mind) -> bool:
    """Whether only the files speak, and not clearly: the words by themselves point to nothing."""
    if decision.confidence >= _CLEAR or seen.said or not seen.types:
        return False
    bare = thinking.model.score(decision.reading, ())
    return max(bare[kind] for kind in bare.kinds if kind != TALK) < _SILENT


def _missed(decision: Decision, seen: View, thinking: Mind, least: float) -> Sentence | None:
    """What to ask for, if the words would ask for a task had a file come with them, and surely more so than they are plain talk."""
    if seen.types:
        return None
    best, found = least + max(decision.scores[TALK], 0.0), None
    for kind in FILE_TYPES:
        scores = thinking.model.score(decision.reading, tags((kind,), ()))
        likeliest = ranked(scores, 1)[0]
        if scores[likeliest] > max(best, scores[TALK]):
            best, found = scores[likeliest], likeliest
    if found is None:
        return None
    made = fill([Wanted(KINDS[found], ())], materials.material(seen, decision.reading))
    return made.sentence if isinstance(made, Lacking) else None


def likely_kinds(request: Request, n: int = 10) -> Sequence[str]:
    """The kinds a request most likely needs, the best first, for a language model's prompt."""
    thinking = mind(EVERYDAY)
    return likeliest(decide(view(request), thinking), thinking, n)


def wanted(decision: Decision, vocabulary: str = EVERYDAY) -> list[Wanted]:
    """The chosen kinds, each after the one that feeds it, with the clauses that speak of them."""
    table = kinds_of(vocabulary) if vocabulary == BENCH else KINDS
    source = {target: source for source, target in reversed(decision.links)}
    left = list(range(len(decision.kinds)))
    order: list[int] = []
    while left:
        waiting = {target for source, target in decision.links if source in left}
        ready = next(at for at in left if at not in waiting)
        left.remove(ready)
        order.append(ready)
    return [
        Wanted(
            table[decision.kinds[at]],
            _clauses(decision, at),
            order.index(source[at]) if at in source else -1,
            any(made == at and _listens(table[decision.kinds[to]]) for made, to in decision.links),
            any(made == at and decision.kinds[to] == COMPARES for made, to in decision.links),
        )
        for at in order
    ]


def _listens(kind: TaskKind) -> bool:
    return kind.takes[0].types == (Type.AUDIO,)


def _clauses(decision: Decision, at: int) -> tuple[int, ...]:
    """The clause that speaks most of a kind, with the ones that follow and speak of no other."""
    where = decision.scores.where
    place = {kind: int(where[decision.scores.kinds.index(kind)]) for kind in decision.kinds}
    mine = place[decision.kinds[at]]
    taken = set(place.values()) - {mine}
    first = mine
    while first > 0 and first - 1 not in taken and not any(p < first for p in taken):
        first -= 1
    last = mine
    while last + 1 < len(decision.reading.clauses) and last + 1 not in taken:
        last += 1
    return tuple(range(first, last + 1))
