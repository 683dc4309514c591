"""Whether, and how, the program runs an expert server of its own."""

import asyncio
import importlib.util
import os
from pathlib import Path

from adapters.local.options import Options
from bot.settings import Settings, passed_on
from pipeline.domain import Place


async def own_options(settings: Settings) -> Options | None:
    """How the program is to run a server of its own; None when it is not to, or could not."""
    if settings.troupe_experts_url or settings.troupe_experts == "off":
        return None
    if Place.LOCAL.value not in settings.troupe_places or not installed():
        return None
    from adapters.local.shelf import Shelf  # noqa: PLC0415 - half a second, only for those who use it

    folders = model_folders(settings)
    if not await asyncio.to_thread(Shelf(folders).all):
        return None
    threads = max(1, (os.cpu_count() or 2) // 2)
    return Options(folders=folders, workers=1, threads=threads, environment=passed_on())


def installed() -> bool:
    """Whether the extra [local] is. Imports nothing."""
    return all(importlib.util.find_spec(name) for name in ("torch", "transformers"))


def model_folders(settings: Settings) -> tuple[Path, ...]:
    """Where models are looked for."""
    from adapters.local.shelf import hub_cache  # noqa: PLC0415 - as above

    return (settings.home.absolute() / "models", hub_cache())
