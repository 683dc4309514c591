"""Stage 1 without a language model: tasks, or a short sentence instead."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TypeVar

from adapters.embedded.planner import extraction
from adapters.embedded.planner.arguments import Material, PlannedStep, fill
from adapters.embedded.planner.decision import (
    EVERYDAY,
    Decision,
    FileTypes,
    decide,
    decide_bench,
    on_text,
    predictor,
    recall,
)
from adapters.embedded.planner.lexicon import language_in, lexicon, tag
from adapters.embedded.planner.manners import is_meant, is_sent_away
from adapters.embedded.planner.reading import LONGEST, read
from adapters.embedded.planner.references import (
    find_absent_type,
    find_message_name,
    find_result_name,
    only_says_which,
)
from adapters.embedded.planner.view import RequestView, view
from pipeline.domain import (
    FILE_TYPES,
    LocalizedText,
    Noticed,
    Plan,
    PlanPart,
    Proposed,
    Ref,
    Repair,
    Repaired,
    Replied,
    Request,
    Silent,
    Task,
    TaskId,
    Text,
    Type,
)
from pipeline.domain.values import WITH_A_TASK
from pipeline.feedback import find_same
from pipeline.model_mentions import strip_mentions
from pipeline.planning.validate import MOST_TASKS
from pipeline.ports import FindExamples, find_no_examples
from pipeline.task_kinds import KINDS
from pipeline.words import say

_OUTSIDE = 0.3
"""How likely a doubtful message must ask for nothing that a kind does to be declined."""
_LENGTHY = 400
"""Characters of a message that more likely brings a text."""
_TALK = frozenset({"planner-hello", "planner-welcome", "planner-about"})
"""Replies to plain talk; every other one asks back, or says why nothing is done."""
_LONG = 5_000
"""Characters of a message that take some ms to read."""
_MOST_ANSWERS = 5
_NAME_LETTERS = 3
_UNREAD = (("\u0370", "\u1dff"), ("\uac00", "\ud7af"))
"""Scripts in which nothing was learned."""
_SMALL_TALK = {
    "help_question": "planner-about",
    "thanks": "planner-welcome",
    "greeting": "planner-hello",
}
"""Group of words and signs → the reply."""
_STAND_IN = " answer.txt "
"""The model knows names of files in any language."""
_TEXT = FileTypes(before=(Type.DOCUMENT,))
"""A text is planned for like a document."""
_READERS = frozenset({*WITH_A_TASK.values(), "optical-character-recognition"})
"""Kinds that make a text of a file."""
_SPOKEN = {Type.AUDIO, Type.VIDEO}
"""Files that hold a conversation themselves."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draft:
    """Tasks, and the words of the request that ask for what none of them does."""

    tasks: list[Task]
    unmet: tuple[str, ...] = ()

    def list_undone(self) -> Iterator[LocalizedText]:
        """What is not done of the request."""
        yield from (LocalizedText("planner-not-done", {"words": words}) for words in self.unmet)
        if excess := len(self.tasks[MOST_TASKS:]):
            yield LocalizedText("plan-too-long", {"count": excess, "most": MOST_TASKS})


class EmbeddedPlanner:
    """Plans with a small model that comes with the program; what was liked, as it was then."""

    def __init__(self, find_examples: FindExamples = find_no_examples) -> None:
        self._find_examples = find_examples

    @property
    def name(self) -> str:
        return "embedded"

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        """Tasks, or one reply: to plain talk, to unusable files, or a question. Never raises."""
        seen = await _read(request, _view)
        short = len(seen.text) <= LONGEST
        examples = await self._find_examples(request) if short else ()
        liked = find_same(examples, request) if examples else None
        decision = recall(seen.text, seen.types, liked.plan) if liked else None
        planned = _plan(decision, _find_named_text(seen) or seen) if decision else None
        if isinstance(planned, Draft):
            yield Noticed(LocalizedText("plan-as-liked"))
        elif is_sent_away(request):
            yield Silent(leaves_thread=True)
            return
        elif request.overheard and not is_meant(request, seen):
            yield Silent()
            return
        elif request.rejected and not request.files:
            planned = LocalizedText("planner-no-file-usable", {"count": len(request.rejected)})
        else:
            planned = await _read(request, lambda _: draft(seen))
        if isinstance(planned, LocalizedText):
            is_refusal = planned.id not in _TALK
            text = say(request.person.locale, planned)
            yield Replied(text, is_refusal=is_refusal, sentence=planned.id)
            return
        for task in planned.tasks[:MOST_TASKS]:
            yield Proposed(task)
        for sentence in planned.list_undone():
            yield Repaired(Repair(sentence, dropped=True))


