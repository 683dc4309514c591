"""How an answer comes to stand in Discord."""

import asyncio
from dataclasses import replace

import pytest

from adapters.discord.showing.markdown import LAYOUT_LIMIT, measure
from pipeline.domain import Action, Answer, Answered, Apologised, Blob, LocalizedText
from pipeline.errors import ChatError, MediaError
from tests.adapters.discord.events import PNG, Told, begun, picture, told, whole
from tests.adapters.discord.scene import RHYTHM, scene
from tests.fakes.stages import FakeMedia
from tests.servers.discord import payloads
from tests.servers.discord.values import THREAD
from tests.words import english

MIB = 1 << 20


async def test_the_answer_stands_in_a_thread_on_the_asking_message_with_files_and_their_words() -> (
    None
):
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot @everyone")
        files = [await picture(at.files, f"dot{n}.png", alt=f"dot {n}") for n in (1, 2)]
        await at.chat.follow(message, run, told(*whole(run, "Two dots @everyone.", files)))
        (answer,) = at.answers(message)

        assert at.thread(message).type == THREAD
        assert at.thread(message).name.startswith("draw a dot")
        assert [(u.filename, u.description) for u in answer.uploads] == [
            ("dot1.png", "dot 1"),
            ("dot2.png", "dot 2"),
        ]
        assert "@everyone" not in answer.text
        assert "-# dot1.png: painters/dot" in answer.text
        assert [button["custom_id"].split(":")[1] for button in answer.buttons] == [
            Action.RETRY,
            Action.ANOTHER,
            Action.DETAILS,
            Action.UP,
            Action.DOWN,
        ]


async def test_the_end_of_a_long_run_calls_whoever_asked() -> None:
    async with scene() as at:
        at.times = replace(at.times, rhythm=replace(RHYTHM, ping=0.0))
        at.chat = at.new_chat()
        async with at.running():
            message, run = await at.asks("draw a dot")
            await at.chat.follow(message, run, told(*whole(run)))
            answer, call = at.answers(message)

            assert answer.text == "A dot."
            assert call.text == english("run-ended", who=f"<@{at.ada.id}>")


async def test_small_talk_has_no_buttons() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("thanks!")
        await at.chat.follow(message, run, told(Answered(Answer(run, "You're welcome."))))
        (said,) = at.answers(message)

        assert said.text == "You're welcome."
        assert list(said.buttons) == []


async def test_the_plan_is_shown_with_a_stop_button_and_then_becomes_the_answer() -> None:
    async with scene() as at, at.running():
        async with at.drawing() as (message, run, events):
            plan = at.answers(message)[0]
            assert plan.button("Stop")["custom_id"] == f"troupe:stop:{run}"
            events.tell(*whole(run)[3:], None)

        assert at.answers(message) == [plan]
        assert plan.text == "A dot."
        assert plan.has_layout


async def test_a_run_that_ends_silently_takes_its_progress_back() -> None:
    async with scene() as at, at.running():
        async with at.drawing() as (message, run, events):
            events.tell(Answered(Answer(run, "", is_silent=True)), None)

        assert at.answers(message) == []


async def test_a_thousand_events_make_few_edits_and_the_last_is_never_lost() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("tell a story")
        text = " ".join(f"word{n}" for n in range(150))
        at.server.world.limits.window = 1.0
        await at.chat.follow(message, run, told(*begun(), *whole(run, text) * 1))

        assert at.answers(message)[0].text == text
        assert at.server.calls("PATCH message") <= 5
        assert at.server.world.limits.hits == 0


async def test_an_answer_of_five_messages_comes_whole_and_in_order() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("tell a long story")
        words = [f"word{n}" for n in range(1000)]
        await at.chat.follow(message, run, told(*whole(run, " ".join(words))))
        said = at.answers(message)

        assert 1 < len(said) <= 5
        assert " ".join(m.text for m in said).split() == words
        assert all(measure(m.text) <= LAYOUT_LIMIT for m in said)
        assert [bool(m.buttons) for m in said] == [False] * (len(said) - 1) + [True]


