"""Whole conversations on the simulated Discord: requests and the final messages."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import takewhile
from typing import cast

from pipeline.domain import Text
from tests.adapters.discord.scene import DiscordScene, scene
from tests.bot.scenes import Scene
from tests.e2e.obliging import PNG, obliging, shortener, stall, summarizing
from tests.fakes.chat import FakeListener
from tests.fakes.persistence import FakeInbox
from tests.fakes.stages import ActingExpert, model
from tests.servers.discord.values import Channel, Message, Upload
from tests.servers.discord.world import Interaction
from tests.words import english


@dataclass
class Bot:
    """The simulated Discord, the conversation, and what survives a restart."""

    at: DiscordScene
    behind: Scene

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Run the program; killed at the end."""
        self.at.chat = self.at.new_chat()
        self.behind.inbox = FakeInbox(self.behind.inbox.entries)
        async with self.behind.at_work() as conversation:
            self.behind.runner.chats = {"discord": self.at.chat}
            self.at.listener = cast("FakeListener", conversation)
            async with self.at.running():
                yield

    def asks(self, text: str, *files: str, place: Channel | None = None) -> Message:
        sent = [(name, PNG) for name in files]
        words = f"{self.at.mention} {text}"
        return self.at.server.people.say(self.at.ada, place or self.at.place, words, sent)

    async def answer(self, place: Channel, number: int = 1) -> Message:
        """The answer with this number in a channel or thread, once complete."""

        def whole() -> list[Message]:
            said = self.at.server.transcript(place)
            ended = [m for m in said if all(b["label"] != "Stop" for b in m.buttons)]
            return [m for m in ended if m.text]

        await self.at.server.world.until(lambda: len(whole()) >= number and self.idle)
        return whole()[number - 1]

    def files(self, answer: Message) -> list[Upload]:
        """The files of an answer: in its message, and sounds in a message right below it."""
        said = self.at.server.transcript(answer.channel)
        below = takewhile(lambda m: not m.text, said[said.index(answer) + 1 :])
        return [upload for m in (answer, *below) for upload in m.uploads]

    async def running(self, place: Channel) -> Message:
        """The message of an unfinished run, once it shows the plan."""

        def shown() -> list[Message]:
            return [m for m in self.at.server.transcript(place) if "painter" in m.text]

        return (await self.at.server.world.until(shown))[0]

    async def thread(self, root: Message) -> Channel:
        return cast("Channel", await self.at.server.world.until(lambda: root.thread))

    @property
    def idle(self) -> bool:
        return all(entry.finished for entry in self.behind.inbox.entries)


@asynccontextmanager
async def bot(expert: ActingExpert | None = None) -> AsyncIterator[Bot]:
    async with scene() as at:
        behind = Scene(obliging(expert))
        at.files, at.store = behind.bench.files, behind.store
        yield Bot(at, behind)


async def _told(one: Bot, use: Interaction) -> None:
    await one.at.server.world.until(lambda: use.answers and use.answers[0].text)


async def test_a_mention_with_two_files_is_answered_with_two_and_the_next_message_goes_on() -> None:
    async with bot() as one, one.at_work():
        asked = one.asks("make a picture like these", "a.png", "b.png")
        thread = await one.thread(asked)
        answer = await one.answer(thread)
        assert [u.media_type for u in one.files(answer)] == ["image/png", "audio/x-wav"]
        assert all(u.description for u in one.files(answer))
        assert answer.gallery == [answer.uploads[0].description]

        one.at.server.people.say(one.at.ada, thread, "now read the second one aloud")
        second = await one.answer(thread, 2)
        assert len(one.files(second)) == 1
        assert len(one.at.server.transcript(one.at.place)) == 0


async def test_a_picture_that_was_only_overheard_is_there_when_the_bot_is_called() -> None:
    async with bot() as one, one.at_work():
        people, ada = one.at.server.people, one.at.ada
        bob = people.person("bob")
        thread = await one.thread(one.asks("hello"))
        await one.answer(thread)
        people.say(bob, thread, f"<@{ada.id}> look at this", [("cat.png", PNG)])
        await one.at.server.world.until(lambda: len(one.behind.store.turns) == 3)
        fetched = len(one.behind.bench.files.kept)
        one.asks("what was that?", place=thread)
        await one.answer(thread, 2)

        files = [file.name for _, turn in one.behind.store.turns.values() for file in turn.files]
        assert (fetched, files) == (0, ["image 1"])


