"""What is heard in a workspace, and what is not."""

import asyncio
from dataclasses import replace

import pytest

from pipeline.domain import Answer, Answered, Audience, Blob, Person, Turn
from pipeline.errors import ChatError, FetchError, NotAllowed
from tests.adapters.slack.runs import two_files, whole
from tests.adapters.slack.stage import BOT, Stage
from tests.fakes.events import one_by_one
from tests.servers.slack.chat import message_event
from tests.servers.slack.faults import Broken, Fault, Limited, Lost, Refused
from tests.servers.slack.people import Sent
from tests.servers.slack.workspace import ANNA, ANNAS_DM, BEN, GENERAL, RANDOM, SECRET, TEAM, Json
from tests.words import english

PICTURE = Sent("cat.png", "image/png", b"PNG a cat")
SOUND = Sent("meow.wav", "audio/wav", b"RIFF a meow", subtype="slack_audio")


async def test_a_mention_with_two_files_is_heard_with_names_in_place_of_ids(stage: Stage) -> None:
    text = f"{BOT} ask <@{BEN}> in <#{RANDOM}> about <https://x.y|this> &amp; that :party:"
    ts = stage.slack.people.say(text, files=(PICTURE, SOUND))

    message, _ = await stage.listener.next()
    await stage.slack.settled()

    assert message.text == "ask @ben in #random about this (https://x.y) & that :party:"
    assert [link.name for link in message.files] == ["cat.png", "meow.wav"]
    assert (message.id, message.thread.root) == (ts, ts)
    assert message.thread.channel.key == f"slack:{TEAM}:{GENERAL}"
    assert (message.person.id, message.person.name, message.person.locale) == (
        ANNA,
        "anna",
        "en-GB",
    )
    assert message.addressing.mentioned
    assert message.addressing.audience is Audience.WORKSPACE
    assert message.person.roles == {"admin"}
    assert message.addressing.others_mentioned
    assert len(stage.listener.received) == 1


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("<http://notes.md|notes.md>", "notes.md"),
        ("<http://x.y/cat.png|x.y/cat.png>", "http://x.y/cat.png"),
        ("<https://x.y/?a=1&amp;b=2>", "https://x.y/?a=1&b=2"),
        ("<https://x.y|https://x.y>", "https://x.y"),
        ("<mailto:a@x.y|a@x.y>", "a@x.y"),
        ("<tel:+4930|+49 30>", "+49 30"),
    ],
)
async def test_what_slack_makes_a_link_of_is_read_as_it_was_typed(
    stage: Stage, sent: str, read: str
) -> None:
    await stage.mention(f"read {sent}")

    assert stage.listener.received[0][0].text == f"read {read}"


async def test_a_follow_up_in_a_thread_and_a_direct_message_say_how_they_concern_the_bot(
    stage: Stage,
) -> None:
    root = stage.slack.people.say("hello all")
    await stage.listener.next(1)
    stage.slack.people.say("and now the second one", thread=root)
    follow_up, _ = await stage.listener.next(2)
    stage.slack.people.say("just between us", channel=ANNAS_DM)
    direct, _ = await stage.listener.next(3)
    stage.slack.people.say(f"<@{BEN}> what do you think?", thread=root)
    other, _ = await stage.listener.next(4)

    assert follow_up.thread.root == root
    assert not follow_up.addressing.mentioned
    assert direct.addressing.direct
    assert direct.addressing.audience is Audience.CHANNEL
    assert direct.thread.root == direct.id
    assert other.addressing.others_mentioned
    assert not other.addressing.mentioned


async def test_a_reply_below_a_post_of_the_bot_need_not_be_for_it(stage: Stage) -> None:
    await stage.slack.people.command("draw a cat")
    await stage.slack.until(lambda: stage.listener.invocations)
    root = stage.listener.invocations[0].thread.root
    stage.slack.people.say("lol nice", by=BEN, thread=root)

    message, _ = await stage.listener.next()

    assert message.addressing.is_overheard


async def test_a_private_channel_keeps_to_itself(stage: Stage) -> None:
    stage.slack.people.say(f"{BOT} hello", channel=SECRET)

    message, _ = await stage.listener.next()

    assert message.addressing.audience is Audience.CHANNEL


