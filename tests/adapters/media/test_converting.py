"""Files of one type become files of another, without what they should not tell."""

import asyncio
import io
import os
import select
import tracemalloc
import wave
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from pillow_heif import register_heif_opener

from adapters.media.bounds import Bounds
from adapters.media.ffmpeg import find_ffmpeg
from adapters.media.local import LocalMedia
from adapters.media.pictures import flatten, load_upright
from pipeline.domain import Blob
from pipeline.errors import MediaError
from tests.adapters.media import samples
from tests.fakes.outside import FakeWorkers

MOV, MP3, WAV = "video/quicktime", "audio/mpeg", "audio/wav"


@pytest.fixture
def media() -> LocalMedia:
    return LocalMedia(FakeWorkers(), ffmpeg=find_ffmpeg)


def _picture(blob: Blob) -> Image.Image:
    picture = Image.open(io.BytesIO(blob.data))
    picture.load()
    return picture


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("image/png", "me.png"),
        ("image/jpeg", "me.jpg"),
        ("image/webp", "me.webp"),
    ],
)
async def test_a_photo_is_turned_upright_and_tells_neither_camera_nor_place(
    media: LocalMedia, target: str, name: str
) -> None:
    photo = Blob(samples.turned_photo_with_place(), "image/jpeg", "me.jpg", alt="a disc")

    made = await media.convert(photo, target)

    assert (made.media_type, made.name, made.alt) == (target, name, "a disc")
    assert b"Secret" not in made.data
    assert _picture(made).size == (200, 320)
    assert not _picture(made).getexif().get_ifd(0x8825)


async def test_what_was_see_through_becomes_white_in_a_jpeg(media: LocalMedia) -> None:
    clear = Blob(samples.saved(Image.new("RGBA", (8, 8), (255, 0, 0, 0)), "PNG"), "image/png", "a")

    made = await media.convert(clear, "image/jpeg")

    assert _picture(made).getpixel((4, 4)) == (255, 255, 255)


async def test_sixteen_bits_of_grey_become_eight(media: LocalMedia) -> None:
    deep = Image.new("I;16", (8, 8), 65_535)

    made = await media.convert(Blob(samples.saved(deep, "PNG"), "image/png"), "image/jpeg")

    assert _picture(made).getpixel((4, 4)) == 255


@pytest.mark.parametrize("rate", [8_000, 44_100])
async def test_wav_is_made_for_recognition(media: LocalMedia, rate: int) -> None:
    made = await media.convert(Blob(samples.wav(1.0, rate, 2), WAV, "a.wav"), WAV)

    with wave.open(io.BytesIO(made.data)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (16_000, 1, 2)
        assert file.getnframes() == 16_000


async def test_without_ffmpeg_a_film_is_refused_with_what_would_help() -> None:
    media = LocalMedia(FakeWorkers(), ffmpeg=lambda: None)

    with pytest.raises(MediaError) as refused:
        await media.convert(Blob(samples.film(), MOV), "video/mp4")

    assert refused.value.sentence.id == "media-needs-ffmpeg"


@pytest.mark.parametrize("way", ['ln -s "{secret}" "$out"', 'mkfifo "$out"', 'mkdir "$out"'])
async def test_what_ffmpeg_leaves_is_read_only_if_it_is_a_file(tmp_path: Path, way: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    media = _take_over(tmp_path, "for out; do :; done; " + way.format(secret=secret))

    made = await media.convert(Blob(samples.wav(), WAV, "a.wav"), MP3)

    assert made.data == b""


async def test_what_ffmpeg_says_without_end_is_not_kept(tmp_path: Path) -> None:
    said = "head -c 60000000 /dev/zero >&2; echo matches no streams >&2; exit 1"
    media = _take_over(tmp_path, said)

    tracemalloc.start()
    with pytest.raises(MediaError) as refused:
        await media.convert(Blob(samples.film(), MOV, "a.mov"), MP3)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert refused.value.sentence.id == "media-no-such-stream"
    assert most < 10_000_000


async def test_what_ffmpeg_began_ends_with_it(tmp_path: Path) -> None:
    media = _take_over(tmp_path, 'sleep 60 2>&- &\nfor out; do :; done; echo $! > "$out"')

    made = await media.convert(Blob(samples.wav(), WAV, "a.wav"), MP3)

    assert await asyncio.to_thread(_has_ended, int(made.data))


def _take_over(folder: Path, script: str) -> LocalMedia:
    """With an ffmpeg that a hostile file made do this."""
    program = folder / "ffmpeg"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o700)
    return LocalMedia(FakeWorkers(), ffmpeg=lambda: str(program))


def _has_ended(pid: int) -> bool:
    """Whether a process ends within seconds."""
    try:
        watched = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watched], [], [], 10)[0])
    finally:
        os.close(watched)


