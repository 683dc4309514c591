"""What is said in Discord, and how the conversation hears of it."""

import asyncio
from dataclasses import dataclass, field, replace

import pytest

from pipeline.domain import Audience, Incoming, Person, RunId, Turn
from pipeline.errors import FetchError, NotAllowed
from tests.adapters.discord.events import told, whole
from tests.adapters.discord.scene import scene
from tests.fakes.chat import FakeListener
from tests.servers.discord.faults import File
from tests.servers.discord.values import Message

BOT = Person("1", "Troupe", is_bot=True)
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 40


async def test_a_mention_with_two_files_is_heard_whole_and_acknowledged_at_once() -> None:
    async with scene() as at, at.running():
        message, _ = await at.asks("what are these?", [("a.png", PNG), ("b.csv", b"a,b\n1,2\n")])
        said = at.place.said[0]
        await at.server.world.until(lambda: said.thread)

        assert not said.reactions
        assert not at.place.typing
        assert message.text == "what are these?"
        assert [(f.name, f.media_type, f.size) for f in message.files] == [
            ("a.png", "image/png", len(PNG)),
            ("b.csv", "text/csv", 8),
        ]
        assert message.addressing.mentioned
        assert message.addressing.audience is Audience.WORKSPACE
        assert not message.addressing.others_mentioned
        assert message.thread.root == message.id
        assert (await at.chat.download(message.files[0])).data == PNG


async def test_a_file_goes_by_the_name_and_the_words_that_its_sender_gave_it() -> None:
    async with scene() as at, at.running():
        sent = at.server.people.upload(("______.png", PNG))
        sent.title, sent.description, sent.hidden = "über uns", "three people", True
        at.server.people.say(at.ada, at.place, f"{at.mention} who is it?", [sent])
        message, _ = await at.listener.next()

        assert [(f.name, f.alt) for f in message.files] == [
            ("SPOILER_über uns.png", "three people")
        ]


LONG = "Explain this:\n" + "\tif x:  return 1\n" * 200


@pytest.mark.parametrize("mentions", ["outside", "inside"])
async def test_a_long_text_of_which_discord_made_a_file_is_the_request(mentions: str) -> None:
    async with scene() as at, at.running():
        text = LONG if mentions == "outside" else f"{at.mention} {LONG}"
        content = at.mention if mentions == "outside" else ""
        at.server.people.say(at.ada, at.place, content, [("message.txt", text.encode())])
        message, _ = await at.listener.next()

        assert message.text == LONG.rstrip()
        assert message.files == ()
        assert message.addressing.mentioned
        reread = await at.chat.reread(message)
        assert reread
        assert reread.content == message.content


async def test_a_long_text_beside_words_is_what_they_are_about() -> None:
    async with scene() as at, at.running():
        message, _ = await at.asks("summarize this", [("message.txt", LONG.encode())])

        assert message.text == "summarize this"
        assert [file.name for file in message.files] == ["message.txt"]


async def test_a_long_text_that_cannot_be_fetched_remains_a_file() -> None:
    async with scene() as at, at.running():
        sent = at.server.people.upload(("message.txt", LONG.encode()))
        at.server.faults.file(sent.id, File.GONE)
        at.server.people.say(at.ada, at.place, at.mention, [sent])
        message, _ = await at.listener.next()

        reread = await at.chat.reread(message)
        assert [file.name for file in message.files] == ["message.txt"]
        assert reread
        assert reread.content == message.content


@pytest.mark.parametrize("speaker", ["ada", "bob"])
async def test_in_a_thread_only_who_was_answered_last_sees_that_a_follow_up_was_taken(
    speaker: str,
) -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run)))
        for author, key in ((message.person, message.key), (BOT, run)):
            await at.store.log(
                message.thread, Turn(key=key, person=author, text="said", files=(), at=message.at)
            )
        person = at.ada if speaker == "ada" else at.server.people.person("bob")
        before = at.thread(message).typing
        at.server.people.say(person, at.thread(message), "bigger")
        await at.listener.next(2)
        await asyncio.sleep(0.05)

        assert at.thread(message).typing - before == (speaker == "ada")
        assert not at.thread(message).said[-1].reactions


