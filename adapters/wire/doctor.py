"""The doctor's call to a server that takes a token: whether it answers, and takes ours."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import aiohttp

from adapters.network.connections import explain_failure
from adapters.network.proxies import hide_login
from pipeline.domain import HealthCheck, LocalizedText, report_bad
from pipeline.words import say

CHECK_SECONDS = 20.0
"""For one answer of a server."""
_MOST_BYTES = 1 << 20
"""Of an answer that are read."""
_LONGEST_QUOTE = 300
"""Characters of what a server says."""
_OK = 200
_UNAUTHORIZED = frozenset({401, 403})


async def check_server(
    session: aiohttp.ClientSession,
    base: str,
    page: str,
    *,
    setting: str,
    report: Callable[[Any], HealthCheck],
    refused: HealthCheck,
) -> HealthCheck:
    """Ask a server for a page of JSON, and say how it went.

    `report` makes the finding of what the page says; `refused` is the finding if the server does
    not take the session's token. `setting` is the name of the one that holds `base`. Raises
    aiohttp's errors for which there is an explanation.
    """
    status, body = 0, b""  # there is no response, and nobody knows why
    try:
        async with session.get(f"{base}{page}", allow_redirects=False) as response:
            status, body = response.status, await response.content.read(_MOST_BYTES)
    except (aiohttp.ClientError, OSError) as error:
        if explain_failure(error):
            raise
    if status == _OK:
        return report(json.loads(body))
    why, address = _quote(body), hide_login(base)
    if status in _UNAUTHORIZED:
        return replace(refused, why=why)
    facts: dict[str, Any] = {"address": address, "status": status, "setting": setting}
    return report_bad("doctor-unreached", f"curl -sS {address}{page}", why=why, **facts)


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
