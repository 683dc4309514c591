"""Which of the Hub's tasks serves each of our kinds, and what the providers call it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tag:
    """A task as the Hub lists models by it (`pipeline_tag`), and as providers map it."""

    name: str
    task: str


def _same(name: str) -> Tag:
    return Tag(name, name)


_WRITES = Tag("text-generation", "conversational")
_SEES = Tag("image-text-to-text", "conversational")
_PAINTS_OVER = _same("image-to-image")
_OWN = (
    "text-classification",
    "token-classification",
    "summarization",
    "translation",
    "question-answering",
    "fill-mask",
    "feature-extraction",
    "sentence-similarity",
    "zero-shot-classification",
    "tabular-classification",
    "table-question-answering",
    "text-to-image",
    "image-classification",
    "zero-shot-image-classification",
    "object-detection",
    "image-segmentation",
    "automatic-speech-recognition",
    "text-to-speech",
    "audio-classification",
    "audio-to-audio",
    "text-to-video",
    "image-to-video",
)

TAGS: Mapping[str, Tag] = {
    **{name: _same(name) for name in _OWN},
    "conversational": _WRITES,
    "text-generation": _WRITES,
    "text2text-generation": _WRITES,
    "image-to-text": _SEES,
    "visual-question-answering": _SEES,
    "document-question-answering": _SEES,
    "optical-character-recognition": _SEES,
    "image-to-image": _PAINTS_OVER,
    "image-text-to-image": _PAINTS_OVER,
}
"""Kind → tag. Chat models that see do captions and questions on pictures now."""

KINDS_OF: Mapping[str, tuple[str, ...]] = {
    tag.name: tuple(kind for kind, other in TAGS.items() if other == tag) for tag in TAGS.values()
}
"""Tag → kinds."""