async def test_a_channel_that_not_everybody_on_the_server_can_see_keeps_to_itself() -> None:
    async with scene() as at:
        guild = at.place.guild
        assert guild is not None
        view = 1 << 10
        at.place.overwrites |= {guild.id: (0, view), at.ada.id: (view, 0)}
        at.place.overwrites[at.server.world.bot.id] = (view, 0)
        async with at.running():
            message, _ = await at.asks("what are these?")

            assert message.addressing.audience is Audience.CHANNEL


async def test_talk_among_people_is_heard_as_theirs() -> None:
    async with scene() as at, at.running():
        bob = at.server.people.person("bob")
        at.server.people.say(at.ada, at.place, f"<@{bob.id}> lunch?")
        at.server.people.say(bob, at.place, "yes")
        await at.listener.next(2)
        first, second = (message for message, _ in at.listener.received)

        assert first.addressing.others_mentioned
        assert not first.addressing.mentioned
        assert first.text == "@bob lunch?"
        assert not second.addressing.mentioned
        assert not second.addressing.replied_to_bot


async def test_people_channels_and_emoji_are_read_by_their_names() -> None:
    async with scene() as at, at.running():
        bob = at.server.people.person("bob")
        words = f"ask <@{bob.id}> in <#{at.place.id}> <:party:555555555555555555>"
        message, _ = await at.asks(words)

        assert message.text == "ask @bob in #general :party:"


async def test_a_direct_message_is_one_conversation() -> None:
    async with scene() as at, at.running():
        direct = at.server.people.dm(at.ada)
        at.server.people.say(at.ada, direct, "draw a cat")
        at.server.people.say(at.ada, direct, "and a dog")
        await at.listener.next(2)
        first, second = (message for message, _ in at.listener.received)

        assert first.addressing.direct
        assert first.addressing.audience is Audience.CHANNEL
        assert first.thread == second.thread


async def test_a_private_thread_is_closed_to_the_rest_of_its_channel() -> None:
    async with scene() as at, at.running():
        thread = at.server.people.private_thread(at.ada, at.place, "salaries")
        at.server.people.say(at.ada, thread, "summarize what we pay")
        message, _ = await at.listener.next(1)
        at.server.people.say(at.ada, at.place, "hello")
        outside, _ = await at.listener.next(2)

        assert message.thread.closed
        assert message.thread.channel == outside.thread.channel
        assert not outside.thread.closed


async def test_a_follow_up_in_the_thread_belongs_to_the_conversation_of_its_root() -> None:
    async with scene() as at, at.running():
        message, _ = await at.asks("draw a cat")
        thread = at.server.people.thread(at.ada, at.place.said[0], "cat")
        at.server.people.say(at.ada, thread, "and read it aloud")
        follow_up, _ = await at.listener.next(2)

        assert follow_up.thread == message.thread
        assert not follow_up.addressing.mentioned


async def test_a_reply_with_a_mention_brings_the_files_of_what_it_replies_to() -> None:
    async with scene() as at, at.running():
        bob = at.server.people.person("bob")
        posted = at.server.people.say(bob, at.place, "look", [("p.png", PNG)])
        at.server.people.say(at.ada, at.place, f"{at.mention} describe this", reply_to=posted)
        message, _ = await at.listener.next(2)

        assert [file.name for file in message.earlier] == ["p.png"]
        assert message.addressing.mentioned
        assert message.thread.root == message.id


async def test_the_files_of_a_chain_of_replies_are_found() -> None:
    async with scene() as at:
        said = at.server.people.say(at.ada, at.place, "my holiday", [("p.png", PNG)])
        said = at.server.people.say(at.ada, at.place, "where is that?", reply_to=said)
        async with at.running():
            said = at.server.people.say(at.ada, at.place, "in Spain", reply_to=said)
            at.server.people.say(at.ada, at.place, f"{at.mention} describe it", reply_to=said)
            message, _ = await at.listener.next(2)

        assert [file.name for file in message.earlier] == ["p.png"]


