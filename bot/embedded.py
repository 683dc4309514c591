"""The built-in experts as the rest of the program uses them: to read files, to tell languages."""

import importlib.util
from contextlib import suppress

from pipeline.domain import Blob, Type
from pipeline.domain.conversions import as_text
from pipeline.errors import WorkerLost
from pipeline.ports import Job, Workers
from pipeline.task_kinds import KINDS

EMBEDDED_MODULES = (
    "cv2",
    "espeakng_loader",
    "formualizer",
    "imageio_ffmpeg",
    "lxml",
    "matplotlib",
    "onnxruntime",
    "pocketsphinx",
    "pypdf",
    "pypdfium2",
    "rapidocr",
    "sklearn",
    "vaderSentiment",
    "vobject",
)
"""The modules that the extra [embedded] installs."""
_DETECTED_CHARACTERS = 5_000
"""Of a text: its language shows early."""
_DETECTION_SECONDS = 10.0


def has_embedded() -> bool:
    """Whether the extra [embedded] is installed."""
    return all(importlib.util.find_spec(name) for name in EMBEDDED_MODULES)


async def read_text(workers: Workers, file: Blob) -> str:
    """The text of a document or a picture, as our own experts read it. Raises ExpertError."""
    text, _ = await read_document(workers, file, "")
    return text


async def read_document(workers: Workers, file: Blob, locale: str) -> tuple[str, str]:
    """The text of a document or a picture, with a note on what was not read. Raises ExpertError."""
    from adapters.embedded.experts.expert import EmbeddedExpert, embedded_models  # noqa: PLC0415

    slot, name = "document", "document-to-text"
    if file.type is Type.IMAGE:
        slot, name = "image", "optical-character-recognition"
    job = Job(KINDS[name], embedded_models()[name], {slot: (file,)}, locale=locale)
    output = await EmbeddedExpert(workers).run(job)
    return as_text(output.slots["text"]), output.note


async def detect_language(workers: Workers, text: str) -> str:
    """The code of the language that a text is written in; "" if it cannot be told."""
    from adapters.embedded.languages import find_text_language  # noqa: PLC0415 - an extra

    with suppress(TimeoutError, WorkerLost):
        beginning = text[:_DETECTED_CHARACTERS]
        return await workers.run(find_text_language, beginning, seconds=_DETECTION_SECONDS)
    return ""
