"""Another model for one task: what runs again, what is compared, and whose vote counts."""

import itertools
from dataclasses import dataclass, field, replace

import pytest

from adapters.store.rate_limits import LocalRateLimits
from bot.access import ListGate
from bot.conversation import Conversation
from bot.rate_limits import MessageLimits
from pipeline.codec import load
from pipeline.domain import (
    Action,
    Answer,
    Answered,
    Apologised,
    Blob,
    ButtonClick,
    ChannelSettings,
    Chose,
    Comparison,
    Done,
    Event,
    ExpertOutput,
    Failed,
    Link,
    Person,
    Reply,
    Rerun,
    Run,
    RunId,
    Source,
    TaskId,
    Text,
    Type,
)
from pipeline.errors import ExpertRefused, NotAllowed, TroupeError
from pipeline.ports import Job
from pipeline.run.rerun import answer_again
from pipeline.tools import open_run_journal
from tests.bot.scenes import GENERAL, Scene, message
from tests.fakes.stages import ANN, ActingExpert, Bench, FakePlanner, model, planning, ref, task
from tests.words import english

BOB = Person("bob", "Bob")
PICTURE, POEM, SUMMARY = TaskId(1), TaskId(2), TaskId(3)
NUMBERS = itertools.count()


async def perform(job: Job) -> ExpertOutput:
    """A result with the name of its model; "broken" fails."""
    if job.model.id == "broken":
        raise ExpertRefused("stopped")
    if job.kind.name == "text-to-image":
        return ExpertOutput({"image": Blob(job.model.id.encode(), "image/png", "art.png")})
    return ExpertOutput({"text": Text(f"words by {job.model.id}")})


@dataclass
class Stage:
    """A picture beside a chain of two texts, planned for every message."""

    expert: ActingExpert = field(default_factory=lambda: ActingExpert(perform))
    planner: FakePlanner = field(
        default_factory=lambda: planning(
            task(1, "text-to-image", text="a cat"),
            task(2, "text-generation", text="a poem"),
            task(3, "summarization", text=ref(2, "text")),
        )
    )
    scene: Scene = field(init=False)

    def __post_init__(self) -> None:
        models = [
            *(model(name, "text-to-image") for name in ("painter", "drawer")),
            *(model(name, "text-generation") for name in ("one", "two", "broken")),
            model("short", "summarization"),
        ]
        self.scene = Scene(Bench([self.planner], experts=[self.expert], models=models))

    async def ask(self, conversation: Conversation) -> RunId:
        run = await conversation.on_message(message())
        assert run is not None
        await self.scene.idle()
        return run

    async def choose(
        self, conversation: Conversation, run: RunId, value: str, by: Person = ANN
    ) -> Run:
        """Choose another model and return the record of the new run."""
        reply = await press(conversation, run, Action.CHOOSE, value, by)
        await self.scene.idle()
        record = await self.scene.store.load(reply.run or RunId(""))
        assert record is not None
        return record

    @property
    def used(self) -> list[str]:
        """The models of all jobs so far."""
        return [job.model.id for job in self.expert.jobs]


async def press(
    conversation: Conversation, run: RunId, action: Action, value: str = "", by: Person = ANN
) -> Reply:
    number = next(NUMBERS)
    return await conversation.on_click(
        ButtonClick(
            id=f"p{number}", action=action, run=run, person=by, thread=message().thread, value=value
        )
    )


def compared(run: Run) -> Comparison | None:
    return run.answer.comparison if run.answer else None


async def test_only_the_chosen_task_and_what_depends_on_it_run_again() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
        stage.expert.jobs.clear()
        again = await stage.choose(conversation, first, "2 two")

    assert stage.used == ["two", "short"]
    assert len(stage.planner.requests) == 1
    picture, poem, summary = (again.outcomes[each] for each in (PICTURE, POEM, SUMMARY))
    assert isinstance(picture, Done)
    assert isinstance(poem, Done)
    assert isinstance(summary, Done)
    assert picture.source == Source(first, PICTURE)
    assert (poem.model.id, poem.source, summary.source) == ("two", None, None)


async def test_reused_results_are_not_counted_again() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        await stage.choose(conversation, await stage.ask(conversation), "2 two")

    records = await stage.scene.store.track_records()
    assert records["painter", "text-to-image"].attempts == 1
    assert records["short", "summarization"].attempts == 2


