"""Files resized, cropped, turned, cut and converted."""

import io
import wave
from pathlib import Path

import pytest
from PIL import Image

from adapters.embedded.experts.conversion import (
    describe_edit,
    find_unused_numbers,
    parse_instruction,
)
from adapters.embedded.experts.expert import EmbeddedExpert
from adapters.media.edit_options import Edit
from adapters.media.editing import run_ffmpeg
from pipeline.domain import Blob
from pipeline.errors import BadInput, ExpertRefused, MediaError, TroupeError
from pipeline.words import say
from tests.adapters.embedded.experts.drawn_files import png
from tests.adapters.media.samples import turned_photo_with_place
from tests.fakes.jobs import job, picture, tone

FILM = Blob(
    (Path(__file__).parents[3] / "servers/experts/film.mp4").read_bytes(), "video/mp4", "film.mp4"
)
"""32 by 32 pixels, 0.6 seconds, 5 pictures a second, no sound."""


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("resize to 800 px", [Edit("resize", (800, 0))]),
        ("resize it to 640x480", [Edit("resize", (640, 480))]),
        ("auf 300 Pixel hoch verkleinern", [Edit("resize", (0, 300))]),
        ("make it 50 % of the size", [Edit("scale", (0.5,))]),
        ("half the size please", [Edit("scale", (0.5,))]),
        ("crop to 200 x 100", [Edit("crop", (200, 100))]),
        ("crop it to a square", [Edit("aspect", (1, 1))]),
        ("crop to 16:9", [Edit("aspect", (16, 9))]),
        ("rotate it", [Edit("rotate", (90,))]),
        ("rotate 90 degrees to the left", [Edit("rotate", (270,))]),
        ("um 180 Grad drehen", [Edit("rotate", (180,))]),
        ("turn it on its head", [Edit("rotate", (180,))]),
        ("stell es auf den Kopf", [Edit("rotate", (180,))]),
        ("ponlo boca abajo", [Edit("rotate", (180,))]),
        ("mets-la à l'envers", [Edit("rotate", (180,))]),
        ("上下颠倒", [Edit("rotate", (180,))]),
        ("逆さまにして", [Edit("rotate", (180,))]),
        ("mirror the picture", [Edit("flip", (0,))]),
        ("flip vertically", [Edit("flip", (1,))]),
        ("cut the first ten seconds", [Edit("keep", (0, 10))]),
        ("remove the first 10 seconds", [Edit("drop", (10,))]),
        ("can you chop off the first 2 secs of this", [Edit("drop", (2,))]),
        ("trim the first 2 seconds off", [Edit("drop", (2,))]),
        ("schneide die ersten 2 Sekunden ab", [Edit("drop", (2,))]),
        ("corta fuera los primeros 2 segundos", [Edit("drop", (2,))]),
        ("vire les 2 premières secondes", [Edit("drop", (2,))]),
        ("剪掉前2秒", [Edit("drop", (2,))]),
        ("最初の2秒を切り落として", [Edit("drop", (2,))]),
        ("les 15 premières secondes en wav", [Edit("keep", (0, 15)), Edit("type", (), "wav")]),
        ("keep the last 5 s", [Edit("keep_end", (5,))]),
        ("shrink to 640 wide", [Edit("resize", (640, 0))]),
        ("auf 640 breit verkleinern", [Edit("resize", (640, 0))]),
        ("reduce a 640 de ancho", [Edit("resize", (640, 0))]),
        ("plus petit, 640 de large", [Edit("resize", (640, 0))]),
        ("rotate 180 left", [Edit("rotate", (180,))]),
        ("resize image 2 to 800 px", [Edit("resize", (800, 0))]),
        ("trim from 0:05 to 0:12", [Edit("keep", (5, 12))]),
        ("cut out 1:30 - 2:00", [Edit("keep", (90, 120))]),
        ("die ersten 3 Sekunden", [Edit("keep", (0, 3))]),
        ("convert to mp3", [Edit("type", (), "mp3")]),
        ("als JPG speichern", [Edit("type", (), "jpeg")]),
        ("convert the png to webp", [Edit("type", (), "webp")]),
        ("转换成 mp4", [Edit("type", (), "mp4")]),
        ("twice as fast", [Edit("speed", (2,))]),
        ("slow motion", [Edit("speed", (0.5,))]),
        ("extract the audio as wav", [Edit("sound"), Edit("type", (), "wav")]),
        ("a still at 0:01", [Edit("poster", (1,))]),
        ("mute it", [Edit("mute")]),
        ("compress it", [Edit("smaller")]),
        ("sing a song", []),
    ],
)
def test_instructions_are_understood(instruction: str, wanted: list[Edit]) -> None:
    assert parse_instruction(instruction) == wanted


