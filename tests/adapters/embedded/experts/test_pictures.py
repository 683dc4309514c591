"""Faces, filters and control images."""

import io
import struct
import zlib

import pytest
from PIL import Image, ImageDraw

from adapters.embedded.experts.expert import EmbeddedExpert
from adapters.embedded.experts.images import FILTERS, find_filters
from pipeline.domain import Blob, Boxes, ExpertOutput, LocalizedText
from pipeline.errors import ExpertRefused, MediaError
from pipeline.words import LOCALES, say
from tests.adapters.embedded.experts.drawn_files import head, page, png
from tests.fakes.jobs import job


def _opened(made: ExpertOutput) -> Image.Image:
    blob = made.slots["image"]
    assert isinstance(blob, Blob)
    return Image.open(io.BytesIO(blob.data))


def _house() -> Blob:
    image = Image.new("RGB", (320, 240), (90, 160, 230))
    pen = ImageDraw.Draw(image)
    pen.rectangle((80, 100, 240, 220), fill=(200, 60, 50))
    pen.polygon(((70, 100), (250, 100), (160, 30)), fill=(90, 50, 30))
    return png(image)


HOUSE = _house()


async def test_a_drawn_head_is_not_taken_for_a_face(expert: EmbeddedExpert) -> None:
    made = await expert.run(job("object-detection", image=head()))

    assert made.slots["boxes"] == Boxes(())
    assert "No face" in made.note


@pytest.mark.parametrize("label", ["face", "Faces", "people", "人脸"])
async def test_faces_may_be_asked_for_by_name(label: str, expert: EmbeddedExpert) -> None:
    made = await expert.run(job("object-detection", image=HOUSE, labels=(label,)))

    assert isinstance(made.slots["boxes"], Boxes)


async def test_other_things_than_faces_are_refused_with_what_would_find_them(
    expert: EmbeddedExpert,
) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await expert.run(job("object-detection", image=HOUSE, labels=("cars", "face")))

    assert caught.value.sentence.args == {"wanted": "cars"}


@pytest.mark.parametrize("name", FILTERS)
async def test_every_filter_changes_the_picture(name: str, expert: EmbeddedExpert) -> None:
    made = await expert.run(job("image-to-image", image=HOUSE, text=name))

    after = _opened(made)
    before = Image.open(io.BytesIO(HOUSE.data))
    assert after.size == ((640, 480) if name == "upscale" else before.size)
    assert after.convert("RGB").tobytes() != before.tobytes()
    shown = LocalizedText("embedded-filter", {"name": name.replace(" ", "-")})
    assert say("en", shown) in made.note


@pytest.mark.parametrize("locale", LOCALES)
def test_every_filter_has_a_name_of_its_own_in_each_language(locale: str) -> None:
    names = [name.replace(" ", "-") for name in FILTERS]

    said = {say(locale, LocalizedText("embedded-filter", {"name": name})) for name in names}

    assert len(said) == len(FILTERS)


@pytest.mark.parametrize(
    ("instruction", "filters"),
    [
        ("now make it a pencil sketch", ["pencil sketch"]),
        ("Mach daraus eine Bleistiftskizze", ["pencil sketch"]),
        ("un dessin au crayon, s'il te plaît", ["pencil sketch"]),
        ("conviértelo en un boceto", ["pencil sketch"]),
        ("把它变成素描", ["pencil sketch"]),
        ("スケッチにして", ["pencil sketch"]),
        ("as a colour pencil drawing", ["colour pencil sketch"]),
        ("black and white please", ["black and white"]),
        ("Schwarz-Weiß", ["black and white"]),
        ("en noir et blanc", ["black and white"]),
        ("en blanco y negro", ["black and white"]),
        ("白黒にして", ["black and white"]),
        ("turn this into a cartoon drawing", ["cartoon"]),
        ("first sharpen it, then make it sepia", ["sharpen", "sepia"]),
        ("remove the noise", ["denoise"]),
        ("enlarge it", ["upscale"]),
        ("make her look like a queen", []),
        ("", []),
    ],
)
def test_filters_are_known_by_their_words_in_several_languages(
    instruction: str, filters: list[str]
) -> None:
    assert find_filters(instruction) == filters


