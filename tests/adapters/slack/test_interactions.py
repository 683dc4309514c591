"""Commands and clicks between their acknowledgement and their answer."""

import asyncio

import pytest

from adapters.slack.web_api.limits import SlackLimits
from pipeline.domain import Action, Answer, Answered
from tests.adapters.slack.runs import PLANNED
from tests.adapters.slack.stage import Stage, listening
from tests.fakes.chat import FakeListener
from tests.fakes.events import one_by_one
from tests.fakes.hanging import HangingInteractions, HangingListener
from tests.fakes.persistence import FakeInteractions
from tests.servers.slack import SlackServer
from tests.servers.slack.faults import Broken
from tests.servers.slack.workspace import GENERAL


async def settle(slack: SlackServer, interactions: FakeInteractions) -> None:
    """Wait until no interaction is pending, and Slack got its acknowledgements."""
    async with asyncio.timeout(10):
        while await interactions.list_pending("slack"):  # noqa: ASYNC110 - the table
            await asyncio.sleep(0.01)
    await slack.settled()


@pytest.mark.parametrize("is_late", [False, True])
async def test_killed_while_it_is_carried_out_a_command_is_answered_once(
    slack: SlackServer, *, is_late: bool
) -> None:
    listener = HangingListener(commands=Stage(slack).listener.commands, is_late=is_late)
    stage = Stage(slack, listener)
    async with listening(stage):
        await slack.people.command("models")
        await listener.reached.wait()
    stage.listener = FakeListener(commands=listener.commands)

    for _ in range(2):
        async with listening(stage.again()):
            await slack.until(lambda: slack.space.responses)
            await settle(slack, stage.interactions)

    assert [each["text"] for each in slack.space.responses] == ["done"]


@pytest.mark.parametrize("moment", ["recorded", "sent"])
async def test_killed_about_the_reply_it_comes_once_and_the_command_is_not_repeated(
    slack: SlackServer, moment: str
) -> None:
    interactions = HangingInteractions(hangs=moment)
    stage = Stage(slack, interactions=interactions)
    async with asyncio.TaskGroup() as group, listening(stage):
        asking = group.create_task(slack.people.command("models"))
        await interactions.reached.wait()
        asking.cancel()
    interactions.hangs = ""

    for _ in range(2):
        async with listening(stage.again()):
            await slack.until(lambda: slack.space.responses)
            await settle(slack, stage.interactions)

    assert [each["text"] for each in slack.space.responses] == ["done"]
    assert len(stage.listener.invocations) == 1


async def test_a_reply_that_counts_as_sent_goes_out_with_the_acknowledgement_however_late(
    slack: SlackServer,
) -> None:
    interactions = HangingInteractions(hangs="sent")
    limits = SlackLimits(acknowledge_seconds=0.5)
    stage = Stage(slack, interactions=interactions, limits=limits)
    async with asyncio.TaskGroup() as group, listening(stage):
        asking = group.create_task(slack.people.command("models"))
        await interactions.reached.wait()
        await asyncio.sleep(0.6)  # longer than a reply is waited for
        interactions.released.set()
        await asking

    assert asking.result()["payload"]["text"] == "done"


async def test_killed_after_the_acknowledgement_a_click_is_answered_once(
    slack: SlackServer,
) -> None:
    interactions = HangingInteractions(hangs="recorded")
    stage = Stage(slack, interactions=interactions)
    async with listening(stage):
        run = await stage.mention("draw")
        message, _ = stage.listener.received[0]
        await stage.chat.follow(message, run, one_by_one(*PLANNED, Answered(Answer(run, "Hi."))))
        (answer,) = slack.said(GENERAL, message.thread.root)
        await slack.people.press(GENERAL, answer.ts, "troupe:up")
        await interactions.reached.wait()
    interactions.hangs = ""

    for _ in range(2):
        async with listening(stage.again()):
            await slack.until(lambda: slack.space.ephemerals)
            await settle(slack, stage.interactions)

    assert [each["text"] for each in slack.space.ephemerals] == ["done"]
    assert [press.action for press in stage.listener.presses] == [Action.UP]


async def test_the_message_of_a_request_stands_once_after_a_restart(slack: SlackServer) -> None:
    listener = HangingListener(commands=Stage(slack).listener.commands)
    stage = Stage(slack, listener)
    async with listening(stage):
        await slack.people.command("draw a cat")
        await listener.reached.wait()
    stage.listener = FakeListener(commands=listener.commands)

    async with listening(stage.again()):
        await slack.until(lambda: slack.space.responses)
        await slack.settled()

    (root,) = [m for m in slack.space.channels[GENERAL].messages.values() if m.by_bot]
    assert [each.thread.root for each in stage.listener.invocations] == [root.ts]


async def test_while_slack_is_down_a_command_waits(slack: SlackServer) -> None:
    quick = SlackLimits(most_edits=10_000, post_seconds=0.001, retry_seconds=0.001)
    async with listening(Stage(slack, limits=quick)) as stage:
        slack.faults.once("chat.postMessage", *(Broken() for _ in range(8)))
        await slack.people.command("draw a cat")
        await slack.until(lambda: stage.listener.invocations)

    assert [each.args for each in stage.listener.invocations] == [{"text": "draw a cat"}]
