"""Two programs on one PostgreSQL and one Slack: one is killed, or frozen, and the other goes on."""

import asyncio
import json
import os
import re
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.slack.connecting.manifest import SCOPES
from tests.contracts.postgres import order
from tests.e2e.program import Program, at_work
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work
from tests.servers.slack import SlackServer
from tests.servers.slack.workspace import ANNA, BOT_USER, Channel

_SERVER = os.environ.get("TROUPE_TEST_POSTGRES_URL", "")  # noqa: TID251 - for tests only
CHANNEL = "C0REPLICAS"
ANSWER = "Sales rose."
LEASE = "2"
"""Seconds, so that the test is short."""
_OWNER = sa.text("SELECT owner FROM inbox WHERE NOT finished AND owner IS NOT NULL")
_FINISHED = sa.text("SELECT owner FROM inbox WHERE finished")


def _reply(asked: Asked) -> str:
    """A plan of one task, or words."""
    if "response_format" not in asked.body:
        return ANSWER
    return json.dumps(
        [{"task": "summarization", "id": 0, "dep": [-1], "args": {"text": "Sales rose."}}]
    )


@dataclass
class Replicas:
    """Two programs, a played Slack in which somebody writes, and the database."""

    programs: Sequence[Program]
    slack: SlackServer
    url: str

    def say(self, text: str, thread: str = "") -> str:
        return self.slack.people.say(f"<@{BOT_USER}> {text}", channel=CHANNEL, thread=thread)

    async def read(self, query: sa.TextClause) -> str | None:
        engine = create_async_engine(make_url(self.url).set(drivername="postgresql+asyncpg"))
        async with engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        await engine.dispose()
        return str(rows[0][0]) if rows else None

    async def find_busy(self) -> Program:
        """The program that answers the message."""
        owner = None
        async with asyncio.timeout(30):
            while owner is None:
                owner = await self.read(_OWNER)
        return next(each for each in self.programs if find_id(each) == owner)

    async def wait_until_finished(self) -> None:
        async with asyncio.timeout(60):
            while await self.read(_FINISHED) is None:  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.1)

    def list_answers(self) -> list[str]:
        """What the bot said, with what is being streamed still."""
        messages = self.slack.space.channels[CHANNEL].messages.values()
        return [json.dumps(each.body) for each in messages if each.by_bot]


def find_id(program: Program) -> str:
    """Under which the program holds leases: it logs it at its start."""
    found = (re.search(r'"program": ?"(\w+)"', line) for line in program.lines)
    return next(match[1] for match in found if match)


@asynccontextmanager
async def replicas(folder: Path) -> AsyncIterator[Replicas]:
    name = f"{make_url(_SERVER).database}_replicas_{os.getpid()}"
    await order(_SERVER, f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}")
    url = make_url(_SERVER).set(database=name).render_as_string(hide_password=False)
    try:
        async with AsyncExitStack() as stack:
            llm = await stack.enter_async_context(openai_at_work(OpenAiServer(0.5, reply=_reply)))
            slack = await stack.enter_async_context(SlackServer())
            slack.calls.granted = set(SCOPES)
            slack.space.channels[CHANNEL] = Channel(CHANNEL, CHANNEL, members={ANNA, BOT_USER})
            settings = {
                "TROUPE_DATABASE_URL": url,
                "TROUPE_FILES_URL": f"file://{folder}/files",
                "TROUPE_SECRET": "replicas" * 8,
                "TROUPE_LEASE_SECONDS": LEASE,
                "OPENAI_BASE_URL": llm.base,
                "SLACK_BOT_TOKEN": slack.bot_token,
                "SLACK_APP_TOKEN": slack.app_token,
                "SLACK_API_BASE_URL": slack.api,
                "SLACK_FILE_HOSTS": "127.0.0.1",
            }
            programs = [
                await stack.enter_async_context(at_work(folder / f"home{number}", **settings))
                for number in range(2)
            ]
            async with asyncio.timeout(30):
                while len(slack.socket.lines) < len(programs):  # noqa: ASYNC110 - no event
                    await asyncio.sleep(0.1)
            yield Replicas(programs, slack, url)
    finally:
        await order(_SERVER, f"DROP DATABASE {name} WITH (FORCE)")


needs_server = pytest.mark.skipif(
    not _SERVER, reason="needs a PostgreSQL server: give its address as TROUPE_TEST_POSTGRES_URL"
)


@needs_server
@pytest.mark.program
@pytest.mark.limit(150)
async def test_a_killed_program_s_message_is_answered_by_the_other_once(tmp_path: Path) -> None:
    async with replicas(tmp_path) as scene:
        scene.say("Summarize this: sales rose in Europe.")
        busy = await scene.find_busy()
        await asyncio.sleep(0.7)
        os.killpg(busy.process.pid, signal.SIGKILL)
        await scene.wait_until_finished()

        (answer,) = scene.list_answers()
        assert ANSWER in answer


@needs_server
@pytest.mark.program
@pytest.mark.limit(150)
async def test_a_frozen_program_that_wakes_up_changes_nothing_any_more(tmp_path: Path) -> None:
    async with replicas(tmp_path) as scene:
        scene.say("Summarize this: sales rose in Europe.")
        busy = await scene.find_busy()
        await asyncio.sleep(0.7)
        os.killpg(busy.process.pid, signal.SIGSTOP)
        await scene.wait_until_finished()
        (answer,) = scene.list_answers()
        os.killpg(busy.process.pid, signal.SIGCONT)
        async with asyncio.timeout(30):
            while not any("another program answers" in line for line in busy.lines):  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.1)

        assert scene.list_answers() == [answer]
        assert ANSWER in answer
        assert not any('"level": "error"' in line for line in busy.lines)


@needs_server
@pytest.mark.program
@pytest.mark.limit(150)
async def test_a_stopped_program_gives_its_message_back_at_once(tmp_path: Path) -> None:
    async with replicas(tmp_path) as scene:
        scene.say("Summarize this: sales rose in Europe.")
        busy = await scene.find_busy()
        busy.process.terminate()
        await busy.process.wait()
        await scene.wait_until_finished()

        (answer,) = scene.list_answers()
        assert ANSWER in answer
        other = next(each for each in scene.programs if each is not busy)
        assert not any("taken over" in line for line in other.lines)
