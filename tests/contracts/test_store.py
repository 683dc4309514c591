"""What every store does with talk, runs and settings. Forgetting has a suite of its own."""

import json
from dataclasses import replace
from datetime import timedelta

from pipeline.domain import (
    Attempt,
    ChannelSettings,
    Model,
    NamedFile,
    Place,
    Plan,
    RunId,
    RunState,
    Source,
    Task,
    TaskId,
    Text,
    Thread,
    Written,
)
from pipeline.ports import ANSWERING, Scope, TrackRecord, Vote
from pipeline.table import KINDS
from tests.contracts.homes import Home
from tests.contracts.runs import BAD, EVERY_OUTCOME, MODEL, done, failed, run
from tests.contracts.talk import (
    ABROAD,
    BEN,
    BOT,
    CHANNEL,
    ELSEWHERE,
    NOON,
    OTHER,
    THREAD,
    file,
    message,
    turn,
)


async def test_a_thread_is_remembered_in_order_with_its_files(home: Home) -> None:
    said = (turn("1", NamedFile("image 1", file("a"))), turn("2", person=BOT, text="ü \ud800"))
    async with home.open() as kept:
        for each in said:
            await kept.store.log(THREAD, each)

    async with home.open() as kept:
        context = await kept.store.context(THREAD, turns=10, tail=10)
        assert context.turns == said
        assert context.files == (NamedFile("image 1", file("a")),)


async def test_only_the_last_turns_are_given_oldest_first(home: Home) -> None:
    said = [turn(str(number)) for number in range(5)]
    async with home.open() as kept:
        for each in said:
            await kept.store.log(THREAD, each)

        assert (await kept.store.context(THREAD, turns=2, tail=0)).turns == (said[3], said[4])
        assert (await kept.store.context(THREAD, turns=0, tail=0)).turns == ()


async def test_turns_up_to_a_message_leave_out_what_came_after_it(home: Home) -> None:
    said = [turn("1"), turn("2", thread=OTHER), turn("3"), turn("4", thread=OTHER)]
    async with home.open() as kept:
        for each in said:
            await kept.store.log(THREAD if each in (said[0], said[2]) else OTHER, each)

        context = await kept.store.context(THREAD, before=said[2].key, turns=9, tail=9)
        unknown = await kept.store.context(THREAD, before="nowhere", turns=9, tail=9)

        assert (context.turns, context.channel) == ((said[0],), (said[1],))
        assert (unknown.turns, unknown.channel) == ((said[0], said[2]), (said[1], said[3]))


async def test_nothing_of_another_channel_or_workspace_is_ever_shown(home: Home) -> None:
    async with home.open() as kept:
        for number, thread in enumerate((THREAD, OTHER, ELSEWHERE, ABROAD)):
            await kept.store.log(thread, turn(str(number), thread=thread))

        for number, thread in enumerate((THREAD, OTHER, ELSEWHERE, ABROAD)):
            context = await kept.store.context(thread, turns=9, tail=9)
            assert [each.text for each in context.turns] == [f"turn {number}"]
            around = {0: ["turn 1"], 1: ["turn 0"]}.get(number, [])
            assert [each.text for each in context.channel] == around


async def test_what_is_said_in_a_closed_thread_is_not_shown_in_the_rest_of_its_channel(
    home: Home,
) -> None:
    inside = Thread(THREAD.channel, "0009", closed=True)
    async with home.open() as kept:
        await kept.store.log(inside, turn("1", thread=inside))
        await kept.store.log(Thread(inside.channel, inside.root), turn("2", thread=inside))
        await kept.store.log(OTHER, turn("3", thread=OTHER))

        for thread, here, around in (
            (THREAD, [], ["turn 3"]),
            (inside, ["turn 1", "turn 2"], ["turn 3"]),
        ):
            context = await kept.store.context(thread, turns=9, tail=9)
            assert [each.text for each in context.turns] == here
            assert [each.text for each in context.channel] == around


