"""Which kinds a request may need, by the words of the task table: for the prompt, where nothing better is at hand."""

import re
from collections.abc import Sequence

from pipeline.domain import Request, TaskKind, Type
from pipeline.planning.fitting import suits, takes_files
from pipeline.table import KINDS

_USUAL = (
    "image-to-text",
    "text-to-image",
    "text-to-speech",
    "automatic-speech-recognition",
    "summarization",
    "translation",
    "text-generation",
    "object-detection",
    "visual-question-answering",
    "image-to-image",
)


def likely_by_words(request: Request) -> Sequence[TaskKind]:
    """All kinds, those first whose phrases share words with the request and whose files are there."""
    wanted = _words(request.text)
    types = {file.attachment.type for file in (*request.files, *request.context.files)}
    return sorted(KINDS.values(), key=lambda kind: -_score(kind, wanted, types))


def _score(kind: TaskKind, wanted: set[str], types: set[Type]) -> float:
    told = _words(f"{kind.name.replace('-', ' ')} {kind.says} {' '.join(kind.phrases)}")
    score = 3.0 * len(wanted & told) / (4 + len(told)) + 0.05 * (kind.name in _USUAL)
    files = [slot for slot in kind.takes if takes_files(slot) and slot.required]
    if any(not suits(types, slot) for slot in files):
        return score - 0.3
    return score + 0.3 * bool(files)


def _words(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"\w{3,}", text.casefold())} - _COMMON


_COMMON = {
    "the",
    "thi",
    "that",
    "and",
    "what",
    "with",
    "for",
    "from",
    "you",
    "are",
    "image",
    "text",
}
