"""Files carry what made them, and stay what they were."""

import io
import wave

import av
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


@pytest.mark.parametrize(
    ("media_type", "ending"),
    [
        ("audio/flac", "flac"),
        ("audio/mpeg", "mp3"),
        ("audio/ogg", "ogg"),
        ("audio/ogg", "opus"),
        ("audio/mp4", "m4a"),
        ("audio/webm", "webm"),
        ("audio/aiff", "aiff"),
        ("video/mp4", "mp4"),
        ("video/quicktime", "mov"),
        ("video/webm", "webm"),
        ("video/x-matroska", "mkv"),
    ],
)
async def test_a_labelled_sound_or_film_is_the_same_and_tells_its_model(
    media_type: str, ending: str
) -> None:
    media = LocalMedia(FakeWorkers(), ffmpeg=find_ffmpeg)
    is_film = media_type.startswith("video/")
    data = samples.film(1.0, ending=ending) if is_film else samples.memo(ending)
    blob = Blob(data, media_type, "a")

    made = await media.label(blob, MADE)

    assert LABEL in made.data
    assert _decode(made.data) == _decode(blob.data)
    assert (await media.describe(made)) == (await media.describe(blob))


async def test_a_labelled_film_begins_with_its_index_and_forgets_its_place() -> None:
    media = LocalMedia(FakeWorkers(), ffmpeg=find_ffmpeg)

    made = await media.label(Blob(samples.film(), "video/quicktime", "a.mov"), MADE)

    assert made.data.index(b"moov") < made.data.index(b"mdat")
    assert b"+52.5" not in made.data


def _decode(data: bytes) -> tuple[list[bytes], list[bytes]]:
    """All pictures, and all samples, of a file."""
    with av.open(io.BytesIO(data), "r") as file:
        streams = (*file.streams.video, *file.streams.audio)
        pictures: list[bytes] = []
        samples: list[bytes] = []
        for frame in file.decode(streams):
            assert isinstance(frame, av.VideoFrame | av.AudioFrame)
            planes = b"".join(map(bytes, frame.planes))
            (pictures if isinstance(frame, av.VideoFrame) else samples).append(planes)
        return pictures, samples


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