async def test_a_turn_logged_again_is_replaced_in_its_place(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.log(THREAD, turn("1", NamedFile("image 1", file("a"))))
        await kept.store.log(THREAD, turn("2"))
        await kept.store.log(THREAD, turn("1", NamedFile("image 1", file("b")), text="edited"))

        turns = (await kept.store.context(THREAD, turns=9, tail=0)).turns

        assert [each.text for each in turns] == ["edited", "turn 2"]
        assert await kept.store.file_hashes() == {file("b").hash}


async def test_files_are_numbered_by_type_within_their_thread(home: Home) -> None:
    async with home.open() as kept:
        first = await kept.store.name_files(
            THREAD, "k1", (file("a"), file("b", "audio/wav"), file("c"))
        )
        second = await kept.store.name_files(THREAD, "k2", (file("a"), file("d", "text/csv")))
        other = await kept.store.name_files(OTHER, "k3", (file("a"),))

        assert [named.name for named in first] == ["image 1", "audio 1", "image 2"]
        assert [named.name for named in second] == ["image 3", "table 1"]
        assert [named.name for named in other] == ["image 1"]
        assert await kept.store.name_files(THREAD, "k4", ()) == ()


async def test_the_same_files_under_the_same_key_have_the_same_names(home: Home) -> None:
    async with home.open() as kept:
        first = await kept.store.name_files(THREAD, "k1", (file("a"), file("b")))
        await kept.store.name_files(THREAD, "k2", (file("c"),))

    async with home.open() as kept:
        assert await kept.store.name_files(THREAD, "k1", (file("a"), file("b"))) == first
        edited = await kept.store.name_files(THREAD, "k1", (file("b"), file("d")))
        assert [named.name for named in edited] == ["image 2", "image 4"]
        twice = await kept.store.name_files(THREAD, "k5", (file("e"), file("e")))
        assert [named.name for named in twice] == ["image 5", "image 5"]


async def test_a_run_is_kept_whole(home: Home) -> None:
    whole = run("run1", *EVERY_OUTCOME, shown="a")
    async with home.open() as kept:
        await kept.store.keep(run("run1", state=RunState.RUNNING), THREAD)
        await kept.store.keep(whole, THREAD)

    async with home.open() as kept:
        assert await kept.store.load(RunId("run1")) == whole
        assert await kept.store.load(RunId("run2")) is None
        assert await kept.store.file_hashes() == {file("a").hash, file("f").hash}


async def test_what_is_left_of_a_run_is_kept_in_one_go(home: Home) -> None:
    whole = run("run1", *EVERY_OUTCOME, shown="a")
    said = turn("run1", NamedFile("image 1", file("c")), person=BOT)
    async with home.open() as kept:
        for _ in range(2):
            await kept.store.keep(whole, THREAD, said, [(0, '"a"'), (1, '"b"')])
        await kept.store.keep(run("run2"), THREAD, None, [])

    async with home.open() as kept:
        assert await kept.store.load(RunId("run1")) == whole
        assert list(await kept.store.events(RunId("run1"))) == ['"a"', '"b"']
        assert (await kept.store.context(THREAD, turns=9, tail=0)).turns == (said,)
        assert {file(name).hash for name in "acf"} == await kept.store.file_hashes()
        assert await kept.store.load(RunId("run2")) == run("run2")


async def test_the_runs_of_a_thread_come_newest_first(home: Home) -> None:
    async with home.open() as kept:
        for name, thread in (("run1", THREAD), ("run2", OTHER), ("run3", THREAD), ("run4", THREAD)):
            await kept.store.keep(run(name, done(), thread=thread), thread)
        await kept.store.keep(run("run1", done(), failed()), THREAD)

        found = await kept.store.runs(THREAD, limit=2)

        assert list(found) == [run("run4", done()), run("run3", done())]
        assert len(await kept.store.runs(THREAD, limit=9)) == 3


async def test_events_are_kept_by_number_and_once(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.keep(run("run1"), THREAD, events=[(2, '"c"'), (0, '"a"')])
        await kept.store.keep(run("run1"), THREAD, events=[(0, '"again"'), (1, '"b \ud800"')])
        await kept.store.keep(run("run2"), THREAD)

        kept_events = [json.loads(event) for event in await kept.store.events(RunId("run1"))]
        assert kept_events == ["a", "b \ud800", "c"]
        assert list(await kept.store.events(RunId("run2"))) == []


async def test_the_last_vote_of_a_person_counts(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.keep(run("run1"), THREAD)
        for vote in (
            Vote(RunId("run1"), "ann", 1),
            Vote(RunId("run1"), "ben", 1),
            Vote(RunId("run1"), "ann", -1),
            Vote(RunId("unknown"), "ann", 1),
        ):
            await kept.store.vote(vote)
            home.time.pass_by(timedelta(seconds=1))

        assert set(await kept.store.votes(RunId("run1"))) == {
            Vote(RunId("run1"), "ann", -1),
            Vote(RunId("run1"), "ben", 1),
        }
        assert not await kept.store.votes(RunId("unknown"))


async def test_the_track_record_tells_tries_failures_times_and_votes(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.keep(run("run1", done(1.0), failed()), THREAD)
        await kept.store.keep(run("run1", done(1.0), failed()), THREAD)
        await kept.store.keep(run("run2", done(3.0), thread=ELSEWHERE), ELSEWHERE)
        await kept.store.keep(run("run3"), THREAD)
        for name, value in (("run1", 1), ("run2", -1), ("run3", 1)):
            await kept.store.vote(Vote(RunId(name), "ann", value))

        record, kind = kept.store.track_record, "image-to-text"
        assert await record(MODEL.id) == {kind: TrackRecord(2, 0, 2.0, 1, 1)}
        assert await record(BAD) == {kind: TrackRecord(2, 2), "": TrackRecord(1, 1)}
        assert await record(MODEL.id, channel=CHANNEL) == {kind: TrackRecord(1, 0, 1.0, 1, 0, 1.0)}
        assert await record("org/never") == {}
        lately = await kept.store.track_records(since=home.time() - timedelta(days=1))
        assert lately == {
            (MODEL.id, kind): TrackRecord(2, 0, 2.0, 1, 1),
            (BAD, kind): TrackRecord(2, 2),
            (BAD, ""): TrackRecord(1, 1),
        }


async def test_a_vote_is_shared_by_all_models_that_had_a_part_in_the_run(home: Home) -> None:
    voice = Model("org/voice", "text-to-speech", (Place.HOSTED,))
    speak = Task(TaskId(2), KINDS["text-to-speech"], {"text": (Text("hi"),)})
    both = run("run1", done(), done(model=voice))
    both = replace(both, plan=Plan((*both.plan.tasks, speak)))
    async with home.open() as kept:
        await kept.store.keep(both, THREAD)
        for person in ("ann", "ben"):
            await kept.store.vote(Vote(RunId("run1"), person, 1))

        seeing = (await kept.store.track_record(MODEL.id))["image-to-text"]
        speaking = (await kept.store.track_record(voice.id))["text-to-speech"]
        failing = (await kept.store.track_record(BAD))["text-to-speech"]

        assert (seeing.ups, seeing.liking) == (speaking.ups, speaking.liking) == (2, 1.0)
        assert (failing.failures, failing.ups, failing.liking) == (1, 0, 0.0)


async def test_votes_count_longer_than_failures_do(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.keep(run("run1", done(), failed()), THREAD)
        await kept.store.vote(Vote(RunId("run1"), "ann", -1))
        home.time.pass_by(timedelta(days=30))

        lately = await kept.store.track_records(since=home.time() - timedelta(days=7))

        assert lately == {(MODEL.id, "image-to-text"): TrackRecord(downs=1, liking=-1.0)}


async def test_a_channel_sets_things_for_itself_only(home: Home) -> None:
    chosen = ChannelSettings({"text-to-image": "org/good"}, ("local",), "threads", "de")
    async with home.open() as kept:
        await kept.store.set(CHANNEL, ChannelSettings(language="fr"))
        await kept.store.set(CHANNEL, chosen)

    async with home.open() as kept:
        assert await kept.store.settings(CHANNEL) == chosen
        assert await kept.store.settings(ABROAD.channel) == ChannelSettings()


async def test_threads_active_since_a_moment_are_told_with_their_last_message(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.log(THREAD, turn("05", minutes=5))
        await kept.store.log(THREAD, turn("06", person=BEN, minutes=6))
        await kept.store.log(THREAD, turn("answer", person=BOT, minutes=7))
        await kept.store.log(OTHER, turn("01", thread=OTHER, minutes=-60))
        web = Thread(type(CHANNEL)("web", "", "C1"), "0001")
        await kept.store.log(web, turn("09", thread=web))

        assert list(await kept.store.active_threads("slack", since=NOON)) == [(THREAD, "06")]


async def test_a_message_accepted_is_seen_before_it_is_logged(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.log(THREAD, turn("05"))
        await kept.inbox.accept(message("06"), RunId("run1"))
        await kept.store.log(THREAD, turn("06"))

        assert list(await kept.store.active_threads("slack", since=NOON)) == [(THREAD, "06")]


async def test_what_was_made_is_found_by_what_it_was_made_from_the_newest_first(
    home: Home,
) -> None:
    first, second = replace(done(), key="k1"), replace(done(9.0), key="k2")
    async with home.open() as kept:
        await kept.store.keep(run("run1", first, second, done(), failed()), THREAD)
        await kept.store.keep(run("run2", second), THREAD)
        await kept.store.keep(run("run3", replace(done(), key="k3"), thread=OTHER), OTHER)

    async with home.open() as kept:
        made = await kept.store.made(THREAD)

        assert made == {
            "k1": Source(RunId("run1"), TaskId(1)),
            "k2": Source(RunId("run2"), TaskId(1)),
        }
        assert await kept.store.outcome(made["k1"]) == first
        assert await kept.store.outcome(Source(RunId("run1"), TaskId(9))) is None


async def test_what_is_thought_badly_of_or_forgotten_is_not_found(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.keep(run("run1", replace(done(), key="k1")), THREAD)
        await kept.store.keep(run("run2", replace(done(), key="k2"), person=BEN.id), THREAD)
        taken = replace(done(), key="k3", source=Source(RunId("run1"), TaskId(2)))
        await kept.store.keep(
            run("run1", replace(done(), key="k1"), replace(taken, source=None)), THREAD
        )
        await kept.store.keep(run("run3", taken), THREAD)
        for disliked in ("run2", "run3"):
            await kept.store.vote(Vote(RunId(disliked), BEN.id, -1))

        made = await kept.store.made(THREAD)
        assert list(made) == ["k1"]

        await kept.store.forget(Scope.THREAD, thread=THREAD, person=BEN.id)
        assert await kept.store.made(THREAD) == {}
        assert await kept.store.outcome(made["k1"]) is None


async def test_how_long_answers_take_to_write_is_remembered_and_no_vote_is_shared_with_it(
    home: Home,
) -> None:
    async with home.open() as kept:
        for number, took in enumerate((2.0, 4.0, 9.0)):
            whole = run(f"run{number}", done())
            assert whole.answer
            written = replace(whole.answer, written=Written("gpt", took))
            await kept.store.keep(replace(whole, answer=written), THREAD)
        await kept.store.vote(Vote(RunId("run1"), BEN.id, 1))

        lately = await kept.store.track_records(since=home.time() - timedelta(days=7))
        assert lately["gpt", ANSWERING].median_took == 4.0
        assert lately["gpt", ANSWERING].attempts == 3
        assert lately["gpt", ANSWERING].ups == 0
        assert lately[MODEL.id, "image-to-text"].liking == 1.0
        assert await kept.store.track_record("gpt") == {}


async def test_what_was_taken_over_is_no_better_than_where_it_came_from(home: Home) -> None:
    earlier = replace(done(), key="k1")
    taken = replace(earlier, took=0.0, source=Source(RunId("run1"), TaskId(1)))
    async with home.open() as kept:
        await kept.store.keep(run("run1", earlier), THREAD)
        await kept.store.keep(run("run2", taken), THREAD)
        last = Source(RunId("run2"), TaskId(1))
        assert await kept.store.outcome(last) == taken

        await kept.store.vote(Vote(RunId("run1"), BEN.id, -1))
        assert await kept.store.outcome(last) is None
        assert await kept.store.outcome(Source(RunId("run1"), TaskId(1))) == earlier

        await kept.store.vote(Vote(RunId("run1"), BEN.id, 1))
        assert await kept.store.outcome(last) == taken


async def test_a_result_taken_from_earlier_counts_for_its_model_once(home: Home) -> None:
    earlier = replace(done(), key="k1")
    async with home.open() as kept:
        await kept.store.keep(run("run1", earlier), THREAD)
        taken = replace(earlier, took=0.0, source=Source(RunId("run1"), TaskId(1)))
        await kept.store.keep(run("run2", taken), THREAD)

        assert await kept.store.load(RunId("run2")) == run("run2", taken)
        (record,) = (await kept.store.track_record(MODEL.id)).values()
        assert record.attempts == 1


async def test_what_good_attempts_cost_is_remembered_where_it_was_told(home: Home) -> None:
    whole = done()
    costs = [
        replace(whole, tried=(Attempt(MODEL.id, Place.HOSTED, 1.0, None, cost),))
        for cost in (0.01, 0.03, 0.02, None)
    ]
    async with home.open() as kept:
        await kept.store.keep(run("run1", *costs), THREAD)

        records = await kept.store.track_record(MODEL.id)
        assert {kind: record.median_cost for kind, record in records.items()} == {
            "image-to-text": 0.01,
            "": 0.025,
        }