async def test_both_texts_stand_in_the_answer() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        again = await stage.choose(conversation, await stage.ask(conversation), "2 two")

    assert compared(again) == Comparison("text-generation", "one", "two")
    assert again.answer is not None
    first, second = (
        f"{english(f'compared-{which}', model=f'`{name}`')}\n\n> words by {name}"
        for which, name in (("first", "one"), ("second", "two"))
    )
    assert again.answer.text.endswith(f"\n\n{first}\n\n{second}")
    assert again.answer.comparison is not None
    assert again.answer.comparison.results == (first, second)


async def test_both_files_come_with_the_answer_labelled() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        again = await stage.choose(conversation, await stage.ask(conversation), "1 drawer")

    assert stage.used.count("one") == 1
    assert again.answer is not None
    first = english("compared-first", model="`painter`")
    assert again.answer.text.endswith(f"{first}\n\n{english('compared-second', model='`drawer`')}")
    files = [(each.attachment.name, each.model, each.alt[:2]) for each in again.answer.files]
    assert files == [("A-art.png", "painter", "A:"), ("B-art.png", "drawer", "B:")]


async def test_details_offer_what_else_can_run_now() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
        await stage.scene.store.set(GENERAL, ChannelSettings(policy={"deny": "broken"}))
        select = (await press(conversation, first, Action.DETAILS)).select

    assert select is not None
    assert (select.action, select.run) == (Action.CHOOSE, first)
    assert [(each.value, each.label) for each in select.options] == [
        ("1 drawer", "drawer"),
        ("2 two", "two"),
    ]


async def test_details_without_another_model_offer_nothing() -> None:
    stage = Stage()
    stage.scene.bench.models = [model("short", "summarization")]
    stage.planner.parts = planning(task(1, "summarization", text="x")).parts

    async with stage.scene.at_work() as conversation:
        reply = await press(conversation, await stage.ask(conversation), Action.DETAILS)

    assert reply.select is None


async def test_models_that_do_not_know_the_language_are_not_offered() -> None:
    stage = Stage()
    stage.scene.bench.models = [
        replace(model(name, "translation"), languages=("en", language))
        for name, language in (("one", "de"), ("french", "fr"), ("two", "de"))
    ]
    stage.planner.parts = planning(task(1, "translation", text="hi", language="German")).parts

    async with stage.scene.at_work() as conversation:
        select = (await press(conversation, await stage.ask(conversation), Action.DETAILS)).select

    assert select is not None
    assert [each.label for each in select.options] == ["two"]


async def test_many_tasks_share_the_options_that_fit() -> None:
    stage = Stage()
    stage.scene.bench.models = [model(f"m{n}", "summarization") for n in range(8)]
    stage.planner.parts = planning(
        *(task(n, "summarization", text=str(n)) for n in range(20))
    ).parts

    async with stage.scene.at_work() as conversation:
        select = (await press(conversation, await stage.ask(conversation), Action.DETAILS)).select

    assert select is not None
    tasks = [each.value.partition(" ")[0] for each in select.options]
    assert tasks == [str(task) for task in range(20) for _ in range(5)]


async def test_a_retry_from_a_step_reuses_all_that_does_not_depend_on_it() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
        stage.expert.jobs.clear()
        reply = await press(conversation, first, Action.RETRY, "2")
        await stage.scene.idle()
        again = await stage.scene.store.load(reply.run or RunId(""))

    assert again is not None
    assert stage.used == ["one", "short"]
    assert len(stage.planner.requests) == 1
    picture = again.outcomes[PICTURE]
    assert isinstance(picture, Done)
    assert picture.source == Source(first, PICTURE)
    assert compared(again) is None


async def test_a_retry_from_a_step_makes_a_result_that_is_otherwise_kept() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        await stage.ask(conversation)
        second = await conversation.on_message(message(id="002"))
        assert second is not None
        await stage.scene.idle()
        stage.expert.jobs.clear()
        await press(conversation, second, Action.RETRY, "3")
        await stage.scene.idle()

    assert stage.used == ["short"]


@pytest.mark.parametrize("value", ["9", "x", "-1"])
async def test_a_retry_from_a_step_that_is_not_there_is_refused(value: str) -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
        with pytest.raises(NotAllowed) as refused:
            await press(conversation, first, Action.RETRY, value)

    assert refused.value.sentence.id == "run-forgotten"


async def test_a_chosen_model_that_fails_is_not_replaced_by_another() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
        stage.expert.jobs.clear()
        again = await stage.choose(conversation, first, "2 broken")

    assert stage.used == ["broken"]
    assert isinstance(again.outcomes[POEM], Failed)
    assert compared(again) is None


