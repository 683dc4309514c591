"""A Slack for every test, which complains at the end of it."""

from collections.abc import AsyncIterator

import pytest

from adapters.slack.manifest import SCOPES
from tests.adapters.slack.stage import Stage, listening
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