async def test_a_thread_is_summed_up_with_what_was_written_while_the_bot_was_down() -> None:
    expert = shortener()
    async with bot() as one:
        people, ada = one.at.server.people, one.at.ada
        bob = people.person("bob")
        async with one.at_work():
            thread = await one.thread(one.asks("hello"))
            await one.answer(thread)
            people.say(bob, thread, f"<@{ada.id}> Friday?")
            await one.at.server.world.until(lambda: len(one.behind.store.turns) == 3)
        people.say(ada, thread, f"<@{bob.id}> Monday at ten then")
        one.behind.bench = summarizing(expert)
        async with one.at_work():
            one.asks("please summarize this thread", place=thread)
            await one.answer(thread, 2)

    (job,) = expert.jobs
    (text,) = job.args["text"]
    assert isinstance(text, Text)
    *_, friday, monday = text.text.splitlines()
    assert friday.endswith("Friday?")
    assert monday.endswith("Monday at ten then")


async def test_another_model_for_one_step_is_compared_and_voted_on_after_a_restart() -> None:
    async with bot() as one:
        one.behind.bench.models = [*one.behind.bench.models, model("drawer", "text-to-image")]
        people, ada = one.at.server.people, one.at.ada
        async with one.at_work():
            thread = await one.thread(one.asks("make a picture"))
            use = people.press(ada, await one.answer(thread), "Details")
            await _told(one, use)
        async with one.at_work():
            people.choose(ada, use.answers[-1], "1 drawer")
            second = await one.answer(thread, 2)
            use = people.press(ada, second, "B is better")
            await _told(one, use)

        records = await one.behind.store.track_records()
        assert [upload.filename for upload in one.files(second)] == [
            "A-picture.png",
            "B-picture.png",
            "sound.wav",
        ]
        assert "`painter`" in second.text
        assert "`drawer`" in second.text
        assert use.answers[0].text == english("vote-compared", model="`drawer`")
        assert records["drawer", "text-to-image"].liking == 1.0
        assert records["painter", "text-to-image"].liking == -1.0


async def test_people_among_themselves_are_left_alone() -> None:
    async with bot() as one, one.at_work():
        people = one.at.server.people
        bob = people.person("bob")
        people.say(bob, one.at.place, "did anyone see the picture?")
        asked = one.asks("hello")
        thread = await one.thread(asked)
        await one.answer(thread)
        people.say(bob, thread, f"<@{one.at.ada.id}> what do you think?")
        people.say(one.at.ada, thread, "and you, machine?")
        second = await one.answer(thread, 2)

        assert second.text.startswith("You said: and you, machine?")
        assert len(one.at.server.transcript(thread)) == 2


async def test_a_direct_message_is_answered() -> None:
    async with bot() as one, one.at_work():
        direct = one.at.server.people.dm(one.at.ada)
        one.at.server.people.say(one.at.ada, direct, "make a picture")

        assert len(one.files(await one.answer(direct))) == 2


async def test_stop_ends_it_at_once_also_after_a_restart() -> None:
    async with bot(ActingExpert(stall)) as one:
        async with one.at_work():
            thread = await one.thread(one.asks("make a picture"))
            await one.at.sees("painter")
        async with one.at_work():
            plan = one.at.server.transcript(thread)[0]
            one.at.server.people.press(one.at.ada, plan, "Stop")
            answer = await one.answer(thread)

        assert "Stopped." in answer.text
        assert len(one.at.server.transcript(thread)) == 1


async def test_a_mention_added_by_an_edit_is_answered() -> None:
    async with bot() as one, one.at_work():
        people, ada = one.at.server.people, one.at.ada
        said = people.say(ada, one.at.place, "hello")
        await one.at.server.world.until(lambda: one.behind.store.noted)
        people.edit(said, f"{one.at.mention} hello")
        answer = await one.answer(await one.thread(said))
        assert "You said: hello" in answer.text