@pytest.mark.parametrize(
    ("source", "data", "target", "described"),
    [
        (MOV, samples.film, "video/mp4", "video, 322×240, 2.0 s"),
        (MOV, samples.film, "image/jpeg", "photo, 322×240"),
        (MOV, samples.film, "image/png", "picture, 322×240"),
        (MOV, samples.film, MP3, "sound, 2.0 s"),
        (MOV, samples.film, WAV, "sound, 2.0 s"),
        (WAV, samples.wav, MP3, "sound, 2.0 s"),
        (MP3, samples.mp3, WAV, "sound, 2.0 s"),
    ],
    ids=lambda given: getattr(given, "__name__", str(given)),
)
async def test_sounds_and_films_become_others(
    media: LocalMedia, source: str, data: Callable[[], bytes], target: str, described: str
) -> None:
    made = await media.convert(Blob(data(), source, "a.b"), target)

    found = await media.describe(made)
    assert found.media_type == target == made.media_type
    assert found.description.replace("2.1 s", "2.0 s") == described


async def test_a_film_for_the_web_begins_with_its_index_and_forgets_its_place(
    media: LocalMedia,
) -> None:
    made = await media.convert(Blob(samples.film(), MOV), "video/mp4")

    assert made.data.index(b"moov") < made.data.index(b"mdat")
    assert b"+52.5" in samples.film()
    assert b"+52.5" not in made.data


async def test_a_voice_message_in_a_film_container_is_a_sound(media: LocalMedia) -> None:
    found = await media.describe(Blob(samples.voice_message(), "", "voice.webm"))

    assert (found.media_type, found.description) == ("audio/webm", "sound, 1.5 s")


@pytest.mark.parametrize(
    ("source", "target"),
    [("application/pdf", "audio/mpeg"), ("audio/mpeg", "image/png"), ("text/plain", "image/png")],
)
async def test_what_makes_no_sense_is_refused(media: LocalMedia, source: str, target: str) -> None:
    with pytest.raises(MediaError) as refused:
        await media.convert(Blob(b"some", source), target)

    assert refused.value.sentence.id == "media-no-conversion"


async def test_a_silent_film_has_no_sound_to_take(media: LocalMedia) -> None:
    with pytest.raises(MediaError) as refused:
        await media.convert(Blob(samples.film(1.0, sound=False), MOV), MP3)

    assert refused.value.sentence.id == "media-no-such-stream"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cut.mp3", lambda: b"ID3\x04" + b"\x00" * 500),
        ("cut.mp4", lambda: samples.film()[:2_000]),
        ("cut.ogg", lambda: b"OggS" + b"\x00" * 100),
        ("cut.wav", lambda: samples.wav()[:30]),
        ("bad.wav", lambda: samples.wav().replace(b"data", b"atad")),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
async def test_a_broken_sound_or_film_is_refused(
    media: LocalMedia, name: str, data: Callable[[], bytes]
) -> None:
    with pytest.raises(MediaError) as refused:
        await media.describe(Blob(data(), "", name))

    assert refused.value.sentence.id == "media-broken"


async def test_a_playlist_disguised_as_a_film_opens_no_other_file(
    media: LocalMedia, tmp_path: Path
) -> None:
    (tmp_path / "secret.wav").write_bytes(samples.wav(0.1))
    playlist = f"#EXTM3U\n#EXTINF:1,\nfile://{tmp_path}/secret.wav\n#EXT-X-ENDLIST\n".encode()

    with pytest.raises(MediaError):
        await media.describe(Blob(playlist, "", "film.avi"))
    with pytest.raises(MediaError):
        await media.convert(Blob(playlist, "video/x-msvideo", "film.avi"), MP3)