async def test_an_unknown_filter_is_refused_with_those_there_are(expert: EmbeddedExpert) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await expert.run(job("image-to-image", image=HOUSE, text="as Van Gogh would"))

    assert "pencil sketch" in str(caught.value.sentence.args["filters"])


@pytest.mark.parametrize(
    "wish",
    [
        "blur the faces",
        "everything but the house in black and white",
        "mach den Hintergrund schwarzweiß",
        "rends le ciel plus sombre",
        "desenfoca el fondo",
        "把背景变成黑白",
        "背景をぼかして",
    ],
)
async def test_a_filter_for_a_part_of_the_picture_is_refused(
    wish: str, expert: EmbeddedExpert
) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await expert.run(job("image-to-image", image=HOUSE, text=wish))

    assert caught.value.sentence.id == "embedded-whole-picture"


async def test_a_photo_stays_a_photo(expert: EmbeddedExpert) -> None:
    sheet = io.BytesIO()
    Image.new("RGB", (60, 40), "red").save(sheet, "JPEG")

    made = await expert.run(
        job("image-to-image", image=Blob(sheet.getvalue(), "image/jpeg"), text="grey")
    )

    assert _opened(made).format == "JPEG"


@pytest.mark.parametrize("side", [8_001, 12_000, 30_000])
async def test_a_decompression_bomb_is_bad_input(side: int, expert: EmbeddedExpert) -> None:
    with pytest.raises(MediaError) as caught:
        await expert.run(job("image-to-image", image=_bomb(side), text="sketch"))

    assert caught.value.sentence.id == "media-too-many-pixels"


def _bomb(side: int) -> Blob:
    """A PNG that claims to be huge."""
    head = b"IHDR" + struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return Blob(b"\x89PNG\r\n\x1a\n" + chunk + struct.pack(">I", 0) + b"IDAT", "image/png")


@pytest.mark.parametrize("kind", ["canny", "mlsd", "hed", "scribble"])
async def test_a_control_image_is_white_where_there_are_edges(
    kind: str, expert: EmbeddedExpert
) -> None:
    made = await expert.run(job(f"{kind}-control", image=HOUSE))

    drawn = _opened(made)
    assert drawn.mode == "L"
    assert drawn.size == (320, 240)
    sky, edge = (10, 10, 60, 60), (70, 150, 90, 170)
    assert max(drawn.crop(sky).tobytes()) < 60
    assert max(drawn.crop(edge).tobytes()) > 100


async def test_a_transparent_picture_is_worked_on_as_on_white(expert: EmbeddedExpert) -> None:
    clear = png(Image.new("RGBA", (50, 50), (0, 0, 0, 0)))

    made = await expert.run(job("image-to-image", image=clear, text="negative"))

    assert _opened(made).getpixel((5, 5)) == (0, 0, 0)


async def test_text_in_a_picture_survives_being_sharpened(expert: EmbeddedExpert) -> None:
    made = await expert.run(job("image-to-image", image=page("Hello"), text="sharpen"))

    assert _opened(made).size == (900, 124)


@pytest.mark.parametrize(
    ("instruction", "unused"),
    [
        *(("brighten it by 50%", "50 %"), ("mach es um 50 % heller", "50 %")),
        *(("sube el contraste un 30 %", "30 %"), ("agrandis 4 fois", "4 fois")),
        *(("放大4倍", "4 倍"), ("4倍に拡大", "4 倍"), ("upscale 4x", "4 x")),
    ],
)
async def test_a_figure_that_no_filter_takes_is_refused(
    instruction: str, unused: str, expert: EmbeddedExpert
) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await expert.run(job("image-to-image", image=_house(), text=instruction))

    assert caught.value.sentence.id == "embedded-order-unclear"
    assert caught.value.sentence.args["words"] == unused


@pytest.mark.parametrize("instruction", ["放大2倍", "enlarge 2 times", "make image 2 grey"])
async def test_twice_as_large_is_what_upscaling_does(
    instruction: str, expert: EmbeddedExpert
) -> None:
    made = await expert.run(job("image-to-image", image=_house(), text=instruction))

    assert "image" in made.slots
