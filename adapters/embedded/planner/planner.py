"""Stage 1 without a language model: tasks or a short question, and the likely kinds for others."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from adapters.embedded.planner import extraction
from adapters.embedded.planner.arguments import PlannedStep, fill, find_material
from adapters.embedded.planner.decision import (
    EVERYDAY,
    Decision,
    FileTypes,
    decide,
    on_text,
    predictor,
    rank_kinds,
    recall,
)
from adapters.embedded.planner.lexicon import language_in, tag, tokenize
from adapters.embedded.planner.model import TALK
from adapters.embedded.planner.reading import LONGEST, SHORT_PASTE, find_quotes, read
from adapters.embedded.planner.references import (
    find_absent_type,
    find_result_name,
    only_says_which,
)
from adapters.embedded.planner.view import EarlierAnswer, RequestView, view
from pipeline.domain import (
    FILE_TYPES,
    LocalizedText,
    Noticed,
    PlanPart,
    Proposed,
    Replied,
    Request,
    Task,
    Type,
)
from pipeline.feedback import find_same
from pipeline.model_mentions import strip_mentions
from pipeline.ports import FindExamples, find_no_examples
from pipeline.task_kinds import KINDS
from pipeline.words import say

_LIKELY = 5.0
"""Log-odds that make a kind worth asking for its file."""
_FIRM = 0.75
"""Confidence to act on one reading of several."""
_LENGTHY, _LONG_TEXT, _SHORT_TEXT = 400, 240, 8
"""Characters of a message that more likely brings a text; of such a text; and its least words."""
_MOST_ANSWERS = 5
_NAME_LETTERS = 3
_UNREAD = (("\u0370", "\u03ff"), ("\u0530", "\u10ff"), ("\u1200", "\u1dff"))
"""Scripts in which nothing was learned."""
_SMALL_TALK = (
    ("help_question", "", "planner-about"),
    ("thanks", "🙏👍👏❤💙💚💛🧡💜😊🙂😀😃😄👌💯🎉", "planner-welcome"),
    ("greeting", "👋🤗", "planner-hello"),
)
"""Group of words, signs that say the same by themselves, and the reply."""

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
        seen = view(replace(request, text=strip_mentions(request)))
        examples = await self._find_examples(request)
        liked = find_same(examples, request) if examples else None
        decision = recall(seen.text, seen.types, liked.plan) if liked else None
        planned = _fill(decision, seen) if decision else None
        if isinstance(planned, list):
            yield Noticed(LocalizedText("plan-as-liked"))
        elif request.rejected and not request.files:
            planned = LocalizedText("planner-no-file-usable", {"count": len(request.rejected)})
        else:
            planned = tasks(seen)
        if isinstance(planned, LocalizedText):
            yield Replied(say(request.person.locale, planned))
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
    if len(seen.text) > LONGEST:
        seen = replace(seen, before=())
    brings = seen.before or seen.answers or len(seen.text) > _LENGTHY
    if own := _plan_named_answer(seen) or (_plan_own_text(seen) if brings else []):
        return own
    planned = _plan(decide(seen.text, seen.types), seen)
    if isinstance(planned, list) or len(seen.text) > LONGEST:
        return planned or _talk(seen)
    # a short text after a head may be material; beside a file, only the first line may be a wish
    text = seen.text.strip().partition("\n")[0] if seen.all_types else seen.text
    other = decide(text, seen.types, paste=LONGEST if seen.all_types else SHORT_PASTE)
    instead = _plan(other, seen) if other.confidence >= _FIRM else None
    return instead if isinstance(instead, list) else _plan_own_text(seen) or planned or _talk(seen)


def steps_of(decision: Decision) -> list[PlannedStep]:
    """The chosen kinds, each after the one that feeds it, with the clauses that speak of them."""
    kinds = [KINDS[kind] for kind in decision.kinds]
    source = {target: source for source, target in reversed(decision.links)}
    left, order = list(range(len(kinds))), list[int]()
    while left:
        waiting = {target for source, target in decision.links if source in left}
        order.append(next(at for at in left if at not in waiting))
        left.remove(order[-1])
    clauses = _share_clauses(decision)
    return [
        PlannedStep(
            kinds[at],
            clauses[at],
            order.index(source[at]) if at in source else -1,
            tuple(kinds[to] for made, to in decision.links if made == at),
        )
        for at in order
    ]


def _share_clauses(decision: Decision) -> list[tuple[int, ...]]:
    """The clauses that speak of each kind.

    Each kind has the one that speaks most of it; those between two are cut where it fits best.
    """
    scores, last = decision.scores, len(decision.reading.clauses)
    columns = [scores.kinds.index(kind) for kind in decision.kinds]
    places = [int(scores.where[column]) for column in columns]
    speaks = dict(zip(places, columns, strict=True))
    cuts = [0]
    for one, other in pairwise(sorted(speaks)):
        between = scores.by_clause[one + 1 : other]
        gain = np.cumsum([0, *(between[:, speaks[one]] - between[:, speaks[other]])])
        cuts.append(one + 1 + int(gain.argmax()))
    spans = dict(zip(sorted(speaks), pairwise([*cuts, last]), strict=True)) if speaks else {}
    return [tuple(range(*spans[place])) for place in places]


def _reply_to_no_request(seen: RequestView) -> LocalizedText | None:
    """What is said to words that do not say, or not in a known script, what is to be done."""
    text = seen.text[:LONGEST]
    if not any(map(str.isalnum, seen.text)):
        return LocalizedText("planner-empty-with-files") if seen.files else _talk(seen)
    tagged = tag(text)
    if tagged.has("undo") and not tagged.find_uncovered("undo", "idle", "please", "no"):
        return LocalizedText("planner-undo")
    if len(seen.files) > 1 and tagged.has("other") and only_says_which(text, seen.files):
        names = ", ".join(f"{file.attachment.name} ({file.name})" for file in seen.files)
        return LocalizedText("planner-which", {"names": names})
    said = [word for word in tagged.find_uncovered("idle") if not word.isdigit()]
    if seen.all_types and not said and len(seen.text) <= LONGEST:
        return LocalizedText("planner-empty-with-files")
    for quote in find_quotes(text):
        text = text.replace(quote.text, "")
    unread = sum(any(low <= sign <= high for low, high in _UNREAD) for sign in text)
    known = sum(map(str.isalpha, text)) - unread
    return LocalizedText("planner-unread") if unread and known <= _NAME_LETTERS else None


def _plan_named_answer(seen: RequestView) -> Tasks:
    """The tasks of a request that names an earlier answer; none where it names none."""
    if not seen.answers or seen.files or len(seen.text) > _LENGTHY or read(seen.text).quotes:
        return []
    name = find_result_name(seen.text)
    if name is None or {"\n", ":"} & {*seen.text[name.end :]}:
        return []
    starts = (clause[0].start for clause in read(seen.text).clauses)
    earlier = seen.text[: max((start for start in starts if start <= name.start), default=0)]
    if name.kind in decide(earlier, seen.types).kinds:
        return []  # the same request makes it first
    answers = seen.answers[:_MOST_ANSWERS]
    asked = [decide(answer.asked, FileTypes(answer.types)).kinds for answer in answers]
    made = (answer.text for answer, of in zip(answers, asked, strict=True) if name.kind in of)
    meant = next(made, "" if name.kind in KINDS and asked[0] else seen.said)
    if not meant:
        return []
    text = f"{seen.text[: name.start]}{name.stand_in}{seen.text[name.end :]}"
    return _plan_about(text, meant, seen.text)


def _plan_about(wish: str, text: str, said: str) -> Tasks:
    """The tasks of a wish for a text, which stands in it as a document, or as was said."""
    decision = on_text(decide(wish, FileTypes(before=(Type.DOCUMENT,))))
    seen = RequestView(said, answers=(EarlierAnswer(text),), about_answer=True)
    planned = _plan(decision, seen) if decision.kinds else None
    return planned if isinstance(planned, list) else []


def _plan_own_text(seen: RequestView) -> Tasks:
    """The tasks of a request that brings along the text that it is about."""
    wish, text = ("", "") if seen.files else extraction.split_wish(seen.text)
    asks = extraction.is_question(text) or language_in(text) or wish.endswith("?")
    brief = len(text) < extraction.SHORT and asks and (seen.before or seen.answers)
    follows = text[:1].islower() and not wish.endswith(":")
    if not wish or brief or follows or len(tokenize(text)) < _SHORT_TEXT:
        return []
    if tag(wish).has(*(f"file.{kind.value}" for kind in FILE_TYPES)) or text[:1] in "-*•":
        return []
    decision = on_text(decide(wish, FileTypes(before=(Type.DOCUMENT,))))
    sure = decision.confidence >= _FIRM or len(text) >= _LONG_TEXT
    return _plan_about(wish, text, wish) if sure or extraction.is_mere_wish(wish) else []


def _fill(decision: Decision, seen: RequestView) -> Tasks | LocalizedText:
    return fill(steps_of(decision), find_material(seen, decision.reading))


def _plan(decision: Decision, seen: RequestView) -> Tasks | LocalizedText | None:
    """The tasks that were decided on, or what to ask; None for plain talk."""
    if not decision.kinds:
        return _ask_for_file(decision, seen)
    if decision.confidence < predictor(EVERYDAY).rules.doubt:
        return _ask_which(decision, seen)
    planned = _fill(decision, seen)
    lacks = isinstance(planned, LocalizedText) and tag(seen.text).has("hint.audio", "hint.video")
    return (_ask_for_file(decision, seen) if lacks else None) or planned


def _ask_for_file(decision: Decision, seen: RequestView) -> LocalizedText | None:
    """What to ask for, if the words would surely ask for a task had a file come with them."""
    best, likeliest = _LIKELY + max(decision.scores[TALK], 0.0), ""
    for kind in FILE_TYPES if not seen.all_types and len(seen.text) <= _LENGTHY else ():
        scores = predictor(EVERYDAY).model.score(decision.reading, FileTypes((kind,)).tags)
        first = scores.rank(1)[0]
        if scores[first] > max(best, scores[TALK]):
            best, likeliest = scores[first], first
    if not likeliest:
        return None
    missing = fill([PlannedStep(KINDS[likeliest])], find_material(seen, decision.reading))
    return missing if isinstance(missing, LocalizedText) else None


def _ask_which(decision: Decision, seen: RequestView) -> LocalizedText:
    """One short question instead of a guess: in which order, where there are several wishes."""
    material = find_material(seen, decision.reading)
    steps = steps_of(decision)
    rest = [at for step in steps for at in step.clauses if at not in steps[0].clauses]
    if rest:
        args = {"first": material.part(steps[0].clauses), "second": material.part(rest)}
        return LocalizedText("planner-unsure-order", args)
    return LocalizedText("planner-unsure-files" if seen.files else "planner-unsure")


def _talk(seen: RequestView) -> LocalizedText:
    """The reply to a message that asks for no task."""
    tagged, signs = tag(seen.text), frozenset(seen.text.strip())
    if not signs:
        return LocalizedText("planner-empty-with-files" if seen.files else "planner-empty")
    for group, alone, reply in _SMALL_TALK:
        if tagged.has(group) or (signs & {*alone} and not any(map(str.isalnum, seen.text))):
            return LocalizedText(reply)
    asks = extraction.is_question(seen.text) or tagged.at(0, *extraction.ASKS) is not None
    gone = find_absent_type(seen.text, seen.all_types)
    if gone and asks and not tagged.has("files"):
        return LocalizedText("planner-absent-type", {"type": gone.value})
    return LocalizedText("planner-no-talk")
