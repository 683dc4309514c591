"""A run as a person sees it in Slack's own plan, while it is streamed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiolimiter import AsyncLimiter

from adapters.chat.presenter import Rhythm
from pipeline.domain import (
    Answer,
    Answered,
    AnswerPart,
    Apologised,
    Attempt,
    Done,
    Failed,
    FellBack,
    Finished,
    LocalizedText,
    Output,
    Plan,
    Planned,
    Progressed,
    RunId,
    Started,
    Task,
    TaskId,
    Text,
)
from pipeline.task_kinds import KINDS
from tests.adapters.slack.runs import MODEL, PLANNED, TASK, gradually, whole
from tests.adapters.slack.stage import Stage, listening
from tests.fakes.events import Told, one_by_one
from tests.fakes.places import HOSTED, LOCAL
from tests.servers.slack import SlackServer
from tests.servers.slack.blocks import buttons
from tests.servers.slack.faults import Limited, Lost, Refused
from tests.servers.slack.streams import OPEN
from tests.servers.slack.workspace import ANNA, ANNAS_DM, BEN, GENERAL, Json, Message
from tests.words import english

DONE = Finished(TASK.id, Done(Output({"text": Text("a cat")}), took=1.5, model=MODEL, place=LOCAL))


class Run:
    """A run in a thread, and the message that shows it."""

    def __init__(self, stage: Stage, root: str, id_: RunId) -> None:
        self.stage, self.root, self.id, self.told = stage, root, id_, Told()

    @property
    def message(self) -> Message:
        (message,) = self.stage.slack.said(GENERAL, self.root)
        return message

    @property
    def plan(self) -> Json:
        plan: Json = self.message.body["blocks"][0]
        assert plan["type"] == "plan"
        return plan

    @property
    def card(self) -> Json:
        card: Json = self.plan["tasks"][-1]
        return card

    async def shows(self, words: str) -> None:
        said = self.stage.slack.said
        await self.stage.slack.until(
            lambda: words in repr([m.body for m in said(GENERAL, self.root)])
        )


@asynccontextmanager
async def running(stage: Stage) -> AsyncIterator[Run]:
    number = len(stage.listener.received)
    id_ = await stage.mention("what is this?")
    message, _ = stage.listener.received[number]
    run = Run(stage, message.thread.root, id_)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stage.chat.follow(message, id_, aiter(run.told)))
        yield run
        run.told.tell(None)


def has_stop(message: Message) -> bool:
    return "troupe:stop" in [each["action_id"] for each in buttons(message.body["blocks"])]


async def test_a_plan_has_a_card_for_each_step_and_stays_above_the_answer(stage: Stage) -> None:
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows("in_progress")
        begun = (run.plan["title"], dict(run.card), run.message.body["streaming_state"])
        run.told.tell(Progressed(TASK.id, 0.4))
        await run.shows("40%")
        run.told.tell(DONE, Answered(Answer(run.id, "A **cat**.")))

    title, card, state = begun
    details = run.card["details"]["elements"][0]["elements"][0]["text"]
    assert (title, state) == (english("progress-working", done=0, all=1), OPEN)
    assert (card["title"], card["status"]) == ("Describing a picture", "in_progress")
    assert [source["url"] for source in card["sources"]] == [f"https://huggingface.co/{MODEL.id}"]
    assert (run.card["status"], details) == ("complete", f"{MODEL.id} · 1.5 s")
    assert run.card["output"]["elements"][0]["elements"][0]["text"] == "a cat"
    assert run.plan["title"] == english("progress-ended", done=1, all=1)
    assert run.message.text == "A **cat**."
    assert [b["type"] for b in run.message.body["blocks"][-2:]] == ["actions", "context_actions"]
    assert run.message.body["metadata"]["event_payload"]["run"] == run.id
    assert stage.slack.streams.sessions == {(GENERAL, run.root): "active"}
    assert stage.slack.calls.count("chat.update") == 0


async def test_only_what_changed_is_sent(stage: Stage) -> None:
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows("in_progress")
        run.told.tell(Progressed(TASK.id, 0.4))
        await run.shows("40%")
        run.told.tell(
            FellBack(
                TASK.id,
                Attempt(model=MODEL.id, place=LOCAL, took=1.0, error=LocalizedText("stopped")),
            )
        )
        run.told.tell(Started(TASK.id, "org/second", HOSTED, "fal"))
        await run.shows("org/second")

        sent = [
            args["chunks"] for name, args in stage.slack.calls.made if name.endswith("appendStream")
        ]
        (half,), (second,) = sent
        assert set(half) == {"type", "id", "title", "status"}
        assert second["details"] == " → org/second (fal)"
        assert second["sources"][0]["text"] == "huggingface.co/org/second"


async def test_the_card_of_a_failed_step_names_the_model_of_its_error(stage: Stage) -> None:
    errors = (LocalizedText("stopped"), LocalizedText("apology-bug", {"reference": "1"}))
    tried = tuple(
        Attempt(model=f"org/{name}", place=LOCAL, took=1.0, error=error)
        for name, error in zip(("first", "second"), errors, strict=True)
    )
    async with running(stage) as run:
        run.told.tell(Planned(Plan((TASK,))))
        for each in tried:
            run.told.tell(Started(TASK.id, each.model, each.place), FellBack(TASK.id, each))
            await run.shows(each.model)
        run.told.tell(Finished(TASK.id, Failed(errors[0], tried)))
        await run.shows("error")

        output = run.card["output"]["elements"][0]["elements"][0]["text"]
        assert output == f"org/first · 2.0 s · {english('stopped')}"
        assert "first" not in repr(run.card["details"]).partition("second")[2]


async def test_what_failed_is_told_on_its_card_and_pings_nobody(stage: Stage) -> None:
    why = LocalizedText("slack-refused", {"method": "<!channel>", "code": "<@U0ANNA001>"})
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows("in_progress")
        run.told.tell(Finished(TASK.id, Failed(why)))
        await run.shows("error")
        run.told.tell(Apologised(LocalizedText("stopped"), "R-1"))

    assert run.card["status"] == "error"
    assert "channel" in repr(run.card["output"])
    assert stage.slack.space.pings == []


async def test_planning_is_a_step_until_the_first_one_takes_its_card(stage: Stage) -> None:
    async with running(stage) as run:
        await run.shows(english("progress-thinking"))
        run.told.tell(*PLANNED)
        await run.shows("Describing a picture")

        assert [card["status"] for card in run.plan["tasks"]] == ["in_progress"]


QUICK_DONE = Finished(
    TASK.id, Done(Output({"text": Text("a cat")}), took=0.2, model=MODEL, place=LOCAL)
)


async def test_a_single_step_of_no_time_leaves_no_plan_above_the_answer(stage: Stage) -> None:
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows("in_progress")
        run.told.tell(QUICK_DONE, Answered(Answer(run.id, "A cat.")))

    kinds = [block["type"] for block in run.message.body["blocks"]]
    assert kinds == ["section", "actions", "context_actions"]


async def test_words_are_streamed_below_the_steps_while_they_are_written(stage: Stage) -> None:
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows("in_progress")
        run.told.tell(DONE, AnswerPart("It is a **cat** for <!chan"))
        await run.shows("for ")
        first = run.message.text
        run.told.tell(AnswerPart("nel> and @every"))
        await run.shows("and ")
        run.told.tell(AnswerPart("one."))
        text = "It is a **cat** for <!channel> and @everyone."
        run.told.tell(Answered(Answer(run.id, text, files=(), notices=(LocalizedText("stopped"),))))

    assert first == "It is a **cat** for "
    assert run.message.text.replace("\u200b", "") == text
    assert [b["type"] for b in run.message.body["blocks"]] == [
        *("plan", "markdown", "context"),
        *("actions", "context_actions"),
    ]
    assert stage.slack.space.pings == []
    assert stage.slack.calls.count("chat.update") == 0


async def test_the_first_words_wait_neither_for_the_plan_nor_for_the_next_edit(
    slack: SlackServer,
) -> None:
    for told in (PLANNED, ()):
        rhythm = Rhythm(gather=0.01, first=1000.0 if told else 0.0, silent=0.01, between=1000.0)
        async with listening(Stage(slack, rhythm=rhythm)) as stage, running(stage) as run:
            run.told.tell(*told)
            if not told:
                await run.shows(english("progress-thinking"))
            run.told.tell(AnswerPart("It is "))
            await run.shows("It is ")
            run.told.tell(DONE, Answered(Answer(run.id, "It is a cat.")))


async def test_an_answer_that_is_not_what_was_streamed_replaces_it(stage: Stage) -> None:
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows("in_progress")
        run.told.tell(DONE, AnswerPart("Half of"))
        await run.shows("Half of")
        run.told.tell(Answered(Answer(run.id, "A cat.")))

    assert run.message.text == "A cat."
    assert "Half" not in repr(run.message.body["blocks"])
    assert run.card["status"] == "complete"


async def test_a_table_is_drawn_by_slack_once_the_answer_is_whole(stage: Stage) -> None:
    table = "Here:\n\n|a|b|\n|-|-|\n|1|2|"
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows("in_progress")
        run.told.tell(DONE, AnswerPart(table))
        await run.shows("Here")
        run.told.tell(Answered(Answer(run.id, table)))

    kinds = [block["type"] for block in run.message.body["blocks"]]
    assert kinds[:3] == ["plan", "section", "table"]


@pytest.mark.parametrize(("fault", "is_edited"), [(Limited(1000), False), (Lost(), True)])
async def test_words_of_a_call_that_failed_are_neither_lost_nor_doubled(
    stage: Stage, fault: Limited | Lost, *, is_edited: bool
) -> None:
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows("in_progress")
        stage.slack.faults.once("chat.appendStream", fault)
        run.told.tell(AnswerPart("One two "))
        await stage.slack.until(lambda: stage.slack.calls.count("chat.appendStream"))
        run.told.tell(DONE, AnswerPart("three."))
        await run.shows("complete")
        run.told.tell(Answered(Answer(run.id, "One two three.")))

    assert run.message.text == "One two three."
    assert stage.slack.calls.count("chat.update") == is_edited


async def test_a_step_that_a_new_plan_lacks_is_marked_as_stopped(stage: Stage) -> None:
    other = Task(TaskId(2), KINDS["translation"], {})
    async with running(stage) as run:
        run.told.tell(Planned(Plan((TASK, other))))
        await run.shows("pending")
        run.told.tell(Planned(Plan((TASK,))))
        await run.shows(english("stopped"))

        assert [card["status"] for card in run.plan["tasks"]] == ["pending", "error"]


@pytest.mark.parametrize("is_slow", [False, True])
async def test_talk_without_a_plan_is_streamed(stage: Stage, *, is_slow: bool) -> None:
    async with running(stage) as run:
        if is_slow:
            await run.shows(english("progress-thinking"))
        run.told.tell(AnswerPart("Hello to"))
        await run.shows("Hello to")
        assert run.message.body["streaming_state"] == OPEN
        run.told.tell(Answered(Answer(run.id, "Hello to you.")))

    assert run.message.text == "Hello to you."
    kinds = [block["type"] for block in run.message.body["blocks"]]
    assert kinds == ["section" if is_slow else "markdown"]
    assert stage.slack.streams.sessions == {(GENERAL, run.root): "active"}


async def test_an_answer_without_steps_has_no_plan_above_it(stage: Stage) -> None:
    async with running(stage) as run:
        await run.shows(english("progress-thinking"))
        run.told.tell(Answered(Answer(run.id, "Hello.")))

    assert [block["type"] for block in run.message.body["blocks"]] == ["section"]
    assert run.message.text == "Hello."


async def test_where_one_person_cannot_be_streamed_to_others_still_are(stage: Stage) -> None:
    stage.slack.faults.once("chat.startStream", Refused("missing_recipient_team_id"))
    for is_streamed in (False, True):
        async with running(stage) as run:
            run.told.tell(*PLANNED)
            await run.shows(MODEL.id)
            assert has_stop(run.message) is not is_streamed


async def test_somebody_of_another_workspace_gets_a_stream_too(stage: Stage) -> None:
    stage.slack.space.people[ANNA]["team_id"] = "T0OTHER01"
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows("in_progress")
        run.told.tell(DONE, Answered(Answer(run.id, "A cat.")))

    (begun,) = [args for method, args in stage.slack.calls.made if method == "chat.startStream"]
    assert begun["recipient_team_id"] == "T0OTHER01"


async def test_a_stream_goes_on_as_edits_before_slack_ends_it(stage: Stage) -> None:
    stage.limits.stream_seconds = 0.05
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await stage.slack.until(lambda: stage.slack.calls.count("chat.update"))
        assert has_stop(run.message)
        run.told.tell(DONE, Answered(Answer(run.id, "A cat.")))

    assert run.message.text == "A cat."
    assert (run.card["status"], run.card["details"]["type"]) == ("complete", "rich_text")
    assert run.card["sources"][0]["url"] == f"https://huggingface.co/{MODEL.id}"
    assert stage.slack.streams.expired == []


async def test_progress_that_slack_limits_for_long_does_not_hold_the_answer_back(
    stage: Stage,
) -> None:
    stage.limits.stream_seconds = 0.05
    stage.slack.faults.once("chat.update", Limited(3600))
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await stage.slack.until(lambda: stage.slack.calls.count("chat.update"))
        run.told.tell(DONE, Answered(Answer(run.id, "A cat.")))

    assert run.message.text == "A cat."


async def test_a_stream_that_slack_ended_goes_on_as_edits_of_the_same_message(stage: Stage) -> None:
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows("in_progress")
        stage.slack.streams.lifetime = -1
        run.told.tell(Progressed(TASK.id, 0.4))
        await run.shows("40%")
        assert has_stop(run.message)
        run.told.tell(DONE, Answered(Answer(run.id, "A cat.")))

    assert run.message.text == "A cat."
    assert stage.slack.streams.sessions == {(GENERAL, run.root): "active"}


@pytest.mark.parametrize("is_event_missing", [False, True])
async def test_where_slack_has_no_streams_or_no_stop_runs_are_posted(
    stage: Stage, *, is_event_missing: bool
) -> None:
    stage.slack.streams.is_stoppable = not is_event_missing
    stage.slack.streams.refusal = "" if is_event_missing else "unknown_method"
    for _ in range(2):
        async with running(stage) as run:
            run.told.tell(*PLANNED)
            await run.shows(MODEL.id)
            assert has_stop(run.message)
            run.told.tell(DONE, Answered(Answer(run.id, "A cat.")))
        assert run.message.text == "A cat."

    assert stage.slack.calls.count("chat.startStream") == (0 if is_event_missing else 1)
    assert set(stage.slack.streams.sessions.values()) == {"active"}


@pytest.mark.parametrize("code", ["messages_tab_disabled", "team_not_found", "invalid_chunks"])
async def test_a_refusal_of_one_stream_does_not_end_the_others(stage: Stage, code: str) -> None:
    stage.slack.faults.once("chat.startStream", Refused(code))
    for _ in range(2):
        async with running(stage) as run:
            run.told.tell(*PLANNED)
            await run.shows(MODEL.id)
            run.told.tell(DONE, Answered(Answer(run.id, "A cat.")))
        assert run.message.text == "A cat."

    assert stage.slack.calls.count("chat.startStream") == 2


@pytest.mark.parametrize("method", ["agents.sessions.setStatus", "chat.startStream"])
async def test_when_slack_limits_streams_a_run_is_posted_at_once(stage: Stage, method: str) -> None:
    stage.slack.faults.once(method, Limited(1000))
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows(MODEL.id)
        assert has_stop(run.message)
        run.told.tell(DONE, Answered(Answer(run.id, "A cat.")))

    async with running(stage) as second:
        second.told.tell(*PLANNED)
        await second.shows(MODEL.id)
        assert second.message.body["streaming_state"] == OPEN
    assert run.message.text == "A cat."


async def test_when_the_budget_is_used_up_nobody_waits_for_a_stream(stage: Stage) -> None:
    stage.limits.streams = AsyncLimiter(1, 1000.0)
    async with running(stage) as first, running(stage) as second:
        for run in (first, second):
            run.told.tell(*PLANNED)
            await run.shows(MODEL.id)

        assert not has_stop(first.message)
        assert has_stop(second.message)


async def test_streams_whose_begin_was_not_confirmed_are_told_apart(stage: Stage) -> None:
    root = stage.slack.people.say("look")
    stage.slack.faults.once("chat.startStream", Lost(), Lost())
    runs = [await stage.mention(f"question {number}", thread=root) for number in (1, 2)]
    async with asyncio.TaskGroup() as tasks:
        for (message, run), text in zip(stage.listener.received, ("One.", "Two."), strict=True):
            events = gradually(stage, message, *whole(run, text))
            tasks.create_task(stage.chat.follow(message, run, events))

    said = stage.slack.said(GENERAL, root)
    assert sorted(m.text for m in said) == ["One.", "Two."]
    assert {m.body["metadata"]["event_payload"]["run"] for m in said} == set(runs)


async def test_in_a_direct_message_a_run_is_streamed_too(stage: Stage) -> None:
    root = stage.slack.people.say("what is this?", channel=ANNAS_DM)
    message, run = await stage.listener.next()

    events = whole(run, "A cat.")
    told = Told()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stage.chat.follow(message, run, aiter(told)))
        told.tell(*events[:3])
        await stage.slack.until(lambda: stage.slack.said(ANNAS_DM, root))
        told.tell(*events[3:], None)

    (said,) = stage.slack.said(ANNAS_DM, root)
    assert (said.body["blocks"][0]["type"], said.text) == ("plan", "A cat.")


@pytest.mark.parametrize("times", [1, 3])
async def test_slacks_own_stop_stops_the_thread_once(stage: Stage, times: int) -> None:
    stage.slack.people.times = times
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows("in_progress")
        stage.slack.people.stop(GENERAL, run.root, by=BEN)
        await stage.slack.until(lambda: stage.listener.invocations)
        await stage.slack.settled()
        run.told.tell(Apologised(LocalizedText("stopped"), "R-1"))

    (stop,) = stage.listener.invocations
    assert (stop.command, stop.thread.root, stop.person.id) == ("stop", run.root, BEN)
    assert stage.slack.space.ephemerals == []
    assert run.message.text == english("stopped")
    assert (run.card["title"], run.card["status"]) == ("Describing a picture", "error")
    assert "output" not in run.card
    assert run.plan["title"] == english("progress-ended", done=0, all=1)
    assert stage.slack.streams.sessions == {(GENERAL, run.root): "active"}


async def test_an_end_that_slack_refuses_to_stream_is_posted_anew(stage: Stage) -> None:
    stage.slack.faults.once("chat.stopStream", Refused("invalid_blocks"))
    stage.slack.faults.once("chat.update", Refused("invalid_blocks"))
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows("in_progress")
        run.told.tell(DONE, Answered(Answer(run.id, "A cat.")))

    assert run.message.text == "A cat."


async def test_a_run_that_ends_silently_takes_its_plan_back(stage: Stage) -> None:
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows("in_progress")
        run.told.tell(Answered(Answer(run.id, "", is_silent=True)))

    assert stage.slack.said(GENERAL, run.root) == []


@pytest.mark.parametrize(
    ("is_confirmed", "has_cards"), [(True, True), (False, True), (False, False)]
)
async def test_after_a_restart_a_stream_is_found_and_becomes_the_answer(
    stage: Stage, *, is_confirmed: bool, has_cards: bool
) -> None:
    id_, told = await stage.mention("what is this?"), Told()
    message, _ = stage.listener.received[0]
    root = message.thread.root
    async with asyncio.TaskGroup() as tasks:
        life = tasks.create_task(stage.chat.follow(message, id_, aiter(told)))
        told.tell(*PLANNED)
        await stage.slack.until(lambda: stage.slack.streams.streams)
        await stage.slack.until(lambda: stage.ledger.receipts.get(f"{id_}:answer:0"))
        life.cancel()
    if not is_confirmed:
        stage.ledger.receipts[f"{id_}:answer:0"] = None
    if not has_cards:
        stage.slack.said(GENERAL, root)[0].body["blocks"] = []

    again = Run(stage.again(), root, id_)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(again.stage.chat.follow(message, id_, aiter(again.told)))
        again.told.tell(*PLANNED)
        await again.shows("troupe:stop")
        again.told.tell(DONE, Answered(Answer(id_, "A cat.")), None)

    assert (again.message.text, again.card["status"]) == ("A cat.", "complete")
    assert not stage.slack.streams.is_open(again.message)
    assert stage.slack.streams.sessions == {(GENERAL, root): "active"}
    assert stage.slack.calls.count("chat.startStream") == 1


@pytest.mark.parametrize("is_silent", [True, False])
async def test_killed_before_its_stream_begins_a_run_ends_its_session(
    stage: Stage, *, is_silent: bool
) -> None:
    id_, told = await stage.mention("what is this?"), Told()
    message, _ = stage.listener.received[0]
    stage.slack.calls.held["chat.startStream"] = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        life = tasks.create_task(stage.chat.follow(message, id_, aiter(told)))
        told.tell(*PLANNED)
        await stage.slack.until(lambda: stage.slack.calls.count("chat.startStream"))
        life.cancel()

    end = Answered(Answer(id_, "A cat.", is_silent=is_silent))
    await stage.again().chat.follow(message, id_, one_by_one(*PLANNED, DONE, end))

    assert set(stage.slack.streams.sessions.values()) == {"active"}


async def test_a_refused_plan_does_not_cost_the_answer_its_buttons(stage: Stage) -> None:
    stage.slack.streams.refusal = "unknown_method"
    stage.slack.faults.once("chat.update", Refused("invalid_blocks"))
    async with running(stage) as run:
        run.told.tell(*PLANNED)
        await run.shows(MODEL.id)
        run.told.tell(DONE, Answered(Answer(run.id, "A cat.")))

    assert "troupe:retry" in [each["action_id"] for each in buttons(run.message.body["blocks"])]
