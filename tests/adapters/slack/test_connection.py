"""The line to Slack: broken in every way, over HTTP, with tokens that do not work."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp import web

from adapters.slack import SlackAccess, SlackChat
from adapters.slack.web_api.limits import SlackLimits
from pipeline.errors import ChatError, SettingsError
from tests.adapters.slack.runs import whole
from tests.adapters.slack.stage import BOT, Stage, listening
from tests.fakes.chat import FakeListener
from tests.fakes.events import one_by_one
from tests.servers.slack import SlackServer
from tests.servers.slack.delivery import signed
from tests.servers.slack.faults import Limited, Refused
from tests.servers.slack.workspace import GENERAL

STAMP = "X-Slack-Request-Timestamp"


@pytest.mark.parametrize("how", ["close", "reset", "ask_to_reconnect", "go_silent"])
async def test_nothing_is_lost_when_the_line_breaks(stage: Stage, how: str) -> None:
    broken = getattr(stage.slack.socket, how)()
    if isinstance(broken, Awaitable):
        await broken
    stage.slack.people.say(f"{BOT} are you there?")

    message, _ = await stage.listener.next()

    await stage.slack.settled()
    assert message.text == "are you there?"


async def test_a_dead_address_is_given_up_for_another(slack: SlackServer) -> None:
    slack.faults.dead_addresses = 3

    async with listening(Stage(slack, ping=0.05)) as stage:
        slack.people.say(f"{BOT} are you there?")
        message, _ = await stage.listener.next()

    assert message.text == "are you there?"


async def test_a_handshake_that_hangs_is_given_up_for_another(slack: SlackServer) -> None:
    slack.faults.hung_addresses = 2

    async with listening(Stage(slack, ping=0.05)) as stage:
        slack.people.say(f"{BOT} are you there?")
        message, _ = await stage.listener.next()

    assert message.text == "are you there?"


async def test_whether_the_line_is_up_is_known(slack: SlackServer) -> None:
    stage = Stage(slack, ping=0.05)
    assert not await stage.chat.is_connected()
    async with listening(stage), asyncio.timeout(5):
        while not await stage.chat.is_connected():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)
        slack.faults.dead_addresses = 1000
        slack.socket.reset()
        while await stage.chat.is_connected():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0)

    assert not await stage.chat.is_connected()


async def test_what_is_said_while_the_line_is_down_is_caught_up_when_it_is_back(
    slack: SlackServer,
) -> None:
    async with listening(Stage(slack, ping=0.05)) as stage:
        root = slack.people.say(f"{BOT} hello")
        first, _ = await stage.listener.next()
        stage.threads.append((first.thread, first.id))
        slack.faults.dead_addresses = 8
        slack.delivery.subscribed = set()
        slack.socket.reset()
        slack.people.say("and now?", thread=root)

        message, _ = await stage.listener.next(2)

    assert message.text == "and now?"


async def test_calls_share_connections(stage: Stage) -> None:
    calls = stage.slack.calls
    for number in range(5):
        await stage.mention(f"hello {number}")
    assert len(calls.connections) < len(calls.made)


async def test_an_answer_arrives_though_listening_ends_while_a_call_waits(
    slack: SlackServer,
) -> None:
    stage, slack.streams.refusal = Stage(slack), "unknown_method"
    async with asyncio.TaskGroup() as tasks, listening(stage):
        run = await stage.mention("hello")
        message, _ = stage.listener.received[0]
        slack.faults.once("chat.postMessage", Limited(1))
        events = one_by_one(*whole(run, "A cat."))
        tasks.create_task(stage.chat.follow(message, run, events))
        await slack.until(lambda: slack.calls.count("chat.postMessage"))

    assert [said.text for said in slack.said(GENERAL, message.thread.root)] == ["A cat."]


@pytest.mark.parametrize(
    ("bot_token", "app_token", "sentence"),
    [
        ("xoxb-wrong", "", "slack-bot-token-wrong"),
        ("", "xapp-wrong", "slack-app-token-wrong"),
    ],
)
async def test_wrong_tokens_end_the_start_at_once(
    slack: SlackServer, bot_token: str, app_token: str, sentence: str
) -> None:
    stage = Stage(slack)
    access = SlackAccess(
        bot_token or slack.bot_token, app_token or slack.app_token, api_url=slack.api
    )

    with pytest.raises(SettingsError) as refused:
        await SlackChat(access, stage.ports).listen(stage.listener)

    assert refused.value.sentence.id == sentence


@pytest.mark.parametrize("code", ["internal_error", "a_code_of_tomorrow"])
async def test_what_slack_says_of_no_token_does_not_end_the_start(
    slack: SlackServer, code: str
) -> None:
    slack.faults.once("auth.test", *[Refused(code)] * 9)

    with pytest.raises(ChatError):  # then it is started again
        await Stage(slack).chat.listen(FakeListener())


async def test_a_token_that_is_revoked_ends_the_listening_with_a_sentence(
    slack: SlackServer,
) -> None:
    stage = Stage(slack)
    async with asyncio.TaskGroup() as tasks:
        life = tasks.create_task(_told(stage))
        await slack.until(lambda: slack.socket.lines)
        slack.faults.revoked = True
        slack.people.tell({"type": "tokens_revoked", "tokens": {"bot": ["U0TROUPE1"]}})

    assert life.result() == "slack-revoked"


async def test_a_token_lost_without_an_event_is_noticed_at_the_next_call(
    slack: SlackServer,
) -> None:
    stage = Stage(slack)
    async with asyncio.TaskGroup() as tasks:
        life = tasks.create_task(_told(stage))
        await slack.until(lambda: slack.socket.lines)
        slack.faults.revoked = True
        slack.people.say(f"{BOT} hello")

    assert life.result() == "slack-revoked"


async def test_a_token_lost_while_nothing_happens_is_noticed(slack: SlackServer) -> None:
    limits = SlackLimits(token_seconds=0.05, retry_seconds=0.005)
    stage = Stage(slack, limits=limits)
    async with asyncio.TaskGroup() as tasks:
        life = tasks.create_task(_told(stage))
        await slack.until(lambda: slack.socket.lines)
        slack.faults.revoked = True

    assert life.result() == "slack-revoked"


async def _told(stage: Stage) -> str:
    try:
        await stage.chat.listen(stage.listener)
    except SettingsError as error:
        return error.sentence.id
    return ""


@asynccontextmanager
async def served(stage: Stage) -> AsyncIterator[str]:
    """The routes of HTTP mode, mounted as the web adapter does."""
    app = web.Application()
    app.add_routes(stage.chat.routes())
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/slack/events"
    await runner.cleanup()


async def test_over_http_signed_requests_are_heard_once_and_answered(slack: SlackServer) -> None:
    stage = Stage(slack, http=True)
    async with served(stage) as target, listening(stage):
        slack.delivery.target = target
        slack.people.times = 3
        slack.people.say(f"{BOT} hello")
        message, _ = await stage.listener.next()
        await slack.settled()
        await slack.people.command("help")
        await slack.until(lambda: slack.space.responses)

    assert message.text == "hello"
    assert len(stage.listener.received) == 1
    assert slack.space.responses[0]["text"] == "done"


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"event": 5}', b"payload=[]", b"\xff"])
async def test_bodies_that_are_not_slacks_are_refused(slack: SlackServer, body: bytes) -> None:
    stage = Stage(slack, http=True)
    async with served(stage) as target, listening(stage), aiohttp.ClientSession() as session:
        status = 503
        while status == 503:
            async with session.post(target, data=body) as answer:
                status = answer.status

    assert status in (400, 401)
    assert stage.listener.received == []


@pytest.mark.parametrize(
    ("secret", "sent", "status"),
    [("wrong", {}, 401), ("", {STAMP: "1600000000"}, 401), ("", {STAMP: "yesterday"}, 400)],
)
async def test_requests_with_a_wrong_or_old_signature_are_refused(
    slack: SlackServer, secret: str, sent: dict[str, str], status: int
) -> None:
    stage = Stage(slack, http=True)
    body = '{"type": "event_callback", "event": {"type": "message"}}'
    async with served(stage) as target, listening(stage), aiohttp.ClientSession() as session:
        await slack.until(lambda: slack.calls.count("auth.test"))
        headers = {**signed(body, secret or slack.signing_secret), **sent}
        while True:
            async with session.post(
                target, data=body, headers={**headers, "Content-Type": "application/json"}
            ) as answer:
                if answer.status != 503:
                    break

    assert answer.status == status
    assert stage.listener.received == []
    assert GENERAL in slack.space.channels
