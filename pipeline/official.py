"""Results in the shapes of Hugging Face's official task schemas, for programs that know those."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.conversions import as_text
from pipeline.domain import (
    Blob,
    Boxes,
    Labels,
    Masks,
    Media,
    Number,
    Raw,
    Spans,
    Text,
    Value,
    Vector,
)

Json = Any
Slots = Mapping[str, Value | Raw]
Write = Callable[[Media | Blob], Json]
"""How a file is written: as base64, as an address."""

_UNKNOWN = -1
_GAPS = ("[MASK]", "<mask>")


def official(kind: str, slots: Slots, write: Write, *, about: str = "") -> Json:
    """The result as JSON: in the official schema of the kind where one exists, else in ours (docs/schemas.json).

    `about` is the text that was worked on. The schemas want numbers where an expert may have none to give: a probability that it
    does not tell is 0, a place in the text that is not known is -1.
    """
    made = _Result(kind, slots, write, about)
    return _SHAPES.get(kind, _Result.by_slots)(made)


@dataclass(frozen=True, slots=True)
class _Result:
    """What was made of what."""

    kind: str
    slots: Slots
    write: Write
    about: str

    def by_slots(self) -> Json:
        return {name: self._plain(value) for name, value in self.slots.items()}

    def classes(self) -> Json:
        found = self.slots["labels"]
        assert isinstance(found, Labels)
        return [{"label": item.label, "score": item.score} for item in found.items]

    def gaps(self) -> Json:
        gap = next((gap for gap in _GAPS if gap in self.about), "")
        return [
            {
                "sequence": self.about.replace(gap, item["label"]) if gap else item["label"],
                "score": item["score"],
                "token": _UNKNOWN,
                "token_str": item["label"],
            }
            for item in self.classes()
        ]

    def entities(self) -> Json:
        found = self.slots["spans"]
        assert isinstance(found, Spans)
        return [
            {
                "entity_group": item.label,
                "score": item.score,
                "word": item.text,
                "start": item.start,
                "end": item.end,
            }
            for item in found.items
        ]

    def written(self) -> Json:
        """Servers give a list of one; so do we (the schemas have one object)."""
        return [{_WRITTEN.get(self.kind, "generated_text"): self._words()}]

    def heard(self) -> Json:
        return {"text": self._words()}

    def answers(self) -> Json:
        words = self._words()
        start = self.about.find(words) if words else _UNKNOWN
        place = {"start": start, "end": start + len(words) if start >= 0 else _UNKNOWN}
        return [{"answer": words, "score": self._sure(), **place}]

    def seen(self) -> Json:
        return [{"answer": self._words(), "score": self._sure()}]

    def cells(self) -> Json:
        """Which cells it stands on is not kept."""
        return [{"answer": self._words(), "coordinates": [], "cells": []}]

    def vectors(self) -> Json:
        found = self.slots["vector"]
        assert isinstance(found, Vector)
        return [list(found.values)]

    def likeness(self) -> Json:
        """One figure: how like the first the likest of the others is."""
        found = self.slots["number"]
        assert isinstance(found, Number)
        return [found.value]

    def things(self) -> Json:
        found = self.slots["boxes"]
        assert isinstance(found, Boxes)
        return [
            {
                "label": item.label,
                "score": item.score,
                "box": {
                    "xmin": item.xmin,
                    "ymin": item.ymin,
                    "xmax": item.xmax,
                    "ymax": item.ymax,
                },
            }
            for item in found.items
        ]

    def regions(self) -> Json:
        """Semantic models give no score: then there is none."""
        found = self.slots["masks"]
        assert isinstance(found, Masks)
        return [
            {
                "label": item.label,
                "mask": self.write(item.image),
                **({} if item.score is None else {"score": item.score}),
            }
            for item in found.items
        ]

    def depth(self) -> Json:
        return {"depth": self._plain(self.slots["image"])}

    def sounds(self) -> Json:
        found = self.slots["audio"]
        assert isinstance(found, Blob | Media)
        file = found.attachment if isinstance(found, Media) else found
        return [{"label": "audio", "blob": self.write(found), "content-type": file.media_type}]

    def _words(self) -> str:
        return as_text(self.slots["text"])

    def _sure(self) -> float:
        found = self.slots["text"]
        return (found.score if isinstance(found, Text) else None) or 0.0

    def _plain(self, value: Value | Raw) -> Json:
        return self.write(value) if isinstance(value, Blob | Media) else as_text(value)


_WRITTEN = {"summarization": "summary_text", "translation": "translation_text"}
_SHAPES: Mapping[str, Callable[[_Result], Json]] = {
    **dict.fromkeys(
        (
            "text-classification",
            "zero-shot-classification",
            "image-classification",
            "zero-shot-image-classification",
            "audio-classification",
            "video-classification",
        ),
        _Result.classes,
    ),
    **dict.fromkeys(
        (
            "summarization",
            "translation",
            "text-generation",
            "text2text-generation",
            "conversational",
            "image-to-text",
            "optical-character-recognition",
        ),
        _Result.written,
    ),
    "fill-mask": _Result.gaps,
    "token-classification": _Result.entities,
    "automatic-speech-recognition": _Result.heard,
    "question-answering": _Result.answers,
    "document-question-answering": _Result.answers,
    "visual-question-answering": _Result.seen,
    "table-question-answering": _Result.cells,
    "feature-extraction": _Result.vectors,
    "sentence-similarity": _Result.likeness,
    "object-detection": _Result.things,
    "zero-shot-object-detection": _Result.things,
    "image-segmentation": _Result.regions,
    "mask-generation": _Result.regions,
    "depth-estimation": _Result.depth,
    "audio-to-audio": _Result.sounds,
}
"""Pictures, sounds and films of other kinds are by the name of their slot: that is what the schemas call them."""