async def _made(expert: EmbeddedExpert, blob: Blob, instruction: str) -> Blob:
    made = await expert.run(job("media-conversion", file=blob, text=instruction))
    result = made.slots["file"]
    assert isinstance(result, Blob)
    return result


@pytest.mark.parametrize(
    ("instruction", "size"),
    [
        ("resize to 20 px wide", (20, 15)),
        ("resize to 10x10", (10, 8)),
        ("crop to a square", (30, 30)),
        ("rotate it", (30, 40)),
        ("50 %", (20, 15)),
        ("rotate it and resize to 15 px", (15, 20)),
        ("make the picture smaller", (20, 15)),
        ("Mach das Bild kleiner", (20, 15)),
        ("bigger please", (80, 60)),
        ("shrink it to 10 px", (10, 8)),
        ("a 10 px thumbnail", (10, 8)),
    ],
)
async def test_a_picture_gets_the_size_asked_for(
    instruction: str, size: tuple[int, int], expert: EmbeddedExpert
) -> None:
    made = await _made(expert, picture(), instruction)

    assert Image.open(io.BytesIO(made.data)).size == size
    assert made.media_type == "image/png"


async def test_rotating_to_the_right_turns_clockwise(expert: EmbeddedExpert) -> None:
    image = Image.new("RGB", (20, 10), "white")
    image.putpixel((0, 0), (255, 0, 0))

    made = await _made(expert, png(image), "rotate 90 degrees")

    assert Image.open(io.BytesIO(made.data)).getpixel((9, 0)) == (255, 0, 0)


async def test_a_picture_is_converted_and_named_after_its_type(expert: EmbeddedExpert) -> None:
    made = await _made(expert, picture(), "convert to jpg")

    assert (made.media_type, made.name) == ("image/jpeg", "picture.jpg")
    assert Image.open(io.BytesIO(made.data)).format == "JPEG"


async def test_what_was_done_is_told(expert: EmbeddedExpert) -> None:
    made = await expert.run(job("media-conversion", file=picture(), text="rotate 45 degrees"))

    assert made.note == "Turned clockwise by 45°."


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ("resize to 300 px and flip it", ["Resized to fit into 300 px.", "Mirrored."]),
        ("make it 300x200", ["Resized to fit into 300 × 200 px."]),
        ("crop to 4:3 as webp", ["Cropped to the shape 4:3.", "Converted to WEBP."]),
        ("scale it to 50 percent", ["Scaled to 50 %."]),
        ("compress it", ["Compressed."]),
        ("first 2 seconds as mp3", ["Kept from 0 s to 2 s.", "Converted to MP3."]),
        ("only the last 5 seconds", ["Kept the last 5 s."]),
    ],
)
def test_each_thing_that_was_done_is_told_in_words(wish: str, told: list[str]) -> None:
    assert [say("en", describe_edit(one)) for one in parse_instruction(wish)] == told


async def test_sound_is_cut_to_the_second(expert: EmbeddedExpert) -> None:
    made = await _made(expert, tone(3.0), "keep the first two seconds")

    with wave.open(io.BytesIO(made.data)) as sound:
        assert sound.getnframes() / sound.getframerate() == pytest.approx(2.0, abs=0.05)


async def test_sound_becomes_mp3(expert: EmbeddedExpert) -> None:
    made = await _made(expert, tone(0.5), "convert to mp3")

    assert (made.media_type, made.name) == ("audio/mpeg", "tone.mp3")
    assert made.data[:3] == b"ID3" or made.data[0] == 0xFF


async def test_sound_played_twice_as_fast_lasts_half_as_long(expert: EmbeddedExpert) -> None:
    made = await _made(expert, tone(2.0), "twice as fast")

    with wave.open(io.BytesIO(made.data)) as sound:
        assert sound.getnframes() / sound.getframerate() == pytest.approx(1.0, abs=0.1)


