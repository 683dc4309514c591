"""What a button or a mention says is held against where it stands and whose it is."""

import discord

from pipeline.domain import Command, Option, Reply, RunId
from tests.adapters.discord.events import told, whole
from tests.adapters.discord.scene import scene
from tests.fakes.chat import FakeListener
from tests.words import english

SCOPES = ("me", "thread", "channel")
TABLE = (Command("forget", (Option("what", required=True, choices=SCOPES),), erasing=SCOPES),)


async def test_a_click_tells_of_which_run_its_message_is_a_part() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run, "Here is a dot.", [])))
        (answer,) = at.answers(message)

        at.server.people.press_id(at.ada, answer, "troupe:details:forged")
        await at.server.world.until(lambda: at.listener.presses)

        (click,) = at.listener.presses
        assert (click.run, click.shown, click.direct) == (RunId("forged"), run, False)
        assert click.thread == message.thread


async def test_a_button_in_a_channel_deletes_no_private_thread_of_it() -> None:
    async with scene() as at:
        at.listener = FakeListener(TABLE, reply=Reply("Forgotten."))
        async with at.running():
            bob = at.server.people.person("bob")
            assert at.place.guild is not None
            at.place.guild.members[bob.id] = bob
            closed = at.server.people.private_thread(at.ada, at.place, "ours")
            use = at.server.people.command(bob, at.place, "forget", {"what": "thread"})
            await at.server.world.until(lambda: use.answers and use.answers[0].text)

            forged = f"troupe:command:{bob.id}:{closed.id}:forget thread"
            at.server.people.press_id(bob, use.answers[0], forged)
            refused = english("run-forgotten")
            await at.server.world.until(lambda: use.answers[0].text == refused)

        assert at.listener.invocations == []


async def test_a_reply_that_concerns_others_is_told_to_all() -> None:
    async with scene() as at:
        at.listener = FakeListener(TABLE, reply=Reply("Forgotten at Ada's wish.", private=False))
        async with at.running():
            use = at.server.people.command(at.ada, at.place, "forget", {"what": "channel"})
            await at.server.world.until(lambda: use.answers and use.answers[0].text)
            at.server.people.press(at.ada, use.answers[0], english("erase-yes"))
            await at.sees("Forgotten at Ada's wish.")
            await at.server.world.until(lambda: at.server.transcript(at.place))

        (said,) = at.server.transcript(at.place)
        assert (said.text, said.seen_only_by) == ("Forgotten at Ada's wish.", None)


async def test_the_name_of_a_channel_that_its_author_cannot_see_is_not_written() -> None:
    async with scene() as at:
        guild = at.place.guild
        assert guild is not None
        hidden = at.server.people.channel(guild, "secret-plans")
        public = at.server.people.channel(guild, "random")
        view = discord.Permissions(view_channel=True).value
        hidden.overwrites[guild.id] = (0, view)
        hidden.overwrites[at.server.bot.id] = (view, 0)
        bob = at.server.people.person("bob")
        guild.members[bob.id] = bob
        async with at.running():
            words = f"{at.mention} ask <#{hidden.id}> and <#{public.id}>"
            at.server.people.say(bob, at.place, words)
            message, _ = await at.listener.next()

        assert message.text == f"ask #{hidden.id} and #random"