async def _read(request: Request, read: Callable[[Request], T]) -> T:
    """Read a request; a long one in a thread, so that the others are served meanwhile."""
    return await asyncio.to_thread(read, request) if len(request.text) > _LONG else read(request)


def _view(request: Request) -> RequestView:
    return view(replace(request, text=strip_mentions(request)))


@dataclass(frozen=True, slots=True)
class PlanGuess:
    """A plan without questions, and how sure it is, from 0 to 1."""

    plan: Plan
    confidence: float


def guess_bench_plan(text: str) -> PlanGuess:
    """The plan of a request of TaskBench, by its words alone."""
    decision = decide_bench(text)
    return PlanGuess(_sketch(decision, RequestView(text)), decision.confidence)


def guess_plan(requests: Sequence[Request]) -> PlanGuess:
    """The surest plan of requests with the same words, but other files.

    Words that name files need no others: then it is the plan of the first.
    """
    views = [view(request) for request in requests]
    _, guess = max(map(_guess, views[:1] if views[0].files else views), key=itemgetter(0))
    return guess


def tasks(seen: RequestView) -> list[Task] | LocalizedText:
    """The tasks of a request, or what to say instead."""
    planned = draft(seen)
    return planned.tasks if isinstance(planned, Draft) else planned


def draft(seen: RequestView) -> Draft | LocalizedText:
    """The tasks of a request with what they leave undone, or what to say instead."""
    if (reply := _reply_to_no_request(seen)) is not None:
        return reply
    if (of_thread := _plan_for_thread(seen)) is not None:
        return of_thread
    own = _find_own_text(seen)
    for view_ in filter(None, (own, _find_named_text(seen))):
        decided = on_text(decide(view_.wish, _TEXT), is_named=view_ is not own)
        planned = _plan(decided, view_)
        if isinstance(planned, Draft):
            return planned
    planned = _plan(decide(seen.text, seen.types), seen) or _talk(seen)
    name = find_result_name(seen.tagged)
    if name and name.kind == "thread" and not (seen.all_types or seen.thread):
        is_new = isinstance(planned, Draft) and planned.tasks[0].kind.anew
        if not (is_new or {"\n", ":"} & {*seen.text[name.end :]}):
            return LocalizedText("planner-lacks-text", {"type": "text", "slot": "text"})
    return planned


def steps_of(decision: Decision) -> list[PlannedStep]:
    """The chosen kinds, each after the one that feeds it, with the clauses that speak of them."""
    kinds = [KINDS[kind] for kind in decision.kinds]
    source = {target: source for source, target in reversed(decision.links)}
    left, order = list(range(len(kinds))), list[int]()
    while left:
        waiting = {target for source, target in decision.links if source in left}
        order.append(next(at for at in left if at not in waiting))
        left.remove(order[-1])
    return [
        PlannedStep(
            kinds[at],
            decision.clauses[at],
            order.index(source[at]) if at in source else -1,
            tuple(kinds[to] for made, to in decision.links if made == at),
        )
        for at in order
    ]


