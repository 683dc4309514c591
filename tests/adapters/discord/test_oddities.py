"""What Discord tells seldom, in parts, or in places of an unusual kind."""

from pipeline.domain import Answer, Answered
from tests.adapters.discord.events import PNG, picture, told, whole
from tests.adapters.discord.scene import DiscordScene, scene
from tests.servers.discord import payloads
from tests.servers.discord.values import LAYOUT, NEWS, STAGE, THREAD, Channel, Json, Message
from tests.words import english


def _tells(
    at: DiscordScene, said: Message, *, event: str = "MESSAGE_CREATE", **more: object
) -> None:
    """A message as Discord words it, and more."""
    payload = payloads.message(said, at.server.world.address)
    at.server.world.tell(event, payload | more, said.channel)


def _message(at: DiscordScene, text: str = "") -> Message:
    """A message that Discord was given but has told nobody of."""
    said = Message(at.server.world.ids.next(), at.server.people.dm(at.ada), at.ada, text)
    said.channel.messages[said.id] = said
    return said


async def test_a_change_that_tells_only_of_a_preview_is_no_edit_and_ends_nothing() -> None:
    async with scene() as at, at.running():
        await at.asks("see https://example.org")
        said = at.place.said[0]
        place = {"id": str(said.id), "channel_id": str(at.place.id)}
        at.server.world.tell("MESSAGE_UPDATE", place | {"embeds": [{"type": "link"}]}, at.place)
        _tells(at, said, event="MESSAGE_UPDATE", embeds=[{"type": "link"}])
        message, _ = await at.asks("still there?")

        assert message.text == "still there?"
        assert at.listener.edits == []
        assert at.server.gateway.identified == 1


async def test_a_sticker_is_heard_by_its_name_and_a_poll_by_what_it_asks() -> None:
    sticker = {"id": "1", "name": "wave", "format_type": 1}
    poll: Json = {"question": {"text": "Cat or dog?"}, "allow_multiselect": False, "layout_type": 1}
    poll |= {"expiry": "2026-12-01T00:00:00+00:00"}
    poll["answers"] = [
        {"answer_id": n, "poll_media": {"text": text}} for n, text in ((1, "cat"), (2, "dog"))
    ]
    async with scene() as at, at.running():
        _tells(at, _message(at), sticker_items=[sticker])
        _tells(at, _message(at), poll=poll)
        await at.listener.next(2)

        assert [message.text for message, _ in at.listener.received] == [
            ":wave:",
            "Cat or dog?\n- cat\n- dog",
        ]


async def test_everyone_is_not_the_bot_and_webhooks_are_bots() -> None:
    async with scene() as at, at.running():
        for more in ({"mention_everyone": True}, {"webhook_id": "5"}):
            said = Message(at.server.world.ids.next(), at.place, at.ada, "@everyone lunch")
            _tells(at, said, **more)
        await at.listener.next(2)
        first, second = (message for message, _ in at.listener.received)

        assert not first.addressing.mentioned
        assert (first.person.is_bot, second.person.is_bot) == (False, True)


async def test_a_message_of_an_unknown_server_is_no_direct_message() -> None:
    async with scene() as at, at.running():
        _tells(at, _message(at, "hello"), guild_id="5")
        message, _ = await at.asks("draw a dot")

        assert message.text == "draw a dot"


async def test_an_answer_comes_into_the_chat_of_a_stage() -> None:
    async with scene() as at:
        at.place.type = STAGE
        async with at.running():
            message, run = await at.asks("draw a dot")
            await at.chat.follow(message, run, told(*whole(run, "A dot.")))

            assert [m.text.split("\n")[0] for m in at.place.by(at.server.bot)] == ["A dot."]


async def test_an_answer_to_an_announcement_stands_in_a_thread_on_it() -> None:
    async with scene() as at:
        at.place.type = NEWS
        async with at.running():
            message, run = await at.asks("draw a dot")
            await at.chat.follow(message, run, told(*whole(run, "A dot.")))

        assert [m.text for m in at.answers(message)] == ["A dot."]


async def test_a_post_in_a_forum_is_heard_with_its_title_and_answered_in_it() -> None:
    async with scene() as at:
        assert at.place.guild is not None
        forum = at.server.people.forum(at.place.guild, "help")
        async with at.running():
            post = at.server.people.post(at.ada, forum, "My printer", f"{at.mention} why?")
            message, run = await at.listener.next()
            reread = await at.chat.reread(message)
            await at.chat.follow(message, run, told(*whole(run, "It is off.")))

        assert message.text == "My printer\n\nwhy?"
        assert reread is not None
        assert reread.content == message.content
        assert [m.text for m in at.server.transcript(post.channel)] == ["It is off."]
        assert at.server.calls("GET channel") == 0  # the library knows the forum


