"""A Slack for every test, which complains at the end of it."""

from collections.abc import AsyncIterator

import pytest

from adapters.slack.connecting.manifest import SCOPES
from tests.adapters.slack.stage import Stage, listening
from tests.fakes.clock import PatientLoop, SkippingLoop
from tests.servers.slack import SlackServer


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    async with SlackServer() as server:
        server.calls.granted = set(SCOPES)
        yield server
        assert server.violations == []


@pytest.fixture
async def stage(slack: SlackServer) -> AsyncIterator[Stage]:
    async with listening(Stage(slack)) as opened:
        yield opened


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, type[PatientLoop]]:
    """No test waits for a timer, but for those with a database, which works in a thread."""
    has_database = item.path.name == "test_installing.py"
    return {"loop": PatientLoop if has_database else SkippingLoop}
