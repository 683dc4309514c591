"""Each message is answered once, in its thread."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from adapters.store.rate_limits import LocalRateLimits
from bot import VERSION
from bot.access import ListGate
from bot.conversation import Conversation
from bot.intake import make_run_id
from bot.rate_limits import MessageLimits
from pipeline.domain import (
    Action,
    Addressing,
    Answer,
    Apologised,
    Blob,
    ButtonClick,
    ChannelSettings,
    Context,
    ExpertOutput,
    Incoming,
    Invocation,
    Link,
    LocalizedText,
    Person,
    PlanPart,
    Replied,
    Request,
    RunId,
    RunState,
    Silent,
    Text,
    Thread,
    Turn,
)
from pipeline.errors import NotAllowed
from pipeline.ports import Job, Scope
from pipeline.response.plain import PlainResponder
from pipeline.text.thread_texts import join_thread
from pipeline.words import say
from tests.bot.scenes import GENERAL, Scene, follow_up, message
from tests.contracts.runs import done, failed, run
from tests.fakes.persistence import FakeInbox
from tests.fakes.stages import ANN, ActingExpert, Bench, FakePlanner, model, never, planning, task
from tests.fakes.store import FakeStore
from tests.words import english

BOB = Person("bob", "Bob")


def _replying(text: str = "Hello!") -> Bench:
    return Bench(planners=[FakePlanner([Replied(text)])])


def _working(expert: ActingExpert) -> Bench:
    return Bench(
        planners=[planning(task(0, "summarization", text="x"))],
        experts=[expert],
        models=[model("m", "summarization")],
    )


async def _done(_job: Job) -> ExpertOutput:
    return ExpertOutput({"text": Text("short")})


async def test_a_channel_with_a_language_of_its_own_is_spoken_to_in_it() -> None:
    scene = Scene(_replying())
    await scene.store.set(GENERAL, ChannelSettings(language="de"))

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message("hi"))
        told = await conversation.on_command(
            Invocation(id="i1", command="plan", args={}, person=ANN, thread=message().thread)
        )
        taken = await scene.inbox.message(run or RunId(""))

    assert taken is not None
    assert taken.person.locale == "de"
    assert told.text == "In diesem Thread gibt es noch keinen Plan."


async def test_a_mention_is_answered_in_its_thread_and_kept() -> None:
    scene = Scene(_replying())

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message("hi"))
        answer = await scene.chat.wait_for_answer()
        await scene.idle()

    assert isinstance(answer, Answer)
    assert (answer.text, answer.run) == ("Hello!", run)
    assert [turn.text for turn in await _turns(scene)] == ["hi", "Hello!"]


async def test_the_log_knows_what_was_found_and_which_words_are_only_a_reply() -> None:
    replying = Scene(Bench(planners=[FakePlanner([Replied("Hello!", sentence="planner-hello")])]))
    working = Scene(replace(_working(ActingExpert(_done)), responders=[PlainResponder()]))

    for scene in (replying, working):
        async with scene.at_work() as conversation:
            await conversation.on_message(message("hi"))
            await scene.chat.wait_for_answer()
            await scene.idle()

    replied, worked = (await _turns(replying))[-1], (await _turns(working))[-1]
    assert (replied.sentence, replied.results) == ("planner-hello", None)
    assert (worked.sentence, worked.results) == ("", "short")


async def _turns(scene: Scene) -> tuple[Turn, ...]:
    context = await scene.store.context(message().thread, turns=10, tail=10)
    return context.turns


async def test_a_message_delivered_three_times_is_answered_once() -> None:
    scene = Scene(_replying())

    async with scene.at_work() as conversation:
        runs = [await conversation.on_message(message("hi")) for _ in range(3)]
        await scene.chat.wait_for_answer()

    assert [run is not None for run in runs] == [True, False, False]
    assert len(scene.chat.transcript) == 1


async def test_what_was_not_finished_is_taken_up_after_a_restart() -> None:
    begun = asyncio.Event()

    async def act(_job: Job) -> ExpertOutput:
        begun.set()
        await never()
        raise AssertionError

    scene = Scene(_working(ActingExpert(act)))
    async with scene.at_work() as conversation:
        await conversation.on_message(message())
        await begun.wait()
    assert scene.chat.transcript == []

    scene.bench.experts = [ActingExpert(_done)]
    scene.inbox = FakeInbox(scene.inbox.entries)
    async with scene.at_work():
        answer = await scene.chat.wait_for_answer()

    assert isinstance(answer, Answer)


async def test_a_message_that_ends_the_program_again_and_again_is_apologised_for() -> None:
    begun = asyncio.Event()

    async def act(_job: Job) -> ExpertOutput:
        begun.set()
        await never()
        raise AssertionError

    scene = Scene(_working(ActingExpert(act)))
    await scene.conversation().on_message(message())
    for _ in range(6):
        begun.clear()
        scene.inbox = FakeInbox(scene.inbox.entries)
        async with scene.at_work():
            await begun.wait()
    assert scene.chat.transcript == []

    scene.inbox = FakeInbox(scene.inbox.entries)
    async with scene.at_work():
        end = await scene.chat.wait_for_answer()

    assert isinstance(end, Apologised)
    assert end.reason.id == "apology-patience"


async def test_a_follow_up_needs_no_mention_but_people_are_left_to_themselves() -> None:
    scene = Scene(_replying())

    async with scene.at_work() as conversation:
        await conversation.on_message(message("hi"))
        await scene.chat.wait_for_answer()
        await scene.idle()
        follow = await conversation.on_message(follow_up("and now?", 2))
        aside = await conversation.on_message(
            follow_up("Bob, what do you think?", 3, addressing=Addressing(others_mentioned=True))
        )
        other = await conversation.on_message(
            message("just us", id="004", root="004", addressing=Addressing())
        )
        await scene.chat.wait_for_answer(2)

    assert follow is not None
    assert (aside, other) == (None, None)


async def test_the_bot_stays_out_of_a_thread_it_was_sent_out_of_until_it_is_mentioned() -> None:
    planner = FakePlanner([Silent(leaves_thread=True)])
    scene = Scene(Bench(planners=[planner]))

    async with scene.at_work() as conversation:
        await conversation.on_message(message("hi"))
        await conversation.on_message(follow_up("not you", 2))
        await conversation.on_message(follow_up("lol", 3))  # before it has answered
        await scene.idle()
        ignored = await conversation.on_message(follow_up("and now?", 4))
        planner.parts = [Replied("Hello!")]
        await conversation.on_message(message("hello again", id="005"))
        await scene.idle()
        taken = await conversation.on_message(follow_up("and now?", 6))

    assert ignored is None
    assert taken is not None


async def test_a_wish_that_waits_while_the_bot_is_sent_out_of_its_thread_is_not_answered() -> None:
    class Leaving(FakePlanner):
        async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
            is_leaving = request.text == "not you"
            yield Silent(leaves_thread=True) if is_leaving else Replied("Hello!")

    scene = Scene(Bench(planners=[Leaving()]))

    async with scene.at_work() as conversation:
        await conversation.on_message(message("hi"))
        await conversation.on_message(follow_up("not you", 2))
        await conversation.on_message(follow_up("draw a cat", 3))  # before it has left
        await scene.idle()
        ignored = await conversation.on_message(follow_up("and now?", 4))

    texts = [end.text for end in scene.chat.transcript if isinstance(end, Answer)]
    assert ignored is None
    assert texts.count("Hello!") == 1


async def test_the_setting_mention_is_offered_once_in_a_channel_until_it_is_forgotten() -> None:
    scene = Scene(Bench(planners=[FakePlanner([Silent(leaves_thread=True)])]))

    async with scene.at_work() as conversation:
        for number in ("001", "002"):
            await conversation.on_message(message("hi", id=number, root=number))
            await scene.idle()
        await scene.store.forget(Scope.CHANNEL, thread=message().thread, person=ANN.id)
        await conversation.on_message(message("hi", id="003", root="003"))
        await scene.idle()

    texts = [end.text for end in scene.chat.transcript if isinstance(end, Answer)]
    assert ["settings mention always" in text for text in texts] == [True, False, True]


async def test_where_mentions_are_demanded_a_follow_up_needs_one() -> None:
    scene = Scene(_replying(), mention="always")

    async with scene.at_work() as conversation:
        await conversation.on_message(message("hi"))
        await scene.chat.wait_for_answer()
        await scene.idle()

        assert await conversation.on_message(follow_up("and now?", 2)) is None


async def test_what_bots_say_is_never_answered() -> None:
    bot = Person("robot", "Robot", is_bot=True)

    assert await Scene().conversation().on_message(message(person=bot)) is None


async def test_stop_ends_a_run_and_says_so() -> None:
    begun = asyncio.Event()

    async def act(_job: Job) -> ExpertOutput:
        begun.set()
        await never()
        raise AssertionError

    expert = ActingExpert(act)
    scene = Scene(_working(expert))
    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        assert run is not None
        await begun.wait()
        await conversation.on_click(
            ButtonClick(id="p1", action=Action.STOP, run=run, person=ANN, thread=message().thread)
        )
        end = await scene.chat.wait_for_answer()
        await scene.idle()

    assert isinstance(end, Apologised)
    assert end.reason.id == "stopped"
    assert expert.working == 0
    kept = await scene.store.load(run)
    assert kept is not None
    assert kept.state is RunState.STOPPED


async def test_a_bug_is_told_with_a_reference_and_harms_no_other() -> None:
    class Broken(FakePlanner):
        def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
            if request.text == "bug":
                raise ZeroDivisionError
            return super().plan(request)

    scene = Scene(Bench(planners=[Broken([Replied("fine")])]))
    async with scene.at_work() as conversation:
        await conversation.on_message(message("bug"))
        first = await scene.chat.wait_for_answer()
        await conversation.on_message(message("hi", id="002", root="002"))
        second = await scene.chat.wait_for_answer(2)

    assert isinstance(first, Apologised)
    assert first.reason.id == "apology-bug"
    assert isinstance(second, Answer)


async def test_what_the_bot_could_not_do_is_logged_in_the_words_that_were_read() -> None:
    scene = Scene(_replying(), limits=MessageLimits(LocalRateLimits(), 0, 10))
    async with scene.at_work() as conversation:
        await conversation.on_message(message("hallo", person=replace(ANN, locale="de")))
        end = await scene.chat.wait_for_answer()
        await scene.idle()

    assert isinstance(end, Apologised)
    assert (await _turns(scene))[-1].text == say("de", end.reason)


async def test_a_person_who_may_not_is_told_so_and_one_too_quick_too() -> None:
    scene = Scene(
        _replying(),
        gate=ListGate(deny=frozenset({"bob"})),
        limits=MessageLimits(LocalRateLimits(), 1, 10),
    )

    async with scene.at_work() as conversation:
        await conversation.on_message(message(person=BOB))
        await conversation.on_message(message(id="002", root="002"))
        await conversation.on_message(message(id="003", root="003"))
        await scene.chat.wait_for_answer(3)

    told = {end.reason.id for end in scene.chat.transcript if isinstance(end, Apologised)}
    assert told == {"not-allowed", "over-limit-person"}


async def test_an_edit_during_the_run_starts_it_anew() -> None:
    begun = asyncio.Event()
    expert = ActingExpert(_done)

    async def act(_job: Job) -> ExpertOutput:
        if len(expert.jobs) == 1:
            begun.set()
            await never()
        return ExpertOutput({"text": Text("short")})

    expert.act = act
    scene = Scene(_working(expert))
    async with scene.at_work() as conversation:
        await conversation.on_message(message("first"))
        await begun.wait()
        await conversation.on_edit(message("second"))
        await scene.chat.wait_for_answer(2)

    first, second = scene.chat.transcript
    assert isinstance(first, Answer)
    assert first.is_silent
    assert isinstance(second, Answer)


@pytest.mark.parametrize(("listen", "kept"), [("threads", []), ("all", ["draw a cat"])])
async def test_an_edit_that_takes_the_mention_away_takes_the_request_back(
    listen: str, kept: list[str]
) -> None:
    begun = asyncio.Event()

    async def act(_job: Job) -> ExpertOutput:
        begun.set()
        await never()
        return ExpertOutput({})

    def forget(_key: str) -> list[RunId]:
        runs = [entry.run for entry in scene.inbox.entries]
        scene.inbox.entries.clear()
        return runs

    scene = Scene(_working(ActingExpert(act)), listen=listen)
    scene.store.started = forget
    async with scene.at_work() as conversation:
        await conversation.on_message(message("draw a cat"))
        await begun.wait()
        await conversation.on_edit(message("draw a cat", addressing=Addressing()))
        await scene.chat.wait_for_answer(1)
        context = await scene.store.context(Thread(GENERAL, "001"), turns=9, tail=0)

    assert [turn.text for turn in context.turns] == kept
    (answer,) = scene.chat.transcript
    assert isinstance(answer, Answer)
    assert answer.is_silent


async def test_an_edit_that_adds_the_mention_to_a_message_that_met_silence_asks() -> None:
    planner = FakePlanner([Replied("Hello!")])
    scene, overheard = Scene(Bench(planners=[planner])), follow_up("draw a cat", 2)
    async with scene.at_work() as conversation:
        await conversation.on_message(message("hi"))
        await scene.chat.wait_for_answer(1)
        planner.parts = [Silent()]
        await conversation.on_message(overheard)
        await scene.chat.wait_for_answer(2)
        planner.parts = [Replied("Here is a cat.")]
        await conversation.on_edit(replace(overheard, addressing=Addressing(mentioned=True)))
        await scene.chat.wait_for_answer(3)

    answers = [said for said in scene.chat.transcript if isinstance(said, Answer)]
    assert [answer.is_silent for answer in answers] == [False, True, False]


async def test_an_edit_that_only_takes_a_file_away_stops_the_run_and_begins_another() -> None:
    begun = asyncio.Event()
    expert = ActingExpert(_done)

    async def act(_job: Job) -> ExpertOutput:
        if len(expert.jobs) == 1:
            begun.set()
            await never()
        return ExpertOutput({"text": Text("short")})

    expert.act = act
    scene = Scene(_working(expert))
    scene.chat.files = {"u:1": Blob(b"png", "image/png"), "u:2": Blob(b"more", "image/png")}
    cat, dog = Link("u:1", "cat.png", id="1"), Link("u:2", "dog.png", id="2")
    async with scene.at_work() as conversation:
        await conversation.on_message(message("which?", files=[cat, dog]))
        await begun.wait()
        await conversation.on_edit(message("which?", files=[dog]))
        await scene.chat.wait_for_answer(2)
        await scene.idle()

    first, second = scene.chat.transcript
    assert isinstance(first, Answer)
    assert first.is_silent
    assert isinstance(second, Answer)
    asked, *_ = await _turns(scene)
    assert [file.attachment.name for file in asked.files] == ["dog.png"]


async def test_a_file_that_is_taken_away_from_an_answered_message_leaves_the_log() -> None:
    scene = Scene(_replying())
    scene.chat.files = {"u:1": Blob(b"png", "image/png"), "u:2": Blob(b"more", "image/png")}
    cat, dog = Link("u:1", "cat.png", id="1"), Link("u:2", "dog.png", id="2")
    async with scene.at_work() as conversation:
        await conversation.on_message(message("which?", files=[cat, dog]))
        await scene.chat.wait_for_answer()
        await scene.idle()
        await conversation.on_edit(message("which?", files=[dog]))

    asked, _ = await _turns(scene)
    assert [file.attachment.name for file in asked.files] == ["dog.png"]
    assert len(scene.chat.transcript) == 1


async def test_a_deleted_message_is_stopped_and_forgotten() -> None:
    begun = asyncio.Event()

    async def act(_job: Job) -> ExpertOutput:
        begun.set()
        await never()
        raise AssertionError

    scene = Scene(_working(ActingExpert(act)))

    def gone(_key: str) -> list[RunId]:
        runs = [entry.run for entry in scene.inbox.entries]
        scene.inbox.entries.clear()
        return runs

    scene.store.started = gone
    async with scene.at_work() as conversation:
        run = await conversation.on_message(message("secret"))
        assert run is not None
        await begun.wait()
        await conversation.on_delete(message().thread, message().id)
        await scene.chat.wait_for_answer()

    assert await _turns(scene) == ()
    assert await scene.store.load(run) is None


async def test_an_answer_that_somebody_deleted_leaves_the_thread() -> None:
    scene = Scene(_replying())
    async with scene.at_work() as conversation:
        run = await conversation.on_message(message("hi"))
        assert run is not None
        await scene.chat.wait_for_answer()
        await scene.idle()
        await conversation.on_retract(run)

    assert [turn.text for turn in await _turns(scene)] == ["hi"]
    assert await scene.store.load(run) is None


async def test_a_run_whose_progress_somebody_deleted_is_kept() -> None:
    begun = asyncio.Event()

    async def act(_job: Job) -> ExpertOutput:
        begun.set()
        await released.wait()
        return ExpertOutput({"text": Text("short")})

    released, scene = asyncio.Event(), Scene(_working(ActingExpert(act)))
    async with scene.at_work() as conversation:
        run = await conversation.on_message(message("hi"))
        assert run is not None
        await begun.wait()
        await conversation.on_retract(run)
        released.set()
        await scene.chat.wait_for_answer()
        await scene.idle()

    assert await scene.store.load(run) is not None


async def test_files_are_taken_named_and_those_that_cannot_be_are_told() -> None:
    planner = FakePlanner([Replied("ok")])
    scene = Scene(Bench(planners=[planner]))
    scene.chat.files = {"u:1": Blob(b"png", "image/png"), "u:2": Blob(b"x" * 2000, "image/png")}
    files = [
        Link("u:1", "cat.png", alt="our cat"),
        Link("u:2", "big.png"),
        Link("u:3", "gone.png"),
    ]

    async with scene.at_work() as conversation:
        await conversation.on_message(message(files=files))
        answer = await scene.chat.wait_for_answer()

    (cat,) = planner.requests[0].files
    assert cat.name == "image 1"
    assert cat.attachment.description.startswith("our cat")
    assert isinstance(answer, Answer)
    assert [notice.args["name"] for notice in answer.notices] == ["big.png", "gone.png"]


async def test_a_message_too_long_ends_in_a_plain_sentence() -> None:
    scene = Scene(_replying())

    async with scene.at_work() as conversation:
        await conversation.on_message(message("x" * 501))
        end = await scene.chat.wait_for_answer()

    assert isinstance(end, Apologised)
    assert end.reason.id == "text-too-long"


async def test_called_into_a_thread_it_reads_the_thread_first() -> None:
    planner = FakePlanner([Replied("ok")])
    scene = Scene(Bench(planners=[planner]))
    scene.chat.earlier = [
        message("the budget is 300", id="001", addressing=Addressing(), person=BOB)
    ]

    async with scene.at_work() as conversation:
        await conversation.on_message(message("what is the budget?", id="002", root="001"))
        await scene.chat.wait_for_answer()

    assert [turn.text for turn in planner.requests[0].context.turns] == ["the budget is 300"]


async def test_what_a_message_replies_to_is_context_once() -> None:
    planner = FakePlanner([Replied("ok")])
    scene, other = Scene(Bench(planners=[planner])), message("the budget is 300", id="000")
    replied_to = Turn(key=other.key, person=BOB, text=other.text, files=(), at=other.at)

    async with scene.at_work() as conversation:
        first = replace(message("translate this"), replied_to=replied_to)
        await conversation.on_message(first)
        await scene.idle()
        await conversation.on_message(
            replace(follow_up("this, too", 2), replied_to=_turn_of(first))
        )
        await scene.idle()

    asked, again = (request.context.turns for request in planner.requests)
    assert asked == (replied_to,)
    assert [turn.text for turn in again] == ["translate this", "ok"]
    assert [turn.text for turn in await _turns(scene)] == [
        "translate this",
        "ok",
        "this, too",
        "ok",
    ]


def _turn_of(sent: Incoming) -> Turn:
    return Turn(key=sent.key, person=sent.person, text=sent.text, files=(), at=sent.at)


async def test_what_was_missed_while_down_is_read_once_and_what_was_deleted_is_not() -> None:
    now, planner = datetime.now(UTC), FakePlanner([Replied("ok")])
    scene = Scene(Bench(planners=[planner]))
    old, missed = (
        replace(
            message(text, id=id_, addressing=Addressing(), person=BOB),
            at=now - timedelta(hours=age),
        )
        for text, id_, age in (("deleted since", "002", 3), ("Monday then", "004", 1))
    )
    before = Turn(
        key="fake:team:general:003",
        person=BOB,
        text="Friday?",
        files=(),
        at=now - timedelta(hours=2),
    )
    scene.chat.earlier = [old, missed]

    async with scene.at_work() as conversation:
        await scene.store.log(message().thread, before)
        for number in (5, 6):
            await conversation.on_message(message("so?", id=f"{number:03}"))
            await scene.chat.wait_for_answer(number - 4)
            scene.chat.earlier = [replace(missed, id="0045", text="late")]

    assert [turn.text for turn in planner.requests[0].context.turns] == ["Friday?", "Monday then"]
    assert "late" not in repr(planner.requests[1].context.turns)


async def test_commands_are_left_out_of_what_is_read_of_a_thread() -> None:
    planner = FakePlanner([Replied("ok")])
    scene = Scene(Bench(planners=[planner]))
    words = ("the budget is 300", "stop", "plan", "plan a trip to Rome")
    scene.chat.earlier = [
        message(text, id=f"00{number}", person=BOB) for number, text in enumerate(words, 1)
    ]

    async with scene.at_work() as conversation:
        await conversation.on_message(message("so?", id="005"))
        await scene.chat.wait_for_answer()

    (asked,) = planner.requests
    assert [turn.text for turn in asked.context.turns] == [words[0], words[-1]]


async def test_a_thread_whose_history_cannot_be_read_is_answered_and_read_later() -> None:
    planner = FakePlanner([Replied("ok")])
    scene = Scene(Bench(planners=[planner]))
    scene.chat.earlier = [message("the budget is 300", id="001", person=BOB)]
    scene.chat.unreachable = True

    async with scene.at_work() as conversation:
        await conversation.on_message(message("hi", id="002"))
        first = await scene.chat.wait_for_answer()
        scene.chat.unreachable = False
        await conversation.on_message(message("and now?", id="003"))
        await scene.chat.wait_for_answer(2)

    assert isinstance(first, Answer)
    assert planner.requests[0].context.turns == ()
    assert "the budget is 300" in repr(planner.requests[1].context.turns)


async def test_an_overheard_file_is_fetched_when_the_bot_is_called_and_only_then() -> None:
    planner = FakePlanner([Replied("ok")])
    scene = Scene(Bench(planners=[planner]))
    scene.chat.files = {"fake://cat": Blob(b"cat", "image/png", "cat.png")}
    links = (Link("fake://cat", "cat.png"), Link("fake://gone", "gone.png"))
    heard = message("look", addressing=Addressing(), person=BOB, files=links)
    scene.chat.earlier = [heard]

    async with scene.at_work() as conversation:
        await conversation.on_message(heard)
        kept = dict(scene.bench.files.kept)
        for number in (2, 3):
            await conversation.on_message(message("and?", id=f"00{number}"))
            await scene.chat.wait_for_answer(number - 1)

    assert kept == {}
    for asked in planner.requests:
        (file,) = asked.context.files
        assert (file.name, file.attachment.name) == ("image 1", "cat.png")
    assert not any(turn.links for _, turn in scene.store.turns.values())


@pytest.mark.parametrize("listen", ["threads", "all"])
@pytest.mark.parametrize(
    ("person", "minutes", "between", "names"),
    [(ANN, 1, 1, ["image 1"]), (BOB, 1, 0, ["image 1"]), (BOB, 1, 1, []), (ANN, 6, 0, [])],
)
async def test_a_file_sent_just_before_a_request_belongs_to_its_thread(
    person: Person, minutes: int, between: int, names: list[str], listen: str
) -> None:
    planner = FakePlanner([Replied("ok")])
    scene = Scene(Bench(planners=[planner]), listen=listen)
    scene.chat.files = {"fake://cat": Blob(b"cat", "image/png", "cat.png")}
    talk = partial(message, addressing=Addressing(), person=BOB)
    sent = talk("look", id="000", root="000", files=(Link("fake://cat", "cat.png"),))
    sent = replace(sent, person=person, at=sent.at - timedelta(minutes=minutes))

    scene.chat.earlier = [sent, *[talk("nice", id="001", root="001")] * between]
    async with scene.at_work() as conversation:
        for heard in scene.chat.earlier:
            await conversation.on_message(heard)
        for number in (1, 2):
            await conversation.on_message(message("and?", id=f"00{number + 1}", root="002"))
            await scene.chat.wait_for_answer(number)

    for asked in planner.requests:
        assert [file.name for file in asked.context.files] == names


@pytest.mark.parametrize("root", ["000", "001"])
async def test_a_file_within_another_thread_stays_there(root: str) -> None:
    scene = Scene(Bench(planners=[FakePlanner([Replied("ok")])]), listen="all")
    sent = message(id="001", root=root, files=(Link("fake://cat", "cat.png"),), person=BOB)
    reply = message(id="002", root=root)
    async with scene.at_work() as conversation:
        for heard in (sent, reply):
            await conversation.on_message(replace(heard, addressing=Addressing()))
        await conversation.on_message(message(id="003", root="003", person=BOB))
        await scene.chat.wait_for_answer(1)

    assert scene.store.turns[sent.key][0] == sent.thread


async def test_a_file_deleted_while_a_request_takes_it_in_stays_deleted() -> None:
    @dataclass
    class Deleting(FakeStore):
        async def context(self, *args: Any, **more: Any) -> Context:
            known = await super().context(*args, **more)
            if self.turns.get(sent.key, (None,))[0] == sent.thread:
                del self.turns[sent.key]
            return known

    sent = message(id="001", files=(Link("fake://cat", "cat.png"),), addressing=Addressing())
    planner = FakePlanner([Replied("ok")])
    scene = Scene(Bench(planners=[planner]), store=Deleting(), listen="all")
    async with scene.at_work() as conversation:
        await conversation.on_message(sent)
        await conversation.on_message(message(id="002", root="002"))
        await scene.chat.wait_for_answer(1)

    assert sent.key not in scene.store.turns


async def test_a_long_thread_is_a_text_beyond_the_turns_that_prompts_show() -> None:
    planner = FakePlanner([Replied("ok")])
    scene = Scene(Bench(planners=[planner]), window=3)
    heard = partial(message, addressing=Addressing())
    scene.chat.earlier = [heard(f"word{number}", id=f"00{number}") for number in range(1, 10)]

    async with scene.at_work() as conversation:
        await conversation.on_message(message("summarize this thread", id="010"))
        await scene.chat.wait_for_answer()

    (asked,) = planner.requests
    assert [turn.text for turn in asked.context.turns] == ["word7", "word8", "word9"]
    assert all(f"word{number}" in join_thread(asked) for number in range(1, 10))


async def test_another_model_is_tried_when_asked_for() -> None:
    expert = ActingExpert(_done)
    bench = _working(expert)
    bench.models = [model("one", "summarization"), model("two", "summarization")]
    scene = Scene(bench)

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        assert run is not None
        await scene.chat.wait_for_answer()
        await scene.idle()
        await conversation.on_click(
            ButtonClick(
                id="p1", action=Action.ANOTHER, run=run, person=ANN, thread=message().thread
            )
        )
        await scene.chat.wait_for_answer(2)

    assert [job.model.id for job in expert.jobs] == ["one", "two"]


async def test_details_wait_for_a_record_that_is_on_its_way() -> None:
    scene = Scene(_working(ActingExpert(_done)))

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        assert run is not None
        await scene.chat.wait_for_answer()
        press = ButtonClick(
            id="p1", action=Action.DETAILS, run=run, person=ANN, thread=message().thread
        )
        reply = await conversation.on_click(press)

    assert "Summarising" in reply.text


async def test_details_are_shown_of_a_run_of_which_this_program_lacks_sentences_and_kinds() -> None:
    scene = Scene()
    thread, old = message().thread, run("old", done(), failed(), thread=message().thread)
    event = '{"version":2,"value":{"is":"Started","task":1,"kind":"of-old"}}'
    await scene.store.keep(old, thread, None, [(0, event)])

    async with scene.at_work() as conversation:
        press = ButtonClick(
            id="p1", action=Action.DETAILS, run=old.id, person=ANN, thread=thread, direct=True
        )
        reply = await conversation.on_click(press)

    assert english("sentence-unknown") in reply.text


async def _have_answered(scene: Scene, conversation: Conversation) -> ButtonClick:
    """Have a message answered; returns a click of Retry below the answer."""
    run = await conversation.on_message(message())
    assert run is not None
    await scene.chat.wait_for_answer()
    await scene.idle()
    return ButtonClick(id="p1", action=Action.RETRY, run=run, person=ANN, thread=message().thread)


async def test_a_press_delivered_twice_counts_once() -> None:
    scene = Scene(_replying())

    async with scene.at_work() as conversation:
        press = await _have_answered(scene, conversation)
        replies = [await conversation.on_click(press) for _ in range(2)]
        await scene.chat.wait_for_answer(2)

    assert replies[0].run == replies[1].run is not None
    assert len(scene.chat.transcript) == 2


async def test_a_press_told_twice_at_once_gives_the_same_run_to_both() -> None:
    scene = Scene(_replying())
    scene.inbox = _MeetingInbox()

    async with scene.at_work() as conversation:
        press = await _have_answered(scene, conversation)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(conversation.on_click(press)) for _ in range(2)]
        await scene.chat.wait_for_answer(2)

    assert tasks[0].result().run == tasks[1].result().run is not None
    assert len(scene.chat.transcript) == 2


class _MeetingInbox(FakeInbox):
    """Two that begin again meet here: neither finds the other's run before."""

    def __init__(self) -> None:
        super().__init__()
        self.meeting = asyncio.Barrier(2)

    async def accept(self, message: Incoming, run: RunId, *, after: RunId | None = None) -> bool:
        if after is not None:
            await self.meeting.wait()
        return await super().accept(message, run, after=after)