async def test_an_edit_meanwhile_plans_anew_and_a_deletion_stops_and_forgets() -> None:
    async with bot(ActingExpert(stall)) as one, one.at_work():
        asked = one.asks("make a picture")
        thread = await one.thread(asked)
        await one.at.sees("painter")
        one.at.server.people.edit(asked, f"{one.at.mention} just talk")
        await one.at.sees("You said: just talk")
        await one.at.server.world.until(lambda: one.idle)
        assert len(one.at.server.transcript(thread)) == 1

        gone = one.asks("make another picture")
        other = await one.thread(gone)
        await one.at.server.world.until(lambda: one.at.server.transcript(other))
        one.at.server.people.delete(gone)
        await one.at.server.world.until(lambda: one.idle)
        turns = [turn.text for _, turn in one.behind.store.turns.values()]
        assert not any("another" in text for text in turns)


async def test_retry_and_another_model_answer_again_in_the_thread() -> None:
    async with bot() as one, one.at_work():
        thread = await one.thread(one.asks("make a picture"))
        first = await one.answer(thread)
        one.at.server.people.press(one.at.ada, first, "Retry")
        second = await one.answer(thread, 2)

        assert len(one.files(second)) == 2


async def test_details_and_votes_are_answered_to_the_person_alone() -> None:
    async with bot() as one, one.at_work():
        thread = await one.thread(one.asks("make a picture"))
        answer = await one.answer(thread)
        for label in ("Details", "👍", "👎"):
            use = one.at.server.people.press(one.at.ada, answer, label)
            await _told(one, use)
            assert use.answers[0].seen_only_by == one.at.ada.id
        (vote,) = one.behind.store.votes.values()
        assert vote.value == -1


async def test_every_command_answers_as_a_slash_command() -> None:
    given = {
        "model": {"id": "painter"},
        "forget": {"what": "me"},
        "ask": {"text": "hello"},
        "settings": {"name": "mention"},
    }
    async with bot() as one, one.at_work():
        names = [each["name"] for each in one.at.server.world.commands if each["type"] == 1]
        for name in names:
            use = one.at.server.people.command(one.at.ada, one.at.place, name, given.get(name))
            await _told(one, use)
            assert (use.answers[0].seen_only_by is None) == (name == "ask")
        asked = next(m for m in one.at.server.transcript(one.at.place) if "hello" in m.text)
        answer = await one.answer(await one.thread(asked))
        assert answer.text.startswith("You said: hello")


async def test_a_command_after_a_mention_is_a_command() -> None:
    async with bot() as one, one.at_work():
        thread = await one.thread(one.asks("models"))

        assert "painter" in (await one.answer(thread)).text


async def test_told_three_times_and_killed_meanwhile_it_is_answered_once() -> None:
    async with bot() as one:
        one.at.server.faults.deliver = 3
        async with one.at_work():
            asked = one.asks("make a picture")
            thread = await one.thread(asked)
        async with one.at_work():
            await one.answer(thread)
            await asyncio.sleep(0)

        assert [bool(m.text) for m in one.at.server.transcript(thread)] == [True, False]


async def test_mentioned_while_away_it_answers_once_however_much_was_said_since() -> None:
    async with bot() as one:
        guild, people = one.at.place.guild, one.at.server.people
        assert guild is not None
        async with one.at_work():
            await one.at.server.world.until(lambda: len(one.at.cache.kept) > 1)
        other = people.channel(guild, "other")
        asked = [one.asks("make a picture"), one.asks("hello", place=other)]
        for number in range(150):
            people.say(people.person("bob"), one.at.place, f"chatter {number}")
        async with one.at_work():
            answers = [await one.answer(await one.thread(message)) for message in asked]
        async with one.at_work():
            await one.at.server.world.until(lambda: one.idle)

        assert len(one.files(answers[0])) == 2
        assert answers[1].text.startswith("You said: hello")
        assert one.at.server.transcript(one.at.place) == []


async def test_edited_while_away_the_new_words_are_answered() -> None:
    async with bot(ActingExpert(stall)) as one:
        async with one.at_work():
            asked = one.asks("make a picture")
            thread = await one.thread(asked)
            await one.at.sees("painter")
        one.at.server.people.edit(asked, f"{one.at.mention} just talk")
        async with one.at_work():
            await one.at.sees("You said: just talk")
            await one.at.server.world.until(lambda: one.idle)

        assert len(one.at.server.transcript(thread)) == 1


