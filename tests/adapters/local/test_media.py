"""What models are given is decoded within bounds."""

import io

import pytest
from PIL import Image

from adapters.local.inference import InferenceRequest
from adapters.local.kinds.vision import read_picture
from pipeline.errors import BadInput


def _saved(written: str) -> bytes:
    sheet = io.BytesIO()
    Image.new("RGB", (4, 3)).save(sheet, written)
    return sheet.getvalue()


@pytest.mark.parametrize("written", ["PNG", "JPEG", "WEBP", "BMP", "AVIF"])
def test_pictures_as_people_send_them_are_read(written: str) -> None:
    assert read_picture(InferenceRequest("image-to-text", _saved(written), {})).size == (4, 3)


@pytest.mark.parametrize("written", ["EPS", "PCX"])
def test_rare_formats_are_refused_before_their_decoders_run(written: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_picture(InferenceRequest("image-to-text", _saved(written), {}))

    assert refused.value.sentence.id == "local-picture-unreadable"
