"""Payloads that are rare, incomplete or easily misunderstood."""

import asyncio

import pytest

from pipeline.domain import Action, Answer, Answered, AnswerPart
from tests.adapters.slack.runs import PLANNED, two_files, whole
from tests.adapters.slack.stage import BOT, Stage, listening
from tests.adapters.slack.test_connection import served
from tests.fakes.events import Told, one_by_one
from tests.servers.slack import SlackServer
from tests.servers.slack.faults import Refused
from tests.servers.slack.workspace import ANNA, APP, BEN, GENERAL, TEAM, Json
from tests.words import english

PASSED_ON = {"is_share": True, "from_url": "https://x.slack.com/a", "text": f"{BOT} <@{BEN}> draw"}


def _told(stage: Stage, **more: object) -> str:
    """A message that comes with whatever else there is in it; its ts."""
    ts = stage.slack.space.next_ts()
    event = {"type": "message", "channel": GENERAL, "user": ANNA, "text": "hello", "ts": ts}
    stage.slack.people.tell({**event, "event_ts": ts, **more})
    return ts


async def test_a_mention_in_what_is_passed_on_calls_nobody(stage: Stage) -> None:
    _told(stage, text="see this", attachments=[PASSED_ON])

    message, _ = await stage.listener.next()

    assert "> @" in message.text
    assert not message.addressing.mentioned
    assert not message.addressing.others_mentioned


async def test_a_preview_of_a_message_with_files_is_no_edit(stage: Stage) -> None:
    ts = stage.slack.people.say("hello")
    await stage.listener.next()
    old = {"type": "message", "user": ANNA, "text": "hello", "ts": ts}
    file = {"id": "F0PREVIEW1", "name": "a.png", "mimetype": "image/png", "size": 3}
    preview = {"from_url": "https://x.slack.com/a", "is_msg_unfurl": True, "files": [file]}
    for new in (old | {"attachments": [preview]}, old | {"attachments": [{"is_app_unfurl": True}]}):
        _told(stage, subtype="message_changed", message=new, previous_message=old)
    await stage.slack.settled()

    assert stage.listener.edits == []


@pytest.mark.parametrize(("edited", "edits"), [({}, 0), ({"user": ANNA, "ts": "1.2"}, 1)])
async def test_a_change_without_what_was_before_is_an_edit_if_somebody_edited(
    stage: Stage, edited: Json, edits: int
) -> None:
    ts = stage.slack.people.say("hello")
    new = {"type": "message", "user": ANNA, "text": "hello", "ts": ts, "edited": edited}
    _told(stage, subtype="message_changed", message=new, user=None)
    await stage.slack.settled()

    assert len(stage.listener.edits) == edits


@pytest.mark.parametrize("who", [{"user": "USLACKBOT"}, {"bot_id": "B0OTHER01", "user": BEN}])
async def test_what_a_bot_says_is_a_bot_s_even_when_it_cannot_be_asked_for(
    stage: Stage, who: Json
) -> None:
    stage.slack.faults.withheld_scopes.add("users:read")
    _told(stage, **who)

    message, _ = await stage.listener.next()

    assert message.person.is_bot


async def test_a_click_that_names_its_channel_in_the_container_only_is_taken(stage: Stage) -> None:
    root = stage.slack.people.say("hello")
    ts = stage.slack.people.say("and more", thread=root)
    container = {"type": "message", "message_ts": ts, "channel_id": GENERAL, "thread_ts": root}
    button = {"type": "button", "action_id": "troupe:stop", "value": "run-1", "action_ts": ts}
    click: Json = {"type": "block_actions", "api_app_id": APP, "team": {"id": TEAM}}
    click |= {"user": {"id": ANNA, "team_id": TEAM}, "trigger_id": "1.2", "actions": [button]}
    await stage.slack.delivery.interaction({**click, "container": container})
    await stage.slack.until(lambda: stage.listener.presses)

    (press,) = stage.listener.presses
    assert (press.action, press.thread.root) == (Action.STOP, root)


@pytest.mark.parametrize("method", ["files.getUploadURLExternal", "files.completeUploadExternal"])
async def test_where_a_workspace_takes_no_files_the_person_is_told_why(
    stage: Stage, method: str
) -> None:
    stage.slack.faults.once(method, Refused("file_uploads_disabled"))
    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]

    files = await two_files(stage)
    await stage.chat.follow(message, run, one_by_one(*whole(run, "Here.", files)))

    last = stage.slack.said(GENERAL, message.thread.root)[-1].text
    assert english("slack-refused", method=method, code="file_uploads_disabled") in last
    assert "cat.png was left out" in last


@pytest.mark.parametrize("text", [">", "[a]: https://x.y", "[]()", "&nbsp;"])
async def test_words_of_which_nothing_can_be_seen_are_no_answer_and_no_progress(
    stage: Stage, text: str
) -> None:
    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]
    events = Told()
    async with asyncio.TaskGroup() as group:
        group.create_task(stage.chat.follow(message, run, aiter(events)))
        events.tell(*PLANNED, AnswerPart(text))
        await stage.slack.until(lambda: stage.slack.said(GENERAL, message.thread.root))
        events.tell(Answered(Answer(run, text)), None)

    (answer,) = stage.slack.said(GENERAL, message.thread.root)
    assert answer.text
    assert answer.text != text


async def test_an_old_style_click_is_acknowledged(stage: Stage) -> None:
    payload = {"type": "interactive_message", "team_id": TEAM, "user": {"id": ANNA}}

    assert await stage.slack.socket.send("interactive", payload, 0, "") is not None


async def test_over_http_somebody_else_s_lost_token_ends_nothing(slack: SlackServer) -> None:
    stage = Stage(slack, http=True)
    async with served(stage) as target, listening(stage):
        slack.delivery.target = target
        for _ in range(2):
            slack.people.tell({"type": "tokens_revoked", "tokens": {"oauth": [ANNA], "bot": []}})
            await slack.settled()
        run = await stage.mention("still there?")

    assert run


async def test_a_number_too_long_for_a_character_is_only_text(stage: Stage) -> None:
    words = "&amp;#" + "1" * 5_000 + ";"
    _told(stage, text=words)

    message, _ = await stage.listener.next()

    assert message.text == words.replace("&amp;", "&")