async def test_a_forwarded_message_brings_its_words_and_files() -> None:
    async with scene() as at, at.running():
        direct = at.server.people.dm(at.ada)
        posted = at.server.people.say(at.ada, at.place, "the report", [("r.csv", b"x")])
        at.server.people.forward(at.ada, posted, direct)
        message, _ = await at.listener.next(2)

        assert message.text == "the report"
        assert (await at.chat.download(message.files[0])).data == b"x"


async def test_a_voice_message_is_a_sound_without_words() -> None:
    async with scene() as at, at.running():
        at.server.people.speak(at.ada, at.server.people.dm(at.ada), b"OggS....")
        message, _ = await at.listener.next()

        assert message.text == ""
        assert [(f.name, f.media_type) for f in message.files] == [
            ("voice-message.ogg", "audio/ogg")
        ]


async def test_other_bots_are_heard_as_bots_and_so_are_their_edits() -> None:
    async with scene() as at, at.running():
        robot = at.server.people.person("robot")
        robot.bot = True
        said = at.server.people.say(robot, at.place, f"{at.mention} hello")
        message, _ = await at.listener.next()
        at.server.people.edit(said, "bye")
        await at.asks("hello")

        assert (message.person.name, message.person.is_bot) == ("robot", True)
        assert [edit.text for edit in at.listener.edits] == ["bye"]
        assert at.listener.edits[0].person.is_bot


async def test_an_edit_and_a_deletion_are_told() -> None:
    async with scene() as at, at.running():
        message, _ = await at.asks("draw a cat")
        said = at.place.said[0]
        at.server.people.edit(said, f"{at.mention} draw a dog")
        await at.server.world.until(lambda: at.listener.edits)
        at.server.people.delete(said)
        await at.server.world.until(lambda: at.listener.deletions)

        assert at.listener.edits[0].text == "draw a dog"
        assert at.listener.edits[0].key == message.key
        assert at.listener.deletions == [(message.thread, message.id)]


async def test_the_deletion_of_a_message_of_an_answer_is_told_with_its_run() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("tell a story")
        await at.chat.follow(message, run, told(*whole(run, "word " * 1000)))
        first, second = at.answers(message)
        at.server.people.delete(second)
        await at.server.world.until(lambda: at.listener.retracted)

        assert first.text
        assert at.listener.retracted == [run]
        assert at.listener.deletions == []


async def test_what_is_delivered_three_times_is_heard_once() -> None:
    async with scene() as at, at.running():
        at.server.faults.deliver = 3
        await at.asks("one")
        at.server.people.edit(at.place.said[0], f"{at.mention} two")
        await at.server.world.until(lambda: at.listener.edits)
        await at.asks("three")

        assert [message.text for message, _ in at.listener.received] == ["one", "three"]
        assert len(at.listener.edits) == 1


async def test_a_message_carries_the_locale_of_who_used_a_command_before() -> None:
    async with scene() as at:
        from pipeline.domain import Command  # noqa: PLC0415

        at.listener.commands = (Command("help"),)
        at.ada.locale = "de"
        async with at.running():
            before, _ = await at.asks("hallo")
            use = at.server.people.command(at.ada, at.place, "help")
            await at.server.world.until(lambda: use.answers and use.answers[0].text)
            after, _ = await at.asks("hallo")

            assert (before.person.locale, after.person.locale) == ("en-US", "de")


async def test_called_into_a_thread_it_can_read_what_was_said_there() -> None:
    async with scene() as at, at.running():
        bob = at.server.people.person("bob")
        root = at.server.people.say(bob, at.place, "the plan", [("p.png", PNG)])
        thread = at.server.people.thread(bob, root, "plan")
        starter = Message(at.server.world.ids.next(), thread, bob, "", type=21, reference=root)
        at.server.world.add_message(starter)
        at.server.people.say(bob, thread, "first")
        at.server.people.say(at.ada, thread, "second")
        message, _ = await at.asks("sum it up", place=thread)
        if message.text != "sum it up":
            message, _ = await at.listener.next(4)

        earlier = await at.chat.history(message.thread, before=message.id, most=50)

        assert [each.text for each in earlier] == ["the plan", "first", "second"]
        assert [file.name for file in earlier[0].files] == ["p.png"]


