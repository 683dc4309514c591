"""A request whose traffic is recorded from played servers: plan, queued picture, speech, answer."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from bot.ask import ask_once
from bot.setting_sources import read_settings
from bot.settings import Settings
from tests.cassettes.recording import record
from tests.servers.hub import HubServer, hub_at_work, row
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work

TEXT = "Draw a cat on a skateboard, and read its description aloud."
KEYS = {"OPENAI_API_KEY": "sk-played-0123456789abcdef", "HF_TOKEN": "hf_played0123456789abcdef"}
_PLAN = {
    "tasks": [
        {"id": 1, "task": "text-to-image", "args": {"text": "a cat on a skateboard"}, "model": ""},
        {"id": 2, "task": "text-to-speech", "args": {"text": "A cat rides."}, "model": ""},
    ]
}
_ROWS = [
    row("lively/painter", "text-to-image", "replicate", downloads=900),
    row("lively/speaker", "text-to-speech", "together", downloads=900),
]


def _reply(asked: Asked) -> str:
    return json.dumps(_PLAN) if "response_format" in asked.body else "Here are both."


@asynccontextmanager
async def played_services() -> AsyncIterator[Mapping[str, str]]:
    """The settings for an OpenAI-compatible server and a Hub, both played."""
    async with (
        openai_at_work(OpenAiServer(reply=_reply)) as llm,
        hub_at_work(HubServer(list(_ROWS))) as hub,
    ):
        yield {
            **KEYS,
            "OPENAI_BASE_URL": llm.base,
            "HF_ENDPOINT": hub.base,
            "HF_ROUTER_URL": hub.base,
            "TROUPE_FETCH_ALLOW_PRIVATE": "true",
            "TROUPE_PLACES": "hosted,embedded",
            "TROUPE_WORKERS": "1",  # each loads the libraries for itself
        }


async def record_played(path: Path) -> int:
    """Record the request into a new file. Returns the exit status."""
    async with played_services() as settings:
        command = ("ask", "--json", TEXT)
        return await record(path, command, ask_played, read_settings(settings))


async def ask_played(settings: Settings) -> int:
    return await ask_once(settings, TEXT, (), as_json=True)
