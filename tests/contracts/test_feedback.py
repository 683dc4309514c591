"""What every store does with votes and track records."""

from dataclasses import replace
from datetime import timedelta

from pipeline.domain import (
    Action,
    Attempt,
    Authorship,
    Comparison,
    Model,
    Plan,
    RunId,
    Source,
    Task,
    TaskId,
    Text,
)
from pipeline.ports import ANSWERING, TrackRecord, Vote
from pipeline.task_kinds import KINDS
from tests.contracts.homes import Home
from tests.contracts.messages import (
    BEN,
    ELSEWHERE,
    THREAD,
)
from tests.contracts.runs import BAD, MODEL, done, failed, run
from tests.fakes.places import HOSTED


async def test_the_last_vote_of_a_person_counts(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.keep(run("run1", done()), THREAD)
        for vote in (
            Vote(RunId("run1"), "ann", 1),
            Vote(RunId("run1"), "ben", 1),
            Vote(RunId("run1"), "ann", -1),
            Vote(RunId("unknown"), "ann", 1),
        ):
            await kept.store.vote(vote)
            home.time.pass_by(timedelta(seconds=1))

        record = (await kept.store.track_records())[MODEL.id, "image-to-text"]
        assert (record.ups, record.downs) == (1, 1)


async def test_the_votes_of_a_person_are_found_by_their_buttons(home: Home) -> None:
    compared = Comparison("image-to-text", MODEL.id, BAD)
    async with home.open() as kept:
        for number in range(4):
            await kept.store.keep(run(f"run{number}", done()), THREAD)
        for vote in (
            Vote(RunId("run0"), "ann", 1),
            Vote(RunId("run0"), "ann", -1),
            Vote(RunId("run0"), "ben", 1),
            Vote(RunId("run1"), "ann", 1),
            Vote(RunId("run2"), "ann", -1, compared),
            Vote(RunId("run3"), "ann", 1, compared),
        ):
            await kept.store.vote(vote)

        runs = [RunId(f"run{number}") for number in (0, 2, 3)]
        assert await kept.store.find_votes(runs, "ann") == {
            "run0": Action.DOWN,
            "run2": Action.FIRST,
            "run3": Action.SECOND,
        }
        assert await kept.store.find_votes([], "ann") == {}


async def test_the_track_record_tells_tries_failures_times_and_votes(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.keep(run("run1", done(1.0), failed()), THREAD)
        await kept.store.keep(run("run1", done(1.0), failed()), THREAD)
        await kept.store.keep(run("run2", done(3.0), thread=ELSEWHERE), ELSEWHERE)
        await kept.store.keep(run("run3"), THREAD)
        for name, value in (("run1", 1), ("run2", -1), ("run3", 1)):
            await kept.store.vote(Vote(RunId(name), "ann", value))

        kind = "image-to-text"
        lately = await kept.store.track_records(since=home.time() - timedelta(days=1))
        assert lately == await kept.store.track_records()
        assert lately == {
            (MODEL.id, kind): TrackRecord(attempts=2, failures=0, median_took=2.0, ups=1, downs=1),
            (BAD, kind): TrackRecord(attempts=2, failures=2),
            (BAD, ""): TrackRecord(attempts=1, failures=1),
        }
        elsewhere = await kept.store.track_records(channel=ELSEWHERE.channel)
        assert elsewhere[MODEL.id, kind] == TrackRecord(
            attempts=1, failures=0, median_took=3.0, ups=0, downs=1, liking=-1.0
        )
        assert elsewhere[BAD, kind] == TrackRecord(attempts=1, failures=1)


async def test_a_vote_is_shared_by_all_models_that_had_a_part_in_the_run(home: Home) -> None:
    voice = Model("org/voice", "text-to-speech", (HOSTED,))
    speak = Task(TaskId(2), KINDS["text-to-speech"], {"text": (Text("hi"),)})
    both = run("run1", done(), done(model=voice))
    both = replace(both, plan=Plan((*both.plan.tasks, speak)))
    async with home.open() as kept:
        await kept.store.keep(both, THREAD)
        for person in ("ann", "ben"):
            await kept.store.vote(Vote(RunId("run1"), person, 1))

        records = await kept.store.track_records()
        seeing = records[MODEL.id, "image-to-text"]
        speaking = records[voice.id, "text-to-speech"]
        failing = records[BAD, "text-to-speech"]

        assert (seeing.ups, seeing.liking) == (speaking.ups, speaking.liking) == (2, 1.0)
        assert (failing.failures, failing.ups, failing.liking) == (1, 0, 0.0)


async def test_a_vote_on_two_models_counts_for_them_alone_and_can_be_changed(home: Home) -> None:
    comparison = Comparison("image-to-text", "org/old", MODEL.id)
    async with home.open() as kept:
        await kept.store.keep(run("run1", done()), THREAD)
        await kept.store.vote(Vote(RunId("run1"), "ann", -1, comparison))
        await kept.store.vote(Vote(RunId("run1"), "ann", 1, comparison))
        await kept.store.vote(Vote(RunId("run1"), "ben", 1, comparison))

        for channel in (None, THREAD.channel):
            records = await kept.store.track_records(channel=channel)
            votes = {
                model: (record.ups, record.downs, record.liking)
                for (model, kind), record in records.items()
                if kind == "image-to-text"
            }
            assert votes == {MODEL.id: (2, 0, 2.0), "org/old": (0, 2, -2.0), BAD: (0, 0, 0.0)}
        assert ("org/old", "image-to-text") not in await kept.store.track_records(
            channel=ELSEWHERE.channel
        )


async def test_a_vote_on_two_models_says_nothing_about_the_plan(home: Home) -> None:
    comparison = Comparison("image-to-text", "org/old", MODEL.id)
    async with home.open() as kept:
        for name in ("run1", "run2", "run3"):
            await kept.store.keep(run(name, done()), THREAD)
        for vote in (
            Vote(RunId("run1"), "ann", 1),
            Vote(RunId("run1"), "ben", -1, comparison),
            Vote(RunId("run2"), "ann", 1, comparison),
            Vote(RunId("run3"), "ann", -1, comparison),
        ):
            await kept.store.vote(vote)
            home.time.pass_by(timedelta(seconds=1))

        examples = await kept.store.find_examples(THREAD, reach="channel")
        assert [example.run for example in examples] == ["run1"]

        await kept.store.vote(Vote(RunId("run2"), "ann", 1))
        records = await kept.store.track_records()
        old = records["org/old", "image-to-text"]
        assert (old.ups, old.downs) == (2, 0)


async def test_votes_count_longer_than_failures_do(home: Home) -> None:
    async with home.open() as kept:
        await kept.store.keep(run("run1", done(), failed()), THREAD)
        await kept.store.vote(Vote(RunId("run1"), "ann", -1))
        home.time.pass_by(timedelta(days=30))

        lately = await kept.store.track_records(since=home.time() - timedelta(days=7))

        assert lately == {(MODEL.id, "image-to-text"): TrackRecord(downs=1, liking=-1.0)}


async def test_how_long_answers_take_to_write_is_remembered_and_no_vote_is_shared_with_it(
    home: Home,
) -> None:
    async with home.open() as kept:
        for number, took in enumerate((2.0, 4.0, 9.0)):
            whole = run(f"run{number}", done())
            assert whole.answer
            written = replace(whole.answer, written=Authorship("gpt", took))
            await kept.store.keep(replace(whole, answer=written), THREAD)
        await kept.store.vote(Vote(RunId("run1"), BEN.id, 1))

        lately = await kept.store.track_records(since=home.time() - timedelta(days=7))
        assert lately["gpt", ANSWERING].median_took == 4.0
        assert lately["gpt", ANSWERING].attempts == 3
        assert lately["gpt", ANSWERING].ups == 0
        assert lately[MODEL.id, "image-to-text"].liking == 1.0


async def test_a_result_taken_from_earlier_counts_for_its_model_once(home: Home) -> None:
    earlier = replace(done(), key="k1")
    async with home.open() as kept:
        await kept.store.keep(run("run1", earlier), THREAD)
        taken = replace(earlier, took=0.0, source=Source(RunId("run1"), TaskId(1)))
        await kept.store.keep(run("run2", taken), THREAD)

        assert await kept.store.load(RunId("run2")) == run("run2", taken)
        records = await kept.store.track_records()
        assert records[MODEL.id, "image-to-text"].attempts == 1


async def test_what_good_attempts_cost_is_remembered_where_it_was_told(home: Home) -> None:
    whole = done()
    costs = [
        replace(
            whole,
            tried=(Attempt(model=MODEL.id, place=HOSTED, took=1.0, error=None, cost=cost),),
        )
        for cost in (0.01, 0.03, 0.02, None)
    ]
    async with home.open() as kept:
        await kept.store.keep(run("run1", *costs), THREAD)

        records = await kept.store.track_records()
        assert {kind: record.median_cost for (_, kind), record in records.items()} == {
            "image-to-text": 0.01,
            "": 0.025,
        }
