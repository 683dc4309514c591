"""The doctor's calls to the servers of models: Hugging Face, and expert servers."""

import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp

from adapters.network.connections import explain_failure, open_session
from adapters.network.rule import hide_login
from bot.settings import Settings
from pipeline.domain import HealthCheck, LocalizedText, report_bad, report_good
from pipeline.words import say

_TOKENS = "https://huggingface.co/settings/tokens"
_CANDIDATES = 20
"""Models that are asked for: enough to see that the list can be read."""
_LISTED_TASK = "text-to-image"
_LONGEST_QUOTE = 300
"""Characters of what a server says."""
_UNAUTHORIZED = frozenset({401, 403})
_OK = 200
_FETCH_SECONDS = 20.0
"""For one answer of a server."""
_MOST_BYTES = 1 << 20
"""Of an answer that are read."""


async def check_hub(settings: Settings) -> AsyncIterator[HealthCheck]:
    """Whether the Hub knows our token, and whether its list of served models can be read."""
    address = hide_login(settings.hf_endpoint)
    whoami = f"{settings.hf_endpoint}/api/whoami-v2"
    status, body = await _fetch(settings, whoami, settings.hf_token)
    if status == _OK:
        yield report_good("doctor-hub-good", name=str(json.loads(body).get("name", "?")))
        yield await _check_hub_list(settings)
    elif status in _UNAUTHORIZED:
        yield report_bad("doctor-hub-refused", f"HF_TOKEN=hf_…  # {_TOKENS}", why=_quote(body))
    else:
        yield _report_unreached(address, "/api/whoami-v2", status, "HF_ENDPOINT", body)


async def _check_hub_list(settings: Settings) -> HealthCheck:
    """Whether the list of served models can be read, for one task."""
    from adapters.huggingface.hub import HubUnavailable, open_hub  # noqa: PLC0415 - half a second

    hub = open_hub(settings.hf_endpoint, token=settings.hf_token, network=settings.network)
    try:
        async with hub as opened:
            found = await opened.list_served(_LISTED_TASK, limit=_CANDIDATES)
    except HubUnavailable as error:
        mend = f"curl -sS {hide_login(settings.hf_endpoint)}/api/models?limit=1"
        return report_bad("doctor-hub-list-bad", mend, problem=str(error))
    count, dropped = len(found.models), found.dropped
    return report_good("doctor-hub-list", task=_LISTED_TASK, count=count, dropped=dropped)


def _report_unreached(
    address: str, page: str, status: int, setting: str, body: bytes
) -> HealthCheck:
    facts: dict[str, Any] = {"address": address, "status": status, "setting": setting}
    mend = f"curl -sS {address}{page}"
    return report_bad("doctor-unreached", mend, why=_quote(body), **facts)


def _quote(body: bytes) -> str:
    """What a server says in a refusal, if that is JSON as servers write it; else ""."""
    try:
        document = json.loads(body)
    except ValueError:
        return ""
    match document:
        case {"error": str(words)} | {"message": str(words)} | {"detail": str(words)}:
            return say("en", LocalizedText("doctor-says", {"words": words[:_LONGEST_QUOTE]}))
        case _:
            return ""


async def check_expert_server(settings: Settings) -> AsyncIterator[HealthCheck]:
    """Whether the configured expert server takes our token, and how many models it has."""
    base, setting = settings.troupe_experts_url, "TROUPE_EXPERTS_URL"
    address = hide_login(base)
    status, body = await _fetch(settings, f"{base}/models", settings.troupe_experts_token)
    if status == _OK:
        yield report_good("doctor-server-good", address=address, count=len(json.loads(body)))
    elif status in _UNAUTHORIZED:
        why = _quote(body)
        yield report_bad(
            "doctor-server-refused", "TROUPE_EXPERTS_TOKEN=…", why=why, address=address
        )
    else:
        yield _report_unreached(address, "/models", status, setting, body)


async def _fetch(settings: Settings, address: str, token: str) -> tuple[int, bytes]:
    """Status and body; status 0 if there was no response, and nobody knows why.

    Raises aiohttp's errors for which there is an explanation.
    """
    try:
        async with (
            open_session(settings.network, seconds=_FETCH_SECONDS, token=token) as session,
            session.get(address, allow_redirects=False) as response,
        ):
            return response.status, await response.content.read(_MOST_BYTES)
    except (aiohttp.ClientError, OSError) as error:
        if explain_failure(error):
            raise
        return 0, b""
