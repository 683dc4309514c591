"""The doctor's check of an expert server: does it take our token, and what does it list."""

from collections.abc import AsyncIterator
from typing import Any

from adapters.network.connections import open_session
from adapters.network.proxies import Network, hide_login
from adapters.wire.doctor import CHECK_SECONDS, check_server
from pipeline.domain import HealthCheck, report_bad, report_good


async def examine(base: str, token: str, network: Network) -> AsyncIterator[HealthCheck]:
    """Ask the server at a URL for its models."""
    address = hide_login(base)

    def report(models: Any) -> HealthCheck:  # noqa: ANN401 - JSON
        if not models:
            return report_bad("doctor-server-empty", "hf download <org/name>", address=address)
        return report_good("doctor-server-good", address=address, count=len(models))

    refused = report_bad("doctor-server-refused", "TROUPE_EXPERTS_TOKEN=…", address=address)
    async with open_session(network, seconds=CHECK_SECONDS, token=token) as session:
        yield await check_server(
            session,
            base,
            "/models",
            setting="TROUPE_EXPERTS_URL",
            report=report,
            refused=refused,
        )
