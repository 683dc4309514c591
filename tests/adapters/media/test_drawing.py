"""What is drawn can be read: nothing is cut off, and colours are told apart."""

import io

import pytest
from PIL import Image

from adapters.media import lettering
from adapters.media.local import LocalMedia
from adapters.workers.pool import process_workers
from bot.environment import child_environment
from pipeline.domain import Blob, Box, Boxes, Label, Labels, Mask, Masks
from tests.adapters.media import samples
from tests.fakes.outside import FakeWorkers

RED, BLUE = lettering.pick_colour(0), lettering.pick_colour(1)


@pytest.fixture
def media() -> LocalMedia:
    return LocalMedia(FakeWorkers(), ffmpeg=lambda: None)


def _grey(width: int, height: int) -> Blob:
    return Blob(
        samples.saved(Image.new("RGB", (width, height), "grey"), "PNG"), "image/png", "a.png"
    )


def _picture(blob: Blob) -> Image.Image:
    return Image.open(io.BytesIO(blob.data)).convert("RGB")


def _count(picture: Image.Image, colour: lettering.Colour) -> int:
    return sum(count for count, found in picture.getcolors(1 << 16) or () if found == colour)


async def test_a_frame_stands_where_the_box_is_with_its_name_above(media: LocalMedia) -> None:
    boxes = Boxes(
        (
            Box("cat", 0.9, xmin=100, ymin=100, xmax=300, ymax=200),
            Box("dog", 0.8, xmin=400, ymin=300, xmax=600, ymax=400),
        )
    )

    made = _picture(await media.draw_boxes(_grey(800, 500), boxes))

    assert made.size == (800, 500)
    assert made.getpixel((200, 200)) == made.getpixel((300, 150)) == RED
    assert made.getpixel((500, 400)) == BLUE
    assert made.getpixel((200, 150)) == (128, 128, 128)
    assert _count(made.crop((100, 70, 300, 95)), RED) > 500


@pytest.mark.parametrize(
    "corner", [(0, 0), (700, 0), (0, 430), (700, 430)], ids=["top", "right", "bottom", "far"]
)
async def test_a_name_at_the_edge_is_as_whole_as_one_in_the_middle(
    media: LocalMedia, corner: tuple[int, int]
) -> None:
    def at(x: int, y: int) -> Boxes:
        return Boxes((Box("traffic light", 0.9, xmin=x, ymin=y, xmax=x + 60, ymax=y + 60),))

    middle = _picture(await media.draw_boxes(_grey(800, 500), at(300, 200)))
    edge = _picture(await media.draw_boxes(_grey(800, 500), at(*corner)))

    frame = 800
    assert _count(edge, RED) > _count(middle, RED) - frame


@pytest.mark.parametrize("size", [(40, 30), (30, 900), (2_000, 60), (2_500, 2_000)])
async def test_every_size_of_picture_gets_letters_that_can_be_read(
    media: LocalMedia, size: tuple[int, int]
) -> None:
    boxes = Boxes((Box("a cat", 0.5, xmin=0, ymin=0, xmax=size[0], ymax=size[1]),))

    made = _picture(await media.draw_boxes(_grey(*size), boxes))

    assert 640 <= max(made.size) <= 1_600
    assert _count(made, RED) > 500


async def test_boxes_beyond_the_picture_and_the_wrong_way_round_are_drawn_within(
    media: LocalMedia,
) -> None:
    boxes = Boxes(
        (
            Box("", 2.0, xmin=900, ymin=900, xmax=-50, ymax=-50),
            Box("x" * 5_000, -1.0, xmin=5, ymin=5, xmax=5, ymax=5),
        )
    )

    made = _picture(await media.draw_boxes(_grey(800, 500), boxes))

    assert made.getpixel((400, 499)) == RED


async def test_nothing_found_leaves_the_picture_as_it_is(media: LocalMedia) -> None:
    made = _picture(await media.draw_boxes(_grey(800, 500), Boxes(())))

    assert made.getcolors() == [(400_000, (128, 128, 128))]


async def test_a_mask_tints_its_region_only(media: LocalMedia) -> None:
    region = Image.new("L", (80, 50))
    region.paste(255, (0, 0, 40, 50))
    mask = Mask("sky", 0.9, Blob(samples.saved(region, "PNG"), "image/png"))

    made = _picture(await media.draw_masks(_grey(800, 500), Masks((mask,))))

    assert made.getpixel((100, 250)) != made.getpixel((700, 250)) == (128, 128, 128)
    assert _count(made.crop((0, 0, 400, 20)), RED) > 500


async def test_a_chart_has_longer_bars_for_surer_labels(media: LocalMedia) -> None:
    labels = Labels((Label("cat", 0.9), Label("dog", 0.004), *(Label("x", 0.0),) * 20))

    blob = await media.chart(labels)

    picture = _picture(blob)
    rows = [_count(picture.crop((0, 20 + 40 * row, 720, 60 + 40 * row)), BLUE) for row in range(3)]
    assert rows[0] > rows[1] > rows[2] == 0
    assert blob.alt.startswith("cat 90 %, dog <1 %, x 0 %")


async def test_names_of_things_in_the_same_corner_stand_below_each_other(
    media: LocalMedia,
) -> None:
    boxes = [Box(f"thing {number}", 0.9, xmin=0, ymin=0, xmax=9, ymax=9) for number in range(4)]

    made = _picture(await media.draw_boxes(_grey(800, 500), Boxes(tuple(boxes))))

    alone = _picture(await media.draw_boxes(_grey(800, 500), Boxes(tuple(boxes[:1]))))
    for number in range(4):
        tag = _count(made, lettering.pick_colour(number))
        assert tag > 0.9 * _count(alone, RED)


def test_no_letter_is_drawn_as_an_empty_box() -> None:
    for text in ("a cat", "Straße", "Маша", "狗", "田中さん and Ærø", "\ue000"):
        letters = lettering.find_font(lettering.to_printable(text), 16)
        empty = bytes(letters.getmask("\uffff"))

        assert all(bytes(letters.getmask(sign)) != empty for sign in lettering.to_printable(text))


@pytest.mark.program
async def test_a_worker_process_draws_as_well() -> None:
    async with process_workers(1, child_environment()) as workers:
        media = LocalMedia(workers, ffmpeg=lambda: None)
        blob = await media.draw_boxes(
            _grey(80, 50), Boxes((Box("cat", 0.9, xmin=10, ymin=10, xmax=30, ymax=20),))
        )

    assert _picture(blob).width == 640


async def test_depth_becomes_colours_that_brighten_with_nearness(media: LocalMedia) -> None:
    depth = Blob(samples.saved(Image.linear_gradient("L"), "PNG"), "image/png", "depth.png")

    picture = _picture(await media.draw_depth(depth))

    brightness = [picture.convert("L").getpixel((128, y)) for y in range(8, 250, 20)]
    assert picture.size == (256, 256)
    assert brightness == sorted(brightness)  # type: ignore[type-var]
    assert len(picture.getcolors(1 << 16) or ()) > 100


async def test_a_table_is_drawn_with_what_is_left_out_told(media: LocalMedia) -> None:
    rows = "\n".join(f"row {number},{number},x" for number in range(100))
    small = await media.draw_table(Blob(b"a,b\n1,2\n", "text/csv", "t.csv"))
    large = await media.draw_table(Blob(f"name,n,c\n{rows}".encode(), "text/csv", "t.csv"))

    assert (large.media_type, large.name) == ("image/png", "t.png")
    assert _picture(small).height == 2 * 32
    assert _picture(large).height == 22 * 32
