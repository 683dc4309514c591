"""Files carry what made them, and stay what they were."""

import io
import wave

import pytest
from PIL import Image

from adapters.media.ffmpeg import find_ffmpeg
from adapters.media.local import LocalMedia
from adapters.media.metadata import read_metadata, write_metadata
from pipeline.domain import Blob
from tests.adapters.media import samples
from tests.fakes.outside import FakeWorkers

MADE = {"model": "acme/painter", "licence": "apache-2.0", "task": "text-to-image"}
LABEL = b"model: acme/painter; licence: apache-2.0; task: text-to-image"


@pytest.mark.parametrize(
    ("media_type", "data"),
    [
        ("image/png", samples.png()),
        ("image/jpeg", samples.jpeg()),
    ],
)
def test_a_picture_looks_the_same_and_tells_its_model(media_type: str, data: bytes) -> None:
    made = write_metadata(data, media_type, MADE)

    before, after = Image.open(io.BytesIO(data)), Image.open(io.BytesIO(made))
    assert after.tobytes() == before.tobytes()
    assert LABEL in made
    assert LABEL.decode() in str(after.info.get("Comment", after.info.get("comment")))


async def test_a_wav_sounds_the_same_and_tells_its_model() -> None:
    media = LocalMedia(FakeWorkers(), ffmpeg=find_ffmpeg)
    blob = Blob(samples.wav(0.5), "audio/wav", "a.wav")

    made = await media.label(blob, MADE)

    with wave.open(io.BytesIO(blob.data)) as before, wave.open(io.BytesIO(made.data)) as after:
        assert after.readframes(1 << 20) == before.readframes(1 << 20)
    assert read_metadata(made.data) == MADE


async def test_a_labelled_mp3_and_film_still_play() -> None:
    media = LocalMedia(FakeWorkers(), ffmpeg=find_ffmpeg)
    film = await media.convert(Blob(samples.film(), "video/quicktime", "a.mov"), "video/mp4")

    for blob in (Blob(samples.mp3(), "audio/mpeg", "a.mp3"), film):
        made = await media.label(blob, MADE)

        assert (await media.describe(made)).description == (await media.describe(blob)).description
        assert b"acme/painter" in made.data.replace(b"\x00", b"")


@pytest.mark.parametrize(
    ("media_type", "data"),
    [
        ("image/jpeg", b"\xff\xd8"),
        ("image/webp", b"RIFF"),
        ("text/plain", b"words"),
        ("audio/mpeg", b""),
    ],
)
def test_what_has_no_place_for_a_label_stays_as_it_is(media_type: str, data: bytes) -> None:
    assert write_metadata(data, media_type, MADE) == data
