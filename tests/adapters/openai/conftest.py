"""The played endpoint, and the language model behind it."""

from collections.abc import AsyncIterator

import pytest

from adapters.openai import Endpoint, OpenAiLlm, open_client
from tests.servers.openai import OpenAiServer, openai_at_work


@pytest.fixture
async def server() -> AsyncIterator[OpenAiServer]:
    async with openai_at_work() as server:
        yield server


@pytest.fixture
async def llm(server: OpenAiServer) -> AsyncIterator[OpenAiLlm]:
    endpoint = Endpoint("played", server.base, "sk-secret", seconds=5, backoff=0.001)
    async with open_client(endpoint) as client:
        yield OpenAiLlm(client, endpoint)
