"""Commands that delete for good: asked first, in private where that is possible."""

import pytest

from pipeline.domain import Command, Option, Reply
from tests.adapters.discord.scene import DiscordScene, scene
from tests.fakes.chat import FakeListener
from tests.servers.discord.faults import Trouble
from tests.servers.discord.values import Message
from tests.servers.discord.world import Interaction
from tests.words import english

SCOPES = ("me", "thread", "channel")
TABLE = (Command("forget", (Option("what", required=True, choices=SCOPES),), erasing=SCOPES),)
DELETE, CANCEL = english("erase-yes"), english("erase-no")


async def _ask(at: DiscordScene, what: str = "me") -> Interaction:
    use = at.server.people.command(at.ada, at.place, "forget", {"what": what})
    await at.server.world.until(lambda: use.answers and use.answers[0].text)
    return use


async def _until_it_says(at: DiscordScene, message: Message, text: str) -> None:
    await at.server.world.until(lambda: message.text == text and not message.buttons)


@pytest.mark.parametrize("what", SCOPES)
@pytest.mark.parametrize("is_restarted", [False, True])
async def test_what_deletes_is_asked_in_private_and_done_when_it_is_confirmed(
    what: str, *, is_restarted: bool
) -> None:
    async with scene() as at:
        at.listener = FakeListener(TABLE, reply=Reply("Forgotten."))
        async with at.running():
            use = await _ask(at, what)
            (question,) = use.answers
            asked, buttons = question.text, [each["label"] for each in question.buttons]
            assert at.listener.invocations == []
            if not is_restarted:
                at.server.people.press(at.ada, question, DELETE)
                await _until_it_says(at, question, "Forgotten.")
        if is_restarted:
            at.chat = at.new_chat()
            async with at.running():
                at.server.people.press(at.ada, question, DELETE)
                await _until_it_says(at, question, "Forgotten.")

        (invocation,) = at.listener.invocations
        assert asked == english("erase", what=f"forget {what}", scope=what)
        assert buttons == [DELETE, CANCEL]
        assert question.seen_only_by == at.ada.id
        assert (invocation.command, invocation.args) == ("forget", {"what": what})
        assert invocation.thread.channel.id == str(at.place.id)


async def test_cancelled_nothing_is_deleted() -> None:
    async with scene() as at:
        at.listener = FakeListener(TABLE)
        async with at.running():
            (question,) = (await _ask(at)).answers
            at.server.people.press(at.ada, question, CANCEL)
            await _until_it_says(at, question, english("erase-cancelled"))

        assert at.listener.invocations == []


@pytest.mark.parametrize("call", ["POST callback", "PATCH webhook"])
@pytest.mark.parametrize("trouble", [Trouble.LOST, Trouble.UNAVAILABLE])
async def test_a_confirmation_whose_response_is_lost_is_carried_out_and_told_once(
    call: str, trouble: Trouble
) -> None:
    async with scene() as at:
        at.listener = FakeListener(TABLE, reply=Reply("Forgotten."))
        async with at.running():
            (question,) = (await _ask(at)).answers
            at.server.faults.next(call, trouble)
            at.server.people.press(at.ada, question, DELETE)
            await _until_it_says(at, question, "Forgotten.")

        assert len(at.listener.invocations) == 1


async def test_a_message_that_asks_to_delete_is_asked_below_it_once_and_only_its_author() -> None:
    async with scene() as at:
        at.listener = FakeListener(TABLE, reply=Reply("Forgotten."))
        async with at.running():
            bob = at.server.people.person("bob")
            asked = at.server.people.say(at.ada, at.place, f"{at.mention} forget me")
            await at.sees(english("erase", what="forget me", scope="me"))
            await at.server.world.until(lambda: all(at.ledger.receipts.values()))
        at.chat = at.new_chat()
        at.server.world.nonces.clear()
        async with at.running():
            (question,) = at.server.transcript(at.place)
            use = at.server.people.press(bob, question, DELETE)
            await at.server.world.until(lambda: use.answers and use.answers[0].text)
            press = at.server.people.press(bob, question, CANCEL)
            await at.server.world.until(lambda: press.original and press.original.deleted)
            assert at.listener.invocations == []
            at.server.people.press(at.ada, question, DELETE)
            await _until_it_says(at, question, "Forgotten.")

        (invocation,) = at.listener.invocations
        assert use.answers[0].text == english("erase", what="forget me", scope="me")
        assert use.answers[0].seen_only_by == bob.id
        assert (invocation.person.id, invocation.thread.root) == (str(at.ada.id), str(asked.id))
        assert at.listener.received == []
