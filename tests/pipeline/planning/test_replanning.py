"""Planning on from results: after a failure, and when the plan asks to look first."""

import json
from dataclasses import replace

import pytest

from pipeline.domain import (
    Answer,
    ChannelSettings,
    ExpertOutput,
    Finished,
    LocalizedText,
    Planned,
    Request,
    Skipped,
    Stopped,
    Text,
)
from pipeline.errors import ExpertRefused, LlmError, LlmUnavailable
from pipeline.planning.planner import LlmPlanner
from pipeline.ports import Job
from pipeline.prompts import fence
from pipeline.selection.candidates import Candidates
from pipeline.task_kinds import KINDS
from pipeline.tools import RunLimits
from tests.fakes.experts import full_catalogue
from tests.fakes.llm import FakeLlm
from tests.fakes.stages import ActingExpert, Bench, model
from tests.pipeline.planning.builders import file, request

ASKED = request("if there is a cat, draw a dog, else describe it", file("image 1", "a.jpg"))


def written(*tasks: tuple[int, str, dict[str, str]], say: str = "", more: bool = False) -> str:
    plan = [
        {
            "id": number,
            "task": kind,
            "dep": [],
            "args": [{"name": name, "value": value} for name, value in args.items()],
            "model": "",
        }
        for number, kind, args in tasks
    ]
    action = "tasks" if tasks or not say else "reply"
    head = {"thought": "", "action": action, "say": say}
    return json.dumps({**head, "tasks": plan, "continue": more})


LOOK = (0, "image-to-text", {"image": "image 1"})
SPEAK = (1, "text-to-speech", {"text": "<GENERATED>-0"})


def bench(llm: FakeLlm, *, fails: str = "", rounds: int = 1) -> Bench:
    async def act(job: Job) -> ExpertOutput:
        if job.kind.name == fails:
            raise ExpertRefused("llm-cannot", model=job.model.id, kind=job.kind.name)
        made = {slot.name: Text(f"made by {job.kind.name}") for slot in job.kind.makes}
        return ExpertOutput(made)

    stage = Bench(
        planners=[LlmPlanner(llm, Candidates(full_catalogue()))],
        experts=[ActingExpert(act)],
        models=[model(f"any/{kind}", kind) for kind in KINDS],
        limits=RunLimits(backoff=0.0, replans=rounds),
    )
    stage.files.kept |= {each.attachment.hash: b"a picture" for each in ASKED.files}
    return stage


def jobs(stage: Bench) -> list[str]:
    (expert,) = stage.experts
    assert isinstance(expert, ActingExpert)
    return [job.kind.name for job in expert.jobs]


def shown(stage: Bench) -> list[int]:
    """The number of tasks in each plan that was shown."""
    plans = [len(event.plan.tasks) for event in stage.events if isinstance(event, Planned)]
    return list(dict.fromkeys(plans))


async def test_a_plan_that_looks_first_goes_on_from_what_was_seen() -> None:
    rewrite = (1, "text2text-generation", {"text": "shorter: <GENERATED>-0"})
    llm = FakeLlm([written(LOOK, more=True), written(rewrite)])
    stage = bench(llm)

    await stage.answers(ASKED)

    assert jobs(stage) == ["image-to-text", "text2text-generation"]
    assert shown(stage) == [1, 2]
    assert len(llm.prompts) == 2
    assert llm.prompts[0].messages[0] == llm.prompts[1].messages[0]
    results = llm.prompts[1].messages[1].text.partition("Results so far: ")[2]
    assert "made by image-to-text" in results
    (expert,) = stage.experts
    assert isinstance(expert, ActingExpert)
    assert expert.jobs[1].args["text"] == (Text(f"shorter: \n{fence('made by image-to-text')}"),)


async def test_a_failure_without_stand_in_is_planned_around_and_still_listed() -> None:
    other = (2, "text2text-generation", {"text": "<GENERATED>-0, to be read"})
    llm = FakeLlm([written(LOOK, SPEAK), written(other)])
    stage = bench(llm, fails="text-to-speech")

    answer = await stage.answers(ASKED)

    assert jobs(stage) == ["image-to-text", "text-to-speech", "text2text-generation"]
    assert "failed" in llm.prompts[1].messages[1].text
    assert "respond-failed" in [notice.id for notice in answer.notices]


