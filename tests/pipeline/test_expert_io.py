"""What a task is given of what earlier tasks made."""

from pipeline.domain import Attachment, Blob, Done, Mask, Masks, Media, Output, Place, TaskId
from pipeline.expert_io import gather_input
from tests.fakes.stages import Bench, model, ref, task


async def test_regions_are_handed_on_with_the_bytes_of_their_pictures() -> None:
    bench = Bench()
    photo, white = [
        Media(Attachment(await bench.files.put(data), "image/png", "a.png", 5))
        for data in (b"photo", b"white on black")
    ]
    found = Output({"masks": Masks((Mask("cat", 0.9, white),)), "image": photo})
    segmenter = model("segmenter", "image-segmentation")
    done = Done(found, 0.1, segmenter, Place.LOCAL)
    wanted = task(1, "image-text-to-image", image=photo, text="a dog", masks=ref(0, "masks"))

    given = await gather_input(wanted, {TaskId(0): done}, bench.tools)

    assert isinstance(given, dict)
    (masks,) = given["masks"]
    assert masks == Masks((Mask("cat", 0.9, Blob(b"white on black", "image/png", "a.png")),))
