"""What every language model does."""

from collections.abc import AsyncIterator

import pytest

from adapters.openai.llm import OpenAiLlm
from adapters.openai.server import Endpoint, open_server
from pipeline.errors import LlmRefused, LlmUnavailable
from pipeline.ports import Llm, Message, Prompt, Usage
from tests.fakes.llm import FakeLlm
from tests.servers.openai import Fault, OpenAiServer, openai_at_work

ASKED = Prompt((Message("system", "Be brief."), Message("user", "Hi")))


@pytest.fixture
async def server() -> AsyncIterator[OpenAiServer]:
    async with openai_at_work() as server:
        yield server


@pytest.fixture(params=["fake", "openai"])
async def llm(request: pytest.FixtureRequest, server: OpenAiServer) -> AsyncIterator[Llm]:
    if request.param == "fake":
        yield FakeLlm(["Hello there!"], name="played")
        return
    server.replies = ["Hello there!"]
    endpoint = Endpoint("played", server.base)
    async with open_server(endpoint) as opened:
        yield OpenAiLlm(opened)


@pytest.fixture(params=["fake", "openai"])
async def broken(request: pytest.FixtureRequest, server: OpenAiServer) -> AsyncIterator[Llm]:
    """First refuses, then is gone in the middle of the answer."""
    if request.param == "fake":
        gone = LlmUnavailable("llm-unreachable", model="played")
        yield FakeLlm([LlmRefused("llm-key-refused", model="played"), ("Hel", gone)])
        return
    server.goes_wrong(Fault.TOO_LONG)
    server.goes_wrong(Fault.DROPS_LATE)
    endpoint = Endpoint("played", server.base)
    async with open_server(endpoint) as opened:
        yield OpenAiLlm(opened)


async def test_the_pieces_make_the_answer_and_usage_comes_last(llm: Llm) -> None:
    pieces = [piece async for piece in llm.stream(ASKED)]

    assert "".join(piece for piece in pieces if isinstance(piece, str)) == "Hello there!"
    assert isinstance(pieces[-1], Usage)


async def test_it_has_a_name_and_a_size(llm: Llm) -> None:
    assert llm.name == "played"
    assert await llm.room() > 0
    assert llm.sees_images


async def test_what_goes_wrong_is_one_of_our_errors(broken: Llm) -> None:
    with pytest.raises(LlmRefused):
        await anext(broken.stream(ASKED))

    stream = broken.stream(ASKED)
    assert await anext(stream) == "Hel"
    with pytest.raises(LlmUnavailable):
        await anext(stream)