async def test_a_still_is_taken_from_a_film(expert: EmbeddedExpert) -> None:
    made = await _made(expert, FILM, "take a still")

    assert made.media_type == "image/png"
    assert Image.open(io.BytesIO(made.data)).size == (32, 32)


async def test_a_film_is_cropped_and_becomes_an_animation(expert: EmbeddedExpert) -> None:
    made = await _made(expert, FILM, "crop to 16x24 and convert to gif")

    assert made.media_type == "image/gif"
    assert Image.open(io.BytesIO(made.data)).size == (16, 24)


async def test_a_film_is_turned_and_slowed_down(expert: EmbeddedExpert) -> None:
    made = await _made(expert, FILM, "rotate left, slow motion, resize to 64x64")

    assert made.media_type == "video/mp4"
    assert made.data[4:8] == b"ftyp"


@pytest.mark.parametrize(
    ("blob", "instruction", "error"),
    [
        (picture(), "make it swing", ExpertRefused),
        (picture(), "twice as fast", ExpertRefused),
        (tone(), "convert to png", ExpertRefused),
        (tone(), "remove the first 30 seconds", BadInput),
        (Blob(b"no film", "video/mp4"), "convert to mp3", BadInput),
        (Blob(b"", "video/x-unheard-of"), "convert to mp4", ExpertRefused),
        (Blob(b"GIF89a", "image/gif"), "rotate it", MediaError),
    ],
)
async def test_what_cannot_be_done_ends_in_a_plain_sentence(
    blob: Blob, instruction: str, error: type[TroupeError], expert: EmbeddedExpert
) -> None:
    with pytest.raises(error):
        await _made(expert, blob, instruction)


async def test_a_sound_is_made_louder_and_has_no_size(expert: EmbeddedExpert) -> None:
    quiet = await _made(expert, tone(0.5), "quieter")
    louder = await _made(expert, quiet, "make it louder")

    assert _loudest(quiet) == pytest.approx(_loudest(tone(0.5)) / 2, rel=0.05)
    assert _loudest(louder) == pytest.approx(2 * _loudest(quiet), rel=0.1)
    with pytest.raises(ExpertRefused):
        await _made(expert, tone(0.5), "half the size")


def _loudest(blob: Blob) -> int:
    with wave.open(io.BytesIO(blob.data)) as sound:
        return max(memoryview(sound.readframes(sound.getnframes())).cast("h"))


async def test_a_film_without_sound_is_said_to_have_none(expert: EmbeddedExpert) -> None:
    with pytest.raises(BadInput) as caught:
        await _made(expert, FILM, "extract the audio")

    assert caught.value.sentence.id == "embedded-no-sound"


async def test_a_thumbnail_of_a_film_is_a_still(expert: EmbeddedExpert) -> None:
    assert (await _made(expert, FILM, "make a thumbnail")).media_type == "image/png"


def test_a_conversion_that_takes_too_long_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "ffmpeg"
    slow.write_text("#!/bin/sh\nkill -XCPU $$\n")
    slow.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(slow))

    with pytest.raises(BadInput) as refused:
        run_ffmpeg(FILM, (), "mp4")

    assert refused.value.sentence.id == "embedded-too-long"


def animation(kind: str = "GIF", frames: int = 4) -> Blob:
    file = io.BytesIO()
    pictures = [Image.new("RGB", (40, 30), (60 * number, 0, 90)) for number in range(frames)]
    pictures[0].save(file, kind, save_all=True, append_images=pictures[1:], duration=200)
    return Blob(file.getvalue(), f"image/{kind.lower()}", f"party.{kind.lower()}")


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
@pytest.mark.parametrize("ending", ["", "webp", "gif", "png"])
async def test_an_animation_stays_one(expert: EmbeddedExpert, kind: str, ending: str) -> None:
    order = f"resize to 20 px and convert to {ending}" if ending else "resize to 20 px"

    made = await expert.run(job("media-conversion", file=animation(kind), text=order))

    file = made.slots["file"]
    assert isinstance(file, Blob)
    picture = Image.open(io.BytesIO(file.data))
    assert picture.width == 20
    assert getattr(picture, "n_frames", 1) >= 4


async def test_an_animation_becomes_a_film_or_a_still_with_a_word(expert: EmbeddedExpert) -> None:
    film = await _made(expert, animation(), "convert to mp4")
    still = await expert.run(job("media-conversion", file=animation(), text="as jpg"))

    assert film.data[4:8] == b"ftyp"
    assert "4 frames" in still.note


