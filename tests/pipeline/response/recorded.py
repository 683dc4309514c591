"""Recorded runs, each with an honest answer and one by a language model that lies."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.domain import (
    Attachment,
    Box,
    Boxes,
    Done,
    Failed,
    FileHash,
    Label,
    Labels,
    Mask,
    Masks,
    Media,
    Model,
    Outcome,
    Output,
    Place,
    Plan,
    Ref,
    Sentence,
    Skipped,
    Span,
    Spans,
    Stopped,
    Task,
    TaskId,
    Text,
    Value,
)
from pipeline.table import KINDS
from tests.pipeline.planning.builders import file

PHOTO, OTHER, SCAN = file("image 1", "a.jpg"), file("image 2", "b.jpg"), file("bill", "bill.pdf")
TALK, CLIP = file("sound 1", "talk.wav"), file("film 1", "clip.mp4")
FILES = (PHOTO, OTHER, SCAN, TALK, CLIP)


def made(name: str, media_type: str) -> Media:
    return Media(Attachment(FileHash(name), media_type, name, 9))


PICTURE, SOUND, FILM = (
    made("picture.png", "image/png"),
    made("speech.wav", "audio/wav"),
    made("film.mp4", "video/mp4"),
)


def boxes(**counts: int) -> Boxes:
    return Boxes(
        tuple(
            Box(label, 0.9, at, at, at + 40, at + 50)
            for label, count in counts.items()
            for at in range(100, 100 + count)
        )
    )


def labels(**scores: float) -> Labels:
    return Labels(tuple(Label(label, score) for label, score in scores.items()))


def masks(*names: str) -> Masks:
    return Masks(tuple(Mask(name, 0.99, made("mask.png", "image/png")) for name in names))


def spans(**found: str) -> Spans:
    return Spans(tuple(Span(text, label, 0.98, 0, len(text)) for text, label in found.items()))


def task(number: int, kind: str, *after: int, **args: str | Ref | Media) -> Task:
    pieces = {name: (Text(arg) if isinstance(arg, str) else arg,) for name, arg in args.items()}
    return Task(TaskId(number), KINDS[kind], pieces, frozenset(map(TaskId, after)))


def of(number: int, slot: str) -> Ref:
    return Ref(TaskId(number), slot)


def done(kind: str, note: str = "", model: str = "", **slots: Value) -> Done:
    found = Model(model or f"acme/{kind}", kind, (Place.HOSTED,))
    return Done(Output(slots, note), 1.5, found, Place.HOSTED)


BUSY = Failed(Sentence("expert-busy", {"model": "acme/busy"}))
SLOW = Failed(Sentence("task-too-long", {"seconds": 120}))
GONE = Skipped(TaskId(0))
ENDED = Stopped()


@dataclass(frozen=True)
class Recorded:
    """A run: what was asked, what came out, what an honest answer says, and a lie with what must become of it."""

    name: str
    asked: str
    steps: tuple[tuple[Task, Outcome], ...]
    honest: str
    lie: str
    keeps: tuple[str, ...] = ()
    loses: tuple[str, ...] = ()

    @property
    def plan(self) -> Plan:
        return Plan(tuple(task for task, _ in self.steps))

    @property
    def outcomes(self) -> Mapping[TaskId, Outcome]:
        return {task.id: outcome for task, outcome in self.steps}


def image(kind: str, photo: Media | None = None, number: int = 0, **more: str) -> Task:
    return task(number, kind, image=photo or Media(PHOTO.attachment), **more)


CAPTION = image("image-to-text")
FIND = image("object-detection")
CLASSIFY = image("image-classification")
HEAR = task(0, "automatic-speech-recognition", audio=Media(TALK.attachment))
BILL = task(0, "document-question-answering", document=Media(SCAN.attachment), question="total?")
DRAW = task(0, "text-to-image", text="a cat")
MOOD = task(0, "text-classification", text="great stuff")
