"""Runs to be shown: plans, answers, files."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial

from pipeline.domain import (
    Answer,
    Answered,
    AnswerFile,
    AnswerPart,
    Choice,
    Chose,
    Done,
    Event,
    Finished,
    Incoming,
    LocalizedText,
    Model,
    Output,
    Plan,
    Planned,
    Progressed,
    RunId,
    Started,
    Task,
    TaskId,
    Text,
)
from pipeline.task_kinds import KINDS
from tests.adapters.slack.stage import Stage
from tests.fakes.places import LOCAL

MODEL = Model("org/captioner", "image-to-text", (LOCAL,))
TASK = Task(TaskId(1), KINDS["image-to-text"], {})
PLANNED: tuple[Event, ...] = (
    Planned(Plan((TASK,))),
    Chose(TASK.id, Choice(MODEL, LocalizedText("chosen-only"))),
    Started(TASK.id, MODEL.id, LOCAL),
)


async def two_files(stage: Stage) -> tuple[AnswerFile, ...]:
    picture = await stage.keep(b"PNG picture", "cat.png", "image/png")
    sound = await stage.keep(b"WAV sound", "cat.wav", "audio/wav")
    return (
        AnswerFile(
            attachment=picture,
            alt="a grey cat",
            model="painters/cat",
            kind="text-to-image",
            task=TASK.id,
        ),
        AnswerFile(
            attachment=sound,
            alt="a voice says cat",
            model="voices/plain",
            kind="text-to-speech",
            task=TASK.id,
        ),
    )


async def gradually(stage: Stage, message: Incoming, *events: Event) -> AsyncIterator[Event]:
    """The events of a run whose plan is seen, and seen to go on, before it ends."""
    place = (message.thread.channel.id, message.thread.root)
    for event in events:
        if isinstance(event, Finished):
            await stage.slack.until(lambda: stage.slack.said(*place))
            made = len(stage.slack.calls.made)
            yield Progressed(TASK.id, 0.5)
            with suppress(TimeoutError):  # begun again, it may have nothing new to show
                async with asyncio.timeout(2):
                    await stage.slack.until(partial(_has_made_more, stage, made))
        yield event


def _has_made_more(stage: Stage, calls: int) -> bool:
    return len(stage.slack.calls.made) > calls


def whole(run: RunId, text: str, files: tuple[AnswerFile, ...] = ()) -> tuple[Event, ...]:
    """A run that goes well."""
    done = Done(Output({"text": Text("a cat")}), took=1.5, model=MODEL, place=LOCAL)
    return (
        *PLANNED,
        Finished(TASK.id, done),
        AnswerPart(text[:10]),
        Answered(Answer(run, text, files=files)),
    )