async def test_every_event_delivered_three_times_is_heard_once(stage: Stage) -> None:
    stage.slack.people.times = 3

    ts = stage.slack.people.say(f"{BOT} once", files=(PICTURE,))
    await stage.slack.settled()
    stage.slack.people.edit(GENERAL, ts, f"{BOT} twice")
    stage.slack.people.delete(GENERAL, ts)
    await stage.slack.settled()

    assert len(stage.listener.received) == 1
    assert [edit.text for edit in stage.listener.edits] == ["twice"]
    assert [message for _, message in stage.listener.deletions] == [ts]


async def test_deleting_the_root_of_a_thread_leaves_a_tombstone_and_is_heard(stage: Stage) -> None:
    root = stage.slack.people.say(f"{BOT} hello")
    stage.slack.people.say("a reply", thread=root)
    await stage.slack.settled()

    stage.slack.people.delete(GENERAL, root)
    await stage.slack.settled()

    ((thread, message),) = stage.listener.deletions
    assert (thread.root, message) == (root, root)
    assert stage.listener.edits == []


async def test_a_message_that_comes_after_its_deletion_is_not_taken(stage: Stage) -> None:
    stage.slack.delivery.subscribed = set()
    ts = stage.slack.people.say(f"{BOT} hello")
    await stage.slack.settled()
    message = stage.slack.space.channels[GENERAL].messages[ts]
    stage.slack.delivery.subscribed = None

    stage.slack.people.delete(GENERAL, ts)
    await stage.slack.settled()
    stage.slack.people.tell(message_event(stage.slack.space, message))
    await stage.slack.settled()

    assert [deleted for _, deleted in stage.listener.deletions] == [ts]
    assert stage.listener.received == []


async def test_the_deletion_of_an_answer_is_told_with_its_run(stage: Stage) -> None:
    run = await stage.mention("what is this?")
    message, _ = stage.listener.received[0]
    await stage.chat.follow(message, run, one_by_one(*whole(run, "It is a **cat**.")))
    (answer,) = stage.slack.said(GENERAL, message.thread.root)
    stage.slack.people.delete(GENERAL, answer.ts)
    await stage.slack.settled()

    assert stage.listener.retracted == [run]
    assert stage.listener.deletions == []


async def test_the_deletion_of_an_answer_with_replies_is_told_with_its_run(stage: Stage) -> None:
    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]
    stage.slack.space.locked.add(message.thread.root)
    events = whole(run, "Here.", await two_files(stage))
    await stage.chat.follow(message, run, one_by_one(*events))
    answer = next(
        said
        for said in stage.slack.space.channels[GENERAL].messages.values()
        if said.text == "Here."
    )
    stage.slack.people.delete(GENERAL, answer.ts)
    await stage.slack.settled()

    assert answer.body["subtype"] == "tombstone"
    assert stage.listener.retracted == [run]
    assert (stage.listener.edits, stage.listener.deletions) == ([], [])


@pytest.mark.parametrize("text", [f"{BOT} look", ""])
async def test_a_file_that_is_deleted_is_no_part_of_its_message_any_more(
    stage: Stage, text: str
) -> None:
    ts = stage.slack.people.say(text, channel=ANNAS_DM, files=(PICTURE,))
    message, _ = await stage.listener.next()
    stage.slack.people.delete_file(ANNAS_DM, ts)
    await stage.slack.settled()

    assert [edit.files for edit in stage.listener.edits] == ([()] if text else [])
    assert stage.listener.deletions == ([] if text else [(message.thread, ts)])


async def test_a_preview_that_slack_adds_is_no_edit(stage: Stage) -> None:
    ts = stage.slack.people.say(f"{BOT} see https://example.org")
    await stage.slack.settled()

    stage.slack.people.unfurl(GENERAL, ts)
    await stage.slack.settled()

    assert stage.listener.edits == []