async def test_what_is_done_is_not_done_again() -> None:
    rewrite = (1, "text2text-generation", {"text": "shorter: <GENERATED>-0"})
    llm = FakeLlm([written(LOOK, more=True), written(LOOK, rewrite)])
    stage = bench(llm)

    await stage.answers(ASKED)

    assert jobs(stage) == ["image-to-text", "text2text-generation"]


@pytest.mark.parametrize("second", [written(), written(say="There is no cat.")])
async def test_nothing_more_may_be_needed(second: str) -> None:
    llm = FakeLlm([written(LOOK, more=True), second])
    stage = bench(llm)

    answer = await stage.answers(ASKED)

    assert jobs(stage) == ["image-to-text"]
    assert answer.notices == ()


@pytest.mark.parametrize(
    ("rounds", "calls"), [(0, 1), (1, 2), (3, 4)], ids=["none", "one", "three"]
)
async def test_the_rounds_are_bounded(rounds: int, calls: int) -> None:
    plans = [
        written((number, "text-to-speech", {"text": f"hello {number}"})) for number in range(6)
    ]
    llm = FakeLlm([*plans])
    stage = bench(llm, fails="text-to-speech", rounds=rounds)

    await stage.answers(ASKED)

    assert len(llm.prompts) == calls


@pytest.mark.parametrize("error", [LlmUnavailable("llm-unreachable", model="fake"), "no plan"])
async def test_a_round_that_fails_leaves_the_plan_and_is_told(error: str | LlmError) -> None:
    llm = FakeLlm([written(LOOK, more=True), error, error])
    stage = bench(llm)

    answer = await stage.answers(ASKED)

    assert jobs(stage) == ["image-to-text"]
    (notice,) = answer.notices
    assert notice.id == "plan-not-continued"
    reason = notice.args["reason"]
    assert isinstance(reason, LocalizedText)
    assert reason.id == ("llm-garbled" if isinstance(error, str) else "llm-unreachable")


async def test_a_restart_repeats_neither_round() -> None:
    rewrite = (1, "text2text-generation", {"text": "shorter: <GENERATED>-0"})
    stage = bench(FakeLlm([written(LOOK, more=True), written(rewrite)]))
    first = await stage.answers(ASKED)

    del stage.journal.steps[ASKED.run]["answer"]
    again = bench(FakeLlm([]))
    again.journal, again.events = stage.journal, []
    second = await again.answers(ASKED)

    assert isinstance(second, Answer)
    assert second.text == first.text
    assert jobs(again) == []
    finished = [event.task for event in again.events if isinstance(event, Finished)]
    assert finished == [0, 1]


async def test_a_notice_that_an_earlier_version_kept_for_both_rounds_is_told_once() -> None:
    rewrite = (1, "text2text-generation", {"text": "shorter: <GENERATED>-0"})
    first = written(LOOK, say="I look first.", more=True)
    stage = bench(FakeLlm([first, written(rewrite)]))
    answered = await stage.answers(ASKED)

    steps = stage.journal.steps[ASKED.run]
    del steps["answer"]
    _task, remark, _more = json.loads(steps["plan"])["value"]
    second = json.loads(steps["plan 2"])
    steps["plan 2"] = json.dumps({**second, "value": [remark, *second["value"]]})
    again = await replace(bench(FakeLlm([])), journal=stage.journal).answers(ASKED)

    assert [notice.id for notice in answered.notices].count("plan-remark") == 1
    assert again.notices == answered.notices


async def test_what_depends_on_a_failed_step_is_skipped_and_planned_once() -> None:
    hear = (1, "automatic-speech-recognition", {"audio": "<GENERATED>-0"})
    say = (0, "text-to-speech", {"text": "hello"})
    llm = FakeLlm([written(say, hear), written()])
    stage = bench(llm, fails="text-to-speech")

    await stage.answers(ASKED)

    outcomes = [event.outcome for event in stage.events if isinstance(event, Finished)]
    assert any(isinstance(outcome, Skipped) for outcome in outcomes)
    assert len(llm.prompts) == 2


