"""Stage 1 without a language model: tasks or a short question, and the likely kinds for others."""

import re
from collections.abc import AsyncGenerator, Collection, Iterator, Sequence
from dataclasses import replace

from adapters.embedded.planner import extraction
from adapters.embedded.planner.arguments import MissingInput, PlannedStep, fill, find_material
from adapters.embedded.planner.decision import (
    EVERYDAY,
    Decision,
    FileTypes,
    Predictor,
    decide,
    kinds_of,
    on_text,
    predictor,
    rank_kinds,
    recall,
)
from adapters.embedded.planner.lexicon import language_in, tag, tokenize
from adapters.embedded.planner.model import TALK
from adapters.embedded.planner.reading import LONGEST, SHORT_PASTE, find_quotes, read
from adapters.embedded.planner.references import (
    RESULTS,
    ResultName,
    absent_type,
    find_result_name,
    only_says_which,
)
from adapters.embedded.planner.view import EarlierAnswer, RequestView, view
from pipeline.domain import (
    FILE_TYPES,
    Arg,
    LocalizedText,
    Noticed,
    PlanPart,
    Proposed,
    Ref,
    Replied,
    Request,
    Task,
    TaskId,
    TaskKind,
    Text,
    Type,
)
from pipeline.feedback import find_same
from pipeline.model_mentions import strip_mentions
from pipeline.ports import FindExamples, find_no_examples
from pipeline.task_kinds import KINDS
from pipeline.words import LOCALES, say, title

_LIKELY, _LIKELIER = 5.0, 6.0
"""Log-odds that make a kind worth asking for its file; the second where another way may exist."""
_FIRM = 0.75
"""Confidence to act on one reading of several."""
_LENGTHY, _LONG_TEXT, _SHORT_TEXT = 400, 240, 8
"""Characters of a message that more likely brings a text; of such a text; and its least words."""
_NAME_LETTERS = 3
_UNREAD = (("\u0370", "\u03ff"), ("\u0530", "\u10ff"), ("\u1200", "\u1dff"))
"""Scripts in which nothing was learned."""
_THANKS, _HELLO = frozenset("🙏👍👏❤💙💚💛🧡💜😊🙂😀😃😄👌💯🎉"), frozenset("👋🤗")
_ANSWERS, _COMPARES = "question-answering", "sentence-similarity"
_MOST_SENTENCES = 5
_SENTENCE = re.compile(r"(?<=[.!?])\s|(?<=[。！？])|\n")  # noqa: RUF001 - Chinese, Japanese

Tasks = list[Task]


class EmbeddedPlanner:
    """Plans with a small model that comes with the program; what was liked, as it was then."""

    def __init__(self, find_examples: FindExamples = find_no_examples) -> None:
        self._find_examples = find_examples

    @property
    def name(self) -> str:
        return "embedded"

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        """Tasks, or one reply: to plain talk, to unusable files, or a question. Never raises."""
        locale = request.person.locale
        if request.rejected and not request.files:
            count = len(request.rejected)
            yield Replied(say(locale, LocalizedText("planner-no-file-usable", {"count": count})))
            return
        seen = view(replace(request, text=strip_mentions(request)))
        liked = find_same(await self._find_examples(request), request)
        by = predictor(EVERYDAY)
        decision = recall(seen.text, seen.types, by, liked.plan) if liked else None
        as_liked = _fill(decision, seen) if decision else None
        planned = as_liked if isinstance(as_liked, list) else tasks(seen)
        if planned is as_liked:
            yield Noticed(LocalizedText("plan-as-liked"))
        if isinstance(planned, LocalizedText):
            yield Replied(say(locale, planned))
            return
        for task in planned:
            yield Proposed(task)


def likely_kinds(request: Request, n: int = 10) -> Sequence[str]:
    """The kinds a request most likely needs, the best first, for a language model's prompt."""
    seen = view(request)
    return rank_kinds(seen.text, seen.types, n)


