"""Chat completions as OpenAI has them, so that a model of the expert server can be the controller.

Only texts go in and out. What a model or we cannot do (pictures, schemas, tools) is refused by the
name of the field, so that a client can leave it out. A reply comes in one piece.
"""

import asyncio
import json
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from adapters.local.inference import (
    InferenceResponse,
    KindTable,
    error_response,
    json_response,
)
from adapters.local.loaded_models import InferenceCall
from adapters.local.models_on_disk import ModelFolders, ModelOnDisk
from adapters.local.pool import ModelPool
from pipeline.errors import BadInput, ExpertError, ExpertRefused

CHAT = "conversational"
_OK = 200
_DEFAULT_TOKENS = 1024
"""Of a reply whose length nobody limits."""
_LENGTHS = ("max_position_embeddings", "n_positions")
"""Fields of a configuration that tell how many tokens a model reads and writes in all."""


class _Part(BaseModel):
    type: str
    text: str = ""


class _Message(BaseModel):
    role: Literal["system", "user", "assistant"]
    content: str | list[_Part]

    def read_text(self) -> str:
        """Raises BadInput for anything that is no text."""
        if isinstance(self.content, str):
            return self.content
        if other := next((part.type for part in self.content if part.type != "text"), ""):
            raise BadInput("local-chat-unable", name=other)
        return "\n".join(part.text for part in self.content)


class _Request(BaseModel, extra="allow"):
    """What is understood of a request; other fields are refused."""

    model: str
    messages: list[_Message] = Field(min_length=1)
    stream: bool = False
    stream_options: dict[str, Any] | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    chat_template_kwargs: dict[str, bool] = Field(default_factory=dict)

    def to_call(self) -> bytes:
        """The body of a call of the kind `conversational`. Raises BadInput."""
        messages = [{"role": each.role, "content": each.read_text()} for each in self.messages]
        options = {
            "max_new_tokens": self.max_completion_tokens or self.max_tokens or _DEFAULT_TOKENS,
            "temperature": self.temperature,
            "top_p": self.top_p,
        }
        inputs = {"messages": messages, "template": self.chat_template_kwargs}
        given = {name: value for name, value in options.items() if value is not None}
        return json.dumps({"inputs": inputs, "parameters": given}).encode()


class Chats:
    """Lists the models that talk, and lets them answer, in OpenAI's format."""

    def __init__(self, folders: ModelFolders, table: KindTable, pool: ModelPool) -> None:
        self._folders, self._table, self._pool = folders, table, pool

    async def list_models(self) -> InferenceResponse:
        rows = await asyncio.to_thread(self._describe_all)
        return json_response({"object": "list", "data": rows})

    def _describe_all(self) -> list[Mapping[str, object]]:
        return [_describe(model) for model in self._folders.list_models() if self._talks(model)]

    def _talks(self, model: ModelOnDisk) -> bool:
        return CHAT in self._table.list_kinds(model.kind) and has_template(model.path)

    async def complete(self, body: bytes) -> InferenceResponse:
        """Answer, or say what is wrong in OpenAI's form. Cancelling stops the model."""
        try:
            asked = _parse(body)
            model = await asyncio.to_thread(self._folders.find, asked.model)
            if model is None or not await asyncio.to_thread(self._talks, model):
                raise ExpertRefused("local-model-unknown", model=asked.model)
            call = InferenceCall(
                model=model, kind=CHAT, media_type="application/json", body=asked.to_call()
            )
            response = await self._pool.run(call)
        except ExpertError as error:
            return _explain(error_response(error))
        if response.status != _OK:
            return _explain(response)
        reply = _Reply.model_validate_json(response.body)
        return _stream(asked, reply) if asked.stream else _answer(asked, reply)


class _Reply(BaseModel):
    """What the worker says: see `kinds.chat.converse`."""

    text: str
    is_cut: bool
    prompt_tokens: int
    completion_tokens: int

    @property
    def end(self) -> str:
        return "length" if self.is_cut else "stop"

    @property
    def usage(self) -> Mapping[str, int]:
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": self.prompt_tokens + self.completion_tokens,
        }


def has_template(path: Path) -> bool:
    """Whether a model knows how a conversation is written down."""
    if (path / "chat_template.jinja").is_file():
        return True
    return bool(_read_json(path / "tokenizer_config.json").get("chat_template"))


def find_context(path: Path) -> int:
    """How many tokens a model reads and writes in all; 0 if its configuration does not tell."""
    config = _read_json(path / "config.json")
    inner = config.get("text_config")
    rows = [config, inner if isinstance(inner, dict) else {}]
    sizes = (row.get(name) for row in rows for name in _LENGTHS)
    return next((size for size in sizes if type(size) is int and size > 0), 0)


def _describe(model: ModelOnDisk) -> Mapping[str, object]:
    size = find_context(model.path)
    return {
        "id": model.id,
        "object": "model",
        "created": 0,
        "owned_by": model.id.partition("/")[0],
        "architecture": {"input_modalities": ["text"], "output_modalities": ["text"]},
        **({"context_length": size} if size else {}),
    }


def _read_json(path: Path) -> Mapping[str, Any]:
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def _parse(body: bytes) -> _Request:
    """Raises BadInput, naming what is not understood."""
    try:
        asked = _Request.model_validate_json(body)
    except ValidationError as error:
        field = ".".join(map(str, error.errors()[0]["loc"])) or "body"
        raise BadInput("local-chat-unreadable", name=field) from error
    if extra := next(iter(asked.model_extra or {}), ""):
        raise BadInput("local-chat-unable", name=extra)
    return asked


def _answer(asked: _Request, reply: _Reply) -> InferenceResponse:
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": reply.text},
        "finish_reason": reply.end,
    }
    head = _make_head(asked, "chat.completion")
    return json_response({**head, "choices": [choice], "usage": reply.usage})


def _stream(asked: _Request, reply: _Reply) -> InferenceResponse:
    head = _make_head(asked, "chat.completion.chunk")
    said = {"role": "assistant", "content": reply.text}
    choices: list[list[Mapping[str, object]]] = [
        [{"index": 0, "delta": said, "finish_reason": None}],
        [{"index": 0, "delta": {}, "finish_reason": reply.end}],
    ]
    events: list[Mapping[str, object]] = [{**head, "choices": each} for each in choices]
    if (asked.stream_options or {}).get("include_usage"):
        events.append({**head, "choices": [], "usage": reply.usage})
    lines = [*(json.dumps(event) for event in events), "[DONE]"]
    text = "".join(f"data: {line}\n\n" for line in lines)
    return InferenceResponse(text.encode(), "text/event-stream")


def _make_head(asked: _Request, object_: str) -> Mapping[str, object]:
    created = int(time.time())
    return {
        "id": f"chatcmpl-{created}",
        "object": object_,
        "created": created,
        "model": asked.model,
    }


def _explain(response: InferenceResponse) -> InferenceResponse:
    """An error of ours in OpenAI's form, which its clients read."""
    error = {"message": json.loads(response.body)["error"], "type": "invalid_request_error"}
    return replace(json_response({"error": error}), status=response.status)
