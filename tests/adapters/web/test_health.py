"""The server for health, readiness, metrics and status."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest
from prometheus_client import CollectorRegistry, Gauge

from adapters.web.health import HealthPorts, serve_health


@asynccontextmanager
async def served(*, ready: bool = True) -> AsyncIterator[aiohttp.ClientSession]:
    registry = CollectorRegistry()
    gauge = Gauge("sampled", "How often.", registry=registry)

    async def check() -> tuple[bool, dict[str, str]]:
        return ready, {} if ready else {"database": "full"}

    async def sample() -> None:
        gauge.inc()

    async def status() -> dict[str, int]:
        return {"pid": 1}

    ports = HealthPorts(ready=check, registry=registry, sample=sample, status=status)
    async with serve_health(ports, 0) as address, aiohttp.ClientSession(address) as session:
        yield session


async def test_health_metrics_and_status_are_told_to_this_machine() -> None:
    async with served() as session:
        async with session.get("/healthz") as response:
            assert response.status == 200
        async with session.get("/readyz") as response:
            assert (response.status, await response.json()) == (200, {"status": "ready"})
        async with session.get("/metrics") as response:
            assert "sampled 1.0" in await response.text()
        async with session.get("/status") as response:
            assert await response.json() == {"pid": 1}


async def test_what_is_down_is_told_with_503() -> None:
    async with served(ready=False) as session, session.get("/readyz") as response:
        told = await response.json()

    assert response.status == 503
    assert told == {"status": "not ready", "down": {"database": "full"}}


@pytest.mark.parametrize(
    ("host", "status"),
    [("evil.example", 421), ("evil.example:80", 421), ("localhost:1", 200), ("[::1]", 200)],
)
async def test_a_page_cannot_read_it_by_a_name_that_leads_here(host: str, status: int) -> None:
    async with served() as session, session.get("/metrics", headers={"Host": host}) as response:
        assert response.status == status


async def test_a_port_that_is_taken_is_told() -> None:
    async with served() as session:
        port = int(str(session._base_url).rpartition(":")[2].rstrip("/"))  # noqa: SLF001
        ports = HealthPorts(ready=_ready, registry=CollectorRegistry())

        with pytest.raises(OSError, match="in use"):
            async with serve_health(ports, port):
                pass


async def _ready() -> tuple[bool, dict[str, str]]:
    return True, {}


async def _get_metrics(session: aiohttp.ClientSession) -> int:
    async with session.get("/metrics") as response:
        return response.status


async def test_metrics_that_many_ask_for_at_once_are_made_one_after_the_other() -> None:
    at_work: list[int] = []
    working = 0

    async def sample() -> None:
        nonlocal working
        working += 1
        at_work.append(working)
        await asyncio.sleep(0)
        working -= 1

    ports = HealthPorts(ready=_ready, registry=CollectorRegistry(), sample=sample)
    async with (
        serve_health(ports, 0) as address,
        aiohttp.ClientSession(address) as session,
        asyncio.TaskGroup() as tasks,
    ):
        asked = [tasks.create_task(_get_metrics(session)) for _ in range(20)]

    assert {each.result() for each in asked} == {200}
    assert at_work == [1] * 20
