"""Commands and clicks between their acknowledgement and their answer."""

import pytest
from structlog.testing import capture_logs

from pipeline.domain import Action, Command, Option, Reply
from tests.adapters.discord.events import told, whole
from tests.adapters.discord.scene import DiscordScene, scene
from tests.fakes.chat import FakeListener
from tests.fakes.hanging import HangingInteractions, HangingListener
from tests.servers.discord.faults import Trouble
from tests.servers.discord.world import Interaction
from tests.words import english

TABLE = (
    Command("ask", (Option("text", required=True),), private=False),
    Command("help"),
)


async def _settled(at: DiscordScene) -> None:
    """Wait until every interaction is finished."""
    kept = at.interactions.kept
    await at.server.world.until(lambda: kept and not any(kept.values()))


async def _restart_twice(at: DiscordScene, use: Interaction) -> list[str]:
    """What the person reads in the end."""
    for _ in range(2):
        at.chat = at.new_chat()
        async with at.running():
            await at.server.world.until(lambda: use.answers and use.answers[-1].text)
            await _settled(at)
    return [message.text for message in use.answers]


@pytest.mark.parametrize("is_late", [False, True])
@pytest.mark.parametrize("command", ["help", "ask"])
async def test_killed_while_it_is_carried_out_a_command_is_answered_once(
    command: str, *, is_late: bool
) -> None:
    async with scene() as at:
        at.listener = hanging = HangingListener(TABLE, is_late=is_late)
        async with at.running():
            given = {"text": "draw a dot"} if command == "ask" else None
            use = at.server.people.command(at.ada, at.place, command, given)
            await hanging.reached.wait()
        at.listener = FakeListener(TABLE, reply=Reply("done" if command == "help" else ""))

        texts = await _restart_twice(at, use)

        assert texts == ["done" if command == "help" else "ada asked: draw a dot"]
        (invocation,) = at.listener.invocations
        if command == "ask":
            assert use.original is not None
            assert invocation.thread.root == str(use.original.id)


@pytest.mark.parametrize("moment", ["accepted", "recorded", "sent"])
async def test_killed_at_any_moment_a_command_is_carried_out_and_answered_once(
    moment: str,
) -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        at.interactions = HangingInteractions(hangs=moment)
        at.chat = at.new_chat()
        async with at.running():
            use = at.server.people.command(at.ada, at.place, "help")
            await at.interactions.reached.wait()
        at.interactions.hangs = ""

        assert await _restart_twice(at, use) == ["done"]
        assert len(at.listener.invocations) == 1


@pytest.mark.parametrize(("label", "texts"), [("Details", ["done"]), ("Retry", [])])
async def test_killed_after_its_acknowledgement_a_click_is_answered_once(
    label: str, texts: list[str]
) -> None:
    async with scene() as at:
        at.interactions = HangingInteractions(hangs="recorded")
        at.listener.reply = Reply("done" if texts else "")
        at.chat = at.new_chat()
        async with at.running():
            message, run = await at.asks("draw a dot")
            await at.chat.follow(message, run, told(*whole(run)))
            use = at.server.people.press(at.ada, at.answers(message)[0], label)
            await at.interactions.reached.wait()
        at.interactions.hangs = ""
        at.chat = at.new_chat()
        async with at.running():
            await _settled(at)

        assert [answer.text for answer in use.answers] == texts
        assert all(answer.seen_only_by == at.ada.id for answer in use.answers)
        assert [press.action for press in at.listener.presses] == [
            Action.DETAILS if texts else Action.RETRY
        ]


@pytest.mark.parametrize("call", ["POST callback", "GET webhook", "PATCH webhook"])
@pytest.mark.parametrize(
    "trouble", [Trouble.LOST, Trouble.LOST_502, Trouble.UNAVAILABLE, Trouble.LIMITED]
)
async def test_a_call_for_a_request_that_fails_or_whose_response_is_lost_changes_nothing(
    call: str, trouble: Trouble
) -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        at.listener.reply = Reply("")
        async with at.running():
            at.server.faults.next(call, trouble)
            use = at.server.people.command(at.ada, at.place, "ask", {"text": "draw a dot"})
            await at.server.world.until(lambda: use.answers and use.answers[-1].text)

        assert [answer.text for answer in use.answers] == ["ada asked: draw a dot"]
        assert len(at.listener.invocations) == 1


async def test_no_token_of_an_interaction_is_logged() -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        with capture_logs() as logs:
            async with at.running():
                at.server.faults.next("POST callback", Trouble.UNAVAILABLE)
                use = at.server.people.command(at.ada, at.place, "help")
                await at.server.world.until(lambda: use.answers and use.answers[-1].text)

        assert logs
        assert use.token not in str(logs)


async def test_a_private_reply_whose_response_is_lost_comes_once() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run)))
        at.server.faults.next("PATCH webhook", Trouble.LOST)
        use = at.server.people.press(at.ada, at.answers(message)[0], "Details")
        await _settled(at)

        assert [answer.text for answer in use.answers] == ["done"]


@pytest.mark.parametrize("trouble", [Trouble.LOST, Trouble.LOST_502, Trouble.UNAVAILABLE])
@pytest.mark.parametrize("label", ["Retry", "Details"])
async def test_a_further_message_whose_response_is_lost_comes_once(
    label: str, trouble: Trouble
) -> None:
    words = "word " * 380
    async with scene() as at, at.running():
        at.listener.reply = Reply(f"First. {words}\n\nSecond. {words}")
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run)))
        at.server.faults.next("POST webhook", trouble)
        use = at.server.people.press(at.ada, at.answers(message)[0], label)
        await _settled(at)

        assert [answer.text.partition(" ")[0] for answer in use.answers] == ["First.", "Second."]


@pytest.mark.parametrize(
    ("label", "call"), [("Retry", "POST webhook"), ("Details", "PATCH webhook")]
)
async def test_when_discord_refuses_the_words_of_a_reply_the_person_is_told(
    label: str, call: str
) -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run)))
        at.server.faults.next(call, Trouble.MODERATED)
        use = at.server.people.press(at.ada, at.answers(message)[0], label)
        await _settled(at)

        (answer,) = use.answers
        assert "AutoMod" in answer.text
        assert answer.seen_only_by == at.ada.id


async def test_a_click_without_a_reply_leaves_no_trace() -> None:
    async with scene() as at, at.running():
        at.listener.reply = Reply("")
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run)))
        use = at.server.people.press(at.ada, at.answers(message)[0], "👍")
        await at.server.world.until(lambda: at.listener.presses)
        await _settled(at)

        assert use.answers == []


async def test_when_discord_takes_no_reply_any_more_a_private_one_comes_directly() -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        async with at.running():
            at.server.faults.tokens_expired = True
            use = at.server.people.command(at.ada, at.place, "help")
            await at.sees("done")
            (direct,) = [c for c in at.server.world.channels.values() if c.type == 1]

        assert use.callback is not None
        assert [m.text for m in at.server.transcript(direct)] == ["done"]
        assert at.server.transcript(at.place) == []


async def test_a_click_on_a_button_of_another_version_is_answered() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run)))
        use = at.server.people.press_id(at.ada, at.answers(message)[0], f"troupe:colour:{run}")
        await at.server.world.until(lambda: use.answers and use.answers[-1].text)

        assert [answer.text for answer in use.answers] == [english("run-forgotten")]
        assert use.answers[0].seen_only_by == at.ada.id