def tasks(seen: RequestView) -> Tasks | LocalizedText:
    """The tasks of a request, or what to say instead."""
    if (reply := _reply_to_no_request(seen)) is not None:
        return reply
    if (
        len(seen.files) > 1
        and only_says_which(seen.text, seen.files)
        and tag(seen.text).has("other")
    ):
        names = ", ".join(f"{file.attachment.name} ({file.name})" for file in seen.files)
        return LocalizedText("planner-which", {"names": names})
    by = predictor(EVERYDAY)
    if len(seen.text) > LONGEST:
        seen = replace(seen, before=())
    if own := _plan_answer(seen, by) or _plan_own_text(seen, by):
        return own
    planned = _plan(decide(seen.text, seen.types, by), seen, by)
    if isinstance(planned, list):
        return _add_other_sentences(planned, seen, by)
    return next(_other_readings(seen, by), None) or planned or _talk(seen)


def steps_of(decision: Decision, vocabulary: str = EVERYDAY) -> list[PlannedStep]:
    """The chosen kinds, each after the one that feeds it, with the clauses that speak of them."""
    table = kinds_of(vocabulary, decision.kinds)
    source = {target: source for source, target in reversed(decision.links)}
    left, order = list(range(len(decision.kinds))), list[int]()
    while left:
        waiting = {target for source, target in decision.links if source in left}
        order.append(next(at for at in left if at not in waiting))
        left.remove(order[-1])
    fed = {at: [decision.kinds[to] for made, to in decision.links if made == at] for at in order}
    return [
        PlannedStep(
            table[decision.kinds[at]],
            _clauses(decision, at),
            order.index(source[at]) if at in source else -1,
            any(_listens(table[kind]) for kind in fed[at]),
            _COMPARES in fed[at],
        )
        for at in order
    ]


def _listens(kind: TaskKind) -> bool:
    return kind.takes[0].types == (Type.AUDIO,)


def _clauses(decision: Decision, at: int) -> tuple[int, ...]:
    """The clause that speaks most of a kind, with those that follow and speak of no other."""
    scores = decision.scores
    place = {kind: int(scores.where[scores.kinds.index(kind)]) for kind in decision.kinds}
    mine = place[decision.kinds[at]]
    taken = sorted(set(place.values()))
    first = mine if mine != taken[0] else 0
    last = next((other for other in taken if other > mine), len(decision.reading.clauses))
    return tuple(range(first, last))


def _reply_to_no_request(seen: RequestView) -> LocalizedText | None:
    """What is said to words that do not say, or not in a known script, what is to be done."""
    if not any(map(str.isalnum, seen.text)):
        signs = seen.files and seen.text.strip()
        return LocalizedText("planner-empty-with-files") if signs else _talk(seen)
    tagged = tag(seen.text)
    if tagged.has("undo") and not tagged.find_uncovered("undo", "idle", "please", "no"):
        return LocalizedText("planner-undo")
    vague = not [word for word in tagged.find_uncovered("idle") if not word.isdigit()]
    if seen.all_types and vague and len(seen.text) <= LONGEST:
        return LocalizedText("planner-empty-with-files")
    text = seen.text[:LONGEST]
    for quote in find_quotes(text):
        text = text.replace(quote.text, "")
    unread = sum(any(low <= sign <= high for low, high in _UNREAD) for sign in text)
    known = sum(map(str.isalpha, text)) - unread
    return LocalizedText("planner-unread") if unread and known <= _NAME_LETTERS else None


def _plan_answer(seen: RequestView, by: Predictor) -> Tasks:
    """The tasks of a request that names an earlier answer; none where it names none."""
    if not seen.answers or seen.files or len(seen.text) > _LENGTHY or read(seen.text).quotes:
        return []
    name = find_result_name(seen.text)
    if name is None or "\n" in seen.text[name.end :] or ":" in seen.text[name.end :]:
        return []
    makers = RESULTS[name.group]
    starts = (clause[0].start for clause in read(seen.text).clauses)
    earlier = seen.text[: max((start for start in starts if start <= name.start), default=0)]
    first = decide(earlier, seen.types, by).kinds if earlier else ()
    if earlier and makers & set(first or decide(seen.text, seen.types, by).kinds):
        return []  # the same request makes it first
    said = _meant_answer(name, seen, by)
    text = f"{seen.text[: name.start]}{name.stand_in}{seen.text[name.end :]}"
    decision = on_text(decide(text, FileTypes(before=(Type.DOCUMENT,)), by))
    if said is None or not decision.kinds:
        return []
    about = RequestView(text, answers=(EarlierAnswer(said),), about_answer=True)
    planned = _plan(decision, about, by)
    return [_reword(task, name) for task in planned] if isinstance(planned, list) else []


