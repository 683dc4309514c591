"""The doctor's check of the language model: does it answer, does it see, what does it cost."""

import base64
import textwrap
from collections.abc import AsyncIterator

from adapters.network.connections import explain_failure
from adapters.openai.llm import OpenAiLlm
from adapters.openai.models import TYPICAL_TOKENS
from adapters.openai.server import (
    ASK_COLOURS,
    TWO_SQUARES,
    Endpoint,
    Server,
    names_colours,
    open_server,
)
from pipeline.domain import Blob, HealthCheck, LocalizedText, report_bad, report_good
from pipeline.errors import LlmError
from pipeline.ports import Message, Prompt, stream_text
from pipeline.words import say

_HELLO = Prompt((Message("user", "Say ok."),), effort="low")
_SQUARES = Blob(base64.b64decode(TWO_SQUARES), "image/png")
_LOOK = Prompt((Message("user", ASK_COLOURS, (_SQUARES,)),), effort="low")
_MAX_REPLY = 60


async def examine(endpoint: Endpoint) -> AsyncIterator[HealthCheck]:
    """Ask the model for a word, and for the colour of a picture if it is said to see."""
    async with open_server(endpoint) as server:
        llm = OpenAiLlm(server)
        try:
            await _ask(llm, _HELLO)
        except LlmError as error:
            address = str(server.client.base_url.copy_with(userinfo=b""))
            hint = say("en", explain_failure(error) or error.sentence)
            yield report_bad("doctor-llm-bad", hint, model=llm.name, address=address)
            return
        yield report_good("doctor-llm-good", model=llm.name)
        yield await _check_sight(server, llm)
        yield _report_cost(server)


async def _check_sight(server: Server, llm: OpenAiLlm) -> HealthCheck:
    model = server.seeing_model
    if not model:
        return report_good("doctor-llm-blind")
    try:
        reply = await _ask(llm, _LOOK)
    except LlmError as error:
        return report_bad("doctor-llm-sees-bad", say("en", error.sentence), model=model)
    if not llm.sees_images:  # it was asked without the picture, which it refused
        hint = say("en", LocalizedText("llm-sees-nothing", {"model": model}))
        return report_bad("doctor-llm-sees-bad", hint, model=model)
    if not names_colours(reply):
        hint = f"asked for the colours of a blue and a red square, it said: {reply}"
        return report_bad("doctor-llm-sees-bad", hint, model=model)
    return report_good("doctor-llm-sees", model=model, reply=reply)


def _report_cost(server: Server) -> HealthCheck:
    price = server.find_price(server.model)
    if price is None:
        return report_good("doctor-llm-cost-unknown", model=server.model)
    return report_good("doctor-llm-cost", cost=f"{price.of(*TYPICAL_TOKENS):.4f}")


async def _ask(llm: OpenAiLlm, prompt: Prompt) -> str:
    """The reply in one short line. Raises LlmError."""
    reply = "".join([piece async for piece in stream_text(llm, prompt)])
    return textwrap.shorten(reply, _MAX_REPLY, placeholder=" …")
