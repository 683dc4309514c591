"""Files become small enough to be posted, and stay of a type that plays in place."""

import io
from collections.abc import Callable

import pytest
from PIL import Image

from adapters.media.ffmpeg import find_ffmpeg
from adapters.media.local import LocalMedia
from pipeline.domain import Blob
from pipeline.errors import MediaError
from tests.adapters.media import samples
from tests.fakes.outside import FakeWorkers


@pytest.fixture
def media() -> LocalMedia:
    return LocalMedia(FakeWorkers(), ffmpeg=find_ffmpeg)


async def test_what_fits_and_plays_in_place_stays_as_it_is(media: LocalMedia) -> None:
    picture = Blob(samples.png(), "image/png", "a.png")

    assert await media.fit(picture, 1_000_000) is picture


async def test_a_document_that_fits_stays_and_one_that_does_not_is_refused(
    media: LocalMedia,
) -> None:
    document = Blob(samples.pdf(), "application/pdf", "a.pdf")

    assert await media.fit(document, 1_000_000) is document
    with pytest.raises(MediaError) as refused:
        await media.fit(document, 100)
    assert refused.value.sentence.id == "media-cannot-shrink"


async def test_a_photo_that_fits_loses_where_it_was_taken(media: LocalMedia) -> None:
    made = await media.fit(Blob(samples.turned_photo_with_place(), "image/jpeg", "a.jpg"), 10**6)

    assert made.media_type == "image/jpeg"
    assert b"Secret" not in made.data


@pytest.mark.parametrize("limit", [60_000, 8_000])
async def test_a_picture_is_compressed_and_scaled_as_far_as_it_takes(
    media: LocalMedia, limit: int
) -> None:
    noisy = Blob(samples.saved(samples.noise(600, 400), "PNG"), "image/png", "a.png")

    made = await media.fit(noisy, limit)

    assert limit / 4 < len(made.data) <= limit
    assert (made.media_type, made.name) == ("image/jpeg", "a.jpg")


@pytest.mark.parametrize(("size", "shown"), [((3000, 1500), (1024, 512)), ((320, 240), (320, 240))])
async def test_a_preview_is_scaled_down_and_never_up(
    media: LocalMedia, size: tuple[int, int], shown: tuple[int, int]
) -> None:
    picture = Blob(samples.saved(samples.drawing(*size), "PNG"), "image/png", "a.png")

    preview = await media.preview(picture, 1024)

    assert (preview.media_type, preview.name) == ("image/jpeg", "a.jpg")
    assert Image.open(io.BytesIO(preview.data)).size == shown


async def test_a_preview_tells_no_place(media: LocalMedia) -> None:
    photo = Blob(samples.turned_photo_with_place(), "image/jpeg", "a.jpg")

    preview = await media.preview(photo, 1024)

    assert b"Secret" not in preview.data
    assert Image.open(io.BytesIO(preview.data)).size == (200, 320)


async def test_a_picture_that_is_seen_through_stays_so(media: LocalMedia) -> None:
    noisy = samples.noise(300, 300).convert("RGBA")
    noisy.putalpha(120)

    made = await media.fit(Blob(samples.saved(noisy, "PNG"), "image/png", "a.png"), 30_000)

    assert made.media_type == "image/webp"
    assert Image.open(io.BytesIO(made.data)).mode == "RGBA"


async def test_a_picture_that_can_be_made_no_smaller_is_refused(media: LocalMedia) -> None:
    noisy = Blob(samples.saved(samples.noise(100, 100), "PNG"), "image/png", "a.png")

    with pytest.raises(MediaError):
        await media.fit(noisy, 300)


async def test_a_sound_and_a_film_are_encoded_anew_within_the_size(media: LocalMedia) -> None:
    sound = await media.fit(Blob(samples.wav(8.0), "audio/wav", "a.wav"), 60_000)
    film = await media.fit(
        Blob(samples.film(3.0, size="640x480"), "video/quicktime", "a.mov"), 90_000
    )

    assert (sound.media_type, sound.name) == ("audio/mpeg", "a.mp3")
    assert len(sound.data) <= 60_000
    assert (film.media_type, film.name) == ("video/mp4", "a.mp4")
    assert len(film.data) <= 90_000
    assert (await media.describe(film)).description.startswith("video, ")


@pytest.mark.parametrize(
    ("make", "before", "media_type"),
    [
        (samples.wav, "audio/wav", "audio/mpeg"),
        (samples.film, "video/quicktime", "video/mp4"),
        (lambda: samples.saved(samples.noise(60, 40), "TIFF"), "image/tiff", "image/png"),
    ],
)
async def test_what_does_not_play_in_place_is_made_to(
    media: LocalMedia, make: Callable[[], bytes], before: str, media_type: str
) -> None:
    made = await media.fit(Blob(make(), before), 1_000_000)

    assert made.media_type == media_type
    assert (await media.describe(made)).media_type == media_type


@pytest.mark.parametrize(
    ("blob", "limit"),
    [
        (Blob(samples.wav(1.0), "audio/wav", "a.wav"), 1_000_000),
        (Blob(samples.saved(samples.noise(600, 400), "PNG"), "image/png", "a.png"), 60_000),
    ],
)
async def test_who_made_a_file_stays_in_it(media: LocalMedia, blob: Blob, limit: int) -> None:
    made = {"model": "org/maker", "revision": "r1", "licence": "mit", "task": "text-to-image"}

    fitting = await media.fit(await media.label(blob, made), limit)

    assert fitting.media_type != blob.media_type
    assert b"model: org/maker; revision: r1; licence: mit; task: text-to-image" in fitting.data


async def test_a_film_too_long_for_the_size_is_refused(media: LocalMedia) -> None:
    with pytest.raises(MediaError) as refused:
        await media.fit(Blob(samples.film(), "video/quicktime", "a.mov"), 5_000)

    assert refused.value.sentence.id == "media-cannot-shrink"
