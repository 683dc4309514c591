"""Our own expert server: whether it can run, and what it serves."""

import asyncio
import importlib.util
import os
import secrets
from pathlib import Path

from adapters.local.options import ExpertServerOptions
from bot.environment import child_environment
from bot.places import LOCAL
from bot.settings import Settings


async def find_own_options(settings: Settings) -> ExpertServerOptions | None:
    """Options for our own expert server; None if it is off or has nothing to serve."""
    if not is_own_server_wanted(settings) or not is_local_installed():
        return None
    from adapters.local.models_on_disk import ModelFolders  # noqa: PLC0415 - half a second

    folders = list_model_folders(settings)
    if not await asyncio.to_thread(ModelFolders(folders).list_models):
        return None
    threads = max(1, (os.cpu_count() or 2) // 2)
    return ExpertServerOptions(
        folders=folders,
        workers=1,
        threads=threads,
        token=secrets.token_urlsafe(32),
        environment=child_environment(),
    )


def is_own_server_wanted(settings: Settings) -> bool:
    """Whether the program runs an expert server itself where it can."""
    is_off = settings.troupe_experts_url or settings.troupe_experts == "off"
    return not is_off and LOCAL in settings.troupe_places


def is_local_installed() -> bool:
    """Whether the extra [local] is installed. Imports nothing."""
    return all(importlib.util.find_spec(name) for name in ("torch", "transformers"))


def list_model_folders(settings: Settings) -> tuple[Path, ...]:
    """Where models may lie: in the home folder, and in the cache of the Hub's library."""
    from adapters.local.models_on_disk import find_hub_cache  # noqa: PLC0415 - as above

    return (settings.home.absolute() / "models", find_hub_cache())