async def test_what_stands_above_a_mention_in_its_channel_can_be_read() -> None:
    async with scene() as at, at.running():
        people, bob = at.server.people, at.server.people.person("bob")
        for number in range(4):
            people.say(bob, at.place, f"above {number}")
        begun = people.say(bob, at.place, "a cat", [("c.png", PNG)])
        people.thread(bob, begun, "cats")
        begun.flags |= 1 << 5
        picture = people.say(bob, at.place, "another", [("p.png", PNG)])
        people.say(at.ada, at.place, f"{at.mention} so?")
        people.say(bob, at.place, "below")
        await at.listener.next(8)
        heard = (message for message, _ in at.listener.received)
        message = next(each for each in heard if each.addressing.mentioned)
        channel = replace(message.thread, root="")

        above = await at.chat.history(channel, before=message.id, most=3)
        latest = await at.chat.history(channel, before="ask-1", most=1)

        assert [each.text for each in above] == ["above 3", "a cat", "another"]
        assert [each.thread.root for each in above[1:]] == [str(begun.id), str(picture.id)]
        assert [bool(each.files) for each in above[1:]] == [False, True]
        assert [each.text for each in latest] == ["below"]


async def test_where_it_may_not_read_the_channel_nothing_stands_above() -> None:
    async with scene() as at, at.running():
        message, _ = await at.asks("so?")
        at.server.people.deny(at.place, "view_channel", announced=False)
        channel = replace(message.thread, root="")

        assert await at.chat.history(channel, before=message.id, most=3) == ()


@pytest.mark.parametrize("how", [File.HTML, File.REDIRECT, File.HUGE, File.GONE])
async def test_a_file_host_that_misbehaves_is_an_error_of_fetching(how: File) -> None:
    async with scene() as at, at.running():
        at.chat.max_download = 1 << 20
        message, _ = await at.asks("describe", [("p.png", PNG)])
        at.server.faults.file(at.place.said[0].uploads[0].id, how)

        with pytest.raises(FetchError):
            await at.chat.download(message.files[0])


async def test_a_file_elsewhere_is_never_fetched() -> None:
    async with scene() as at, at.running():
        message, _ = await at.asks("describe", [("p.png", PNG)])
        link = message.files[0]
        other = link.__class__(link.url.replace("127.0.0.1", "localhost"), link.name)

        with pytest.raises(FetchError):
            await at.chat.download(other)


@pytest.mark.parametrize("forwarded", [False, True])
async def test_an_address_that_has_expired_is_read_from_the_message_anew(
    *, forwarded: bool
) -> None:
    async with scene() as at, at.running():
        if forwarded:
            posted = at.server.people.say(at.ada, at.place, "look", [("p.png", PNG)])
            at.server.people.forward(at.ada, posted, at.server.people.dm(at.ada))
            message, _ = await at.listener.next(2)
        else:
            message, _ = await at.asks("describe", [("p.png", PNG)])
        (link,) = message.files
        old = replace(link, url=link.url.replace("ex=ffffffff", "ex=1"))

        assert (await at.chat.download(old)).data == PNG


async def test_an_address_that_has_expired_with_its_message_is_an_error_of_fetching() -> None:
    async with scene() as at, at.running():
        message, _ = await at.asks("describe", [("p.png", PNG)])
        at.server.people.delete(at.place.said[0])
        (link,) = message.files
        old = replace(link, url=link.url.replace("ex=ffffffff", "ex=1"))

        with pytest.raises(FetchError):
            await at.chat.download(old)


