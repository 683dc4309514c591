"""One inference call: the request, the response, its errors, and the table of kinds that run it."""

import base64
import binascii
import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from adapters.local.models_on_disk import ModelOnDisk
from pipeline.errors import BadInput, ExpertError, ExpertRefused
from pipeline.words import say

T = TypeVar("T", bool, int, float, str)
_BOUNDS: Mapping[str, tuple[float, float]] = {  # the lower bound has the parameter's type
    "height": (64, 2048),
    "width": (64, 2048),
    "duration": (1.0, 60),
    "frames_per_second": (1, 60),
    "guidance_scale": (0.0, 30),
    "max_answer_len": (1, 200),
    "max_new_tokens": (1, 8192),
    "num_frames": (1, 257),
    "num_inference_steps": (1, 150),
    "seed": (0, 1 << 32),
    "strength": (0.05, 1),
    "temperature": (0.0, 2),
    "threshold": (0.0, 1),
    "top_k": (1, 1000),
    "top_p": (0.0, 1),
}
_STATUS: Mapping[str, int] = {
    "local-not-json": 400,
    "local-kind-unfit": 400,
    "local-token-refused": 401,
    "local-model-unknown": 404,
    "local-route-unknown": 404,
    "local-body-too-slow": 408,
    "local-body-too-large": 413,
    "local-body-encoded": 415,
    "local-busy": 429,
    "cluster-too-slow": 408,
    "cluster-not-deployed": 503,
    "cluster-unavailable": 503,
}


@dataclass(frozen=True, slots=True)
class InferenceRequest:
    """A call in Hugging Face's format: JSON with `inputs` and `parameters`, or a file's bytes."""

    kind: str
    inputs: Any
    parameters: dict[str, Any]

    def text(self, field: str = "") -> str:
        """The input, or one of its fields, as text. Raises BadInput."""
        value = self.field(field) if field else self.inputs
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if not isinstance(value, str) or not value.strip():
            raise BadInput("local-needs-text", name=field or "inputs")
        return value

    def texts(self, name: str) -> list[str]:
        """A parameter or field: a list of texts, or a text with commas. Raises BadInput."""
        value = self.parameters.get(name, self.field(name))
        value = value.split(",") if isinstance(value, str) else value
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise BadInput("local-needs-texts", name=name)
        if not (texts := [text.strip() for text in value if text.strip()]):
            raise BadInput("local-needs-texts", name=name)
        return texts

    def file(self, field: str = "") -> bytes:
        """The body itself, or base64 in the input or a field; never a URL. Raises BadInput."""
        content = self.field(field) if isinstance(self.inputs, dict) else self.inputs
        if isinstance(content, str):
            content = decode_base64(content)
        if not isinstance(content, bytes) or not content:
            raise BadInput("local-needs-file")
        return content

    def option(self, name: str, default: T) -> T:
        """A parameter of the type of its default; numbers within their bounds. Raises BadInput."""
        if isinstance(default, bool | str):
            value = self.parameters.get(name)
            return value if isinstance(value, type(default)) else default
        return type(default)(self.numbers().get(name, default))

    def numbers(self) -> dict[str, float]:
        """All parameters that are numbers, within their bounds. Raises BadInput."""
        numbers: dict[str, float] = {}
        for name, (low, high) in _BOUNDS.items():
            value = self.parameters.get(name)
            if isinstance(value, bool) or not isinstance(value, int | float | None):
                raise BadInput("local-needs-number", name=name)
            if value is not None:
                numbers[name] = type(low)(min(max(value, low), high))
        return numbers

    def field(self, name: str) -> Any:  # noqa: ANN401 - JSON
        return self.inputs.get(name) if isinstance(self.inputs, dict) else None


class _Document(BaseModel):
    """The body as JSON."""

    inputs: Any
    parameters: dict[str, Any] | None = None


def parse_request(kind: str, media_type: str, body: bytes) -> InferenceRequest:
    """Parse a request. Raises BadInput."""
    if media_type != "application/json":
        if not body:
            raise BadInput("local-needs-file")
        return InferenceRequest(kind, body, {})
    try:
        document = _Document.model_validate_json(body)
    except ValidationError as error:
        raise BadInput("local-not-json") from error
    return InferenceRequest(kind, document.inputs, document.parameters or {})


def decode_base64(content: str) -> bytes:
    """Decode base64 or a data URL. Raises BadInput."""
    if content.startswith("data:"):
        content = content.partition(",")[2]
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadInput("local-needs-file") from error


@dataclass(frozen=True, slots=True)
class InferenceResponse:
    """The reply to the client, and whether the model is loaded now.

    `unused`: parameters of the request that the model does not take, as tasks name them.
    """

    body: bytes
    media_type: str = "application/json"
    _: KW_ONLY
    status: int = 200
    is_loaded: bool = False
    unused: frozenset[str] = frozenset()


def json_response(document: object) -> InferenceResponse:
    """A reply in JSON, which may contain numpy's floats."""
    return InferenceResponse(json.dumps(document, default=float).encode())


def error_response(error: ExpertError) -> InferenceResponse:
    """The reply for an error: a status and {"error": text}, in Hugging Face's format."""
    status = {BadInput: 422, ExpertRefused: 403}.get(type(error), 500)
    response = json_response({"error": say("en", error.sentence)})
    return replace(response, status=_STATUS.get(error.sentence.id, status))


Load = Callable[[ModelOnDisk, str], Any]
"""Loads a model onto a device ("cpu", "cuda")."""

Run = Callable[[Any, InferenceRequest], InferenceResponse]
"""Runs a loaded model. Raises BadInput when the request does not suit the kind."""


@dataclass(frozen=True, slots=True)
class LocalKind:
    """How models of a kind are loaded and run; models of the `others` can do it, too."""

    kind: str
    load: Load
    run: Run
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KindTable:
    """All kinds that can run. `choose_device` turns "auto" into "cuda" or "cpu"."""

    kinds: Mapping[str, LocalKind]
    choose_device: Callable[[str], str]

    def list_kinds(self, made_for: str) -> list[str]:
        """The kinds that a model made for one can do, that one first."""
        rows = [row for row in self.kinds.values() if made_for in (row.kind, *row.others)]
        return sorted((row.kind for row in rows), key=lambda kind: kind != made_for)


def import_table(name: str) -> KindTable:
    """The table at module:name."""
    module, _, attribute = name.partition(":")
    table: KindTable = getattr(importlib.import_module(module), attribute)
    return table
