"""The played endpoint, and the language model behind it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from adapters.openai.llm import OpenAiLlm
from adapters.openai.server import Endpoint, open_server
from tests.servers.openai import OpenAiServer, openai_at_work


@pytest.fixture
async def server() -> AsyncIterator[OpenAiServer]:
    async with openai_at_work() as server:
        yield server


@asynccontextmanager
async def open_llm(server: OpenAiServer, **options: Any) -> AsyncIterator[OpenAiLlm]:
    given = {"model": "played", "base_url": server.base, "seconds": 5, **options}
    endpoint = Endpoint(key="sk-secret", **given)
    async with open_server(endpoint) as opened:
        yield OpenAiLlm(opened)


@pytest.fixture
async def llm(server: OpenAiServer) -> AsyncIterator[OpenAiLlm]:
    async with open_llm(server) as llm:
        yield llm
