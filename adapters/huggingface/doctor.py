"""The doctor's check of the Hub: whether it knows our token, and lists models."""

from collections.abc import AsyncIterator
from typing import Any

from adapters.huggingface.hub import HubUnavailable, open_hub
from adapters.network.connections import open_session
from adapters.network.proxies import Network, hide_login
from adapters.wire.doctor import CHECK_SECONDS, check_server
from pipeline.domain import HealthCheck, report_bad, report_good

_TOKENS = "https://huggingface.co/settings/tokens"
_CANDIDATES = 20
"""Models that are asked for: enough to see that the list can be read."""
_LISTED_TASK = "text-to-image"


async def examine(endpoint: str, token: str, network: Network) -> AsyncIterator[HealthCheck]:
    """Ask who we are and, if the token is good, for the served models of one task."""

    def report(me: Any) -> HealthCheck:  # noqa: ANN401 - JSON
        return report_good("doctor-hub-good", name=str(me.get("name", "?")))

    refused = report_bad("doctor-hub-refused", f"HF_TOKEN=hf_…  # {_TOKENS}")
    async with open_session(network, seconds=CHECK_SECONDS, token=token) as session:
        known = await check_server(
            session,
            endpoint,
            "/api/whoami-v2",
            setting="HF_ENDPOINT",
            report=report,
            refused=refused,
        )
    yield known
    if known.good:
        yield await _check_list(endpoint, token, network)


async def _check_list(endpoint: str, token: str, network: Network) -> HealthCheck:
    """Whether the list of served models can be read, for one task."""
    try:
        async with open_hub(endpoint, token=token, network=network) as hub:
            listing = await hub.list_served(_LISTED_TASK, limit=_CANDIDATES)
    except HubUnavailable as error:
        mend = f"curl -sS {hide_login(endpoint)}/api/models?limit=1"
        return report_bad("doctor-hub-list-bad", mend, problem=str(error))
    count, dropped = len(listing.models), listing.dropped
    return report_good("doctor-hub-list", task=_LISTED_TASK, count=count, dropped=dropped)
