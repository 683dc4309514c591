"""Run a command while its traffic is taped, or played back."""

import tempfile
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import structlog

from adapters.fetch import HttpFetch, Policy
from adapters.store import open_persistence
from bot import VERSION
from bot.nearby import find_server
from bot.settings import OPENAI, Settings
from tests.cassettes.proxy import FILES, Recording, Replay, open_proxies
from tests.cassettes.secrets import Cleaner
from tests.cassettes.tape import Deck, Head, Tape

log = structlog.get_logger()
Work = Callable[[Settings], Awaitable[int | None]]

_SERVICES = {
    "llm": ("openai_base_url", "openai_api_key"),
    "hub": ("hf_endpoint", "hf_token"),
    "router": ("hf_router_url", "hf_token"),
    "experts": ("troupe_experts_url", "troupe_experts_token"),
}
"""Service → the settings with its base URL and its key."""
_SHAPING = {
    *("troupe_controller", "troupe_model", "troupe_judge_model", "troupe_selection"),
    *("troupe_llm_context", "troupe_llm_sees_images", "troupe_places", "troupe_languages"),
    *("troupe_allow_models", "troupe_deny_models", "troupe_licence", "troupe_providers"),
    *("troupe_learn", "troupe_context_turns", "troupe_context_tail"),
}
"""Settings that shape requests. A cassette holds those that differ from their defaults."""


async def record(path: Path, command: tuple[str, ...], work: Work, settings: Settings) -> int:
    """Run `work` with its traffic taped. 1 if a line was left out because of a secret.

    The command is kept, so that it can be replayed.
    """
    settings = await find_server(settings)
    services = _find_services(settings)
    head = Head(
        recorded=datetime.now(UTC).date().isoformat(),
        program=VERSION,
        command=command,
        services=services,
        settings=settings.model_dump(mode="json", include=_SHAPING, exclude_defaults=True),
    )
    secrets = [name for name, field in Settings.model_fields.items() if not field.repr]
    tape = Tape(path, head, Cleaner(getattr(settings, name) for name in secrets))
    hosts = settings.troupe_fetch_hosts
    policy = Policy(hosts=hosts, allow_private=settings.troupe_fetch_allow_private)
    try:
        async with HttpFetch(policy, network=settings.network) as fetch:
            source = Recording(tape, services, fetch, network=settings.network)
            code = await _run_alone(work, settings, source, hosts or ("*",))
    finally:  # `run` ends by a signal
        log.info("recorded", file=str(path), exchanges=tape.count, left_out=tape.refused)
    return code or int(tape.refused > 0)


async def replay(deck: Deck, work: Work, settings: Settings) -> int:
    """Run `work` without a network. 1 if it asked for anything that was not recorded."""
    changes = dict(deck.head.settings)
    for service, (address, key) in _SERVICES.items():
        changes |= {key: "replayed"} if service in deck.head.services else {address: "", key: ""}
    settings = _override(settings, changes)
    code = await _run_alone(work, settings, Replay(deck, deck.head.services), ())
    log.info("replayed", unused=len(deck.unused), unmatched=len(deck.unmatched))
    return code or int(bool(deck.unmatched))


async def _run_alone(
    work: Work, settings: Settings, source: Recording | Replay, hosts: tuple[str, ...]
) -> int:
    """Run behind the proxies, in an empty home: what is remembered there would change requests.

    `hosts`: where files may be fetched from, besides those that providers name.
    """
    with tempfile.TemporaryDirectory(prefix="troupe-") as home:
        async with open_proxies(source) as bases:
            own = {"troupe_home": home, "troupe_database_url": "", "troupe_files_url": ""}
            addresses = {_SERVICES[name][0]: bases[name] for name in source.services}
            hosts = (*hosts, urlsplit(bases[FILES]).netloc)
            fixed = {"troupe_experts": "off", "troupe_fetch_hosts": hosts}
            settings = _override(settings, {**own, **addresses, **fixed})
            await _fill_catalogue(settings)
            return await work(settings) or 0


def _override(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    return Settings.model_validate({**settings.model_dump(), **changes})


async def _fill_catalogue(settings: Settings) -> None:
    """Fetch the Hub's lists now, so that no choice depends on how fast they come."""
    if not settings.hf_token:
        return
    from adapters.huggingface.catalogue import HubCatalogue  # noqa: PLC0415 - half a second
    from adapters.huggingface.hub import open_hub  # noqa: PLC0415

    router, token = settings.hf_router_url, settings.hf_token
    keep, clock = timedelta(hours=settings.troupe_catalogue_hours), partial(datetime.now, UTC)
    async with (
        open_persistence(settings.database_url) as store,
        open_hub(settings.hf_endpoint, token=token, router=router) as hub,
    ):
        lists = HubCatalogue(hub, store.cache, known=(), clock=clock, keep=keep)
        await lists.refresh()


def _find_services(settings: Settings) -> Mapping[str, str]:
    """The base URL of every service that is configured."""
    services = {
        "llm": settings.openai and (settings.openai_base_url or OPENAI),
        "hub": settings.hf_token and settings.hf_endpoint,
        "router": settings.hf_token and settings.hf_router_url,
        "experts": settings.troupe_experts_url,
    }
    return {name: str(base) for name, base in services.items() if base}
