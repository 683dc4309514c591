"""The doctor's check of the language model: does it answer, see and hold a plan; its cost."""

import base64
import difflib
import textwrap
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from adapters.model_list import TYPICAL_TOKENS
from adapters.network.connections import explain_failure
from adapters.openai.errors import MODEL_GONE, REQUEST_REFUSED, TOO_LONG, quote_server
from adapters.openai.llm import OpenAiLlm
from adapters.openai.server import Endpoint, Server, open_server
from adapters.openai.sight_check import ASK_COLOURS, TWO_SQUARES, names_colours
from pipeline.domain import (
    Blob,
    HealthCheck,
    LocalizedText,
    report_bad,
    report_good,
    report_note,
)
from pipeline.errors import LlmCutShort, LlmError
from pipeline.planning.prompt import SHORT_ROOM, find_least_room
from pipeline.ports import Message, Prompt, stream_text
from pipeline.prompts import fence
from pipeline.selection.curated import is_chat_model
from pipeline.words import say, say_whole

_SHORT = 256
"""Tokens of a reply: a slow model that does not end is to be cut, not to be waited for."""
_HELLO = Prompt((Message("user", "Say ok."),), max_tokens=_SHORT, effort="low")
_SQUARES = Blob(base64.b64decode(TWO_SQUARES), "image/png")
_LOOK = Prompt((Message("user", ASK_COLOURS, (_SQUARES,)),), max_tokens=_SHORT, effort="low")
_MAX_REPLY = 60
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SHOWN = 8
"""Models of the server's list that are named."""
_ROOM = 16_384
_ENGINES: Mapping[str, str] = {
    "ollama": "OLLAMA_CONTEXT_LENGTH={room} ollama serve",
    "llama.cpp": "llama-server --ctx-size {room} …",
    "lm studio": "lms load {model} --context-length {room}",
}
"""The commands that give a model a larger context."""
_STARTS: Mapping[int, str] = {
    11434: "ollama serve",
    1234: "lms server start",
    8080: "llama-server -m MODEL.gguf",
    8000: "vllm serve MODEL",
}
"""Usual port of a server on this machine → the command that starts it."""
_OF_THE_MODEL = frozenset({MODEL_GONE[1], REQUEST_REFUSED[1], "llm-access-refused", "llm-filtered"})
"""Messages about failures that another model may not have."""


async def examine(endpoint: Endpoint, key: str, block: Prompt) -> AsyncIterator[HealthCheck]:
    """Ask the model for a word, and for the colours of a picture if it is said to see.

    `key`: the name of the setting with its key. `block`: the short beginning of planning prompts.
    """
    async with open_server(endpoint) as server:
        llm = OpenAiLlm(server)
        try:
            await _ask(llm, _HELLO)
        except LlmError as error:
            mend, why = await _find_fix(server, error, key), _explain(server, error)
            address = str(server.client.base_url.copy_with(userinfo=b""))
            facts = {"model": llm.name, "address": address}
            id_ = "doctor-llm-bad" if llm.name == server.model else "doctor-llm-away"
            yield report_bad(id_, mend, why=why, **facts)
            return
        yield report_good("doctor-llm-good", model=llm.name)
        yield await _check_room(server, llm, block)
        yield await _check_sight(server, llm)
        yield _report_cost(server)


def _explain(server: Server, error: LlmError) -> str:
    """Why a call failed: what we know of it, and what the server said."""
    parts = [say_whole("en", explain_failure(error) or error.sentence)]
    if error.sentence.id in _OF_THE_MODEL and server.is_unlisted(server.model):
        listed = ", ".join(_list_chat_models(server)[:_SHOWN])
        facts = {"model": server.model, "models": listed or "…"}
        parts = [say("en", LocalizedText("doctor-llm-unlisted", facts))]
    if words := quote_server(error.__cause__ or error, server.endpoint.key):
        parts.append(say("en", LocalizedText("doctor-says", {"words": words})))
    return " ".join(part if part.endswith((".", "”")) else f"{part}." for part in parts)


def _list_chat_models(server: Server) -> Sequence[str]:
    """The models that the server lists for chats; first those named like the one that is set."""
    listed = [str(row.get("id", "")) for row in server.models]
    fit = [model for model in listed if is_chat_model(model)]
    alike = difflib.get_close_matches(server.model, fit, n=_SHOWN, cutoff=0.5)
    return list(dict.fromkeys((*alike, *fit)))