async def test_a_press_resumed_after_its_run_makes_no_second_run() -> None:
    scene = Scene(_replying())

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        assert run is not None
        await scene.chat.wait_for_answer()
        press = ButtonClick(
            id="p1", action=Action.RETRY, run=run, person=ANN, thread=message().thread
        )
        pressed = await conversation.on_click(press)
        await scene.chat.wait_for_answer(2)
        await scene.idle()
        resumed = await conversation.on_click(press)
        await scene.idle()

    assert resumed.run == pressed.run is not None
    assert len(scene.chat.transcript) == 2


async def test_a_command_is_never_run_again_by_a_button() -> None:
    admin = Person("ann", "Ann", roles=frozenset({"admin"}))
    scene = Scene(_replying())

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message("settings deny org/*", person=admin))
        assert run is not None
        await scene.chat.wait_for_answer()
        await scene.idle()
        await scene.store.set(GENERAL, ChannelSettings())
        for number, action in enumerate((Action.RETRY, Action.ANOTHER)):
            press = ButtonClick(
                id=f"p{number}", action=action, run=run, person=BOB, thread=message().thread
            )
            with pytest.raises(NotAllowed) as refused:
                await conversation.on_click(press)
            assert refused.value.sentence.id == "command-not-repeated"
        await scene.idle()

    assert (await scene.store.settings(GENERAL)).policy == {}