async def test_a_conversion_that_takes_too_long_is_given_up_and_leaves_nothing_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, bounds = _hanging(tmp_path, monkeypatch), Bounds(convert_timeout=0.1)
    media = LocalMedia(FakeWorkers(), ffmpeg=lambda: program, bounds=bounds)

    with pytest.raises(MediaError) as refused:
        await media.convert(Blob(samples.wav(), WAV), MP3)

    assert refused.value.sentence.id == "media-too-slow"


async def test_cancelling_a_conversion_kills_all_its_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = _hanging(tmp_path, monkeypatch)
    media = LocalMedia(FakeWorkers(), ffmpeg=lambda: program)

    async with asyncio.TaskGroup() as group:
        converting = group.create_task(media.convert(Blob(samples.wav(), WAV), MP3))
        life = await asyncio.to_thread((tmp_path / "life").open, "w")  # once they read it
        converting.cancel()

    with life:
        unread = select.poll()
        unread.register(life, select.POLLERR)
        assert await asyncio.to_thread(unread.poll, 20_000)


def _hanging(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A program that begins another and waits for ever; both read from a pipe."""
    monkeypatch.setenv("LD_LIBRARY_PATH", str(folder))  # readable in the sandbox
    os.mkfifo(folder / "life")
    program = folder / "ffmpeg"
    program.write_text(f"#!/bin/sh\nexec 3<{folder}/life\nsleep 1000 &\nwait\n")
    program.chmod(0o755)
    return str(program)


@pytest.mark.parametrize("highest", [255, 1023, 4095, 65_535])
async def test_a_picture_of_16_bits_is_a_ramp_from_black_to_white(highest: int) -> None:
    ramp = Image.new("I;16", (256, 2))
    ramp.putdata([round(x * highest / 255) for x in range(256)] * 2)

    made = load_upright(samples.saved(ramp, "PNG"), Bounds())

    assert made.mode == "L"
    assert [made.getpixel((x, 0)) for x in range(0, 256, 51)] == pytest.approx(
        [*range(0, 256, 51)], abs=1
    )


@pytest.mark.parametrize(
    ("ink", "outline", "ground"),
    [("white", "white", "dark"), ("black", "black", "light"), ("white", "black", "light")],
)
def test_transparent_pictures_lie_on_what_keeps_them_readable(
    ink: str, outline: str, ground: str
) -> None:
    letters = Image.new("RGBA", (60, 40), (0, 0, 0, 0))
    canvas = ImageDraw.Draw(letters)
    canvas.rectangle((10, 10, 50, 30), fill=ink, outline=outline, width=3)

    corner = flatten(letters).getpixel((0, 0))

    assert isinstance(corner, tuple)
    assert (corner[0] > 200) == (ground == "light")


@pytest.mark.parametrize("kind", ["HEIF", "AVIF"])
async def test_pictures_of_phones_are_read(media: LocalMedia, kind: str) -> None:
    register_heif_opener()
    data = samples.saved(samples.drawing(), kind)

    found = await media.describe(Blob(data, "", f"a.{kind.lower()}"))
    made = await media.convert(Blob(data, found.media_type, "a"), "image/jpeg")

    assert found.description == "picture, 320×240"
    assert Image.open(io.BytesIO(made.data)).format == "JPEG"


async def test_the_mask_of_a_cut_out_is_its_transparency(media: LocalMedia) -> None:
    cut_out = Image.new("RGBA", (20, 10), (200, 0, 0, 0))
    cut_out.paste((200, 0, 0, 255), (10, 0, 20, 10))

    mask = await media.find_cut_out(Blob(samples.saved(cut_out, "PNG"), "image/png"))

    assert mask is not None
    assert [Image.open(io.BytesIO(mask.data)).getpixel((x, 5)) for x in (2, 15)] == [0, 255]
    assert await media.find_cut_out(Blob(samples.png(), "image/png")) is None