def _meant_answer(name: ResultName, seen: RequestView, by: Predictor) -> str | None:
    """The newest answer to a request for such a result, or all; else the newest, if it may be."""
    answers = seen.answers[:_MOST_SENTENCES]
    if name.group == "result.version" and (code := language_in(name.words)):
        into = [language_in(answer.asked) for answer in answers]
        return next((answers[into.index(one)].text for one in (code, "") if one in into), None)
    asked = [decide(answer.asked, FileTypes(answer.types), by) for answer in answers]
    kinds = [{*one.kinds} if one.confidence >= _FIRM else set[str]() for one in asked]
    makers = RESULTS[name.group]
    made = [
        _part_of(answer.text, makers & of)
        for answer, of in zip(answers, kinds, strict=True)
        if makers & of
    ]
    if made and tag(name.words).has("all"):
        return "\n\n".join(reversed(made))
    return next(iter(made), "" if makers and kinds[0] else answers[0].text) or None


def _part_of(answer: str, kinds: Collection[str]) -> str:
    """The paragraph of an answer under the heading of one of these kinds, else all of it."""
    parts = {
        head.casefold(): part for head, _, part in (p.partition(": ") for p in answer.split("\n\n"))
    }
    headings = (title(locale, kind).casefold() for locale in LOCALES for kind in kinds)
    return next((parts[heading] for heading in headings if heading in parts), answer)


def _reword(task: Task, name: ResultName) -> Task:
    """With the words that were said in the place of those that were read."""

    def piece(arg: Arg) -> Arg:
        return Text(arg.text.replace(name.stand_in, name.words)) if isinstance(arg, Text) else arg

    return replace(task, args={slot: tuple(map(piece, args)) for slot, args in task.args.items()})


def _plan_own_text(seen: RequestView, by: Predictor) -> Tasks:
    """The tasks of a request that brings along the text that it is about."""
    if seen.files or not (seen.before or seen.answers or len(seen.text) > _LENGTHY):
        return []
    wish, text = extraction.split_wish(seen.text)
    brief = len(text) < extraction.SHORT and (
        extraction.is_question(text) or language_in(text) or wish.endswith("?")
    )
    follows = text[:1].islower() and not wish.endswith(":")
    if not wish or brief or follows or len(tokenize(text)) < _SHORT_TEXT:
        return []
    if tag(wish).has(*(f"file.{kind.value}" for kind in FILE_TYPES)) or text[:1] in "-*•":
        return []
    decision = on_text(decide(wish, FileTypes(before=(Type.DOCUMENT,)), by))
    sure = extraction.is_mere_wish(wish) or decision.confidence >= _FIRM or len(text) >= _LONG_TEXT
    if not sure or not decision.kinds:
        return []
    planned = _plan(
        decision, RequestView(wish, answers=(EarlierAnswer(text),), about_answer=True), by
    )
    return planned if isinstance(planned, list) else []


def _other_readings(seen: RequestView, by: Predictor) -> Iterator[Tasks]:
    """The tasks where a short text after a head is material, or only the first line is a wish."""
    texts = [] if seen.all_types else [(seen.text, SHORT_PASTE)]
    texts += [(seen.text.strip().partition("\n")[0], LONGEST)] if seen.all_types else []
    for text, paste in texts:
        decision = decide(text, seen.types, by, paste=paste)
        planned = _plan(decision, seen, by) if decision.confidence >= _FIRM else None
        if isinstance(planned, list):
            yield planned