async def test_a_refused_command_offers_no_retry_and_a_refused_request_does() -> None:
    scene = Scene(_replying(), gate=ListGate(deny=frozenset({"bob"})))

    async with scene.at_work() as conversation:
        await conversation.on_message(message("settings deny org/*"))
        command = await scene.chat.wait_for_answer()
        await conversation.on_message(message("draw", id="002", root="002", person=BOB))
        asked = await scene.chat.wait_for_answer(2)

    assert isinstance(command, Apologised)
    assert isinstance(asked, Apologised)
    assert (command.may_retry, asked.may_retry) == (False, True)


async def test_a_retry_counts_for_whoever_pressed_and_leaves_the_words_their_author() -> None:
    planner = FakePlanner([Replied("ok")])
    limits = MessageLimits(LocalRateLimits(), 1, 10)
    scene = Scene(Bench(planners=[planner]), limits=limits)
    bob = replace(BOB, locale="de")

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message("hi"))
        assert run is not None
        await scene.chat.wait_for_answer()
        await scene.idle()
        for number in range(2):
            press = ButtonClick(
                id=f"p{number}", action=Action.RETRY, run=run, person=bob, thread=message().thread
            )
            await conversation.on_click(press)
            await scene.chat.wait_for_answer(2 + number)
            await scene.idle()

    assert [request.person for request in planner.requests] == [ANN, bob]
    assert [turn.person for turn in await _turns(scene) if turn.text == "hi"] == [ANN]
    end = scene.chat.transcript[2]
    assert isinstance(end, Apologised)
    assert end.reason.id == "over-limit-person"