async def test_an_answer_stands_in_a_thread_that_was_never_announced() -> None:
    async with scene() as at, at.running():
        ids, people = at.server.world.ids, [at.ada, at.server.bot]
        thread = Channel(ids.next(), THREAD, "cat", at.place.guild, at.place, people=people)
        thread.owner = at.ada
        at.server.world.add_channel(thread)
        message, run = await at.asks("draw it", place=thread)
        await at.chat.follow(message, run, told(*whole(run, "A cat.")))

        assert [m.text for m in at.server.transcript(thread)] == ["A cat."]


async def test_the_words_and_pictures_of_sections_are_read() -> None:
    async with scene() as at, at.running():
        said = _message(at)
        said.uploads, said.flags = [at.server.people.upload(("dot.png", PNG))], LAYOUT
        address = payloads.upload(said.uploads[0], at.server.world.address, said.channel)["url"]
        media = {"url": address, "attachment_id": str(said.uploads[0].id)}
        section: Json = {"type": 9, "components": [{"type": 10, "content": "Sales rose."}]}
        section["accessory"] = {"type": 11, "media": media}
        said.components = [{"type": 17, "components": [section]}]
        _tells(at, said)
        message, _ = await at.listener.next()

        assert message.text == "Sales rose."
        assert [link.name for link in message.files] == ["dot.png"]


async def test_a_thread_put_away_meanwhile_is_brought_back_for_the_answer() -> None:
    async with scene() as at, at.running():
        async with at.drawing() as (message, run, events):
            at.thread(message).archived = True
            events.tell(Answered(Answer(run, "A dot.")), None)

        assert [m.text for m in at.answers(message)] == ["A dot."]


async def test_an_answer_to_a_locked_thread_comes_in_its_channel() -> None:
    async with scene() as at, at.running():
        await at.asks("draw a cat")
        thread = at.server.people.thread(at.ada, at.place.said[0], "cat")
        message, run = await at.asks("and a dot", place=thread)
        thread.locked = True
        await at.chat.follow(message, run, told(*whole(run, "A dot.", [await picture(at.files)])))
        notice, answer = at.server.transcript(at.place)

        assert notice.text == english("discord-aside-locked", channel="cat")
        assert answer.text.startswith("A dot.")
        assert answer.reference is at.place.said[0]
        assert [upload.filename for upload in answer.uploads] == ["dot.png"]
        assert answer.button("Retry")


async def test_an_answer_to_a_private_thread_never_comes_in_its_channel() -> None:
    async with scene() as at, at.running():
        thread = at.server.people.private_thread(at.ada, at.place, "salaries")
        message, run = await at.asks("what do we pay?", place=thread)
        thread.locked = True
        await at.chat.follow(message, run, told(*whole(run, "Little.")))
        (direct,) = [c for c in at.server.world.channels.values() if c.type == 1]

        assert at.server.transcript(at.place) == []
        assert [m.text for m in at.server.transcript(direct)] == [
            english("discord-aside-locked", channel="salaries"),
            "Little.",
        ]


async def test_an_answer_to_a_thread_locked_meanwhile_comes_in_a_direct_message() -> None:
    async with scene() as at, at.running():
        async with at.drawing() as (message, run, events):
            at.thread(message).archived = at.thread(message).locked = True
            at.server.people.deny(at.place, "send_messages")
            events.tell(Answered(Answer(run, "A dot.")), None)
        (direct,) = [c for c in at.server.world.channels.values() if c.type == 1]

        assert [m.text for m in at.server.transcript(direct)] == [
            english("discord-aside-locked", channel=at.thread(message).name),
            "A dot.",
        ]


async def test_an_answer_to_a_channel_deleted_meanwhile_comes_in_a_direct_message() -> None:
    async with scene() as at, at.running():
        async with at.drawing() as (message, run, events):
            del at.server.world.channels[at.thread(message).id]
            del at.server.world.channels[at.place.id]
            events.tell(Answered(Answer(run, "A dot.")), None)
        (direct,) = [c for c in at.server.world.channels.values() if c.type == 1]

        assert [m.text for m in at.server.transcript(direct)] == [
            english("discord-aside-gone"),
            "A dot.",
        ]
        at.server.violations.clear()  # the bot cannot know before it asks