async def test_events_of_no_interest_are_acknowledged_all_the_same(stage: Stage) -> None:
    for kind in ("team_join", "emoji_changed", "reaction_added", "something_new"):
        stage.slack.people.tell({"type": kind, "user": ANNA, "event_ts": "1763654400.000100"})
    await stage.slack.settled()

    assert len(stage.slack.delivery.attempts) == 4


async def test_a_heard_mention_is_acknowledged_before_anything_is_done(stage: Stage) -> None:
    run = await stage.mention("hello")
    await stage.slack.until(lambda: stage.slack.space.statuses)

    (status,) = stage.slack.space.statuses
    assert status["thread_ts"] == stage.listener.received[0][0].thread.root
    assert run


@pytest.mark.parametrize("speaker", [ANNA, BEN])
async def test_in_a_thread_only_who_was_answered_last_sees_that_a_follow_up_was_taken(
    stage: Stage, speaker: str
) -> None:
    run = await stage.mention("draw a cat")
    message, _ = stage.listener.received[0]
    await stage.slack.until(lambda: stage.slack.space.statuses)
    for author, key in ((message.person, message.key), (Person("U1", "bot", is_bot=True), run)):
        turn = Turn(key=key, person=author, text="said", files=(), at=message.at)
        await stage.store.log(message.thread, turn)
    stage.slack.people.say("bigger", thread=message.thread.root, by=speaker)
    follow_up, second = await stage.listener.next(2)
    await stage.slack.settled()

    statuses = stage.slack.space.statuses
    taken = [each["status"] for each in statuses[1:]]
    silent = Answered(Answer(second, "", is_silent=True))
    await stage.chat.follow(follow_up, second, one_by_one(silent))

    assert len(taken) == (speaker == ANNA)
    assert [each["status"] for each in statuses[1:]] == [*taken, *[""] * len(taken)]


async def test_where_there_is_no_status_eyes_are_shown_and_closed_at_the_end(stage: Stage) -> None:
    stage.slack.faults.once("assistant.threads.setStatus", Refused("not_allowed"))
    run = await stage.mention("hello")
    message, _ = stage.listener.received[0]
    await stage.slack.until(lambda: any(stage.slack.space.reactions.values()))

    await stage.chat.follow(message, run, one_by_one())

    await stage.slack.until(lambda: not any(stage.slack.space.reactions.values()))


async def test_who_may_not_is_told_so_and_nobody_else(stage: Stage) -> None:
    stage.listener.refuses = NotAllowed("not-allowed")

    stage.slack.people.say(f"{BOT} hello")
    await stage.slack.until(lambda: stage.slack.space.ephemerals)

    assert stage.slack.space.ephemerals[0]["user"] == ANNA


async def test_authors_are_looked_up_at_once_and_their_messages_stay_in_order(
    stage: Stage,
) -> None:
    calls, people = stage.slack.calls, stage.slack.people
    held = calls.held["users.info"] = asyncio.Event()
    people.say(f"{BOT} one", by=ANNA)
    people.say(f"{BOT} two", by=BEN)
    await stage.slack.until(lambda: calls.count("users.info") == 2)
    held.set()

    await stage.listener.next(2)

    said = [(message.text, message.person.name) for message, _ in stage.listener.received]
    assert said == [("one", "anna"), ("two", "ben")]
    await stage.slack.settled()
    assert calls.count("users.info") == 2


@pytest.mark.parametrize("fault", [Broken(), Limited(), Lost()])
async def test_who_may_not_is_told_so_when_slack_fails_for_a_moment(
    stage: Stage, fault: Fault
) -> None:
    stage.listener.refuses = NotAllowed("not-allowed")
    stage.slack.faults.once("chat.postEphemeral", fault)

    stage.slack.people.say(f"{BOT} hello")

    told = english("not-allowed")
    await stage.slack.until(lambda: told in repr(stage.slack.space.ephemerals[-1:]))
    await stage.slack.settled()


async def test_who_may_not_is_told_so_in_a_direct_message_if_need_be(stage: Stage) -> None:
    stage.listener.refuses = NotAllowed("not-allowed")
    stage.slack.faults.once("chat.postEphemeral", Refused("user_not_in_channel"))

    stage.slack.people.say(f"{BOT} hello")

    direct = stage.slack.space.channels[ANNAS_DM].messages
    await stage.slack.until(lambda: direct)
    assert english("not-allowed") in [*direct.values()][-1].text