async def _find_fix(server: Server, error: LlmError, key: str) -> str:
    """A command, or a line for `.env`."""
    url = server.client.base_url.copy_with(userinfo=b"")
    message, base = error.sentence.id, str(url).rstrip("/")
    is_start_known = url.host in _LOOPBACK and message == "llm-unreachable"
    if message in _OF_THE_MODEL:
        return await _find_other(server, base)
    fixes = {
        "llm-key-refused": f"{key}=…",
        "llm-credit-used-up": f"{key}=…",
        "llm-too-slow": f"TROUPE_LLM_SECONDS={2 * server.endpoint.seconds:g}",
        TOO_LONG[1]: _enlarge(server),
        "llm-unreachable": _STARTS.get(url.port or 0, "") if is_start_known else "",
    }
    return fixes.get(message) or f"curl -sS {base}/models"


async def _find_other(server: Server, base: str) -> str:
    """Another model; where there is no list, perhaps one below another address."""
    if not server.models and await server.is_at(f"{base}/v1"):
        return f"OPENAI_BASE_URL={base}/v1"
    others = [name for name in _list_chat_models(server) if name != server.model]
    return f"TROUPE_MODEL={next(iter(others), '…')}"


def _enlarge(server: Server) -> str:
    """How the model gets a larger context."""
    if server.endpoint.context:
        return "TROUPE_LLM_CONTEXT=0"
    command = _ENGINES.get(server.engine, "TROUPE_MODEL=…")
    return command.format(room=_ROOM, model=server.model)


async def _check_room(server: Server, llm: OpenAiLlm, block: Prompt) -> HealthCheck:
    """Whether the context holds what planning needs; one of unknown size gets as much."""
    room, least = await llm.room(), find_least_room(block)
    facts: dict[str, Any] = {"model": llm.name, "room": room, "least": least}
    if room < least:
        return report_bad("doctor-llm-room-bad", _enlarge(server), **facts)
    if server.is_size_told:
        if room < SHORT_ROOM:
            return report_note("doctor-llm-room-short", **facts, wanted=SHORT_ROOM)
        return report_good("doctor-llm-room", **facts)
    rules = f"{fence(block.messages[0].text)}\n{_HELLO.messages[0].text}"
    try:
        await _ask(llm, replace(_HELLO, messages=(Message("user", rules),)))
    except LlmError as error:
        mend, why = _enlarge(server), _explain(server, error)
        return report_bad("doctor-llm-room-refused", mend, why=why, **facts)
    return report_good("doctor-llm-room-unknown", **facts)


async def _check_sight(server: Server, llm: OpenAiLlm) -> HealthCheck:
    model, mend = server.name_model(server.seeing_model), "TROUPE_LLM_SEES_IMAGES=false"
    if not server.seeing_model:
        return report_note("doctor-llm-blind")
    try:
        reply = await _ask(llm, _LOOK)
    except LlmError as error:
        why = _explain(server, error)
        return report_bad("doctor-llm-sees-bad", mend, why=why, model=model)
    if not llm.sees_images:  # it was asked without the picture, which it refused
        why = say("en", LocalizedText("llm-sees-nothing", {"model": model}))
        return report_bad("doctor-llm-sees-bad", mend, why=why, model=model)
    if not names_colours(reply):
        why = say("en", LocalizedText("doctor-llm-sees-wrong", {"reply": reply}))
        return report_bad("doctor-llm-sees-bad", mend, why=why, model=model)
    return report_good("doctor-llm-sees", model=model, reply=reply)


def _report_cost(server: Server) -> HealthCheck:
    price = server.find_price(server.model)
    if price is None:
        return report_note("doctor-llm-cost-unknown", model=server.name_model(server.model))
    return report_note("doctor-llm-cost", cost=f"{price.of(*TYPICAL_TOKENS):.4f}")


async def _ask(llm: OpenAiLlm, prompt: Prompt) -> str:
    """The reply in one short line, also of a model that does not end. Raises LlmError."""
    reply = ""
    with suppress(LlmCutShort):
        async for piece in stream_text(llm, prompt):
            reply += piece
    return textwrap.shorten(reply, _MAX_REPLY, placeholder=" …")
