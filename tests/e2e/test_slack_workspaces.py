"""The program with OAuth: several workspaces install it; killed, it goes on for each."""

import asyncio
import socket
from collections.abc import Mapping
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from adapters.slack.connecting.manifest import SCOPES
from tests.e2e.forked import forked
from tests.e2e.program import Program, at_work
from tests.servers.slack import SlackServer
from tests.servers.slack.installing import CLIENT_ID, CLIENT_SECRET, SlackApp
from tests.servers.slack.workspace import GENERAL, Message

A, B, ORG, C = "T0FIRST01", "T0SECOND2", "E0ORG0001", "T0THIRD03"


def settings(app: SlackApp) -> Mapping[str, str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    app.redirect_urls.add(f"{address}/slack/oauth_redirect")
    return {
        "SLACK_API_BASE_URL": app.api,
        "SLACK_AUTHORIZE_URL": app.authorize_url,
        "SLACK_CLIENT_ID": CLIENT_ID,
        "SLACK_CLIENT_SECRET": CLIENT_SECRET,
        "SLACK_APP_TOKEN": app.app_token,
        "SLACK_FILE_HOSTS": "127.0.0.1",
        "TROUPE_FETCH_ALLOW_PRIVATE": "true",
        "TROUPE_PUBLIC_URL": address,
        "TROUPE_WEB_PORT": str(port),
        "TROUPE_WEB_TOKEN": "the-page-is-locked",
        "TROUPE_SECRET_KEY": Fernet.generate_key().decode(),
    }


def answers(slack: SlackServer, root: str) -> list[Message]:
    """What stands in a thread when nothing is shown as under way any more."""
    return [m for m in slack.said(GENERAL, root) if "troupe:stop" not in repr(m.body)]


async def answered(slack: SlackServer, root: str) -> None:
    await slack.until(lambda: answers(slack, root))


async def wait_for_line(program: Program, words: str) -> None:
    async with asyncio.timeout(30):
        while not any(words in line for line in program.lines):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.05)


@pytest.mark.limit(120)
async def test_killed_the_program_goes_on_for_each_workspace_that_still_has_it(
    tmp_path: Path,
) -> None:
    async with SlackApp(scopes=set(SCOPES)) as app:
        a, b, c = await app.add(A), await app.add(B), await app.add(C, ORG)
        given = settings(app)
        install = f"{given['TROUPE_PUBLIC_URL']}/slack/install"
        async with forked(tmp_path, **given):
            for place in (A, B, ORG):
                status, text = await app.install(install, place)
                assert status == 200, text
            for each in (a, b, c):
                await answered(each, each.people.say(f"{each.space.mention} hello"))
            pending = [each.people.say(f"{each.space.mention} hello again") for each in (a, b, c)]
            for each in (a, b, c):
                await each.settled()
        app.lose(B)
        before = len(b.space.channels[GENERAL].messages)
        async with at_work(tmp_path, **given) as program:
            await answered(a, pending[0])
            await answered(c, pending[2])
            await wait_for_line(program, "slack app removed")
        stored = (tmp_path / "troupe.db").read_bytes()

        assert [len(answers(a, pending[0])), len(answers(c, pending[2]))] == [1, 1]
        assert len(b.space.channels[GENERAL].messages) == before
        assert b"xoxb" not in stored
        assert app.violations == []
