"""The text of documents, and of pictures by OCR (RapidOCR)."""

import os
from functools import cache
from typing import Any

from adapters.embedded.experts.images import note_frames, read_pixels
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_file
from adapters.media import documents
from adapters.media.document_text import LEGIBLE, READ_BADLY, DocumentText
from pipeline.domain import Blob, ExpertValue, Text, Type
from pipeline.errors import ExpertRefused

_OCR = {
    "Global.log_level": "critical",
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,  # several wait by spinning
    "Det.limit_type": "max",  # "min" would enlarge strips without end
    "Det.limit_side_len": 2000,
}


def read_text_in_image(args: ExpertInput, _language: str) -> WorkerResult:
    """The text in a picture, line by line. Raises ExpertRefused when there is none."""
    document = read_piece(get_file(args, "image", Type.IMAGE))
    text = Text(document.text, document.legibility)
    return WorkerResult(slots={"text": text}, notes=document.notes)


def extract_text(args: ExpertInput, _language: str) -> WorkerResult:
    """The text of a document. Raises BadInput, ExpertRefused, MediaError."""
    document = read_document(get_file(args, "document"))
    return WorkerResult(slots={"text": Text(document.text)}, notes=document.notes)


def read_piece(piece: ExpertValue) -> DocumentText:
    """The text of words, of a picture or of a document. Raises BadInput, ExpertRefused."""
    match piece:
        case Text(text):
            return DocumentText(text)
        case Blob() if piece.type is Type.IMAGE:
            text, score = recognize_text(read_pixels(piece))
            if not text:
                raise ExpertRefused("embedded-no-text")
            notes = (READ_BADLY,) if score < LEGIBLE else ()
            return DocumentText(text, (*notes, *note_frames(piece)), score)
        case Blob():
            return read_document(piece)
        case _:
            raise ExpertRefused("embedded-file-type", slot="document")


def read_document(blob: Blob) -> DocumentText:
    """The text of a file, by its bytes. Raises BadInput, ExpertRefused, MediaError."""
    return documents.read(blob, recognize_text)


def recognize_text(pixels: Any) -> tuple[str, float]:
    """The text in a picture, columns apart, and its mean score; "" when there is none."""
    result = _ocr()(pixels)
    if result.boxes is None or not result.txts:
        return "", 0.0
    return result.to_markdown(), round(sum(result.scores) / len(result.scores), 3)


@cache
def _ocr() -> Any:
    # Also outside of workers: its library reports to its maker unless told so before it is loaded.
    os.putenv("ORT_DISABLE_TELEMETRY", "1")
    from rapidocr import RapidOCR

    return RapidOCR(params=_OCR)