async def test_a_retry_after_an_edit_is_about_the_edited_words() -> None:
    planner = FakePlanner([Replied("ok")])
    scene = Scene(Bench(planners=[planner]))

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message("frist"))
        assert run is not None
        await scene.idle()
        await conversation.on_edit(message("first"))
        await conversation.on_click(
            ButtonClick(id="1", action=Action.RETRY, run=run, person=ANN, thread=message().thread)
        )
        await scene.chat.wait_for_answer(2)
        await scene.idle()

    assert [request.text for request in planner.requests] == ["frist", "first"]
    assert [turn.text for turn in await _turns(scene) if turn.person == ANN] == ["first"]


async def test_a_command_after_a_mention_is_answered_without_a_plan() -> None:
    planner = FakePlanner()
    scene = Scene(Bench(planners=[planner]))

    async with scene.at_work() as conversation:
        await conversation.on_message(message("status"))
        answer = await scene.chat.wait_for_answer()

    assert isinstance(answer, Answer)
    status = LocalizedText("status", {"here": 0, "everywhere": 0, "version": VERSION})
    assert answer.text == say("en", status)
    assert planner.requests == []


async def test_every_command_passes_the_gate() -> None:
    scene = Scene(_replying(), gate=ListGate(deny=frozenset({"bob"})))
    conversation = scene.conversation()

    for command in conversation.commands:
        with pytest.raises(NotAllowed):
            await conversation.on_command(
                Invocation(
                    id=f"i-{command.name}",
                    command=command.name,
                    args={},
                    person=BOB,
                    thread=message().thread,
                )
            )


async def test_a_run_has_one_id_however_often_it_is_asked_for() -> None:
    assert make_run_id(message()) == make_run_id(replace(message("other words")))
    assert make_run_id(message()) != make_run_id(message(), "again:1")
