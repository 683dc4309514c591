"""Assemble the answer: a responder's filtered text, the files, and a list of problems."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from functools import partial

from pipeline.domain import (
    Answer,
    AnswerPart,
    Authorship,
    Done,
    Failed,
    LocalizedText,
    Outcomes,
    Output,
    Plan,
    Request,
    Skipped,
)
from pipeline.errors import LlmCutShort, LlmError
from pipeline.ports import Emit, Responder
from pipeline.references.filter import ReferenceFilter, filter_text
from pipeline.references.known import KnownReferences
from pipeline.response.grounding import find_known_references
from pipeline.response.media_results import collect_files
from pipeline.response.plain import (
    PLAIN,
    format_plain_answer,
    format_results,
    name_task,
)
from pipeline.text import shorten
from pipeline.words import say

_EMPTY_RESULTS = frozenset({"embedded-no-text", "embedded-nothing-heard", "embedded-no-answer"})
"""Failures that mean there was nothing to find: a result rather than an error."""
_MAX_CHARACTERS = 100_000
"""The longest answer: as long as a message; longer than any of our prompts asks for."""
_PART = 1000
"""Characters that are filtered in one go, in some ms: others are served in between."""
_MOST_REFERENCES = 200
_MOST_HEARD = 800
"""Characters of a transcribed voice message: about a minute."""


async def respond(
    request: Request,
    plan: Plan,
    outcomes: Outcomes,
    responders: Sequence[Responder],
    emit: Emit,
    notices: Sequence[LocalizedText] = (),
) -> Answer:
    """Get the answer from the first responder that succeeds, and emit its text while it streams.

    Failed, skipped and stopped tasks become notices whatever the text says, before the `notices` of
    the earlier stages. Raises LlmError when the last responder fails.
    """
    files = collect_files(request.person.locale, plan, outcomes)
    known = find_known_references(request, plan, outcomes, files)
    prose, fallbacks = _Prose(known, emit), list[LocalizedText]()
    for position, responder in enumerate(responders, 1):
        try:
            await prose.take(responder.name, responder.respond(request, plan, outcomes))
            break
        except LlmError as error:
            if position == len(responders):
                raise
            fallbacks.append(LocalizedText("fallback-responder", {"reason": error.sentence}))
            prose.start_over()
    if not prose.finish():
        prose.start_over()
        await prose.add(format_plain_answer(request, plan, outcomes))
    all_notices = (
        *list_heard(request),
        *list_problems(request, plan, outcomes),
        *(_filter_remark(notice, known) for notice in notices),
        *fallbacks,
        *prose.list_changes(),
        *_list_unfinished(prose, outcomes),
    )
    by = prose.written and prose.written.by
    results = format_results(request, plan, outcomes) if by == PLAIN else None
    text = prose.finish()
    return Answer(
        request.run,
        text,
        files=files,
        notices=all_notices,
        written=prose.written,
        results=results,
        references=prose.references,
    )


def _list_unfinished(prose: "_Prose", outcomes: Outcomes) -> Iterator[LocalizedText]:
    """One message if a model stopped before the answer, or a text in it, was whole."""
    done = [outcome for outcome in outcomes.values() if isinstance(outcome, Done)]
    if prose.is_unfinished or any(each.output.is_unfinished for each in done):
        yield LocalizedText("answer-unfinished")


def _filter_remark(notice: LocalizedText, known: KnownReferences) -> LocalizedText:
    """A remark that the planner wrote, in one line and without invented files and links."""
    if notice.id != "plan-remark":
        return notice
    words = filter_text(str(notice.args["text"]), known)
    return LocalizedText(notice.id, {"text": " ".join(words.split())})


class ReplyStream:
    """An answer with the planner's reply, without tasks, emitted while it is written."""

    def __init__(self, request: Request, emit: Emit) -> None:
        self._request, self._emit = request, emit
        self._prose: _Prose | None = None
        self._written = ""

    async def add(self, piece: str) -> None:
        """Show words of the reply as they are written."""
        self._prose = self._prose or _Prose(find_known_references(self._request), self._emit)
        self._written += piece
        await self._prose.add(piece)

    def start_over(self) -> None:
        """The words so far are void."""
        if self._prose:
            self._prose.start_over()
        self._written = ""

    async def finish(self, text: str, notices: Sequence[LocalizedText] = ()) -> Answer:
        """The answer with the whole reply; "" is answered with a standard message."""
        standard = LocalizedText("nothing-to-do")
        whole, written = text.strip(), self._written.strip()
        whole = whole or say(self._request.person.locale, standard)
        if not whole.startswith(written):
            self.start_over()
            written = ""
        await self.add(whole.removeprefix(written))
        prose = self._prose
        assert prose is not None
        all_notices = (*list_heard(self._request), *notices, *prose.list_changes())
        shown = prose.finish()
        return Answer(
            self._request.run, shown, files=(), notices=all_notices, references=prose.references
        )