async def test_a_skipped_step_is_listed_unless_a_further_round_did_it_otherwise() -> None:
    say, hear = (0, "text-to-speech", {"text": "hello"}), "automatic-speech-recognition"
    rest = (1, hear, {"audio": "<GENERATED>-0"}), (2, "summarization", {"text": "<GENERATED>-1"})
    again = (3, hear, {"audio": "audio 1"})
    asked = replace(ASKED, files=(file("audio 1", "a.wav"),))
    stage = bench(FakeLlm([written(say, *rest), written(again)]), fails="text-to-speech")
    stage.files.kept |= {each.attachment.hash: b"a sound" for each in asked.files}

    answer = await stage.answers(asked)

    assert [(notice.id, notice.args["kind"]) for notice in answer.notices] == [
        ("respond-failed", "text-to-speech"),
        ("respond-skipped", "summarization"),
    ]


async def test_a_part_that_is_not_possible_is_told_beside_the_tasks() -> None:
    stage = bench(FakeLlm([written(LOOK, say="I cannot name birds.")]))

    answer = await stage.answers(ASKED)

    assert [(notice.id, notice.args["text"]) for notice in answer.notices] == [
        ("plan-remark", "I cannot name birds.")
    ]


async def test_a_remark_invents_no_link_and_stays_one_line() -> None:
    say = "No birds.\n\nSee https://birds.example/x and [this](https://evil.example)."
    stage = bench(FakeLlm([written(LOOK, say=say)]))

    answer = await stage.answers(ASKED)

    text = str(answer.notices[0].args["text"])
    assert text.startswith("No birds. See ")
    assert "example" not in text


def _silent(action: str = "silent") -> str:
    plan = {"thought": "", "action": action, "say": "", "tasks": [], "continue": False}
    return json.dumps(plan)


async def test_people_who_talk_to_each_other_are_not_answered() -> None:
    stage = bench(FakeLlm([_silent()]))

    answer = await stage.answers(replace(ASKED, overheard=True))

    assert answer.is_silent
    assert stage.events[-1:] != []


async def test_no_task_of_a_plan_that_is_silent_runs() -> None:
    llm = FakeLlm([written(LOOK, say="A cat.").replace('"tasks"', '"silent"', 1)])
    stage = bench(llm)

    answer = await stage.answers(replace(ASKED, overheard=True))

    assert answer.is_silent
    assert jobs(stage) == []
    assert len(llm.prompts) == 1


async def test_a_plan_that_says_after_its_tasks_that_it_is_silent_stops_them() -> None:
    plan = json.loads(written(LOOK))
    late = {"tasks": plan["tasks"], "action": "silent"}
    stage = bench(FakeLlm([json.dumps(late)]))

    answer = await stage.answers(replace(ASKED, overheard=True))

    assert answer.is_silent
    ended = [event.outcome for event in stage.events if isinstance(event, Finished)]
    assert [type(outcome) for outcome in ended] == [Stopped]


async def test_a_plan_that_is_silent_once_tasks_have_run_is_answered() -> None:
    stage = bench(FakeLlm([written(LOOK, more=True), _silent()]))

    answer = await stage.answers(replace(ASKED, overheard=True))

    assert not answer.is_silent
    assert jobs(stage) == ["image-to-text"]


@pytest.mark.parametrize("offered", [False, True])
async def test_who_wanted_no_answer_is_told_once_how_to_have_none(offered: bool) -> None:  # noqa: FBT001
    settings = ChannelSettings(mention_offered=offered)
    stage = bench(FakeLlm([_silent("leave")]))

    answer = await stage.answers(replace(ASKED, overheard=True, settings=settings))

    assert answer.leaves_thread
    assert answer.is_silent is offered
    assert ("settings mention always" in answer.text) is not offered


async def test_who_is_alone_with_the_bot_cannot_send_it_away() -> None:
    stage = bench(FakeLlm([_silent("leave"), written(say="Sorry!")]))

    answer = await stage.answers(replace(ASKED, overheard=False))

    assert answer.text == "Sorry!"


async def test_who_speaks_to_the_bot_is_always_answered() -> None:
    def addressed() -> Request:
        return replace(ASKED, overheard=False)

    llm = FakeLlm([_silent(), written(say="Hello!")])
    stage = bench(llm)

    answer = await stage.answers(addressed())

    assert answer.text == "Hello!"
    assert len(llm.prompts) == 2