async def test_names_that_cannot_be_had_go_by_their_id(stage: Stage) -> None:
    stage.slack.faults.withheld_scopes.update({"users:read", "channels:read"})

    await stage.mention(f"ask <@{BEN}> in <#{RANDOM}>")

    message, _ = stage.listener.received[0]
    assert message.text == f"ask @{BEN} in #{RANDOM}"
    assert message.person.name == ANNA


async def test_an_alert_of_another_app_is_heard_with_what_is_attached(stage: Stage) -> None:
    space = stage.slack.space
    alert = {"type": "message", "subtype": "bot_message", "bot_id": "B0OTHER01", "text": ""}
    alert |= {"ts": space.next_ts(), "channel": GENERAL, "username": "pager"}
    stage.slack.people.tell({**alert, "attachments": [{"fallback": "disk full"}]})

    message, _ = await stage.listener.next()

    assert message.text == "> disk full"
    assert (message.person.name, message.person.is_bot) == ("pager", True)


async def test_files_come_down_with_the_token(stage: Stage) -> None:
    stage.slack.people.say(f"{BOT} look", files=(PICTURE, SOUND))
    message, _ = await stage.listener.next()

    blobs = [await stage.chat.download(link) for link in message.files]

    assert [(blob.name, blob.data) for blob in blobs] == [
        ("cat.png", b"PNG a cat"),
        ("meow.wav", b"RIFF a meow"),
    ]


async def test_the_stub_of_a_shared_channel_is_looked_up(stage: Stage) -> None:
    stub = Sent("cat.png", "image/png", b"PNG a cat", stub=True)
    stage.slack.people.say(f"{BOT} look", files=(stub,))
    message, _ = await stage.listener.next()

    blob = await stage.chat.download(message.files[0])

    assert blob == Blob(b"PNG a cat", "image/png", "cat.png")


@pytest.mark.parametrize("odd", ["html", "elsewhere", "huge", "cut"])
async def test_a_file_that_is_not_what_it_should_be_is_refused(stage: Stage, odd: str) -> None:
    stage.slack.people.say(f"{BOT} look", files=(Sent("a.png", "image/png", b"PNG", odd=odd),))
    message, _ = await stage.listener.next()

    with pytest.raises(FetchError):
        await stage.chat.download(message.files[0])

    assert stage.slack.files.bytes_sent < 1_000_000_000


@pytest.mark.parametrize(
    ("media_type", "content", "read"),
    [
        ("text/plain", b"<html> begins a page", b"<html> begins a page"),
        ("application/vnd.slack-docs", b"<h1>Plan</h1>", b"<!DOCTYPE html><h1>Plan</h1>"),
    ],
)
async def test_a_text_about_html_and_a_canvas_are_read(
    stage: Stage, media_type: str, content: bytes, read: bytes
) -> None:
    stage.slack.people.say(f"{BOT} look", files=(Sent("plan", media_type, content),))
    message, _ = await stage.listener.next()

    assert (await stage.chat.download(message.files[0])).data == read


async def test_a_canvas_that_is_a_sign_in_page_is_refused(stage: Stage) -> None:
    plan = Sent("plan", "application/vnd.slack-docs", b"<h1>Plan</h1>", odd="html")
    stage.slack.people.say(f"{BOT} look", files=(plan,))
    message, _ = await stage.listener.next()

    with pytest.raises(FetchError) as refused:
        await stage.chat.download(message.files[0])

    assert refused.value.sentence.id == "slack-file-sign-in"


async def test_a_file_that_lies_at_another_service_is_explained_as_such(stage: Stage) -> None:
    address = stage.slack.files.base.replace("127.0.0.1", "localhost") + "/elsewhere"
    plan = Sent("plan.pdf", "application/pdf", b"", mode="external", address=address)
    stage.slack.people.say(f"{BOT} look", files=(plan,))
    message, _ = await stage.listener.next()

    with pytest.raises(FetchError) as refused:
        await stage.chat.download(message.files[0])

    assert refused.value.sentence.id == "slack-file-elsewhere"
    assert refused.value.sentence.args == {"name": "plan.pdf", "host": "localhost"}


