"""What the built-in experts do, by kind. Each is loaded only where it runs, in a worker."""

from collections.abc import Mapping
from importlib import import_module

from adapters.embedded.experts.task_io import ExpertInput, Work, WorkerResult

WORK: Mapping[str, str] = {
    "text-to-speech": "speech.speak",
    "audio-to-audio": "sound_filters.clean",
    "optical-character-recognition": "documents.read_text_in_image",
    "document-to-text": "documents.extract_text",
    "document-question-answering": "document_questions.ask_document",
    "question-answering": "document_questions.ask_document",
    "summarization": "summaries.summarize",
    "sentence-similarity": "summaries.compare",
    "object-detection": "images.find_faces",
    "image-to-image": "images.apply_filters",
    "canny-control": "images.draw_canny",
    "mlsd-control": "images.draw_lines",
    "hed-control": "images.draw_soft_edges",
    "scribble-control": "images.draw_scribble",
    "text-classification": "sentiment.classify_sentiment",
    "table-question-answering": "tables.ask_table",
    "tabular-classification": "predictions.predict_class",
    "tabular-regression": "predictions.predict_number",
    "media-conversion": "conversion.convert",
    "document-conversion": "pages.convert",
    "table-conversion": "table_files.convert",
    "table-to-chart": "charts.draw",
}
"""The functions of this package."""


def carry_out(kind: str, args: ExpertInput, locale: str) -> WorkerResult:
    """In a worker: what is built in for a kind. Raises ExpertError."""
    return find_work(kind)(args, locale)


def find_work(kind: str) -> Work:
    module, _, name = WORK[kind].partition(".")
    work: Work = getattr(import_module(f"{__package__}.{module}"), name)
    return work
