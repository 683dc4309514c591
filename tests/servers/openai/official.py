"""OpenAI's own API, which refuses what its documentation says: unknown models and fields, schemas
that are not strict, files of other formats, and what reasoning models do not take.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

from aiohttp import web
from openai.types.audio.speech_create_params import SpeechCreateParams
from openai.types.audio.transcription_create_params import TranscriptionCreateParamsBase
from openai.types.chat.completion_create_params import CompletionCreateParamsBase
from openai.types.image_edit_params import ImageEditParamsBase
from openai.types.image_generate_params import ImageGenerateParamsBase

from tests.servers.openai.server import Asked, OpenAiServer

MODELS: Mapping[str, tuple[str, ...]] = {
    "chat/completions": ("gpt-4.1", "gpt-4.1-mini", "gpt-5-mini", "o3-mini"),
    "images/generations": ("dall-e-3", "gpt-image-1"),
    "images/edits": ("gpt-image-1",),
    "audio/speech": ("gpt-4o-mini-tts", "tts-1"),
    "audio/transcriptions": ("gpt-4o-transcribe", "whisper-1"),
    "embeddings": ("text-embedding-3-small",),
    "moderations": ("omni-moderation-latest",),
    "realtime": ("gpt-realtime",),
    "videos": ("sora-2",),
}
"""Path → the models that it takes. All are listed, as the API does, in one list."""
_FIELDS: Mapping[str, frozenset[str]] = {
    path: frozenset(params.__annotations__) | {"stream", "image[]"}
    for path, params in {
        "chat/completions": CompletionCreateParamsBase,
        "images/generations": ImageGenerateParamsBase,
        "images/edits": ImageEditParamsBase,
        "audio/speech": SpeechCreateParams,
        "audio/transcriptions": TranscriptionCreateParamsBase,
    }.items()
}
"""As OpenAI's own library has them."""
_REFUSED: Mapping[str, frozenset[str]] = {
    "gpt-4": frozenset({"verbosity"}),
    "gpt-image": frozenset({"response_format", "style"}),
    "dall-e-3": frozenset({"background", "output_format"}),
}
"""Beginning of a model's name → fields that it does not take."""
_VOICES = ("alloy", "ash", "ballad", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer")
_SOUNDS = (".flac", ".m4a", ".mp3", ".mp4", ".mpeg", ".mpga", ".oga", ".ogg", ".wav", ".webm")
_PICTURES = re.compile(r"data:image/(png|jpeg|gif|webp);base64,")
_KEYWORDS = {
    *("type", "properties", "required", "additionalProperties", "items"),
    *("enum", "description", "anyOf"),
}
_LONGEST_PROMPT, _LONGEST_SPEECH = 32_000, 4096

_SPEECH = (Path(__file__).parent / "speech.mp3").read_bytes()
_REASONING = ("gpt-5", "o3", "o4")
_BLIND = ("gpt-3.5", "o3-mini")


@dataclass
class OfficialServer(OpenAiServer):
    """Serves some of OpenAI's models; its list says nothing but their names."""

    models: list[dict[str, Any]] = field(
        default_factory=lambda: [
            {"id": name, "object": "model", "created": 1_700_000_000, "owned_by": "system"}
            for names in MODELS.values()
            for name in names
        ]
    )

    def refusal(self, asked: Asked) -> web.Response | None:
        path, model = asked.path.removeprefix("/v1/"), str(asked.body.get("model"))
        if not asked.key.startswith("sk-"):
            return _refuse(401, "Incorrect API key provided.", "invalid_api_key")
        if path not in _FIELDS:
            return _refuse(404, f"Invalid URL (POST {asked.path})")
        if model not in MODELS[path]:
            return _refuse(404, f"The model `{model}` does not exist.", "model_not_found", "model")
        if path == "chat/completions" and (refusal := _refuse_thinking(asked, model)):
            return refusal
        for problem in (*_find_unknown(asked, path), *_CHECKS[path](asked.body)):
            return _refuse(400, problem)
        return super().refusal(asked)

    async def make(self, path: str, asked: Asked, request: web.Request) -> web.StreamResponse:
        if path == "audio/speech":
            return web.Response(body=_SPEECH, content_type="audio/mpeg")
        return await super().make(path, asked, request)


def _refuse_thinking(asked: Asked, model: str) -> web.Response | None:
    thinks, body = model.startswith(_REASONING), asked.body
    if not thinks and "reasoning_effort" in body:
        return _refuse(400, "Unrecognized request argument supplied: reasoning_effort")
    for name, allowed in (("temperature", 1), ("top_p", 1), ("max_tokens", None)):
        if thinks and body.get(name, allowed) != allowed:
            message = f"Unsupported value: '{name}' is not supported with this model."
            return _refuse(400, message, "unsupported_value", name)
    if asked.images and model.startswith(_BLIND):
        return _refuse(400, "Invalid content type. image_url is only supported by certain models.")
    return None


def _find_unknown(asked: Asked, path: str) -> Iterator[str]:
    model = str(asked.body["model"])
    refused = (fields for name, fields in _REFUSED.items() if model.startswith(name))
    for name in sorted(asked.body.keys() - _FIELDS[path].difference(*refused)):
        yield f"Unrecognized request argument supplied: {name}"


def _refuse(status: int, message: str, code: str = "", param: str = "") -> web.Response:
    error = {"message": message, "type": "invalid_request_error", "param": param or None}
    return web.json_response({"error": {**error, "code": code or None}}, status=status)


def _check_chat(body: Mapping[str, Any]) -> Iterator[str]:
    for message in body["messages"]:
        if not message["content"]:
            yield "messages: expected a non-empty content"
        parts = message["content"] if isinstance(message["content"], list) else ()
        for part in parts:
            if part["type"] == "image_url" and not _PICTURES.match(part["image_url"]["url"]):
                yield "You uploaded an unsupported image."
    form = body.get("response_format", {"type": "text"})
    if form["type"] == "json_schema":
        schema = form["json_schema"]
        if not re.fullmatch(r"[\w-]{1,64}", schema["name"]):
            yield "Invalid 'response_format.json_schema.name'"
        yield from _check_schema(schema["schema"])


def _check_schema(schema: Any) -> Iterator[str]:
    """Strict schemas forbid further properties, and require all."""
    if unknown := schema.keys() - _KEYWORDS:
        yield f"Invalid schema: {unknown} not permitted"
    if schema.get("type") == "object":
        names = set(schema["properties"])
        if schema.get("additionalProperties") is not False or names != set(schema["required"]):
            yield "Invalid schema: 'additionalProperties' must be false, all must be required"
    elif schema.get("type") == "array" and "items" not in schema:
        yield "Invalid schema: array schema missing items"
    if len(values := schema.get("enum", [""])) != len(set(values)):
        yield "Invalid schema: duplicate values in enum"
    for inner in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from _check_schema(inner)
    if "items" in schema:
        yield from _check_schema(schema["items"])


def _check_picture(body: Mapping[str, Any]) -> Iterator[str]:
    if not 0 < len(str(body.get("prompt", ""))) <= _LONGEST_PROMPT:
        yield "Invalid 'prompt'"


def _check_edit(body: Mapping[str, Any]) -> Iterator[str]:
    yield from _check_picture(body)
    if not body.keys() & {"image", "image[]"}:
        yield "Missing required parameter: 'image'."


def _check_speech(body: Mapping[str, Any]) -> Iterator[str]:
    if not 0 < len(body.get("input", "")) <= _LONGEST_SPEECH:
        yield "Invalid 'input'"
    if body.get("voice") not in _VOICES:
        yield "Invalid 'voice'"


def _check_recording(body: Mapping[str, Any]) -> Iterator[str]:
    if PurePath(str(body.get("file", ""))).suffix.lower() not in _SOUNDS:
        yield "Unrecognized file format."


_CHECKS = {
    "chat/completions": _check_chat,
    "images/generations": _check_picture,
    "images/edits": _check_edit,
    "audio/speech": _check_speech,
    "audio/transcriptions": _check_recording,
}