async def test_the_same_model_again_is_no_comparison() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        again = await stage.choose(conversation, await stage.ask(conversation), "2 one")

    assert stage.used.count("one") == 2
    assert compared(again) is None


async def test_a_task_that_failed_can_be_done_by_another_model() -> None:
    stage = Stage()
    stage.scene.bench.models = [model("broken", "text-generation")]
    stage.planner.parts = planning(task(2, "text-generation", text="a poem")).parts

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
        stage.scene.bench.models = [*stage.scene.bench.models, model("two", "text-generation")]
    async with stage.scene.at_work() as conversation:
        select = (await press(conversation, first, Action.DETAILS)).select
        again = await stage.choose(conversation, first, "2 two")

    assert select is not None
    assert "2 two" in [each.value for each in select.options]
    assert isinstance(again.outcomes[POEM], Done)
    assert compared(again) is None


async def test_the_other_tasks_keep_their_models() -> None:
    stage = Stage()
    stage.scene.bench.models = [
        *stage.scene.bench.models,
        *(model(name, "summarization") for name in ("a", "b")),
    ]

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
        await stage.scene.store.set(GENERAL, ChannelSettings(models={"summarization": "b"}))
        again = await stage.choose(conversation, first, "2 two")

    assert stage.used[-1] == "short"
    events = [load(Event, text) for text in (await stage.scene.store.events(again.id))[again.id]]
    reasons = {each.task: each.choice.reason.id for each in events if isinstance(each, Chose)}
    assert reasons == {POEM: "chosen-named", SUMMARY: "chosen-before"}


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("2 two", "policy-denied"),
        ("2 nobody", "named-nowhere"),
        ("9 one", "run-forgotten"),
        ("x", "run-forgotten"),
    ],
)
async def test_a_model_that_may_not_be_used_is_refused_in_words(value: str, why: str) -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
        await stage.scene.store.set(GENERAL, ChannelSettings(policy={"deny": "two"}))
        with pytest.raises(NotAllowed) as refused:
            await press(conversation, first, Action.CHOOSE, value)

    assert refused.value.sentence.id == why
    assert len(stage.scene.inbox.entries) == 1


async def test_a_model_that_is_barred_after_the_choice_ends_in_the_same_words() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
    reply = await press(conversation, first, Action.CHOOSE, "2 two")
    await stage.scene.store.set(GENERAL, ChannelSettings(policy={"deny": "two"}))
    async with stage.scene.at_work():
        await stage.scene.idle()

    end = stage.scene.chat.transcript[-1]
    assert reply.run is not None
    assert isinstance(end, Apologised)
    assert end.reason.id == "policy-denied"


async def test_a_choice_twice_makes_one_run() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
    replies = [await press(conversation, first, Action.CHOOSE, "2 two") for _ in range(2)]
    async with stage.scene.at_work() as conversation:
        await stage.scene.idle()
        later = await press(conversation, first, Action.CHOOSE, "2 two")
        await stage.scene.idle()

    assert [reply.run is not None for reply in (*replies, later)] == [True, False, True]
    assert stage.used.count("two") == 2


async def test_a_double_click_on_retry_makes_one_run() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
    replies = [await press(conversation, first, Action.RETRY) for _ in range(2)]

    assert [reply.run is not None for reply in replies] == [True, False]


async def test_the_rights_and_limits_are_those_of_the_person_who_chooses() -> None:
    stage = Stage()
    stage.scene.limits = MessageLimits(LocalRateLimits(), 1, 10)

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
        await press(conversation, first, Action.CHOOSE, "2 two")
        await stage.scene.idle()
        again = await stage.choose(conversation, first, "2 two", replace(BOB, locale="de"))
    denied = Stage()
    denied.scene = replace(stage.scene, gate=ListGate(deny=frozenset({"bob"})))
    with pytest.raises(NotAllowed):
        await press(denied.scene.conversation(), first, Action.CHOOSE, "2 two", BOB)

    end = stage.scene.chat.transcript[1]
    assert isinstance(end, Apologised)
    assert end.reason.id == "over-limit-person"
    assert again.answer is not None
    assert "(vorher)" in again.answer.text


async def test_a_choice_goes_on_after_a_restart() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
        reply = await press(conversation, first, Action.CHOOSE, "2 two")
    stage.expert.jobs.clear()
    async with stage.scene.at_work():
        await stage.scene.idle()

    record = await stage.scene.store.load(reply.run or RunId(""))
    assert record is not None
    assert compared(record) == Comparison("text-generation", "one", "two")
    assert stage.used == ["two", "short"]
    assert len(stage.planner.requests) == 1


