"""A voice message as a request: transcribed by the ordinary experts, before planning."""

from dataclasses import replace

from pipeline.domain import (
    AnswerPart,
    Choice,
    Done,
    Failed,
    LocalizedText,
    Media,
    Outcome,
    Proposed,
    Request,
    Task,
    TaskId,
)
from pipeline.domain.conversions import as_text
from pipeline.errors import RequestError
from pipeline.execution.execute import run_task
from pipeline.ports import Emit
from pipeline.response.respond import list_heard
from pipeline.selection.choice import select
from pipeline.selection.policy import Rules, filter_models
from pipeline.task_kinds import KINDS
from pipeline.text.languages import normalize_code
from pipeline.tools import RunJournal, Tools
from pipeline.words import say

_STEP = "voice"
_KIND = KINDS["automatic-speech-recognition"]


async def transcribe_voice(
    request: Request, tools: Tools, journal: RunJournal, emit: Emit
) -> Request:
    """The request with the words of its voice message as text, and without it as a file.

    Shows what was understood while the rest is done, unless the message may not be for the bot;
    the answer repeats it as a notice. Raises RequestError if no words are recognised.
    """
    words = await _find_words(request, tools, journal)
    files = tuple(file for file in request.files if file != request.voice)
    spoken = replace(request, text=words, files=files)
    if not request.overheard:
        heard = "\n\n".join(say(request.person.locale, line) for line in list_heard(spoken))
        emit(AnswerPart(f"{heard}\n\n"))
    return spoken


async def _find_words(request: Request, tools: Tools, journal: RunJournal) -> str:
    """The words, from the journal if they are there. Raises RequestError if there are none."""
    outcome: Outcome | None = journal.recall(_STEP, Outcome)
    if outcome is None:
        outcome = await _transcribe(request, tools)
        await journal.keep(_STEP, outcome, Outcome)
    words = as_text(outcome.output.slots["text"]).strip() if isinstance(outcome, Done) else ""
    if not words:
        nothing = LocalizedText("embedded-nothing-heard")
        reason = outcome.reason if isinstance(outcome, Failed) else nothing
        raise RequestError("voice-not-heard", reason=reason)
    return words


async def _transcribe(request: Request, tools: Tools) -> Done | Failed:
    assert request.voice is not None
    task = Task(TaskId(0), _KIND, {"audio": (Media(request.voice.attachment),)})
    step = await select(Proposed(task), request, tools.candidates)
    if step.choice is None:
        return Failed(await tools.explain_missing(_KIND))
    choice = _restrict_language(step.choice, request.person.locale)
    if choice is None:
        return Failed(LocalizedText("voice-language"))
    return await run_task(task, choice, {}, request, tools, lambda _: None)


def _restrict_language(choice: Choice, locale: str) -> Choice | None:
    """The models that may know the person's language; None if all are for others.

    A model for another language writes words that nobody said, and they would be acted upon.
    """
    language = normalize_code(locale)
    rule = Rules(languages=(language,) if language else ())
    able = filter_models((choice.model, *choice.runners_up), rule)
    return replace(choice, model=able[0], runners_up=tuple(able[1:])) if able else None
