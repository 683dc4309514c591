"""What everything that looks at, converts and draws files does."""

import pytest

from adapters.media.ffmpeg import find_ffmpeg
from adapters.media.local import LocalMedia
from pipeline.domain import Blob, Box, Boxes, Label, Labels, Mask, Masks
from pipeline.errors import MediaError
from pipeline.ports import MediaTools
from tests.adapters.media import samples
from tests.fakes.media import FakeMedia
from tests.fakes.outside import FakeWorkers

PNG = Blob(samples.png(), "image/png", "a.png", alt="a disc")
PDF = Blob(samples.pdf(), "application/pdf", "a.pdf")


def _local() -> MediaTools:
    return LocalMedia(FakeWorkers(), ffmpeg=find_ffmpeg)


@pytest.fixture(params=[FakeMedia, _local], ids=["fake", "local"])
def media(request: pytest.FixtureRequest) -> MediaTools:
    made: MediaTools = request.param()
    return made


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (samples.png(), "image/png"),
        (samples.jpeg(), "image/jpeg"),
        (samples.wav(), "audio/wav"),
        (samples.pdf(), "application/pdf"),
        (b"plain words", "text/plain"),
    ],
    ids=["png", "jpeg", "wav", "pdf", "text"],
)
async def test_a_file_is_described_by_its_bytes(
    media: MediaTools, data: bytes, media_type: str
) -> None:
    found = await media.describe(Blob(data, "application/octet-stream", "a"))

    assert found.media_type == media_type
    assert found.description


async def test_an_empty_file_is_refused(media: MediaTools) -> None:
    with pytest.raises(MediaError) as refused:
        await media.describe(Blob(b"", "image/png", "a.png"))

    assert refused.value.sentence.id == "media-empty"


async def test_a_converted_file_has_the_type_asked_for_and_keeps_its_alt_text(
    media: MediaTools,
) -> None:
    made = await media.convert(PNG, "image/jpeg")

    assert (made.media_type, made.alt) == ("image/jpeg", "a disc")


async def test_what_cannot_be_converted_is_refused(media: MediaTools) -> None:
    with pytest.raises(MediaError) as refused:
        await media.convert(PDF, "text/plain")

    assert refused.value.sentence.id == "media-no-conversion"


async def test_a_file_fits_or_is_refused(media: MediaTools) -> None:
    limit = 4_000

    made = await media.fit(Blob(samples.saved(samples.noise(200, 200), "PNG"), "image/png"), limit)

    assert len(made.data) <= limit
    with pytest.raises(MediaError):
        await media.fit(PDF, 100)


async def test_a_preview_is_a_jpeg_of_a_picture_and_of_nothing_else(media: MediaTools) -> None:
    preview = await media.preview(PNG, 64)

    assert preview.media_type == "image/jpeg"
    assert preview.data
    with pytest.raises(MediaError):
        await media.preview(PDF, 64)


async def test_drawing_makes_pictures(media: MediaTools) -> None:
    mask = Mask("disc", 0.9, PNG)

    drawn = [
        await media.draw_boxes(
            PNG, Boxes((Box("disc", 0.9, xmin=80, ymin=60, xmax=160, ymax=180),))
        ),
        await media.draw_masks(PNG, Masks((mask,))),
        await media.chart(Labels((Label("disc", 0.9),))),
        await media.draw_depth(PNG),
        await media.draw_table(Blob(b"city,people\nRome,2.8\n", "text/csv", "a.csv")),
    ]

    assert [picture.media_type for picture in drawn] == ["image/png"] * 5
    assert "disc" in drawn[2].alt


async def test_what_made_a_file_is_written_into_it(media: MediaTools) -> None:
    told = await media.label(PNG, {"model": "org/painter", "task": "text-to-image"})

    assert len(told.data) > len(PNG.data)
    assert (told.media_type, told.name, told.alt) == (PNG.media_type, PNG.name, PNG.alt)
    assert (await media.describe(told)).media_type == "image/png"
