"""The server that plays Slack, tried with the real SDK."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Self

import pytest
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.async_app import AsyncAck
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack import SlackServer
from tests.servers.slack.faults import Limited, Lost
from tests.servers.slack.people import Sent
from tests.servers.slack.workspace import ANNA, BOT_USER, GENERAL, TEAM, Json, read_clock


@pytest.fixture
async def slack() -> AsyncIterator[SlackServer]:
    async with SlackServer() as server:
        yield server


@pytest.fixture
def client(slack: SlackServer) -> AsyncWebClient:
    return AsyncWebClient(slack.bot_token, base_url=slack.api, retry_handlers=[])


async def test_a_post_edit_and_reaction_stand_in_the_transcript(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    root = slack.people.space.next_ts()
    posted = await client.chat_postMessage(channel=GENERAL, text="hello")

    await client.chat_update(channel=GENERAL, ts=posted["ts"], text="hello there")
    await client.reactions_add(channel=GENERAL, timestamp=posted["ts"], name="eyes")

    assert root < posted["ts"]
    assert [m.text for m in slack.said(GENERAL, posted["ts"])] == ["hello there"]
    assert slack.space.reactions[GENERAL, posted["ts"]] == [(BOT_USER, "eyes")]
    assert slack.violations == []


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ({"text": "x" * 40_001}, "text over 40000"),
        ({"text": "x", "thread_ts": "1234567890.000001"}, "no message"),
        ({"text": "x", "thread": "1"}, "unknown argument"),
        ({"text": "x", "blocks": [{"type": "divider"}] * 51}, "51 blocks"),
        (
            {"text": "x", "blocks": [{"type": "section"}]},
            "text or fields attribute must be specified",
        ),
        ({"text": "x", "metadata": {"event_type": "a"}}, "metadata has"),
    ],
)
async def test_a_call_that_slack_would_not_like_is_noticed(
    slack: SlackServer, client: AsyncWebClient, call: Json, complaint: str
) -> None:
    with contextlib.suppress(SlackApiError):
        await client.chat_postMessage(channel=GENERAL, **call)

    assert any(complaint in violation for violation in slack.violations)


async def test_files_go_up_in_order_and_come_down_with_the_token(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    root = (await client.chat_postMessage(channel=GENERAL, text="files:"))["ts"]

    await client.files_upload_v2(
        channel=GENERAL,
        thread_ts=root,
        file_uploads=[
            {"filename": "a.png", "file": b"aaa", "title": "A", "alt_txt": "an A"},
            {"filename": "b.png", "file": b"bbb", "title": "B", "alt_txt": "a B"},
        ],
    )

    shared = slack.said(GENERAL, root)[-1].body["files"]
    assert [(file["name"], file["alt_txt"]) for file in shared] == [
        ("a.png", "an A"),
        ("b.png", "a B"),
    ]
    assert slack.violations == []


async def test_completing_before_the_upload_is_noticed(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    file = await client.files_getUploadURLExternal(filename="a.png", length=3)

    with pytest.raises(SlackApiError, match="file_not_uploaded"):
        await client.files_completeUploadExternal(files=[{"id": file["file_id"]}])

    assert slack.violations == ["files.completeUploadExternal: before the upload"]


async def test_a_fault_strikes_once(slack: SlackServer, client: AsyncWebClient) -> None:
    slack.faults.once("chat.postMessage", Limited(2), Lost())

    with pytest.raises(SlackApiError, match="ratelimited"):
        await client.chat_postMessage(channel=GENERAL, text="one")
    with pytest.raises(Exception, match="Server disconnected"):
        await client.chat_postMessage(channel=GENERAL, text="two")
    await client.chat_postMessage(channel=GENERAL, text="three")

    said = [m.text for m in slack.space.channels[GENERAL].messages.values()]
    assert said == ["two", "three"]


async def test_a_missing_scope_is_refused_with_its_name(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    slack.faults.withheld_scopes.add("reactions:write")

    with pytest.raises(SlackApiError, match="missing_scope") as refused:
        await client.reactions_add(channel=GENERAL, timestamp="1234567890.000001", name="eyes")

    assert refused.value.response["needed"] == "reactions:write"
    assert slack.violations == []


async def test_the_limits_tell_how_long_to_wait(slack: SlackServer, client: AsyncWebClient) -> None:
    slack.limits.on = True

    for n in range(4):
        await client.chat_postMessage(channel=GENERAL, text=str(n))
    with pytest.raises(SlackApiError, match="ratelimited") as refused:
        await client.chat_postMessage(channel=GENERAL, text="too soon")

    assert int(refused.value.response.headers["Retry-After"]) >= 1


class Bot:
    """A tiny bolt app on Socket Mode."""

    def __init__(self, slack: SlackServer) -> None:
        client = AsyncWebClient(slack.bot_token, base_url=slack.api)
        app = AsyncApp(client=client, signing_secret=slack.signing_secret)
        self.addressing: list[str] = []
        self.links = AsyncSocketModeHandler(app, slack.app_token, ping_interval=0.2)
        app.event("app_mention")(self._mention)
        app.event("message")(self._message)
        app.command("/troupe")(self._command)

    async def _mention(self, event: Json) -> None:
        self.addressing.append(event["text"])

    async def _message(self, event: Json) -> None:
        pass

    async def _command(self, ack: AsyncAck, command: Json) -> None:
        await ack(f"you said {command['text']}")

    async def __aenter__(self) -> Self:
        await self.links.connect_async()  # type: ignore[no-untyped-call]
        return self

    async def __aexit__(self, *trouble: object) -> None:
        await self.links.close_async()  # type: ignore[no-untyped-call]


async def test_events_commands_and_repeats_reach_a_bolt_app(slack: SlackServer) -> None:
    async with Bot(slack) as bot:
        slack.people.times = 3
        slack.people.say(f"<@{BOT_USER}> hi", files=(Sent("a.txt", "text/plain", b"a"),))
        await slack.settled()
        answer = await slack.people.command("help")

        assert bot.addressing == [f"<@{BOT_USER}> hi"] * 3
        assert answer["payload"] == {"text": "you said help"}
        assert slack.violations == []


@pytest.mark.parametrize("how", ["close", "reset", "ask_to_reconnect", "go_silent"])
async def test_the_sdk_comes_back_when_its_line_breaks(slack: SlackServer, how: str) -> None:
    async with Bot(slack) as bot:
        await slack.until(lambda: slack.socket.lines)
        broken = getattr(slack.socket, how)()
        if asyncio.iscoroutine(broken):
            await broken
        await slack.until(lambda: slack.socket.opened > 1)

        slack.people.say(f"<@{BOT_USER}> again")
        await slack.settled()

        assert bot.addressing == [f"<@{BOT_USER}> again"]


async def test_an_event_nobody_listens_to_is_sent_again_and_noticed(slack: SlackServer) -> None:
    slack.socket.ack_seconds = 0.05
    async with Bot(slack):
        slack.people.tell({"type": "emoji_changed", "event_ts": "1234567890.000001"})
        await slack.settled()

        assert len(slack.delivery.attempts) == 4
        assert "the event emoji_changed was never acknowledged" in slack.violations


async def _start(client: AsyncWebClient, root: str, missing: str = "") -> Json:
    whom = {"recipient_user_id": ANNA, "recipient_team_id": TEAM}
    whom.pop(missing, "")
    chunk = {"type": "task_update", "id": "1", "title": "Look", "status": "in_progress"}
    started = await client.chat_startStream(
        channel=GENERAL, thread_ts=root, chunks=[{**chunk, "details": "slow"}], **whom
    )
    return {"channel": GENERAL, "ts": started["ts"]}


async def test_a_stream_grows_and_takes_edits_only_when_it_is_over(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    root = slack.people.say("look")
    place = await _start(client, root)
    done = {"type": "task_update", "id": "1", "title": "Looked", "status": "complete"}

    with pytest.raises(SlackApiError, match="streaming_state_conflict"):
        await client.chat_update(**place, text="x")
    with pytest.raises(SlackApiError, match="cant_delete_message"):
        await client.chat_delete(**place)
    await client.chat_appendStream(**place, chunks=[{**done, "details": "ly"}])
    with pytest.raises(SlackApiError, match="streaming_mode_mismatch"):
        await client.chat_appendStream(**place, markdown_text="x")
    await client.chat_stopStream(**place)
    with pytest.raises(SlackApiError, match="message_not_in_streaming_state"):
        await client.chat_appendStream(**place, chunks=[done])
    (card,) = slack.said(GENERAL, root)[0].body["blocks"][0]["tasks"]
    await client.chat_update(**place, text="edited")

    assert (card["title"], card["status"]) == ("Looked", "complete")
    assert "slowly" in repr(card["details"])
    assert [m.text for m in slack.said(GENERAL, root)] == ["edited"]
    assert slack.violations == []


@pytest.mark.parametrize("missing", ["recipient_user_id", "recipient_team_id"])
async def test_a_stream_in_a_channel_needs_a_recipient(
    slack: SlackServer, client: AsyncWebClient, missing: str
) -> None:
    root = slack.people.say("look")

    with pytest.raises(SlackApiError, match=f"missing_{missing}"):
        await _start(client, root, missing)


async def test_slack_ends_a_stream_after_some_minutes(
    slack: SlackServer, client: AsyncWebClient
) -> None:
    root = slack.people.say("look")
    place = await _start(client, root)
    slack.streams.now = lambda: read_clock() + 307

    with pytest.raises(SlackApiError, match="message_not_in_streaming_state"):
        await client.chat_stopStream(**place)
    assert slack.streams.expired == [place["ts"]]
    assert slack.streams.sessions == {(GENERAL, root): "processing"}


@pytest.mark.parametrize(
    "chunk",
    [
        {"type": "task_update", "id": "1", "title": "x", "status": "done"},
        {"type": "task_update", "id": "1", "title": "x" * 257, "status": "complete"},
        {"type": "plan_update", "title": "x", "status": "complete"},
        {"type": "blocks", "blocks": [{"type": "section"}]},
        {"type": "nothing"},
    ],
)
async def test_a_chunk_that_slack_would_not_like_is_refused(
    slack: SlackServer, client: AsyncWebClient, chunk: Json
) -> None:
    place = await _start(client, slack.people.say("look"))

    with pytest.raises(SlackApiError, match="invalid_chunks"):
        await client.chat_appendStream(**place, chunks=[chunk])
    assert slack.violations