async def test_a_longer_answer_comes_as_a_file_below_its_first_lines() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("tell a very long story")
        text = " ".join(f"word{n}" for n in range(7200))
        await at.chat.follow(message, run, told(*whole(run, text, [await picture(at.files)])))
        (answer,) = at.answers(message)
        note, _, beginning = answer.text.split("\n-# ")[0].partition("\n\n")

        assert note == english("answer-in-file", file="answer.md")
        assert text.startswith(beginning.removesuffix(" …"))
        assert [u.filename for u in answer.uploads] == ["dot.png", "answer.md"]
        assert answer.uploads[1].body.decode() == text
        assert answer.button("Retry")


async def test_a_long_answer_comes_whole_where_no_file_may_be_attached() -> None:
    async with scene(window=0.01) as at, at.running():
        at.server.people.deny(at.place, "attach_files")
        message, run = await at.asks("tell a very long story")
        words = [f"word{n}" for n in range(2400)]
        stranger = replace(message, person=replace(message.person, id="nobody"))
        await at.chat.follow(stranger, run, told(*whole(run, " ".join(words))))
        said = at.answers(message)

        assert " ".join(m.text for m in said).split() == words
        assert [bool(m.buttons) for m in said] == [False] * (len(said) - 1) + [True]


async def test_where_no_file_may_be_attached_the_answer_says_where_they_are() -> None:
    async with scene() as at, at.running():
        at.server.people.deny(at.place, "attach_files")
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run, files=[await picture(at.files)])))
        (answer,) = at.answers(message)

        name = english("discord-permission-attach_files")
        assert english("discord-files-aside", permission=name) in answer.text
        (direct,) = [c for c in at.server.world.channels.values() if c.type == 1]
        assert [u.filename for m in direct.by(at.server.bot) for u in m.uploads] == ["dot.png"]


async def test_more_than_ten_files_come_in_several_messages() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw many dots")
        files = [await picture(at.files, f"dot{n:02}.png") for n in range(12)]
        await at.chat.follow(message, run, told(*whole(run, "Dots.", files)))

        assert [[u.filename for u in m.uploads] for m in at.answers(message)] == [
            [f"dot{n:02}.png" for n in range(10)],
            ["dot10.png", "dot11.png"],
        ]


async def test_a_file_too_large_is_made_smaller_and_else_given_as_a_link() -> None:
    async with scene() as at:
        ports = at.chat.ports
        signed = replace(ports, sign=lambda file, _run: f"https://troupe.example/{file.name}")
        at.chat.ports = replace(signed, media=_Stubborn())
        async with at.running():
            message, run = await at.asks("draw something big")
            big = await picture(at.files, "big.png", PNG * (300 * 1024))
            small = await picture(at.files, "small.png")
            await at.chat.follow(message, run, told(*whole(run, "Here.", [big, small])))
            answer, note = at.answers(message)

            assert [u.filename for u in answer.uploads] == ["small.png"]
            assert "[big.png](https://troupe.example/big.png): a single dot" in note.text


class _Stubborn(FakeMedia):
    """Media tools that can make nothing smaller."""

    async def fit(self, blob: Blob, max_bytes: int) -> Blob:
        raise MediaError("worker-lost")


async def test_a_file_too_large_is_made_smaller_where_that_can_be() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw something big")
        big = await picture(at.files, "big.png", PNG * (300 * 1024))
        await at.chat.follow(message, run, told(*whole(run, "Here.", [big])))
        (answer,) = at.answers(message)

        assert [u.size for u in answer.uploads] == [10 * MIB]


async def test_files_that_are_too_large_for_one_request_come_in_several() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw big dots")
        files = [await picture(at.files, f"dot{n}.png", b"0" * (9 * MIB)) for n in range(4)]
        await at.chat.follow(message, run, told(*whole(run, "Dots.", files)))

        assert [[u.filename for u in m.uploads] for m in at.answers(message)] == [
            ["dot0.png", "dot1.png"],
            ["dot2.png", "dot3.png"],
        ]
        assert at.server.world.refusals == []


async def test_files_refused_for_their_size_come_one_by_one_and_made_smaller() -> None:
    async with scene() as at, at.running():
        at.server.faults.request_bytes = 5 * MIB
        message, run = await at.asks("draw big dots")
        files = [await picture(at.files, f"dot{n}.png", b"0" * (4 * MIB)) for n in range(2)]
        files.append(await picture(at.files, "big.png", b"0" * (8 * MIB)))
        await at.chat.follow(message, run, told(*whole(run, "Dots.", files)))
        answer, *others = at.answers(message)

        assert [u.filename for u in answer.uploads] == ["dot0.png"]
        assert answer.button("Retry")
        assert [[u.filename for u in m.uploads] for m in others] == [["dot1.png"], ["big.png"]]