def _reply_to_no_request(seen: RequestView) -> LocalizedText | None:
    """What is said to words that do not say, or not in a known script, what is to be done."""
    text = seen.text[:LONGEST]
    tagged = seen.tagged
    if not any(map(str.isalnum, text)):
        return LocalizedText("planner-empty-with-files") if seen.files else _talk(seen)
    if tagged.has("undo") and not tagged.find_uncovered("undo", "idle", "please", "no"):
        return LocalizedText("planner-undo")
    if len(seen.files) > 1 and tagged.has("other") and only_says_which(tagged, seen.files):
        names = ", ".join(f"{file.attachment.name} ({file.name})" for file in seen.files)
        return LocalizedText("planner-which", {"names": names})
    if seen.all_types and all(map(str.isdigit, tagged.find_uncovered("idle", "original"))):
        return LocalizedText("planner-empty-with-files")
    unread = sum(any(low <= sign <= high for low, high in _UNREAD) for sign in text)
    known = sum(map(str.isalpha, text)) - unread
    return LocalizedText("planner-unread") if unread and known <= _NAME_LETTERS else None


def _plan_for_thread(seen: RequestView) -> Draft | None:
    """The task of words that ask what was said in their thread, and of "tl;dr"."""
    is_short = len(seen.text) <= extraction.SHORT and len(read(seen.text).clauses) == 1
    if not (seen.thread and is_short and seen.tagged.has("of_thread")) or seen.files:
        return None
    thread, summary = (Text(seen.thread),), KINDS["summarization"]
    if seen.tagged.has("summary"):
        return Draft([Task(TaskId(1), summary, {"text": thread})])
    args = {"question": (Text(seen.text),), "context": thread}
    return Draft([Task(TaskId(1), KINDS["question-answering"], args)])


def _find_named_text(seen: RequestView) -> RequestView | None:
    """A request that names an earlier answer, the thread or somebody's message, about that text."""
    name = find_message_name(seen.tagged, seen.messages) or find_result_name(seen.tagged)
    if not name or seen.files or len(seen.text) > _LENGTHY:
        return None
    reading = read(seen.text)
    if reading.quotes or {"\n", ":"} & {*seen.text[name.end :]}:
        return None
    starts = (clause[0].start for clause in reading.clauses)
    earlier = seen.text[: max((start for start in starts if start <= name.start), default=0)]
    if name.kind in decide(earlier, seen.types).kinds:
        return None  # the same request makes it first
    meant = _find_meant_text(name.kind, seen)
    wish = f"{seen.text[: name.start]}{_STAND_IN}{seen.text[name.end :]}"
    return RequestView(seen.text, wish=wish, about=meant) if meant else None


def _find_meant_text(kind: str, seen: RequestView) -> str:
    """The text that a name of this kind stands for; "" if there is none."""
    if kind in seen.messages:
        return seen.messages[kind]
    if kind == "thread" or (kind == "conversation" and not {*seen.all_types} & _SPOKEN):
        return seen.thread
    if not seen.answers:
        return ""
    made = (
        answer.text
        for answer in seen.answers[:_MOST_ANSWERS]
        if kind in decide(answer.asked, FileTypes(answer.types)).kinds
    )
    return next(made, "" if kind in KINDS and seen.answers[0].asked else seen.said)


def _find_own_text(seen: RequestView) -> RequestView | None:
    """A request about the text that it brings along, if that and its wish are all of it.

    Beside a file, if the file would only be read for it.
    """
    wish, text = seen.wish, seen.about
    if seen.files and not text and (text := " ".join(q.text for q in read(seen.text).quotes)):
        wish = seen.text.replace(text, "")
    asks = extraction.is_question(text) or language_in(text) or wish.endswith("?")
    is_brief = len(text) < extraction.SHORT and asks and (seen.before or seen.answers or seen.files)
    follows = text[:1].islower() and not wish.endswith((":", "\uff1a"))
    names_file = tag(wish).has(*(f"file.{kind.value}" for kind in FILE_TYPES))
    if not (wish and text) or names_file or is_brief or follows or text[0] in "-*•":
        return None
    if seen.all_types:
        of_text = on_text(decide(wish, _TEXT), is_named=False).kinds
        of_file = (decide(words, seen.types).kinds for words in (wish, seen.text))
        read_first = [tuple(k for k in kinds if k not in _READERS) for kinds in of_file]
        if not of_text or of_text not in read_first:
            return None
    return RequestView(wish, wish=wish, about=text)


