"""Each played server by itself, as a program, with its vendor's own library; and what its page
shows.
"""

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
import pytest
from huggingface_hub import AsyncInferenceClient, HfApi, constants
from openai import AsyncOpenAI
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.async_app import AsyncSay
from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.discord.client import Listener, connected, point_library_at

pytestmark = pytest.mark.program

_ROOT = Path(__file__).parents[2]
constants.HF_HUB_DISABLE_TELEMETRY = True  # else the first call asks huggingface.co


@dataclass(frozen=True)
class Program:
    """A played server in another process."""

    process: asyncio.subprocess.Process

    async def read(self) -> str:
        """The next line that it prints."""
        assert self.process.stdout is not None
        return (await self.process.stdout.readline()).decode().strip()

    async def read_until(self, key: str) -> Any:
        """What stands under a key in the next line of JSON that has it."""
        while True:
            news = json.loads(await self.read())
            if key in news:
                return news[key]

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())


@asynccontextmanager
async def started(server: str, *options: str) -> AsyncIterator[Program]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", f"tests.servers.{server}", *options),
        stdin=pipe,
        stdout=pipe,
        cwd=_ROOT,
    )
    try:
        yield Program(process)
    finally:
        process.terminate()
        await process.wait()


async def test_slack_talks_with_bolt() -> None:
    async with started("slack") as program:
        given = json.loads(await program.read())
        client = AsyncWebClient(given["bot_token"], base_url=given["api"])
        app = AsyncApp(client=client, signing_secret=given["signing_secret"])

        @app.event("app_mention")
        async def greet(say: AsyncSay) -> None:
            await say("Hello!")

        handler = AsyncSocketModeHandler(app, given["app_token"], web_client=client)
        await handler.connect_async()  # type: ignore[no-untyped-call]
        program.type("@bot are you there?")
        message = await program.read_until("message")
        await handler.close_async()  # type: ignore[no-untyped-call]

    assert message["text"] == "Hello!"


async def test_discord_talks_with_discord_py() -> None:
    class Greeter(Listener):
        async def on_message(self, message: discord.Message) -> None:
            if self.user in message.mentions:
                await message.channel.send("Hello!", nonce="1")

    async with started("discord") as program:
        given = json.loads(await program.read())
        point_library_at(given["api"], given["gateway"])
        async with connected(Greeter(), given["token"]):
            program.type("@bot are you there?")
            text = await program.read_until("text")

    assert text == "Hello!"


async def test_the_hub_talks_with_its_library() -> None:
    async with started("hub") as program:
        hub = HfApi(await program.read(), token="hf_played")
        listed = await asyncio.to_thread(
            lambda: list(hub.list_models(pipeline_tag="text-to-image"))
        )

    assert "black-forest-labs/FLUX.1-schnell" in [model.id for model in listed]


async def test_experts_talk_with_the_inference_client() -> None:
    async with started("experts") as program:
        base = await program.read()
        async with AsyncInferenceClient(f"{base}/models/played/summarization") as client:
            summary = await client.summarization("It was a long day.")

    assert summary.summary_text == "In short: It was a long day."


async def test_openai_talks_with_its_library() -> None:
    async with (
        started("openai", "--plays", "official", "--reply", "Good morning!") as program,
        AsyncOpenAI(base_url=await program.read(), api_key="sk-played") as client,
    ):
        said = await client.chat.completions.create(
            model="gpt-4.1-mini", messages=[{"role": "user", "content": "Hello"}]
        )

    assert said.choices[0].message.content == "Good morning!"


@pytest.mark.parametrize("server", ["acme", "discord", "experts", "hub", "openai", "slack"])
async def test_the_example_of_its_page_runs(server: str) -> None:
    page = (_ROOT / "tests/servers" / server / "README.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", example), cwd=_ROOT, env={"HF_HUB_DISABLE_TELEMETRY": "1"}
    )

    assert await process.wait() == 0