async def test_files_refused_for_their_size_that_cannot_be_made_smaller_become_links() -> None:
    async with scene() as at:
        ports = at.chat.ports
        at.chat.ports = replace(
            ports, media=_Stubborn(), sign=lambda file, _run: f"https://x/{file.name}"
        )
        at.server.faults.request_bytes = MIB
        async with at.running():
            message, run = await at.asks("draw something big")
            big = await picture(at.files, "big.png", b"0" * (2 * MIB))
            await at.chat.follow(message, run, told(*whole(run, "Here.", [big])))
            answer, note = at.answers(message)

            assert "[big.png](https://x/big.png)" in note.text
            assert answer.button("Retry")


async def test_notices_are_told_in_small_print() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        notice = LocalizedText("file-unused", {"name": "x.bin", "reason": LocalizedText("stopped")})
        await at.chat.follow(message, run, told(*whole(run, "A dot.", notices=[notice])))

        assert "-# x.bin was not used: Stopped." in at.answers(message)[0].text


async def test_an_apology_stands_under_what_was_done() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        sorry = Apologised(LocalizedText("apology-bug", {"reference": "r7"}), "r7")
        await at.chat.follow(message, run, told(*begun(), sorry))
        (said,) = at.answers(message)

        assert "painters/dot" in said.text
        assert said.text.count("r7") == 1
        assert said.button("Retry")


async def test_a_follow_up_is_answered_in_the_same_thread() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run, "A dot.")))
        thread = at.thread(message)
        at.server.people.say(at.ada, thread, "now read it aloud")
        again, run = await at.listener.next(2)
        await at.chat.follow(again, run, told(*whole(run, "Aloud.")))

        assert [m.text for m in at.answers(message)] == ["A dot.", "Aloud."]
        assert again.thread == message.thread


async def test_a_direct_message_is_answered_there() -> None:
    async with scene() as at, at.running():
        direct = at.server.people.dm(at.ada)
        at.server.people.say(at.ada, direct, "draw a dot")
        message, run = await at.listener.next()
        await at.chat.follow(message, run, told(*whole(run, "A dot.", [await picture(at.files)])))

        assert [m.text.split("\n")[0] for m in at.server.transcript(direct)] == ["A dot."]


async def test_where_no_thread_may_be_opened_it_replies_and_replies_go_on_with_it() -> None:
    async with scene() as at, at.running():
        at.server.people.deny(at.place, "create_public_threads")
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run, "A dot.")))
        (answer,) = at.server.transcript(at.place)
        at.server.people.say(at.ada, at.place, "bigger", reply_to=answer)
        again, run = await at.listener.next(2)
        await at.chat.follow(again, run, told(*whole(run, "A big dot.")))
        second = at.server.transcript(at.place)[1]
        at.server.people.say(at.ada, at.place, "bigger still", reply_to=second)
        third, _ = await at.listener.next(3)

        assert answer.reference is at.place.said[0]
        assert again.addressing.replied_to_bot
        assert again.thread == message.thread == third.thread


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize(
    "permission",
    [
        "send_messages",
        "send_messages_in_threads",
        "create_public_threads",
        "read_message_history",
        "add_reactions",
        "attach_files",
    ],
)
async def test_with_any_permission_missing_the_person_still_gets_the_answer(
    permission: str, *, announced: bool
) -> None:
    async with scene() as at, at.running():
        at.server.people.deny(at.place, permission, announced=announced)
        message, run = await at.asks("draw a dot")
        shown = await picture(at.files)
        await at.chat.follow(message, run, told(*whole(run, "A dot.", [shown])))
        every = [m for c in at.server.world.channels.values() for m in at.server.transcript(c)]

        assert len([m for m in every if m.text.startswith("A dot.")]) == 1


async def test_no_thread_is_opened_in_which_the_bot_may_not_write() -> None:
    async with scene() as at, at.running():
        at.server.people.deny(at.place, "send_messages_in_threads")
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run, "A dot.")))

        assert [said.text for said in at.server.transcript(at.place)] == ["A dot."]
        assert at.server.calls("POST thread") == 0


