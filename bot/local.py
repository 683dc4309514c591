"""The expert server as a program of its own."""

import asyncio
import importlib.util
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from adapters.local.options import MEBIBYTE, Options
from adapters.local.server import experts_at_work
from bot.owning import model_folders
from bot.settings import LOOPBACK, Settings, passed_on
from pipeline.domain import Sentence
from pipeline.errors import SettingsError
from pipeline.words import say


@dataclass(frozen=True, slots=True)
class Wishes:
    """What was asked for on the command line."""

    folders: tuple[Path, ...]
    host: str
    port: int
    memory_mb: int
    workers: int
    device: str


async def serve_experts(settings: Settings, wishes: Wishes) -> None:
    """Serves until told to stop. Raises SettingsError."""
    options = _options(settings, wishes)
    me = asyncio.current_task()
    assert me is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    async with experts_at_work(options) as server:
        folders = ", ".join(map(str, options.folders))
        told = Sentence("local-serving", {"address": server.base, "folders": folders})
        sys.stderr.write(say("en", told) + "\n")
        await asyncio.Event().wait()


def _options(settings: Settings, wishes: Wishes) -> Options:
    if importlib.util.find_spec("torch") is None:
        raise SettingsError("local-extra-missing", extra="local")
    if wishes.host not in LOOPBACK and not settings.troupe_experts_token:
        raise SettingsError("local-token-missing", host=wishes.host)
    return Options(
        folders=wishes.folders or model_folders(settings),
        host=wishes.host,
        port=wishes.port,
        memory_bytes=wishes.memory_mb * MEBIBYTE,
        workers=wishes.workers,
        threads=max(1, (os.cpu_count() or 1) // wishes.workers),
        device=wishes.device,
        token=settings.troupe_experts_token,
        environment=passed_on(),
    )
