"""The answer: a responder's words, files and links from the record only, and what went wrong."""

import time
from collections.abc import Iterator, Sequence
from contextlib import aclosing
from itertools import chain

from pipeline.domain import (
    Answer,
    AnswerFile,
    AnswerPart,
    Authorship,
    Done,
    Failed,
    LocalizedText,
    Media,
    Outcome,
    Outcomes,
    Plan,
    Ref,
    Request,
    Skipped,
    Stopped,
    Value,
)
from pipeline.domain.conversions import as_text
from pipeline.errors import LlmError, PlanError
from pipeline.ports import Emit, Responder
from pipeline.response.media_results import collect_files
from pipeline.response.plain import format_plain_answer, name_task
from pipeline.response.references import ReferenceFilter, collect_references
from pipeline.words import say

_NOTHING_THERE = frozenset({"embedded-no-text", "embedded-nothing-heard", "embedded-no-answer"})
"""What was looked for is not there: that is a result, not a breakdown."""
_MAX_REPLY = 8192
"""Characters of a reply without tasks."""


async def respond(
    request: Request,
    plan: Plan,
    outcomes: Outcomes,
    responders: Sequence[Responder],
    emit: Emit,
    notices: Sequence[LocalizedText] = (),
) -> Answer:
    """Let the first responder that can write the answer; emits its words as they come.

    What failed, was skipped or stopped is listed by the program, whatever the words say; `notices`
    of the earlier stages follow. Raises LlmError when the last responder fails.
    """
    files = collect_files(request, plan, outcomes)
    known = collect_references(
        _record(request, plan, outcomes, files), [task.id for task in plan.tasks]
    )
    fallbacks: list[LocalizedText] = []
    for position, responder in enumerate(responders):
        began, prose = time.monotonic(), _Prose(ReferenceFilter(known), emit)
        try:
            async with aclosing(responder.respond(request, plan, outcomes)) as pieces:
                async for piece in pieces:
                    if not prose.add(piece, responder.max_characters):
                        break
        except LlmError as error:
            if position + 1 == len(responders):
                raise
            prose.separate()
            fallbacks.append(LocalizedText("fallback-responder", {"reason": error.sentence}))
            continue
        text = prose.finish()
        if not text:
            text = prose.say("\n\n".join(format_plain_answer(request, plan, outcomes)))
        written = Authorship(responder.name, time.monotonic() - began)
        problems = list_problems(request, plan, outcomes)
        all_notices = (*problems, *notices, *fallbacks, *prose.notices())
        return Answer(request.run, text, files, all_notices, written)
    raise PlanError("nothing-to-do")


def reply(request: Request, text: str, emit: Emit, notices: Sequence[LocalizedText] = ()) -> Answer:
    """An answer in the planner's own words, without a task; "" says that nothing is to do."""
    text = text or say(request.person.locale, LocalizedText("nothing-to-do"))
    prose = _Prose(ReferenceFilter(collect_references(_record(request, Plan(), {}, ()))), emit)
    prose.add(text, _MAX_REPLY)
    text = prose.finish()
    return Answer(request.run, text, (), (*notices, *prose.notices()))


def list_problems(request: Request, plan: Plan, outcomes: Outcomes) -> tuple[LocalizedText, ...]:
    """One line for each step that failed, was skipped or stopped: which, and why."""
    problems: list[LocalizedText] = []
    for task in plan.tasks:
        kind = name_task(task, plan, request)
        match outcomes.get(task.id):
            case Done():
                continue
            case Failed(reason) if reason.id.startswith("not-possible-"):
                problem = reason
            case Failed(reason):
                line = "respond-none" if reason.id in _NOTHING_THERE else "respond-failed"
                problem = LocalizedText(line, {"kind": kind, "reason": reason})
            case Skipped(because_of):
                because = name_task(plan.task(because_of), plan, request)
                problem = LocalizedText("respond-skipped", {"kind": kind, "because": because})
            case _:
                problem = LocalizedText("respond-stopped", {"kind": kind})
        if problem not in problems:
            problems.append(problem)
    return tuple(problems)


class _Prose:
    """The words of one responder as they come: filtered, bounded and emitted."""

    def __init__(self, references: ReferenceFilter, emit: Emit) -> None:
        self._references, self._emit = references, emit
        self._shown: list[str] = []
        self._taken = 0
        self._cut = 0

    def add(self, piece: str, most: int = 0) -> bool:
        """Returns False once there are more than `most` characters (0: any number)."""
        if most and self._taken + len(piece) > most:
            piece, self._cut = piece[: most - self._taken], most
        self._taken += len(piece)
        self._show(self._references.feed(piece))
        return not self._cut

    def say(self, text: str) -> str:
        self.add(text)
        return self.finish()

    def separate(self) -> None:
        """Another responder goes on below what is shown already."""
        if self._taken:
            self._emit(AnswerPart(f"{self._references.finish()}\n\n"))

    def finish(self) -> str:
        self._show(self._references.finish())
        return "".join(self._shown).strip()

    def notices(self) -> Iterator[LocalizedText]:
        if self._references.removed:
            yield LocalizedText("check-struck", {"count": self._references.removed})
        if self._cut:
            yield LocalizedText("answer-cut", {"count": self._cut})

    def _show(self, text: str) -> None:
        if text:
            self._shown.append(text)
            self._emit(AnswerPart(text))


def _record(
    request: Request, plan: Plan, outcomes: Outcomes, files: Sequence[AnswerFile]
) -> Iterator[str]:
    """Every text in which a file or an address of this run may stand."""
    locale, context = request.person.locale, request.context
    yield request.text
    yield context.summary
    for turn in chain(context.turns, context.channel):
        yield turn.text
        yield from (file.attachment.name for file in turn.files)
    for file in (*context.older, *request.files):
        yield from (file.name, file.attachment.name, file.attachment.description)
    for unused in request.rejected:
        yield from (unused.name, say(locale, unused.reason))
    for answer_file in files:
        yield from (answer_file.attachment.name, answer_file.model)
    for arg in chain.from_iterable(args for task in plan.tasks for args in task.args.values()):
        yield _text_of(arg)
    for outcome in outcomes.values():
        yield from _outcome_texts(outcome, locale)


def _outcome_texts(outcome: Outcome, locale: str) -> Iterator[str]:
    match outcome:
        case Done():
            yield from (outcome.output.note, outcome.output.source, outcome.model.id)
            yield from map(_text_of, outcome.output.slots.values())
        case Failed(reason) | Stopped(reason):
            yield from (say(locale, reason), say("en", reason))
        case _:
            pass


def _text_of(value: Value | Ref) -> str:
    if isinstance(value, Media):
        return value.attachment.name
    return "" if isinstance(value, Ref) else as_text(value)