async def test_called_into_a_thread_the_bot_can_read_what_came_before(stage: Stage) -> None:
    root = stage.slack.people.say("what a cat", files=(PICTURE,))
    for number in range(30):
        stage.slack.people.say(f"reply {number}", thread=root, by=BEN)
    await stage.slack.settled()
    stage.slack.reading.page = 7
    message = stage.listener.received[-1][0]

    earlier = await stage.chat.history(message.thread, before=message.id, most=50)

    assert [each.text for each in earlier] == ["what a cat", *(f"reply {n}" for n in range(29))]
    assert [link.name for link in earlier[0].files] == ["cat.png"]


async def test_a_thread_that_the_bot_began_itself_is_not_read(stage: Stage) -> None:
    root = stage.slack.people.say("anna asked: draw a cat")
    await stage.slack.settled()
    stage.ledger.receipts["run-1:asked"] = root
    thread = stage.listener.received[-1][0].thread

    assert await stage.chat.history(thread, before="9", most=50) == ()
    assert stage.slack.calls.count("conversations.replies") == 0


async def test_what_stands_above_a_mention_in_its_channel_can_be_read(stage: Stage) -> None:
    people = stage.slack.people
    for number in range(4):
        people.say(f"above {number}", by=BEN)
    picture = people.say("what a cat", files=(PICTURE,))
    begun = people.say("another", files=(PICTURE,))
    people.say("in a thread", thread=begun)
    people.say(f"{BOT} so?")
    people.say("below")
    await stage.slack.settled()
    heard = (message for message, _ in stage.listener.received)
    message = next(each for each in heard if each.addressing.mentioned)
    channel = replace(message.thread, root="")

    above = await stage.chat.history(channel, before=message.id, most=4)
    latest = await stage.chat.history(channel, before="ask-1", most=1)

    texts = ["above 2", "above 3", "what a cat", "another"]
    assert [each.text for each in above] == texts
    assert [each.thread.root for each in above[2:]] == [picture, begun]
    assert [bool(each.files) for each in above[2:]] == [True, False]
    assert [each.text for each in latest] == ["below"]


async def test_a_limit_of_slack_on_reading_a_channel_is_not_waited_for(stage: Stage) -> None:
    await stage.mention("so?")
    message, _ = stage.listener.received[0]
    stage.slack.faults.once("conversations.history", Limited(30))

    with pytest.raises(ChatError):
        await stage.chat.history(replace(message.thread, root=""), before=message.id, most=4)


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("events_api", {"event": {"type": "message", "text": "no channel, no time"}}),
        ("events_api", {"event": {"type": "message", "subtype": "message_changed"}}),
        ("events_api", {"event": {"type": "message", "subtype": "message_deleted"}}),
        ("interactive", {"type": "block_actions", "team": {"id": TEAM}}),
        ("interactive", {"type": "view_submission", "team": {}, "user": {}, "view": {}}),
        ("interactive", {"type": "shortcut", "callback_id": "other", "user": {"id": ANNA}}),
        ("interactive", {"type": "message_action", "callback_id": "x", "user": {"id": ANNA}}),
        ("slash_commands", {"command": "/other", "user_id": ANNA, "channel_id": GENERAL}),
    ],
)
async def test_what_cannot_be_read_is_acknowledged_and_harms_nothing(
    stage: Stage, kind: str, payload: Json
) -> None:
    typed = {"type": "event_callback", **payload} if kind == "events_api" else payload

    acknowledgement = await stage.slack.socket.send(kind, {"team_id": TEAM, **typed}, 0, "")
    run = await stage.mention("still there?")

    assert acknowledgement is not None
    assert run


async def test_an_admin_of_another_workspace_is_none_here(stage: Stage) -> None:
    stage.slack.space.people[ANNA] |= {"is_stranger": True}

    await stage.mention("settings mention always")

    (message, _) = stage.listener.received[0]
    assert message.person.roles == frozenset()