def _add_other_sentences(planned: Tasks, seen: RequestView, by: Predictor) -> Tasks:
    """The plan with the tasks of sentences that ask for kinds it has not: a second wish."""
    sentences = split_sentences(seen.text)
    if not 1 < len(sentences) <= _MOST_SENTENCES or find_material(seen, read(seen.text)).find_text(
        ""
    ):
        return planned
    kinds = {task.kind.name for task in planned}
    args = [arg for task in planned for given in task.args.values() for arg in given]
    used = [arg.text for arg in args if isinstance(arg, Text)]
    for sentence in sentences:
        decision = decide(sentence, seen.types, by)
        known = kinds & set(decision.kinds) or any(text in sentence for text in used)
        if known or decision.confidence < _FIRM:
            continue
        more = _plan(decision, replace(seen, text=sentence), by)
        if isinstance(more, list):
            planned = [*planned, *_renumber(more, len(planned))]
            kinds |= set(decision.kinds)
    return planned


def split_sentences(text: str) -> list[str]:
    """The sentences of a short message."""
    return [part.strip() for part in _SENTENCE.split(text[:_LENGTHY]) if part.strip()]


def _renumber(more: Tasks, by: int) -> Tasks:
    def move(arg: Arg) -> Arg:
        return replace(arg, task=TaskId(arg.task + by)) if isinstance(arg, Ref) else arg

    return [
        replace(
            task,
            id=TaskId(task.id + by),
            args={slot: tuple(map(move, args)) for slot, args in task.args.items()},
        )
        for task in more
    ]


def _fill(decision: Decision, seen: RequestView) -> Tasks | MissingInput:
    return fill(steps_of(decision), find_material(seen, decision.reading))


def _plan(decision: Decision, seen: RequestView, by: Predictor) -> Tasks | LocalizedText | None:
    """The tasks that were decided on, or what to ask; None for plain talk."""
    if not decision.kinds:
        return _ask_for_file(decision, seen, by, _LIKELY)
    if decision.confidence < _FIRM and not (seen.said or decision.reading.quotes):
        missed = _ask_for_file(decision, seen, by, _LIKELIER)
        if missed is not None:
            return missed
    if decision.confidence < by.doubt:
        return _question(decision, seen)
    planned = _fill(decision, seen)
    return planned.message if isinstance(planned, MissingInput) else planned


def _ask_for_file(
    decision: Decision, seen: RequestView, by: Predictor, least: float
) -> LocalizedText | None:
    """What to ask for, if the words would surely ask for a task had a file come with them."""
    if seen.all_types or len(seen.text) > _LENGTHY:
        return None
    best, found = least + max(decision.scores[TALK], 0.0), ""
    for kind in FILE_TYPES:
        scores = by.model.score(decision.reading, FileTypes((kind,)).tags)
        likeliest = scores.rank(1)[0]
        if scores[likeliest] > max(best, scores[TALK]):
            best, found = scores[likeliest], likeliest
    if not found:
        return None
    missing = fill([PlannedStep(KINDS[found], ())], find_material(seen, decision.reading))
    return missing.message if isinstance(missing, MissingInput) else None


def _question(decision: Decision, seen: RequestView) -> LocalizedText:
    """One short question instead of a guess: in which order, where there are several wishes."""
    material = find_material(seen, decision.reading)
    steps = steps_of(decision)
    first = steps[0].clauses if steps else ()
    rest = [at for step in steps for at in step.clauses if at not in first]
    if first and rest:
        args = {"first": material.part(first), "second": material.part(rest)}
        return LocalizedText("planner-unsure-order", args)
    return LocalizedText("planner-unsure-files" if seen.files else "planner-unsure")


def _talk(seen: RequestView) -> LocalizedText:
    """The reply to a message that asks for no task."""
    tagged, signs = tag(seen.text), frozenset(seen.text.strip())
    silent = not any(map(str.isalnum, seen.text))
    if not signs:
        return LocalizedText("planner-empty-with-files" if seen.files else "planner-empty")
    if tagged.has("help_question"):
        return LocalizedText("planner-about")
    if tagged.has("thanks") or (silent and signs & _THANKS):
        return LocalizedText("planner-welcome")
    if tagged.has("greeting") or (silent and signs & _HELLO):
        return LocalizedText("planner-hello")
    asks = extraction.is_question(seen.text) or any(
        match.first == 0 for match in tagged.find(*extraction.ASKS)
    )
    gone = absent_type(seen.text, seen.all_types) if asks and not tagged.has("files") else None
    if gone:
        return LocalizedText("planner-absent-type", {"type": gone.value})
    return LocalizedText("planner-no-talk")
