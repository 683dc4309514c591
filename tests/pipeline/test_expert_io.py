"""What a task is given of what earlier tasks made."""

import pytest

from pipeline.domain import (
    SPREADSHEETS,
    Attachment,
    Blob,
    Box,
    Boxes,
    Done,
    ExpertOutput,
    ExpertValue,
    LocalizedText,
    Mask,
    Masks,
    Media,
    Output,
    TaskId,
    Text,
)
from pipeline.execution.expert_io import gather_input, store_output
from pipeline.ports import Job
from pipeline.task_kinds import KINDS
from tests.fakes.places import LOCAL
from tests.fakes.stages import Bench, FakeMedia, model, ref, task
from tests.words import english


async def test_regions_are_handed_on_with_the_bytes_of_their_pictures() -> None:
    bench = Bench()
    photo, white = [
        Media(
            Attachment(
                hash=await bench.files.put(data), media_type="image/png", name="a.png", size=5
            )
        )
        for data in (b"photo", b"white on black")
    ]
    found = Output({"masks": Masks((Mask("cat", 0.9, white),)), "image": photo})
    segmenter = model("segmenter", "image-segmentation")
    done = Done(found, took=0.1, model=segmenter, place=LOCAL)
    wanted = task(1, "image-text-to-image", image=photo, text="a dog", masks=ref(0, "masks"))

    given = await gather_input(wanted, {TaskId(0): done}, bench.tools)

    (masks,) = given["masks"]
    assert masks == Masks((Mask("cat", 0.9, Blob(b"white on black", "image/png", "a.png")),))


async def test_a_spreadsheet_is_handed_on_as_csv_and_the_result_says_what_was_left_out() -> None:
    left_out = {"file": "a.xlsx", "sheet": "A", "count": "2"}
    bench = Bench(media=FakeMedia(left_out=LocalizedText("sheet-read", left_out)))
    media_type = min(SPREADSHEETS)
    sheet = Media(
        Attachment(hash=await bench.files.put(b"a,b"), media_type=media_type, name="a.xlsx", size=3)
    )
    wanted = task(1, "table-question-answering", table=sheet, question="how many?")
    asked = model("reckoner", "table-question-answering")

    given = await gather_input(wanted, {}, bench.tools)
    job = Job(wanted.kind, asked, given, locale="en")
    answer = ExpertOutput({"text": Text("2")}, note="From row 1.")
    output, _ = await store_output(wanted, job, answer, bench.tools)

    (table,) = given["table"]
    assert isinstance(table, Blob)
    assert (table.data, table.media_type) == (b"as text/csv", "text/csv")
    assert output.note == f"From row 1.\n{english('sheet-read', **left_out)}"


ZEBRA, PASTED = Blob(b"z", "image/jpeg", "My Zebra.jpg"), Blob(b"p", "image/png", "シマウマ.png")


@pytest.mark.parametrize(
    ("kind", "files", "order", "about", "name"),
    [
        ("image-to-image", (ZEBRA,), "in sepia please", "sepia", "my-zebra-sepia.png"),
        ("image-to-image", (ZEBRA,), "black and white", "", "my-zebra-black-and-white.png"),
        ("depth-estimation", (ZEBRA,), "", "", "my-zebra-depth-estimation.png"),
        ("text-to-image", (), "a red bicycle in the rain", "", "red-bicycle-rain.png"),
        ("text-to-image", (), "Ein schöner Vélo-Käfig", "", "schoner-velo-kafig.png"),
        ("text-to-image", (), "赤い自転車", "", "text-to-image-7.png"),
        ("image-to-image", (PASTED,), "セピア", "", "image-to-image-7.png"),
        ("text-to-image", (), "x" * 300, "", f"{'x' * 40}.png"),
    ],
)
async def test_a_result_has_a_name_that_tells_what_it_is(
    kind: str, files: tuple[Blob, ...], order: str, about: str, name: str
) -> None:
    bench, one = Bench(), task(7, kind, text=order)
    args: dict[str, tuple[ExpertValue, ...]] = {"image": files, "text": (Text(order),)}
    job = Job(KINDS[kind], model("m", kind), args)
    made = ExpertOutput({"image": Blob(b"made", "image/png", alt=about)})

    output, _ = await store_output(one, job, made, bench.tools)

    stored = output.slots["image"]
    assert isinstance(stored, Media)
    assert stored.attachment.name == name


async def test_a_picture_with_boxes_is_not_called_like_the_picture_without() -> None:
    bench, one = Bench(), task(7, "object-detection", image="x")
    job = Job(one.kind, model("m", one.kind.name), {"image": (ZEBRA,)})
    made = ExpertOutput({"boxes": Boxes((Box("zebra", 0.9, xmin=1, ymin=1, xmax=5, ymax=5),))})

    output, _ = await store_output(one, job, made, bench.tools)

    stored = output.slots["image"]
    assert isinstance(stored, Media)
    assert stored.attachment.name == "my-zebra-object-detection.png"


async def test_what_shows_a_result_is_named_after_the_file() -> None:
    bench, one = Bench(), task(7, "depth-estimation", image="x")
    job = Job(one.kind, model("m", one.kind.name), {"image": (ZEBRA,)})
    made = ExpertOutput({"image": Blob(b"grey", "image/png")})

    _, (shown,) = await store_output(one, job, made, bench.tools)

    assert shown.name == "my-zebra-depth.png"


@pytest.mark.parametrize(("data", "label"), [(b"transparent", "foreground"), (b"grey", "")])
async def test_a_cut_out_becomes_a_mask_and_a_picture(data: bytes, label: str) -> None:
    bench = Bench()
    wanted = task(1, "image-segmentation", image="image 1")
    made = ExpertOutput({"masks": Masks((Mask("", None, Blob(data, "image/png")),))})
    asked = Job(wanted.kind, model("cutter", wanted.kind.name), {}, locale="en")

    output, _ = await store_output(wanted, asked, made, bench.tools)

    masks = output.slots["masks"]
    assert isinstance(masks, Masks)
    assert masks.items[0].label == label
    assert ("image" in output.slots) == bool(label)
