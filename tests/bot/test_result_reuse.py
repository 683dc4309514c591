"""Later runs of a thread reuse earlier results; a retry does not."""

from dataclasses import replace

from adapters.discord.showing.markdown import split_messages
from adapters.slack.showing import splitting
from adapters.web.markdown_html import render_html
from bot.commands.details import format_details
from pipeline.domain import (
    Action,
    Attempt,
    ButtonClick,
    Choice,
    Done,
    Estimate,
    ExpertOutput,
    Failed,
    Label,
    Labels,
    LocalizedText,
    Output,
    Plan,
    Repair,
    Run,
    RunId,
    RunState,
    Source,
    TaskId,
    Text,
)
from pipeline.ports import Job
from tests.bot.scenes import Scene, follow_up, message
from tests.fakes.places import HOSTED, LOCAL
from tests.fakes.stages import ANN, ActingExpert, Bench, model, planning, task
from tests.words import english


def summarising() -> tuple[ActingExpert, Scene]:
    """An expert and a conversation in which every message asks for the same summary."""

    async def shortens(_job: Job) -> ExpertOutput:
        return ExpertOutput({"text": Text("short")})

    expert = ActingExpert(shortens)
    planner = planning(task(0, "summarization", text="x"))
    return expert, Scene(Bench([planner], experts=[expert], models=[model("m", "summarization")]))


async def test_a_follow_up_takes_what_is_there_and_retry_makes_it_anew() -> None:
    expert, scene = summarising()

    async with scene.at_work() as conversation:
        first = await conversation.on_message(message())
        await scene.idle()
        second = await conversation.on_message(follow_up("and now?", 2))
        await scene.idle()
        calls = len(expert.jobs)
        await conversation.on_click(
            ButtonClick(
                id="p1",
                action=Action.RETRY,
                run=second or RunId(""),
                person=ANN,
                thread=message().thread,
            )
        )
        await scene.idle()

    runs = await scene.store.runs(message().thread, limit=9)
    sources = [
        outcome.source
        for run in runs
        for outcome in run.outcomes.values()
        if isinstance(outcome, Done)
    ]
    assert (calls, len(expert.jobs)) == (1, 2)
    assert sources == [None, Source(first or RunId(""), TaskId(0)), None]


async def test_what_was_taken_over_is_made_anew_once_its_origin_is_disliked() -> None:
    expert, scene = summarising()

    async with scene.at_work() as conversation:
        first = await conversation.on_message(message())
        await scene.idle()
        await conversation.on_message(follow_up("and now?", 2))
        await scene.idle()
        calls = len(expert.jobs)
        await conversation.on_click(
            ButtonClick(
                id="p1",
                action=Action.DOWN,
                run=first or RunId(""),
                person=ANN,
                thread=message().thread,
            )
        )
        await conversation.on_message(follow_up("and then?", 3))
        await scene.idle()

    assert (calls, len(expert.jobs)) == (1, 2)


def test_details_say_what_was_taken_from_where_and_what_was_foreseen() -> None:
    made = Done(
        Output({"text": Text("short")}),
        took=0.0,
        model=model("m", "summarization"),
        place=LOCAL,
        tried=(Attempt(model="m", place=LOCAL, took=12.34),),
        source=Source(RunId("before"), TaskId(0)),
    )
    twin = replace(made, source=Source(RunId(""), TaskId(0)))
    run = Run(
        id=RunId("r"),
        thread="thread",
        person="ann",
        text="please",
        state=RunState.ANSWERED,
        plan=Plan((task(0, "summarization", text="x"), task(1, "summarization", text="x"))),
        outcomes={TaskId(0): made, TaskId(1): twin},
        estimate=Estimate(43.0, 0.02),
    )

    note, first, second = format_details(run, {}, "en", in_full=True).splitlines()

    assert first.endswith(f" · `m` (local) · {english('taken-made', seconds=12.3)}")
    assert second.endswith(f" · {english('taken-task', task=0)}")
    estimate = english("details-estimate", estimate="about 40 s, about $0.020 for its steps")
    assert note == f"- {estimate}"


def test_details_tell_who_ran_it_what_it_cost_why_and_what_would_have_been_next() -> None:
    used = replace(model("org/used", "summarization"), revision="0123456789abcdef")
    down = Attempt(
        model="org/used",
        place=HOSTED,
        took=1.0,
        error=LocalizedText("stopped"),
        provider="nscale",
    )
    good = Attempt(
        model="org/used",
        place=HOSTED,
        took=2.0,
        error=None,
        cost=0.000042,
        provider="together",
    )
    made = Done(
        Output({"text": Text("short")}),
        took=3.0,
        model=used,
        place=HOSTED,
        tried=(down, good),
    )
    choice = Choice(used, LocalizedText("chosen-ranked"), (model("org/next", "summarization"),))
    run = Run(
        id=RunId("r"),
        thread="thread",
        person="ann",
        text="please",
        state=RunState.ANSWERED,
        plan=Plan((task(0, "summarization", text="x"),)),
        outcomes={TaskId(0): made},
    )

    row, chosen, failed, cost = format_details(
        run, {TaskId(0): choice, TaskId(9): choice}, "en", in_full=True
    ).splitlines()

    assert " · `org/used` `@0123456789ab` (hosted, together) · " in row
    assert row.endswith("· $0.000042")
    assert chosen.endswith(english("details-behind", models="`org/next`"))
    assert failed.startswith("  - org/used (hosted, nscale): ")
    assert cost == "- Known cost: $0.000042"
    for_people = format_details(run, {TaskId(0): choice}, "en")
    assert "`org/used` (together) · " in for_people
    for name in ("(summarization)", "hosted", "@0123456789ab"):
        assert name in f"{row} {failed}"
        assert name not in for_people


def test_nothing_that_a_model_wrote_is_a_link_in_the_details() -> None:
    words = "[here](https://evil.example)\n# <https://evil.example> ![x](https://evil.example/a)"
    failed = Attempt(
        model="m",
        place=HOSTED,
        took=1.0,
        error=LocalizedText("named-unknown", {"name": words}),
    )
    output = Output({"labels": Labels((Label(words, 0.5),))}, note=words, source=words)
    used = model("m", "text-classification")
    lost = Failed(LocalizedText("named-unknown", {"name": words}))
    run = Run(
        id=RunId("r"),
        thread="thread",
        person="ann",
        text="please",
        state=RunState.ANSWERED,
        plan=Plan((task(0, "text-classification", text="x"), task(1, "summarization", text="x"))),
        repairs=(Repair(LocalizedText("plan-unknown-task", {"name": words})),),
        outcomes={
            TaskId(0): Done(output, took=1.0, model=used, place=HOSTED, tried=(failed,)),
            TaskId(1): lost,
        },
    )
    choice = Choice(used, LocalizedText("chosen-because", {"reason": words}))

    told = format_details(run, {TaskId(0): choice}, "en")

    html = render_html(told)
    shown = "\n".join((*sum(splitting.split_messages(told), ()), *split_messages(told)))
    assert told.count("evil") > 15
    assert "href" not in html
    assert "<h1>" not in html
    assert "://" not in shown
