"""Runs to be shown: plans, answers, files."""

from pipeline.domain import (
    Answer,
    Answered,
    AnswerPart,
    Choice,
    Chose,
    Done,
    Event,
    Finished,
    Model,
    Output,
    Place,
    Plan,
    Planned,
    RunId,
    Sentence,
    Shown,
    Started,
    Task,
    TaskId,
    Text,
)
from pipeline.table import KINDS
from tests.adapters.slack.stage import Stage

MODEL = Model("org/captioner", "image-to-text", (Place.LOCAL,))
TASK = Task(TaskId(1), KINDS["image-to-text"], {})
PLANNED: tuple[Event, ...] = (
    Planned(Plan((TASK,))),
    Chose(TASK.id, Choice(MODEL, Sentence("chosen-only"))),
    Started(TASK.id, MODEL.id, Place.LOCAL),
)


async def two_files(stage: Stage) -> tuple[Shown, ...]:
    picture = await stage.keep(b"PNG picture", "cat.png", "image/png")
    sound = await stage.keep(b"WAV sound", "cat.wav", "audio/wav")
    return (
        Shown(picture, "a grey cat", "painters/cat", "text-to-image", TASK.id),
        Shown(sound, "a voice says cat", "voices/plain", "text-to-speech", TASK.id),
    )


def whole(run: RunId, text: str, files: tuple[Shown, ...] = ()) -> tuple[Event, ...]:
    """A run that goes well."""
    done = Done(Output({"text": Text("a cat")}), 1.5, MODEL, Place.LOCAL)
    return (
        *PLANNED,
        Finished(TASK.id, done),
        AnswerPart(text[:10]),
        Answered(Answer(run, text, files)),
    )