def _plan(decision: Decision, seen: RequestView) -> Draft | LocalizedText | None:
    """The tasks that were decided on, or what to say or ask; None for plain talk."""
    if not decision.kinds:
        return _decline() if decision.unmet else _ask_for_file(seen)
    if decision.confidence < predictor(EVERYDAY).rules.doubt:
        nothing = decision.talk + decision.outside
        return _decline() if nothing >= _OUTSIDE else _ask_which(decision, seen)
    material = Material(seen, decision.reading)
    planned = fill(steps_of(decision), material)
    if not isinstance(planned, LocalizedText):
        return Draft(planned, _find_unmet(decision, material))
    return planned


def _decline() -> LocalizedText:
    return LocalizedText("planner-outside")


def _find_unmet(decision: Decision, material: Material) -> tuple[str, ...]:
    """The words that ask for what no kind does, and for how long a summary shall be."""
    unmet = material.part(decision.unmet) if decision.unmet else ""
    spoken = zip(decision.kinds, decision.clauses, strict=True)
    summed = [material.part(clauses) for kind, clauses in spoken if kind == "summarization"]
    lengths = map(extraction.find_length, summed)
    return tuple(filter(None, (unmet if extraction.unsaid_words(unmet) else "", *lengths)))


def _ask_for_file(seen: RequestView) -> LocalizedText | None:
    """What to ask for, if a question speaks of a file that is not there."""
    tagged = seen.tagged
    asks = extraction.is_question(seen.text) or tagged.at(0, *extraction.ASKS) is not None
    lacks = find_absent_type(tagged, seen.all_types) if asks else None
    if not lacks or tagged.has("files"):
        return None
    return LocalizedText("planner-lacks-file", {"type": lacks.value})


def _ask_which(decision: Decision, seen: RequestView) -> LocalizedText:
    """One short question instead of a guess: in which order, where there are several wishes."""
    material = Material(seen, decision.reading)
    steps = steps_of(decision)
    rest = [at for step in steps for at in step.clauses if at not in steps[0].clauses]
    if rest:
        args = {"first": material.part(steps[0].clauses), "second": material.part(rest)}
        return LocalizedText("planner-unsure-order", args)
    return LocalizedText("planner-unsure-files" if seen.files else "planner-unsure")


def _talk(seen: RequestView) -> LocalizedText:
    """The reply to a message that asks for no task."""
    if not seen.text.strip():
        return LocalizedText("planner-empty")
    tagged, words = seen.tagged, lexicon().words
    for group, reply in _SMALL_TALK.items():
        if tagged.has(group) or {*words[group]} & {*seen.text[:LONGEST]}:
            return LocalizedText(reply)
    return LocalizedText("planner-no-talk")


def _guess(seen: RequestView) -> tuple[float, PlanGuess]:
    """How sure a plan is if these files are there, and the plan."""
    decision = decide(seen.text, seen.types)
    filled = fill(steps_of(decision), Material(seen, decision.reading))
    if isinstance(filled, LocalizedText):
        plan, extra = _sketch(decision, seen), -1.0 * (filled.id != "planner-lacks-text")
    else:
        plan, extra = Plan(tuple(filled)), 0.01 * (not seen.files and bool(filled))
    return decision.confidence + extra, PlanGuess(plan, decision.confidence)


def _sketch(decision: Decision, seen: RequestView) -> Plan:
    """What was decided, where the words need not hold all that it takes."""
    material, tasks = Material(seen, decision.reading), dict[str, Task]()
    names = [Text(name.text.strip(extraction.MARKS)) for name in decision.reading.names[:1]]
    for number, step in enumerate(steps_of(decision), 1):
        kind = step.kind
        links = [(decision.kinds[a], decision.kinds[b]) for a, b in decision.links]
        sources = [tasks[source] for source, target in links if target == kind.name]
        refs = [Ref(source.id, source.kind.makes[0].name) for source in sources]
        said = Text(material.find_text() or material.part(step.clauses))
        given = names if names and kind.takes[0].type in FILE_TYPES else [said]
        tasks[kind.name] = Task(TaskId(number), kind, {kind.takes[0].name: tuple(refs or given)})
    return Plan(tuple(tasks.values()))