async def test_without_the_intent_mentions_and_direct_messages_are_heard_and_nothing_else() -> None:
    async with scene() as at:
        at.server.world.application_flags = 0
        async with at.running():
            message, _ = await at.asks("what is this?", [("p.png", PNG)])
            thread = at.server.people.thread(at.ada, at.place.said[0], "this")
            hidden = at.server.people.say(at.ada, thread, "hidden")
            at.server.people.edit(hidden, "hidden as well")
            direct = at.server.people.dm(at.ada)
            at.server.people.say(at.ada, direct, "hello")
            await at.listener.next(2)
            again, _ = await at.asks("and now?", place=thread)

        assert [each.text for each, _ in at.listener.received] == [
            "what is this?",
            "hello",
            "and now?",
        ]
        assert [file.name for file in message.files] == ["p.png"]
        assert again.thread == message.thread
        assert at.listener.edits == []


async def test_the_words_of_cards_in_a_forwarded_message_are_read() -> None:
    card = {
        "author": {"name": "CI"},
        "title": "Build 7",
        "description": "failed",
        "fields": [{"name": "on", "value": "main"}],
        "footer": {"text": "09:12"},
    }
    async with scene() as at, at.running():
        robot = at.server.people.person("robot")
        robot.bot = True
        posted = at.server.people.say(robot, at.place, "")
        posted.embeds = [{"type": "rich", **card}]
        at.server.people.forward(at.ada, posted, at.server.people.dm(at.ada))
        message, _ = await at.listener.next()

        assert message.text == "CI\nBuild 7\nfailed\non: main\n09:12"


def _handed_on(name: str) -> str:
    """The address at which Discord hands on a picture of another host."""
    return f"https://images-ext-1.discordapp.net/external/a1/https/example.org/{name}"


async def test_the_picture_of_a_card_is_a_file_of_what_is_replied_to() -> None:
    async with scene() as at, at.running():
        people = at.server.people
        robot = people.person("robot")
        robot.bot = True
        picture = people.upload_apart(("chart.png", PNG))
        card = people.say(robot, at.place, "")
        card.embeds = [
            {"type": "rich", "title": "Sales", "image": {"url": picture["url"]}},
            {"type": "rich", "title": "More", "image": {"url": "https://example.org/a.png"}},
            {"type": "gifv", "thumbnail": {"proxy_url": _handed_on("wave.png"), "url": "x"}},
            {"type": "video", "thumbnail": {"proxy_url": _handed_on("film.png"), "url": "x"}},
        ]
        people.say(at.ada, at.place, f"{at.mention} describe this", reply_to=card)
        message, _ = await at.listener.next()
        preview, link = sorted(message.earlier, key=lambda each: each.name != "wave.png")
        old = replace(link, url=link.url.replace("ex=ffffffff", "ex=1"))

        assert message.replied_to is not None
        assert message.replied_to.text == "Sales\n\nMore"
        assert (message.replied_to.person.name, message.replied_to.person.is_bot) == (
            "robot",
            False,
        )
        assert (preview.name, preview.url) == ("wave.png", _handed_on("wave.png"))
        assert link.name == "chart.png"
        assert (await at.chat.download(link)).data == PNG
        assert (await at.chat.download(old)).data == PNG


@dataclass
class Deaf(FakeListener):
    """A conversation that takes no message."""

    error: Exception = field(default_factory=RuntimeError)

    async def on_message(self, message: Incoming) -> RunId | None:
        raise self.error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (NotAllowed("not-allowed"), "You may not use me here."),
        (RuntimeError("oops"), "Something went wrong in the bot itself."),
    ],
)
async def test_who_is_not_heard_is_told_why_and_people_among_themselves_are_not_disturbed(
    error: Exception, words: str
) -> None:
    async with scene() as at:
        at.listener = Deaf(error=error)
        async with at.running():
            at.server.people.say(at.ada, at.place, "just talk")
            at.server.people.say(at.ada, at.place, f"{at.mention} draw a dot")
            await at.sees(words)

        assert len(at.server.transcript(at.place)) == 1