@pytest.mark.parametrize("everyone", [0, (1 << 31) - 1])
async def test_permissions_that_cannot_be_right_are_not_believed(everyone: int) -> None:
    async with scene() as at:
        guild = at.place.guild
        assert guild is not None
        right, guild.everyone = guild.everyone, everyone
        async with at.running():
            guild.everyone = right
            message, run = await at.asks("draw a dot")
            await at.chat.follow(message, run, told(*whole(run, "A dot.")))

            assert [m.text for m in at.answers(message)] == ["A dot."]


async def test_where_it_may_not_speak_at_all_it_says_so_in_a_direct_message() -> None:
    async with scene() as at, at.running():
        at.server.people.deny(at.place, "send_messages")
        at.server.people.deny(at.place, "create_public_threads")
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run, "A dot.")))
        (direct,) = [c for c in at.server.world.channels.values() if c.type == 1]

        missing = english("discord-permission-send_messages")
        assert [m.text for m in at.server.transcript(direct)] == [
            english("discord-aside-permission", channel="#general", permission=missing),
            "A dot.",
        ]


async def test_files_that_may_not_be_attached_come_in_a_direct_message_that_says_why() -> None:
    async with scene() as at, at.running():
        at.server.people.deny(at.place, "attach_files", announced=False)
        at.ada.locale = "de"
        message, run = await at.asks("draw a dot")
        asked = replace(message, person=replace(message.person, locale="de"))
        await at.chat.follow(asked, run, told(*whole(run, "A dot.", [await picture(at.files)])))
        (answer,) = at.answers(message)
        (direct,) = [c for c in at.server.world.channels.values() if c.type == 1]
        notice, files = at.server.transcript(direct)

        assert answer.text.startswith("A dot.")
        assert len(answer.buttons) == 5
        assert "Dateien anhängen" in notice.text
        assert "#general" in notice.text
        assert [upload.filename for upload in files.uploads] == ["dot.png"]


async def test_where_it_is_nowhere_let_in_that_is_an_error_of_the_chat() -> None:
    async with scene() as at, at.running():
        at.server.people.deny(at.place, "send_messages")
        at.server.people.deny(at.place, "create_public_threads")
        message, run = await at.asks("draw a dot")
        stranger = replace(message, person=replace(message.person, id="nobody"))

        with pytest.raises(ChatError):
            await at.chat.follow(stranger, run, told(*whole(run)))


async def test_a_message_that_a_moderator_deleted_is_posted_again() -> None:
    async with scene() as at, at.running():
        async with at.drawing() as (message, run, events):
            at.server.people.delete(at.answers(message)[0])
            events.tell(Answered(Answer(run, "A dot.")), None)

        assert [m.text for m in at.answers(message)] == ["A dot."]


async def test_ten_people_in_ten_channels_are_answered_at_once() -> None:
    async with scene() as at, at.running():
        guild = at.place.guild
        assert guild is not None
        places = [at.server.people.channel(guild, f"room{n}") for n in range(10)]
        for place in places:
            at.server.world.tell("CHANNEL_CREATE", payloads.channel(place), place)
            at.server.people.say(at.server.people.person(place.name), place, f"{at.mention} a dot")
        await at.listener.next(10)
        async with asyncio.TaskGroup() as group:
            for message, run in at.listener.received:
                group.create_task(
                    at.chat.follow(message, run, told(*whole(run, message.person.name)))
                )

        for message, _ in at.listener.received:
            assert [m.text for m in at.answers(message)] == [message.person.name]


async def test_a_plan_that_comes_after_the_first_message_is_shown_without_waiting() -> None:
    async with scene() as at:
        at.times = replace(at.times, rhythm=replace(RHYTHM, between=3600.0))
        at.chat = at.new_chat()
        async with at.running():
            message, run = await at.asks("draw a dot")
            events = Told()
            async with asyncio.TaskGroup() as group:
                group.create_task(at.chat.follow(message, run, aiter(events)))
                await at.sees(english("progress-thinking"))
                events.tell(*begun()[:1])
                await at.sees("Making a picture from words")
                events.tell(*whole(run)[3:], None)

        assert at.answers(message)[0].text == "A dot."