async def test_frames_of_a_film_are_several_pictures(expert: EmbeddedExpert) -> None:
    made = await expert.run(
        job("media-conversion", file=FILM, text="a frame every 0.2 seconds as jpg")
    )

    files = [file for file in (made.slots["file"], *made.extras) if isinstance(file, Blob)]
    assert {Image.open(io.BytesIO(file.data)).format for file in files} == {"JPEG"}
    assert [file.name for file in files][:2] == ["film-01.jpg", "film-02.jpg"]


@pytest.mark.parametrize("order", ["remove the metadata", "entferne die Metadaten", "去掉位置信息"])
async def test_metadata_are_stripped(expert: EmbeddedExpert, order: str) -> None:
    photo = Blob(turned_photo_with_place(), "image/jpeg", "a.jpg")

    made = await _made(expert, photo, order)

    assert b"SecretPhone" in photo.data
    assert b"Secret" not in made.data
    assert Image.open(io.BytesIO(made.data)).size == (200, 320)


@pytest.mark.parametrize(
    ("instruction", "unused"),
    [
        ("cut off the last 3 seconds", "3 seconds"),
        ("schneide die letzten 3 Sekunden ab", "3 sekunden"),
        ("quita los últimos 3 segundos", "3 segundos"),
        ("enlève les 3 dernières secondes", "3 secondes"),
        ("去掉最后3秒", "3 秒"),
        ("最後の3秒を削除", "3 秒"),
        ("mute the first 5 seconds", "5 seconds"),
        ("mach die ersten 5 Sekunden lauter", "5 sekunden"),
        ("shrink it to under 2 MB", "2"),
        ("auf unter 200 kB verkleinern", "200"),
        ("压缩到200k以内", "200"),
        ("もう少し小さく、横600で", "600"),
        ("make it 50% louder", "50 %"),
    ],
)
async def test_an_order_with_a_figure_that_is_not_used_is_refused(
    instruction: str, unused: str, expert: EmbeddedExpert
) -> None:
    with pytest.raises(ExpertRefused) as refused:
        await _made(expert, FILM, instruction)

    assert refused.value.sentence.id == "embedded-order-unclear"
    assert refused.value.sentence.args["words"] == unused


@pytest.mark.parametrize(
    "instruction",
    [
        *("turn these 3 pictures into png", "mp4 to mp3", "make this one a gif", "压缩一下"),
        *("speed it up 1.5 times", "the second one as jpg", "image 2 as png", "一つをgifに"),
        *("resize photo-2034.png and IMG_7.jpg to 800 px", "scan_12.JPG als webp"),
    ],
)
def test_figures_that_count_files_or_name_types_are_no_figures(instruction: str) -> None:
    assert not find_unused_numbers(instruction)


@pytest.mark.parametrize(
    ("order", "factor"),
    [
        ("shrink by 30 %", 0.7),
        ("shrink it to 30%", 0.3),
        ("make it 30% smaller", 0.7),
        ("make it 50% bigger", 1.5),
        ("enlarge to 150%", 1.5),
        ("reduce the size by 25%", 0.75),
        ("scale it to 50 %", 0.5),
        ("50 %", 0.5),
        ("verkleinere um 30 %", 0.7),
        ("auf 30 % verkleinern", 0.3),
        ("vergrößere um 20 %", 1.2),
        ("réduis de 30 %", 0.7),
        ("réduis à 30 %", 0.3),
        ("agrandis de 20%", 1.2),
        ("reduce un 30 %", 0.7),
        ("reduce al 30 %", 0.3),
        ("amplía un 20%", 1.2),
        ("30%縮小して", 0.7),
        ("30%に縮小", 0.3),
        ("20%拡大", 1.2),
        ("缩小30%", 0.7),
        ("缩小到30%", 0.3),
        ("放大20%", 1.2),
    ],
)
def test_a_percentage_is_a_difference_unless_it_is_the_target(order: str, factor: float) -> None:
    (scale,) = (edit for edit in parse_instruction(order) if edit.op == "scale")

    assert scale.figures == pytest.approx((factor,))


def test_nothing_is_made_smaller_by_more_than_all_of_it() -> None:
    assert not [edit for edit in parse_instruction("shrink by 120 %") if edit.op == "scale"]
    assert find_unused_numbers("shrink by 120 %") == ["120 %"]
