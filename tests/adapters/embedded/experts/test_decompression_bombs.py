"""Files that would grow beyond all use."""

import io
import zipfile
import zlib

import pytest

from adapters.embedded.experts.documents import read_document
from pipeline.domain import Blob
from pipeline.errors import BadInput
from tests.adapters.embedded.experts.drawn_files import _pdf, word


def _bomb_pdf() -> Blob:
    return _pdf([zlib.compress(b"BT (x) Tj ET " * 5_000_000, 9)])


def _bomb_word() -> Blob:
    letter, file = word("Dear Ada"), io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(letter.data)) as parts,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bomb,
    ):
        for name in parts.namelist():
            padding = b" " * 30_000_000 if name == "word/document.xml" else b""
            bomb.writestr(name, parts.read(name) + padding)
    return Blob(file.getvalue(), letter.media_type, "bomb.docx")


@pytest.mark.parametrize("bomb", [_bomb_pdf, _bomb_word])
def test_a_document_that_grows_beyond_all_use_is_refused(bomb: object) -> None:
    assert callable(bomb)

    with pytest.raises(BadInput) as caught:
        read_document(bomb())

    assert caught.value.sentence.id == "embedded-document-too-large"
