"""OpenAI's own API: nothing is sent that it refuses, and nothing is tried that its names tell."""

from collections.abc import AsyncIterator

import pytest

from adapters.openai.llm import OpenAiLlm
from adapters.openai.server import Endpoint, open_server
from pipeline.domain import Blob
from pipeline.ports import Message, Prompt
from tests.servers.openai import openai_at_work
from tests.servers.openai.official import OfficialServer

SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False, "required": []}
LOOK = Prompt((Message("user", "What is it?", (Blob(b"abc", "image/png"),)),), effort="low")


@pytest.fixture
async def official(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[OfficialServer]:
    played = OfficialServer()
    async with openai_at_work(played):
        monkeypatch.setenv("OPENAI_BASE_URL", played.base)  # what the SDK takes for OpenAI's own
        yield played


@pytest.mark.parametrize("effort", ["low", "medium", ""])
@pytest.mark.parametrize("model", ["gpt-4.1-mini", "gpt-5-mini"])
async def test_no_call_is_refused(official: OfficialServer, model: str, effort: str) -> None:
    plan = Prompt(
        (Message("user", "Hi"),), schema=SCHEMA, temperature=0, effort=effort, cache_key="v1"
    )
    async with open_server(Endpoint(model, key="sk-secret")) as server:
        llm = OpenAiLlm(server)
        for prompt in (plan, LOOK):
            assert "Hello!" in [piece async for piece in llm.stream(prompt)]

    assert [asked.body.get("prompt_cache_key") for asked in official.asked] == ["v1", None]


async def test_a_name_that_does_not_tell_is_tried(official: OfficialServer) -> None:
    async with open_server(Endpoint("o3-mini", key="sk-secret")) as server:
        assert not OpenAiLlm(server).sees_images

    assert [asked.images for asked in official.asked] == [1]