async def test_ten_people_in_ten_channels_are_answered_at_once() -> None:
    async with bot() as one:
        guild = one.at.place.guild
        assert guild is not None
        people = one.at.server.people
        places = [people.channel(guild, f"room{n}") for n in range(10)]
        async with one.at_work():
            asked = [one.asks("make a picture", place=place) for place in places]
            for message in asked:
                answer = await one.answer(await one.thread(message))
                assert len(one.files(answer)) == 2


async def test_stop_under_twenty_runs_at_once_ends_them_all_within_the_limits() -> None:
    async with bot(ActingExpert(stall)) as one:
        guild = one.at.place.guild
        assert guild is not None
        people = one.at.server.people
        places = [people.channel(guild, f"room{n}") for n in range(20)]
        async with one.at_work():
            asked = [one.asks("make a picture", place=place) for place in places]
            threads = [await one.thread(message) for message in asked]
            plans = [await one.running(thread) for thread in threads]
            for plan in plans:
                people.press(one.at.ada, plan, "Stop")
            for thread in threads:
                assert "Stopped." in (await one.answer(thread)).text

        assert one.at.server.world.limits.hits == 0


async def test_a_form_asks_and_another_changes_the_settings() -> None:
    async with bot() as one, one.at_work():
        people, ada, place = one.at.server.people, one.at.ada, one.at.place
        form = people.command(ada, place, "ask")
        await one.at.server.world.until(lambda: form.callback)
        asked = people.submit(ada, form, {"text": "make a picture", "file": [("a.png", PNG)]})
        await _told(one, asked)
        assert asked.original is not None
        thread = await one.thread(asked.original)
        assert (await one.answer(thread)).uploads

        form = people.command(ada, place, "settings")
        await one.at.server.world.until(lambda: form.callback)
        changed = people.submit(ada, form, {"mention": ["always"], "language": ["de"]})
        await _told(one, changed)
        assert "- `mention`: `always`" in changed.answers[0].content

        bob = people.person("bob")
        shown = people.command(bob, place, "settings")
        await _told(one, shown)
        assert english("setting-mention") not in shown.answers[0].content  # but in German
        assert "`" not in shown.answers[0].content


async def test_in_a_conversation_without_the_bot_one_request_follows_another() -> None:
    async with bot() as one:
        people, ada = one.at.server.people, one.at.ada
        one.at.server.world.installs = (0, 1)
        people.install(ada)
        async with one.at_work():
            group = people.group(ada, people.person("bob"))
            first = people.command(ada, group, "ask", {"text": "make a picture"})
            await one.at.server.world.until(
                lambda: first.answers and first.answers[-1].uploads and one.idle
            )
            again = people.press(ada, first.answers[0], "Retry")
            await one.at.server.world.until(
                lambda: again.answers and again.answers[-1].uploads and one.idle
            )
            second = people.command(ada, group, "ask", {"text": "now read it aloud"})
            await one.at.server.world.until(
                lambda: second.answers and second.answers[-1].uploads and one.idle
            )

        assert [len(use.answers) for use in (first, again, second)] == [2, 2, 2]
        assert second.answers[-1].uploads[0].media_type.startswith("audio/")
        assert one.at.server.transcript(one.at.place) == []


async def test_what_another_bot_posts_is_context_and_never_answered() -> None:
    async with bot() as one, one.at_work():
        people, ada = one.at.server.people, one.at.ada
        robot = people.person("robot")
        robot.bot = True
        thread = await one.thread(one.asks("hello"))
        await one.answer(thread)
        card = people.say(robot, thread, f"{one.at.mention} build 7 failed")
        await one.at.server.world.until(lambda: len(one.behind.store.turns) == 3)
        people.edit(card, "build 7 passed after all")
        people.say(ada, thread, "thanks")
        await one.answer(thread, 2)

        turns = [turn for _, turn in one.behind.store.turns.values()]
        texts = [turn.text for turn in turns if turn.person.name == "robot"]
        assert texts == ["build 7 passed after all"]
        assert sum(turn.person.is_bot for turn in turns) == 2
        assert len(one.at.server.transcript(thread)) == 2
        assert card.reactions == {}
