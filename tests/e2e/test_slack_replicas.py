"""Two programs on one PostgreSQL and one Slack, which are killed by turns."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from adapters.slack.connecting.manifest import SCOPES
from tests.contracts.postgres import order
from tests.e2e.forked import forked
from tests.servers.slack import SlackServer
from tests.servers.slack.workspace import GENERAL

KILLS = 4
STORY = "Sales rose by ten percent in Europe. They fell in Asia. Costs stayed flat."


@pytest.mark.limit(200)
async def test_killed_by_turns_two_programs_answer_each_message_once(
    tmp_path: Path,
    postgres: str,
) -> None:
    await order(postgres, "DELETE FROM leases", "DELETE FROM rate_limits")
    async with SlackServer() as slack:
        slack.calls.granted = set(SCOPES)
        slack.socket.ack_seconds = 20.0  # a busy machine starts programs slowly
        settings = {
            "SLACK_API_BASE_URL": slack.api,
            "SLACK_BOT_TOKEN": slack.bot_token,
            "SLACK_APP_TOKEN": slack.app_token,
            "TROUPE_DATABASE_URL": postgres,
            "TROUPE_SECRET": "the same for all replicas of a test",
        }
        asked: list[str] = []

        def ask() -> None:
            for _ in range(2):  # one to each
                words = f"{slack.space.mention} Summarize this: {STORY}"
                asked.append(slack.people.say(words))

        def find_answers(root: str) -> list[str]:
            return [each.ts for each in slack.said(GENERAL, root) if "Sales rose" in str(each.body)]

        async with AsyncExitStack() as stack:
            older, _ = await stack.enter_async_context(forked(tmp_path, **settings))
            for kill in range(KILLS):
                newer, _ = await stack.enter_async_context(forked(tmp_path, **settings))
                await slack.until(lambda: len(slack.socket.lines) == 2)
                ask()
                await asyncio.sleep(0.1 * kill)
                older.kill()
                ask()
                await slack.until(lambda: len(slack.socket.lines) == 1)
                older = newer
            await slack.until(lambda: all(find_answers(root) for root in asked))
            await slack.settled()
            await asyncio.sleep(1)

        assert [len(find_answers(root)) for root in asked] == [1] * 4 * KILLS
        # What was on its way to a killed program may be given up by Slack; it is read afterwards.
        assert [each for each in slack.violations if "never acknowledged" not in each] == []
