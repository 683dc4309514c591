"""Events of small runs, for telling them to the adapter."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from pipeline.domain import (
    Answer,
    Answered,
    AnswerFile,
    AnswerPart,
    Attachment,
    Choice,
    Chose,
    Done,
    Event,
    Finished,
    LocalizedText,
    Model,
    Output,
    Plan,
    Planned,
    RunId,
    Started,
    Task,
    TaskId,
    Text,
)
from pipeline.task_kinds import KINDS
from tests.fakes.persistence import FakeFiles
from tests.fakes.places import EMBEDDED

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 40
MODEL = Model("painters/dot", "text-to-image", (EMBEDDED,))
TASK = Task(TaskId(1), KINDS["text-to-image"], {"text": (Text("a dot"),)})


async def told(*events: Event) -> AsyncIterator[Event]:
    for event in events:
        yield event


class Told:
    """Events told while somebody follows."""

    def __init__(self) -> None:
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()

    def tell(self, *events: Event | None) -> None:
        for event in events:
            self._events.put_nowait(event)

    @property
    def told(self) -> bool:
        """Whether everything was listened to."""
        return self._events.empty()

    async def __aiter__(self) -> AsyncIterator[Event]:
        while (event := await self._events.get()) is not None:
            yield event


async def picture(
    files: FakeFiles, name: str = "dot.png", data: bytes = PNG, alt: str = "a single dot"
) -> AnswerFile:
    kept = await files.put(data + name.encode())
    attachment = Attachment(
        hash=kept, media_type="image/png", name=name, size=len(data) + len(name)
    )
    return AnswerFile(
        attachment=attachment, alt=alt, model=MODEL.id, kind="text-to-image", task=TASK.id
    )


def begun() -> tuple[Event, ...]:
    return (
        Planned(Plan((TASK,))),
        Chose(TASK.id, Choice(MODEL, LocalizedText("chosen-only"))),
        Started(TASK.id, MODEL.id, EMBEDDED),
    )


def whole(
    run: RunId,
    text: str = "A dot.",
    files: Sequence[AnswerFile] = (),
    notices: Sequence[LocalizedText] = (),
) -> tuple[Event, ...]:
    done = Done(Output({}), took=0.3, model=MODEL, place=EMBEDDED)
    parts = [AnswerPart(text[at : at + 400]) for at in range(0, len(text), 400)]
    answer = Answer(run, text, files=tuple(files), notices=tuple(notices))
    return (*begun(), Finished(TASK.id, done), *parts, Answered(answer))
