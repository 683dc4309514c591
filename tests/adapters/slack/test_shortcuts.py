"""Shortcuts: the wishes in the menu of each message."""

import asyncio

import pytest

from adapters.slack.acting.shortcuts import describe_shortcuts
from adapters.slack.connecting.manifest import make_manifest
from pipeline.domain import Invocation, Reply
from tests.adapters.slack.stage import COMMANDS, Stage, listening
from tests.adapters.slack.test_connection import served
from tests.fakes.chat import FakeListener
from tests.fakes.hanging import HangingListener
from tests.servers.slack import SlackServer
from tests.servers.slack.people import Sent
from tests.servers.slack.workspace import ANNA, BEN, BOT_USER, GENERAL
from tests.words import english

REPORT = "Sales rose &amp; costs fell."


async def choose(stage: Stage, name: str, ts: str, *, by: str = ANNA) -> None:
    """Choose an entry in the menu of a message, under the name that the manifest gives it."""
    (callback,) = [each["callback_id"] for each in describe_shortcuts() if each["name"] == name]
    await stage.slack.people.shortcut(callback, GENERAL, ts, by=by)


async def find_invocations(stage: Stage, number: int = 1) -> list[Invocation]:
    await stage.listener.next_commands(number)
    await stage.slack.settled()
    assert len(stage.listener.invocations) == number
    return stage.listener.invocations


def quotes(stage: Stage, root: str) -> list[str]:
    return [message.text for message in stage.slack.said(GENERAL, root)]


@pytest.fixture
async def silent(stage: Stage) -> Stage:
    """A stage whose listener starts a run and says nothing."""
    stage.listener.reply = Reply("")
    return stage


async def test_a_wish_is_a_request_about_the_message_in_its_thread(silent: Stage) -> None:
    ts = silent.slack.people.say(REPORT, by=BEN)

    await choose(silent, "Translate", ts)

    (invocation,) = await find_invocations(silent)
    wish = english("menu-translate-wish")
    assert (invocation.command, invocation.person.id) == ("ask", ANNA)
    assert invocation.args == {"text": f'{wish}\n\n"Sales rose & costs fell."'}
    assert invocation.thread.root == ts
    assert invocation.alone
    assert quotes(silent, ts) == [f"anna asks: {wish}"]


async def test_a_wish_takes_the_files_of_the_message_as_they_are_taken_from_messages(
    silent: Stage,
) -> None:
    sent = Sent("cat.png", "image/png", b"PNG picture")
    root = silent.slack.people.say("hello")
    ts = silent.slack.people.say("", thread=root, files=(sent,))

    await choose(silent, "Describe", ts)

    (invocation,) = await find_invocations(silent)
    (file,) = invocation.files
    assert invocation.thread.root == root
    assert invocation.args == {"text": english("menu-describe-wish")}
    assert (await silent.chat.download(file)).data == b"PNG picture"


async def test_a_wish_is_about_the_words_or_about_the_file(silent: Stage) -> None:
    sent = Sent("cat.png", "image/png", b"PNG picture")
    ts = silent.slack.people.say("It rains.", files=(sent,))

    await choose(silent, "Read aloud", ts)
    await find_invocations(silent)
    await choose(silent, "Describe", ts)
    await choose(silent, "Transcribe", ts)
    await silent.slack.until(lambda: silent.slack.space.responses)

    read, described = await find_invocations(silent, 2)
    assert (read.args["text"], read.files) == (f'{english("menu-read-wish")}\n\n"It rains."', ())
    assert described.args["text"] == english("menu-describe-wish")
    assert len(described.files) == 1
    (reply,) = silent.slack.space.responses
    assert reply["text"] == english("menu-transcribe-none")


async def test_a_thread_is_summarized_as_a_whole_and_a_lone_message_by_itself(
    silent: Stage,
) -> None:
    root = silent.slack.people.say("Where do we eat?")
    silent.slack.people.say("At Luigi's.", thread=root, by=BEN)
    lone = silent.slack.people.say(REPORT)

    await choose(silent, "Summarize thread", root)
    await find_invocations(silent)
    await choose(silent, "Summarize thread", lone)

    texts = [each.args["text"] for each in await find_invocations(silent, 2)]
    alone = english("menu-summarize-wish")
    assert texts == [english("menu-thread-wish"), f'{alone}\n\n"Sales rose & costs fell."']


async def test_a_double_click_is_one_run_and_two_people_make_two(silent: Stage) -> None:
    ts = silent.slack.people.say(REPORT)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(choose(silent, "Read aloud", ts))
        tasks.create_task(choose(silent, "Read aloud", ts))
    await choose(silent, "Read aloud", ts, by=BEN)
    await choose(silent, "Translate", ts)

    people = sorted(each.person.name for each in await find_invocations(silent, 3))
    assert people == ["anna", "anna", "ben"]


async def test_where_the_bot_is_not_the_person_is_told_privately_how_to_invite_it(
    silent: Stage,
) -> None:
    ts = silent.slack.people.say(REPORT)
    silent.slack.space.channels[GENERAL].members.discard(BOT_USER)

    await choose(silent, "Read aloud", ts)
    await silent.slack.until(lambda: silent.slack.space.responses)

    (reply,) = silent.slack.space.responses
    assert (reply["text"], reply["response_type"]) == (english("slack-not-in-channel"), "ephemeral")
    assert silent.listener.invocations == []


async def test_a_wish_comes_over_http_too(slack: SlackServer) -> None:
    stage = Stage(slack, FakeListener(commands=COMMANDS, reply=Reply("")), http=True)
    async with served(stage) as target, listening(stage):
        slack.delivery.target = target
        ts = slack.people.say(REPORT)
        await stage.listener.next()  # from now on it listens

        await choose(stage, "Read aloud", ts)

        (invocation,) = await find_invocations(stage)
        assert invocation.thread.root == ts


async def test_a_wish_that_a_restart_interrupts_is_one_request_with_one_quote(
    slack: SlackServer,
) -> None:
    stage = Stage(slack, HangingListener(commands=COMMANDS))
    async with listening(stage):
        ts = slack.people.say(REPORT)
        await choose(stage, "Read aloud", ts)
        await stage.listener.reached.wait()  # type: ignore[attr-defined]
    stage.listener = FakeListener(commands=COMMANDS)

    for _ in range(2):
        async with listening(stage.again()):
            await slack.until(lambda: slack.space.responses)
            await slack.settled()

    assert len(stage.listener.invocations) == 1
    assert quotes(stage, ts) == [f"anna asks: {english('menu-read-wish')}"]


def test_the_manifest_has_five_shortcuts_about_messages_at_most() -> None:
    shortcuts = make_manifest(COMMANDS)["features"]["shortcuts"]

    assert len([each for each in shortcuts if each["type"] == "message"]) == 5
    assert all(len(each["name"]) <= 24 for each in shortcuts)
    assert all(0 < len(each["description"]) <= 150 for each in shortcuts)
    assert len({each["callback_id"] for each in shortcuts}) == len(shortcuts)
