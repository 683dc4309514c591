"""Small builders for requests and readings."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from pipeline.domain import (
    Arg,
    Attachment,
    Channel,
    Context,
    FileHash,
    Media,
    NamedFile,
    Person,
    Ref,
    Request,
    RunId,
    Task,
    TaskId,
    Text,
    Thread,
    Turn,
)
from pipeline.planning.prompt import (
    SHORT_ROOM,
    Abilities,
    OfferedModels,
    plan_prompt,
    stable_block,
)
from pipeline.planning.validate import ValidatedPlan, read_plan
from pipeline.ports import PlanExample, Prompt

THREAD = Thread(Channel("test", "w", "c"), "1")
ANNA = Person("u1", "Anna")
TYPES = {
    "jpg": "image/jpeg",
    "wav": "audio/wav",
    "mp4": "video/mp4",
    "pdf": "application/pdf",
    "csv": "text/csv",
}


def file(name: str, file_name: str = "") -> NamedFile:
    """A file that people call `name`."""
    own = file_name or name
    media_type = TYPES.get(own.rpartition(".")[2], "image/jpeg")
    return NamedFile(
        name, Attachment(hash=FileHash(f"hash of {own}"), media_type=media_type, name=own, size=10)
    )


def request(
    text: str = "please", *files: NamedFile, earlier: tuple[NamedFile, ...] = ()
) -> Request:
    turns = (
        Turn(
            key="t1", person=ANNA, text="look", files=earlier, at=datetime(2026, 1, 1, tzinfo=UTC)
        ),
    )
    return Request(
        run=RunId("r1"),
        thread=THREAD,
        person=ANNA,
        text=text,
        files=files,
        context=Context(turns=turns),
    )


def read(plan: str, asked: Request | None = None) -> ValidatedPlan:
    return read_plan(plan, asked or request())


def planning_prompt(
    asked: Request,
    models: OfferedModels | None = None,
    *,
    room: int = 16_000,
    liked: Sequence[PlanExample] = (),
) -> Prompt:
    """The prompt where every kind can run."""
    block = stable_block(Abilities(), short=room < SHORT_ROOM)
    return plan_prompt(asked, block, room=room, models=models, liked=liked)


def kinds(reading: ValidatedPlan) -> list[str]:
    return [task.kind.name for task in reading.plan.tasks]


def told(reading: ValidatedPlan) -> set[str]:
    return {repair.what.id for repair in reading.repairs}


def args(reading: ValidatedPlan, task_id: int) -> Mapping[str, tuple[Arg, ...]]:
    return task(reading, task_id).args


def task(reading: ValidatedPlan, task_id: int) -> Task:
    return reading.plan.task(TaskId(task_id))


def ref(task_id: int, slot: str) -> tuple[Ref, ...]:
    return (Ref(TaskId(task_id), slot),)


def words(text: str) -> tuple[Text, ...]:
    return (Text(text),)


def media(named: NamedFile) -> tuple[Media, ...]:
    return (Media(named.attachment),)
