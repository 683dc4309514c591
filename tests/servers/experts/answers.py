"""What the played experts answer, one row for each kind: true to Hugging Face's task schemas, and
made from what they were sent.
"""

import base64
import io
import json
import math
import wave
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from PIL import Image, ImageOps, ImageStat


@dataclass(frozen=True)
class Asked:
    """One call, as it came."""

    model: str
    kind: str
    media_type: str
    body: bytes
    token: str = ""
    may_repeat: bool = True
    """Whether the answer to an equal request will do."""
    model_in_header: str = ""

    @cached_property
    def document(self) -> Any:
        return json.loads(self.body) if self.media_type == "application/json" else {}

    @property
    def inputs(self) -> Any:
        return self.document.get("inputs", "")

    @property
    def parameters(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.document.get("parameters", {})
        return found

    @property
    def words(self) -> str:
        """All that was said, wherever it stands."""
        if isinstance(self.inputs, dict):
            return str(self.inputs.get("question") or self.inputs.get("source_sentence") or "")
        return str(self.parameters.get("prompt") or self.inputs)

    @property
    def picture(self) -> Image.Image:
        if self.media_type != "application/json":
            return Image.open(io.BytesIO(self.body)).convert("RGB")
        sent = self.inputs["image"] if isinstance(self.inputs, dict) else self.inputs
        return Image.open(io.BytesIO(base64.b64decode(sent))).convert("RGB")


@dataclass(frozen=True)
class File:
    """An answer that is a file."""

    data: bytes
    media_type: str


Play = Callable[[Asked], Any]
"""What is answered: a File, or whatever becomes JSON."""


def png(image: Image.Image) -> File:
    sheet = io.BytesIO()
    image.save(sheet, "PNG")
    return File(sheet.getvalue(), "image/png")


def text64(file: File) -> str:
    return base64.b64encode(file.data).decode()


def coloured(words: str, size: tuple[int, int] = (64, 64)) -> Image.Image:
    """A picture of one colour, the same for the same words."""
    number = zlib.crc32(words.encode())
    return Image.new("RGB", size, (number & 255, number >> 8 & 255, number >> 16 & 255))


def sound(words: str) -> File:
    """A tone, the longer the more is said."""
    sheet = io.BytesIO()
    seconds = min(0.1 + len(words) / 100, 2.0)
    with wave.open(sheet, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(8000)
        points = (int(9000 * math.sin(0.35 * i)) for i in range(int(8000 * seconds)))
        out.writeframes(b"".join(point.to_bytes(2, "little", signed=True) for point in points))
    return File(sheet.getvalue(), "audio/wav")


def film() -> File:
    return File((Path(__file__).parent / "film.mp4").read_bytes(), "video/mp4")


def _classes(*labels: str) -> Play:
    scores = [0.9, 0.06, 0.03]
    return lambda _asked: [
        {"label": label, "score": score} for label, score in zip(labels, scores, strict=False)
    ]


def _candidates(asked: Asked) -> Any:
    given = asked.parameters["candidate_labels"]
    share = [0.5**place for place in range(1, len(given) + 1)]
    return [{"label": label, "score": score} for label, score in zip(given, share, strict=True)]


def _entities(asked: Asked) -> Any:
    words = [word.strip(".,") for word in str(asked.inputs).split() if word[:1].isupper()]
    text = str(asked.inputs)
    return [
        {
            "entity_group": "PER",
            "score": 0.99,
            "word": word,
            "start": text.find(word),
            "end": text.find(word) + len(word),
        }
        for word in words
    ]


def _extracted(asked: Asked) -> Any:
    context = str(asked.inputs["context"])
    answer = context.split(".", maxsplit=1)[0].strip()
    return {"answer": answer, "score": 0.8, "start": 0, "end": len(answer)}


def _boxes(*labels: str) -> Play:
    def boxes(asked: Asked) -> Any:
        width, height = asked.picture.size
        box = {"xmin": 0, "ymin": 0, "xmax": width // 2, "ymax": height // 2}
        wanted = asked.parameters.get("candidate_labels", labels)
        return [{"label": label, "score": 0.95, "box": box} for label in wanted]

    return boxes


def _masks(asked: Asked) -> Any:
    width, height = asked.picture.size
    mask = Image.new("L", (width, height), 0)
    mask.paste(255, (0, 0, width // 2, height))
    return [{"label": "cat", "score": 0.98, "mask": text64(png(mask))}]


def _depth(asked: Asked) -> Any:
    return {"predicted_depth": [], "depth": text64(png(asked.picture.convert("L")))}


def _caption(asked: Asked) -> Any:
    red, green, blue = ImageStat.Stat(asked.picture).mean
    colour = max((red, "red"), (green, "green"), (blue, "blue"))[1]
    return [{"generated_text": f"a cat on a {colour} sofa"}]


def _similar(asked: Asked) -> Any:
    def words(text: str) -> set[str]:
        return set(text.lower().split())

    source = words(asked.inputs["source_sentence"])
    others = [words(other) for other in asked.inputs["sentences"]]
    return [len(source & other) / max(len(source | other), 1) for other in others]


def _cell(asked: Asked) -> Any:
    table = asked.inputs["table"]
    first = next(iter(table.values()))[0]
    return [{"answer": first, "coordinates": [[0, 0]], "cells": [first], "aggregator": "NONE"}]


def _redrawn(asked: Asked) -> File:
    return png(ImageOps.invert(asked.picture))


def _drawn(asked: Asked) -> File:
    size = (asked.parameters.get("width", 64), asked.parameters.get("height", 64))
    return png(coloured(f"{asked.words}{asked.parameters.get('seed', '')}", size))


_GUIDES = ("canny", "hed", "mlsd", "normal", "openpose", "scribble", "depth", "seg")

ANSWERS: dict[str, Play] = {
    "text-classification": _classes("POSITIVE", "NEGATIVE"),
    "token-classification": _entities,
    "text2text-generation": lambda asked: [{"generated_text": f"Rewritten: {asked.words}"}],
    "summarization": lambda asked: [{"summary_text": f"In short: {asked.words[:60]}"}],
    "translation": lambda asked: [{"translation_text": f"Übersetzt: {asked.words}"}],
    "question-answering": _extracted,
    "conversational": lambda asked: [{"generated_text": f"You said: {asked.words}"}],
    "text-generation": lambda asked: [{"generated_text": f"Once upon a time: {asked.words}"}],
    "fill-mask": lambda asked: [
        {"sequence": "it is blue", "score": 0.7, "token": 7, "token_str": "blue"}
    ],
    "feature-extraction": lambda asked: [[0.1, 0.2, 0.3], [0.3, 0.4, 0.5]],
    "sentence-similarity": _similar,
    "zero-shot-classification": _candidates,
    "table-question-answering": _cell,
    "image-to-text": _caption,
    "optical-character-recognition": lambda asked: [{"generated_text": "TOTAL 119.00"}],
    "text-to-image": _drawn,
    "visual-question-answering": lambda asked: [{"answer": "two", "score": 0.7}],
    "document-question-answering": lambda asked: [
        {"answer": "119.00", "score": 0.9, "start": 3, "end": 3}
    ],
    "image-classification": _classes("tabby", "tiger cat", "lynx"),
    "zero-shot-image-classification": _candidates,
    "object-detection": _boxes("cat", "sofa"),
    "zero-shot-object-detection": _boxes(),
    "image-segmentation": _masks,
    "mask-generation": _masks,
    "depth-estimation": _depth,
    "image-to-image": _redrawn,
    "image-text-to-image": _redrawn,
    "automatic-speech-recognition": lambda asked: {"text": "what was said"},
    "text-to-speech": lambda asked: sound(asked.words),
    "audio-classification": _classes("dog", "rain"),
    "audio-to-audio": lambda asked: [
        {"label": "voice", "blob": text64(sound("voice")), "content-type": "audio/wav"}
    ],
    "text-to-video": lambda asked: film(),
    "image-to-video": lambda asked: film(),
    "video-classification": _classes("surfing", "swimming"),
    **{f"{name}-control": lambda asked: png(asked.picture.convert("L")) for name in _GUIDES},
    **{f"{name}-text-to-image": _drawn for name in _GUIDES},
}
