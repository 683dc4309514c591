"""One task on one model after another: what is told when none does it."""

from pipeline.attempts import attempt
from pipeline.domain import (
    Attachment,
    Blob,
    Box,
    Boxes,
    Choice,
    Failed,
    Made,
    Media,
    Place,
    Sentence,
)
from pipeline.errors import MediaError
from pipeline.ports import Job
from tests.fakes.stages import ActingExpert, Bench, FakeMedia, model, task

PICTURE = Blob(b"picture", "image/png", "a.png")


class BrokenPens(FakeMedia):
    """Cannot draw on what it is given."""

    async def draw_boxes(self, image: Blob, boxes: Boxes) -> Blob:
        raise MediaError("task-input-unreadable", file=image.name)


async def test_a_picture_that_cannot_be_drawn_on_is_told_as_that() -> None:
    async def act(_job: Job) -> Made:
        return Made({"boxes": Boxes((Box("face", 0.9, 1, 1, 5, 5),))})

    bench = Bench(experts=[ActingExpert(act)], media=BrokenPens())
    image = Media(Attachment(await bench.files.put(PICTURE.data), "image/png", "a.png", 7))
    wanted = task(0, "object-detection", image=image)
    first, second = (model(name, "object-detection", Place.LOCAL) for name in ("one", "two"))
    job = Job(wanted.kind, first, {"image": (PICTURE,)}, key="run:0")

    failed = await attempt(
        wanted,
        Choice(first, Sentence("chosen-ranked"), (second,)),
        job,
        bench.tools,
        bench.events.append,
    )

    assert isinstance(failed, Failed)
    assert failed.reason.id == "task-input-unreadable"
    assert [each.model for each in failed.tried] == ["one", "two"]
