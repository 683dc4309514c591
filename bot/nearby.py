"""A language model on this machine: used with OPENAI_BASE_URL=auto, else pointed out."""

from urllib.parse import urlsplit

import structlog

from adapters.nearby import NearbyServer, find_nearby
from adapters.network.proxies import hide_login
from bot.settings import Settings
from pipeline.domain import LocalizedText

log = structlog.get_logger()


async def find_server(settings: Settings) -> Settings:
    """The settings with the address of the server that OPENAI_BASE_URL=auto stands for, if any."""
    if not settings.seeks_model:
        return settings
    key, wanted = settings.openai_api_key, settings.troupe_model
    network, addresses = settings.network, settings.troupe_llm_nearby
    server = await find_nearby(addresses, network, key=key, wanted=wanted)
    if server is None:
        return settings
    log.info("language model on this machine", address=hide_login(server.address))
    return settings.model_copy(update={"openai_base_url": server.address})


def warn_without_server(settings: Settings) -> None:
    """Note that a server is looked for and that there is none."""
    if settings.seeks_model:
        log.warning("no language model on this machine", looked_at=settings.troupe_llm_nearby)


async def find_served_model(settings: Settings, base: str, token: str) -> Settings:
    """The same with the address of an expert server, if it has a model for chats."""
    address, wanted = f"{base}/v1", settings.troupe_model
    found = await find_nearby([address], settings.network, key=token, wanted=wanted)
    if found is None:
        return settings
    log.info("language model at the expert server", address=hide_login(address))
    return settings.model_copy(update={"openai_base_url": address, "openai_api_key": token})


async def point_out(settings: Settings) -> LocalizedText | None:
    """That a server on this machine could be used, with the line for `.env`; None if none is."""
    server = await find_nearby(settings.troupe_llm_nearby, settings.network)
    if server is None or is_used(settings, server):
        return None
    model = settings.troupe_model if settings.troupe_model in server.models else server.models[0]
    facts = {"model": model, "address": hide_login(server.address)}
    return LocalizedText("nearby-found", facts)


def is_used(settings: Settings, server: NearbyServer) -> bool:
    """Whether a server is the one that the settings name."""
    used, found = (urlsplit(url) for url in (settings.openai_base_url, server.address))
    return (used.hostname, used.port) in {(found.hostname, found.port), ("localhost", found.port)}


def report_choice(asked: Settings, used: Settings, model: str) -> LocalizedText | None:
    """What OPENAI_BASE_URL=auto has led to; None if it is not set."""
    if not asked.seeks_model:
        return None
    if used.seeks_model:
        addresses = ", ".join(map(hide_login, asked.troupe_llm_nearby))
        return LocalizedText("nearby-none", {"addresses": addresses})
    facts = {"model": model, "address": hide_login(used.openai_base_url)}
    return LocalizedText("nearby-used", facts)
