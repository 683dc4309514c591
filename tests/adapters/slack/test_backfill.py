"""What was written, edited and deleted while the bot was away."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from pipeline.domain import Channel, Thread, Turn
from tests.adapters.slack.stage import BOT, Stage, listening
from tests.servers.slack import SlackServer
from tests.servers.slack.faults import Broken, Refused
from tests.servers.slack.workspace import ANNAS_DM, BEN, GENERAL, RANDOM, TEAM

DAY = 86_400


@dataclass
class Absence:
    """A bot that was there, and comes back to what happened meanwhile."""

    slack: SlackServer
    stage: Stage
    taken: list[str] = field(default_factory=list)

    async def begins(self) -> None:
        """The bot is there, hears something and goes."""
        async with listening(self.stage):
            first = self.slack.people.say(f"{BOT} hello")
            await self.stage.listener.next()
            await self.slack.settled()
            self.stage.threads.append((_thread(first), first))
        self.slack.delivery.subscribed = set()

    @asynccontextmanager
    async def ends(self) -> AsyncIterator[Stage]:
        """The bot is back, and has read up."""
        self.stage = self.stage.again()
        before, calls = len(self.stage.listener.received), self.slack.calls
        read = calls.count("users.conversations")
        async with listening(self.stage):
            await self.slack.until(lambda: calls.count("users.conversations") > read)
            await asyncio.sleep(1)
            self.taken = [m.id for m, _ in self.stage.listener.received[before:]]
            yield self.stage


@pytest.fixture
async def absence(slack: SlackServer) -> Absence:
    absence = Absence(slack, Stage(slack))
    await absence.begins()
    return absence


def _thread(root: str, channel: str = GENERAL) -> Thread:
    return Thread(Channel("slack", TEAM, channel), root)


async def test_what_was_said_meanwhile_is_taken_wherever_the_bot_is(absence: Absence) -> None:
    say = absence.slack.people.say
    ((root, _),) = absence.stage.threads
    said = [
        say("and now?", thread=root.root, by=BEN),
        say(f"{BOT} hello"),
        say(f"{BOT} hello", channel=RANDOM),
        say("just between us", channel=ANNAS_DM),
    ]
    other = say("lunch?", by=BEN)
    said += [other, say(f"{BOT} where?", thread=other)]

    async with absence.ends():
        assert sorted(absence.taken) == said


async def test_a_mention_is_found_behind_any_number_of_messages(absence: Absence) -> None:
    mention = absence.slack.people.say(f"{BOT} hello")
    for number in range(450):
        absence.slack.people.say(f"among people {number}", by=BEN)

    async with absence.ends():
        assert mention in absence.taken


async def test_a_reply_in_a_thread_from_before_is_taken(absence: Absence) -> None:
    root = absence.slack.space.channels[GENERAL].messages[absence.stage.threads[0][0].root]
    old = f"{int(root.ts[:10]) - 2 * DAY}.000100"
    root.body["ts"] = old
    absence.slack.space.channels[GENERAL].messages = {old: root}
    absence.stage.threads[:] = [(_thread(old), "the run of its answer")]
    reply = absence.slack.people.say("and now?", thread=old)

    async with absence.ends():
        assert absence.taken == [reply]


async def test_edits_and_deletions_are_told_and_what_stayed_is_not_taken_again(
    absence: Absence,
) -> None:
    people = absence.slack.people
    ((root, _),) = absence.stage.threads
    absence.slack.delivery.subscribed = None
    async with listening(absence.stage.again()) as stage:
        edited, gone = people.say(f"{BOT} cats"), people.say(f"{BOT} birds")
        await stage.listener.next(3)
        await absence.slack.settled()
        absence.stage.threads += [(_thread(ts), ts) for ts in (edited, gone)]
    absence.slack.delivery.subscribed = set()
    people.edit(GENERAL, edited, f"{BOT} dogs")
    people.delete(GENERAL, gone)

    async with absence.ends() as stage:
        assert [edit.text for edit in stage.listener.edits] == ["dogs"]
        assert stage.listener.deletions == [(_thread(gone), gone)]
        assert absence.taken == []
    assert root.root not in {gone, edited}


async def test_a_reply_that_was_deleted_meanwhile_is_forgotten(absence: Absence) -> None:
    ((thread, _),) = absence.stage.threads
    absence.slack.delivery.subscribed = None
    async with listening(absence.stage.again()) as stage:
        gone = absence.slack.people.say("a secret", thread=thread.root)
        message, _ = await stage.listener.next(2)
        await absence.slack.settled()
    absence.slack.delivery.subscribed = set()
    absence.stage.threads[:] = [(thread, gone)]
    absence.slack.people.delete(GENERAL, gone)

    absence.stage = absence.stage.again()
    turn = Turn(key=message.key, person=message.person, text=message.text, files=(), at=message.at)
    await absence.stage.ports.chat_log.log(thread, turn)
    before = absence.slack.calls.count("conversations.replies")
    async with listening(absence.stage) as stage:
        await absence.slack.until(
            lambda: absence.slack.calls.count("conversations.replies") > before
        )
        await asyncio.sleep(1)

    assert stage.listener.deletions == [(thread, gone)]


@pytest.mark.parametrize("method", ["users.conversations", "conversations.history"])
async def test_while_slack_is_down_nothing_counts_as_read(absence: Absence, method: str) -> None:
    mention = absence.slack.people.say(f"{BOT} hello", channel=RANDOM)
    absence.slack.faults.once(method, *[Broken()] * 40)
    async with absence.ends():
        assert absence.taken == []

    absence.slack.faults.waiting.clear()
    async with absence.ends():
        assert absence.taken == [mention]


async def test_a_channel_that_may_not_be_read_does_not_hold_up_the_others(
    absence: Absence,
) -> None:
    mention = absence.slack.people.say(f"{BOT} hello", channel=RANDOM)
    absence.slack.faults.once("conversations.history", Refused("missing_scope"))

    async with absence.ends():
        assert absence.taken == [mention]


async def test_what_was_said_before_the_first_start_is_left_alone(slack: SlackServer) -> None:
    slack.delivery.subscribed = set()
    slack.people.say(f"{BOT} hello")

    async with listening(Stage(slack)) as stage:
        await asyncio.sleep(1)
        assert stage.listener.received == []


async def test_nothing_counts_as_deleted_that_is_only_older_than_what_was_read(
    absence: Absence,
) -> None:
    absence.slack.reading.page = 15
    for number in range(310):
        absence.slack.people.say(f"among people {number}", by=BEN)

    async with absence.ends() as stage:
        assert stage.listener.deletions == []


async def test_nothing_counts_as_deleted_that_a_free_plan_hides(absence: Absence) -> None:
    ((thread, _),) = absence.stage.threads
    old = f"{int(thread.root[:10]) - 91 * DAY}.000100"
    absence.stage.threads += [(thread, old)]
    absence.slack.people.say("and now?", thread=thread.root)

    async with absence.ends() as stage:
        assert len(absence.taken) == 1
        assert stage.listener.deletions == []


async def test_a_message_that_cannot_be_taken_holds_up_no_other(absence: Absence) -> None:
    odd = absence.slack.people.say(f"{BOT} hello", by=BEN)
    absence.slack.space.channels[GENERAL].messages[odd].body["files"] = [{"name": "no id"}]
    mention = absence.slack.people.say(f"{BOT} hello")

    async with absence.ends():
        assert absence.taken == [mention]