def list_heard(request: Request) -> tuple[LocalizedText, ...]:
    """What was understood of a voice message: a few words in ten may be wrong."""
    if request.voice is None:
        return ()
    return (LocalizedText("voice-heard", {"words": shorten(request.text, _MOST_HEARD)}),)


def list_problems(request: Request, plan: Plan, outcomes: Outcomes) -> tuple[LocalizedText, ...]:
    """One message for each task that failed, was skipped or stopped, or left something out.

    Without duplicates, and without skipped tasks that were done in another way.
    """
    problems: list[LocalizedText] = []
    name = partial(name_task, plan=plan, request=request)
    for task in plan.tasks:
        match outcomes.get(task.id):
            case Done(output=Output(unused=())) | Skipped(is_redone=True):
                continue
            case Done(output, model=model):
                problem = _explain_unused(output.unused, model.id)
            case Failed(reason) if reason.id.startswith("not-possible-"):
                problem = reason
            case Failed(reason):
                cause = reason.args["one"] if reason.id == "notes-together" else reason
                is_empty = isinstance(cause, LocalizedText) and cause.id in _EMPTY_RESULTS
                message = "respond-none" if is_empty else "respond-failed"
                problem = LocalizedText(message, {"kind": name(task), "reason": reason})
            case Skipped(because_of):
                args = {"kind": name(task), "because": name(plan.task(because_of))}
                problem = LocalizedText("respond-skipped", args)
            case _:
                problem = LocalizedText("respond-stopped", {"kind": name(task)})
        if problem not in problems:
            problems.append(problem)
    return tuple(problems)


def _explain_unused(unused: Sequence[str], model: str) -> LocalizedText:
    names, *others = (LocalizedText("parameter", {"name": name}) for name in unused)
    for name in others:
        names = LocalizedText("listed", {"names": names, "name": name})
    return LocalizedText("respond-unused", {"model": model, "names": names})


class _Prose:
    """The streamed text of an answer: filtered, cut if too long, and emitted."""

    def __init__(self, known: KnownReferences, emit: Emit) -> None:
        self._known, self._emit = known, emit
        self.written: Authorship | None = None
        self._begin()

    def _begin(self) -> None:
        self._filter = ReferenceFilter(self._known)
        self._shown: list[str] = []
        self._length = self._unpaused = 0
        self.is_unfinished = False

    async def take(self, by: str, pieces: AsyncGenerator[str]) -> None:
        """Add what a responder writes, until the text is too long."""
        began = time.monotonic()
        try:
            async with aclosing(pieces) as text:
                async for piece in text:
                    if not await self.add(piece):
                        break
        except LlmCutShort:
            self.is_unfinished = True
        self.written = Authorship(by, time.monotonic() - began)

    async def add(self, piece: str) -> bool:
        """Add a piece, with pauses in much text; returns False once the text is too long."""
        for start in range(0, min(len(piece), _MAX_CHARACTERS + 1), _PART):
            part = piece[start : start + _PART]
            self._show(self._filter.feed(part[: max(0, _MAX_CHARACTERS - self._length)]))
            self._length += len(part)
            self._unpaused += len(part)
            if self._unpaused >= _PART:
                self._unpaused = 0
                await asyncio.sleep(0)
        return self._length <= _MAX_CHARACTERS

    def start_over(self) -> None:
        """Leave what was shown so far, and begin a new text below it."""
        if self.finish():
            self._emit(AnswerPart("\n\n"))
        self._begin()

    def finish(self) -> str:
        """The text without the blanks around it."""
        self._show(self._filter.finish())
        return "".join(self._shown).strip()

    @property
    def references(self) -> tuple[str, ...]:
        """The known links and file names in the text."""
        return tuple(self._filter.kept)[:_MOST_REFERENCES]

    def list_changes(self) -> Iterator[LocalizedText]:
        if self._filter.removed:
            yield LocalizedText("check-struck", {"count": self._filter.removed})
        if self._length > _MAX_CHARACTERS:
            yield LocalizedText("answer-cut", {"count": _MAX_CHARACTERS})

    def _show(self, text: str) -> None:
        if text:
            self._shown.append(text)
            self._emit(AnswerPart(text))
