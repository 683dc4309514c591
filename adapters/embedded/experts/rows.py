"""One table: which kinds can run inside the program, with which library."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from importlib.util import find_spec

from adapters.embedded.experts import (
    asking,
    cleaning,
    controls,
    conversion,
    documents,
    faces,
    feeling,
    filters,
    hearing,
    learning,
    reading,
    speech,
    summing,
    tables,
)
from adapters.embedded.experts.finding import Work
from pipeline.domain import Model, Place


class Needs(Enum):
    """What must be done to the files before a worker gets them."""

    AS_IS = auto()
    WAV = auto()


@dataclass(frozen=True, slots=True)
class Row:
    """One kind: the model as it is shown, the function that does the work in a worker, and the modules it imports there."""

    model: Model
    work: Work
    modules: tuple[str, ...] = ()
    needs: Needs = Needs.AS_IS
    packs: bool = False
    """Long recordings become MP3, which chat platforms take and play."""


def _row(  # noqa: PLR0913 - a row of the table
    kind: str,
    id_: str,
    licence: str,
    description: str,
    work: Work,
    *modules: str,
    languages: tuple[str, ...] = (),
    needs: Needs = Needs.AS_IS,
    packs: bool = False,
) -> tuple[str, Row]:
    model = Model(id_, kind, (Place.EMBEDDED,), description, licence=licence, languages=languages)
    return kind, Row(model, work, modules, needs, packs)


_DOCUMENTS = ("pypdfium2", "docx", "rapidocr", "onnxruntime")

# fmt: off
ROWS: Mapping[str, Row] = dict((
    _row("text-to-speech", "espeak-ng", "GPL-3.0", "clear but robotic voice, about a hundred languages", speech.speak, "espeakng_loader", packs=True),
    _row("automatic-speech-recognition", "pocketsphinx-en-us", "BSD-2-Clause", "English only; good for short commands, about every fourth word of read speech is wrong", hearing.transcribe, "pocketsphinx", languages=("en",), needs=Needs.WAV),
    _row("audio-to-audio", "sound-cleaner", "Apache-2.0", "takes out steady noise and hum, the voice from stereo music; evens out loudness, changes pitch", cleaning.clean, "numpy", "imageio_ffmpeg", packs=True),
    _row("optical-character-recognition", "rapidocr", "Apache-2.0", "reads printed text (Latin and Chinese script); misses handwriting", reading.read, "rapidocr", "onnxruntime"),
    _row("document-to-text", "pypdfium2", "Apache-2.0", "the text of PDF (scanned pages by OCR), Word, HTML, CSV and text files", documents.extract, *_DOCUMENTS),
    _row("document-question-answering", "line-finder", "Apache-2.0", "finds the line of a document that answers a question; does not reason", asking.ask_document, *_DOCUMENTS),
    _row("question-answering", "sentence-finder", "Apache-2.0", "finds the sentence that answers a question; does not reason", asking.ask_text, *_DOCUMENTS),
    _row("summarization", "sentence-ranker", "Apache-2.0", "picks the most telling sentences as they stand; writes none of its own", summing.summarize),
    _row("sentence-similarity", "word-overlap", "Apache-2.0", "how alike texts are in their words, not in their meaning", summing.compare),
    _row("object-detection", "haar-faces", "Apache-2.0", "finds faces (from the front, less surely from the side) and nothing else", faces.find, "cv2"),
    _row("image-to-image", "picture-filters", "Apache-2.0", "filters: " + ", ".join(filters.names()), filters.restyle, "cv2"),
    _row("canny-control", "opencv-canny", "Apache-2.0", "edges", controls.canny, "cv2"),
    _row("mlsd-control", "opencv-lsd", "Apache-2.0", "straight lines, found by LSD in place of M-LSD", controls.lines, "cv2"),
    _row("hed-control", "opencv-soft-edges", "Apache-2.0", "soft edges from gradients in place of the HED network", controls.soft_edges, "cv2"),
    _row("scribble-control", "opencv-scribble", "Apache-2.0", "the strongest edges as thick strokes", controls.scribble, "cv2"),
    _row("text-classification", "vader", "MIT", "positive, negative or neutral by a list of English words; misses irony", feeling.judge, "vaderSentiment", languages=("en",)),
    _row("table-question-answering", "table-reckoner", "Apache-2.0", "highest, lowest, sum, mean, count and look-up in one table; nothing more", tables.ask),
    _row("tabular-classification", "random-forest-classifier", "BSD-3-Clause", "learns a column of classes from the others, judged on rows it has not seen", learning.classify, "sklearn"),
    _row("tabular-regression", "random-forest-regressor", "BSD-3-Clause", "learns a column of figures from the others, judged on rows it has not seen", learning.regress, "sklearn"),
    _row("media-conversion", "ffmpeg", "GPL-3.0", "resizes, crops, rotates, flips, cuts, converts, takes stills and sound, changes speed", conversion.convert, "imageio_ffmpeg"),
))
# fmt: on


def embedded_models(kind: str = "") -> Sequence[Model]:
    """The models that can run inside the program as it is installed, of one kind or of all."""
    return tuple(row.model for name, row in ROWS.items() if kind in ("", name) and can(name))


def can(kind: str) -> bool:
    """Whether a kind can run inside the program as it is installed. Imports nothing heavy."""
    row = ROWS.get(kind)
    return row is not None and all(find_spec(module) for module in row.modules)
