"""Stage 1 without a language model: tasks, or a short sentence instead."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from adapters.embedded.planner import extraction
from adapters.embedded.planner.decision import EVERYDAY, Decision, decide, predictor, recall
from adapters.embedded.planner.filling import fill
from adapters.embedded.planner.manners import is_meant, is_sent_away
from adapters.embedded.planner.reading import LONGEST
from adapters.embedded.planner.references import find_result_name
from adapters.embedded.planner.replies import (
    DECLINE,
    ask_for_file,
    ask_which,
    reply_to_no_request,
    talk,
)
from adapters.embedded.planner.steps import order_steps
from adapters.embedded.planner.subjects import find_subjects, view_named_text
from adapters.embedded.planner.understood import (
    find_lacking_table,
    is_impossible,
    prefer_understood,
)
from adapters.embedded.planner.view import RequestView, view
from pipeline.domain import (
    LocalizedText,
    Noticed,
    Plan,
    PlanPart,
    Proposed,
    Repair,
    Repaired,
    Replied,
    Request,
    Silent,
    Task,
    TaskId,
    Text,
)
from pipeline.feedback import find_same
from pipeline.model_mentions import strip_mentions
from pipeline.planning.validate import MOST_TASKS
from pipeline.ports import FindExamples, find_no_examples
from pipeline.task_kinds import KINDS
from pipeline.words import say

_OUTSIDE = 0.3
"""How likely a doubtful message must ask for nothing that a kind does to be declined."""
_TALK = frozenset({"planner-hello", "planner-welcome", "planner-about"})
"""Replies to plain talk; every other one asks back, or says why nothing is done."""
_LONG = 5_000
"""Characters of a message that take some ms to read."""

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
        seen = await _read(request, lambda it: view(replace(it, text=strip_mentions(it))))
        short = len(seen.text) <= LONGEST
        examples = await self._find_examples(request) if short else ()
        liked = find_same(examples, request) if examples else None
        planned = _plan_as(liked.plan, seen) if liked else None
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


def tasks(seen: RequestView) -> list[Task] | LocalizedText:
    """The tasks of a request, or what to say instead."""
    planned = draft(seen)
    return planned.tasks if isinstance(planned, Draft) else planned


def draft(seen: RequestView) -> Draft | LocalizedText:
    """The tasks of a request with what they leave undone, or what to say instead."""
    if (reply := reply_to_no_request(seen)) is not None:
        return reply
    if (of_thread := _plan_for_thread(seen)) is not None:
        return of_thread
    for subject in find_subjects(seen):
        planned = _plan(subject.decision, subject.seen)
        if isinstance(planned, Draft):
            return planned
    decision = prefer_understood(decide(seen.reading, seen.types), seen)
    impossible = DECLINE if is_impossible(decision, seen) else find_lacking_table(decision, seen)
    planned = impossible or _plan(decision, seen) or talk(seen)
    name = find_result_name(seen.tagged)
    if name and name.kind == "thread" and not (seen.all_types or seen.thread):
        is_new = isinstance(planned, Draft) and planned.tasks[0].kind.anew
        if not (is_new or {"\n", ":"} & {*seen.text[name.end :]}):
            return LocalizedText("planner-lacks-text", {"type": "text", "slot": "text"})
    return planned


def _plan_for_thread(seen: RequestView) -> Draft | None:
    """The task of words that ask what was said in their thread, and of "tl;dr"."""
    is_short = len(seen.text) <= extraction.SHORT and len(seen.reading.clauses) == 1
    if not (seen.thread and is_short and seen.tagged.has("of_thread")) or seen.files:
        return None
    thread, summary = (Text(seen.thread),), KINDS["summarization"]
    if seen.tagged.has("summary"):
        return Draft([Task(TaskId(1), summary, {"text": thread})])
    args = {"question": (Text(seen.text),), "context": thread}
    return Draft([Task(TaskId(1), KINDS["question-answering"], args)])


def _plan_as(liked: Plan, seen: RequestView) -> Draft | LocalizedText | None:
    """The tasks that a liked plan of the same words had, with what the words are about now."""
    decision = recall(seen.reading, seen.types, liked)
    named = view_named_text(seen) if decision else None
    about = replace(named, reading=seen.reading) if named else seen
    return _plan(decision, about) if decision else None


def _plan(decision: Decision, seen: RequestView) -> Draft | LocalizedText | None:
    """The tasks that were decided on, or what to say or ask; None for plain talk."""
    if not decision.kinds:
        return DECLINE if decision.unmet else ask_for_file(seen)
    steps = order_steps(decision)
    if decision.confidence < predictor(EVERYDAY).rules.doubt:
        nothing = decision.talk + decision.outside
        return DECLINE if nothing >= _OUTSIDE else ask_which(steps, seen)
    planned = fill(steps, seen)
    if isinstance(planned, LocalizedText):
        return planned
    return Draft(planned, tuple(_find_unmet(decision, seen)))


def _find_unmet(decision: Decision, seen: RequestView) -> Iterator[str]:
    """The words that ask for what no kind does, and for how long a summary shall be."""
    if decision.unmet and extraction.unsaid_words(unmet := seen.part(decision.unmet)):
        yield unmet.whole
    for kind, clauses in zip(decision.kinds, decision.clauses, strict=True):
        if kind == "summarization" and (length := extraction.find_length(seen.part(clauses))):
            yield length