async def test_files_are_not_fetched_again() -> None:
    stage = Stage()
    stage.scene.chat.files = {"fake://cat": Blob(b"cat", "image/png", "cat.png")}

    async with stage.scene.at_work() as conversation:
        link = Link("fake://cat", "cat.png")
        first = await conversation.on_message(message(files=[link]))
        assert first is not None
        await stage.scene.idle()
        stage.scene.chat.files = {}
        again = await stage.choose(conversation, first, "2 two")
        once_more = await stage.choose(conversation, again.id, "2 one")

    assert again.rejected == once_more.rejected == ()
    assert again.sent == once_more.sent == (Type.IMAGE,)


async def test_an_answer_in_the_journal_is_compared_alike() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
    reply = await press(conversation, first, Action.CHOOSE, "2 two")
    run, store = reply.run or RunId(""), stage.scene.store
    earlier = await store.load(first)
    assert earlier is not None
    rerun = Rerun(first, POEM, "two")
    request = replace(stage.planner.requests[0], run=run, rerun=rerun)
    answers: list[Event] = []
    for _ in range(2):
        journal = await open_run_journal(run, stage.scene.bench.journal)
        await answer_again(request, earlier, stage.scene.bench.tools, journal, answers.append)

    ends = [event.answer for event in answers if isinstance(event, Answered)]
    assert ends[0].comparison == Comparison("text-generation", "one", "two")
    assert ends[0] == ends[1]
    assert stage.used.count("two") == 1


async def test_results_that_are_compared_name_no_link_that_a_model_made_up() -> None:
    async def invent(job: Job) -> ExpertOutput:
        return ExpertOutput({"text": Text(f"{job.model.id}: https://evil.example/{job.model.id}")})

    stage = Stage(ActingExpert(invent), planning(task(2, "text-generation", text="a poem")))

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
        record = await stage.choose(conversation, first, "2 two")

    assert record.answer
    assert record.answer.comparison
    assert ("one: …" in record.answer.text, "two: …" in record.answer.text) == (True, True)
    assert "evil" not in record.answer.text


async def test_what_was_forgotten_is_not_run_again() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
        del stage.scene.store.saved[first]
        with pytest.raises(TroupeError, match="run-forgotten"):
            await press(conversation, first, Action.CHOOSE, "2 two")


async def test_a_vote_counts_for_exactly_the_two_models_and_can_be_changed() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        again = await stage.choose(conversation, await stage.ask(conversation), "2 two")
        replies = [
            (await press(conversation, again.id, action, by=by)).text
            for action, by in ((Action.FIRST, ANN), (Action.SECOND, ANN), (Action.SECOND, BOB))
        ]
        learned = await stage.scene.store.find_examples(message().thread, reach="channel")

    records = await stage.scene.store.track_records()
    votes = {key[0]: (each.ups, each.downs, each.liking) for key, each in records.items()}
    assert replies[0] == english("vote-compared", model="`one`")
    assert replies[1] == english("vote-compared", model="`two`")
    assert (votes["one"], votes["two"], votes["short"]) == ((0, 2, -2.0), (2, 0, 2.0), (0, 0, 0.0))
    assert learned == []


async def test_an_answer_without_a_comparison_takes_no_vote_on_models() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        first = await stage.ask(conversation)
        reply = await press(conversation, first, Action.SECOND)

    assert reply.text == english("run-forgotten")
    assert all(record.ups == 0 for record in (await stage.scene.store.track_records()).values())


async def test_retry_of_a_comparison_compares_again_and_another_plans_anew() -> None:
    stage = Stage()

    async with stage.scene.at_work() as conversation:
        again = await stage.choose(conversation, await stage.ask(conversation), "2 two")
        stage.expert.jobs.clear()
        await press(conversation, again.id, Action.RETRY)
        await stage.scene.idle()
        retried, plans = stage.used, len(stage.planner.requests)
        await press(conversation, again.id, Action.ANOTHER)
        await stage.scene.idle()

    assert (retried, plans) == (["two", "short"], 1)
    assert len(stage.planner.requests) == 2
    assert sorted(stage.used[2:4]) == ["drawer", "one"]


def test_answers_of_older_versions_have_no_comparison() -> None:
    assert load(Answer, '{"run":"r","text":"hi"}').comparison is None
