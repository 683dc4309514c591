"""Why a kind of task cannot run here: only what is missing is told."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from pipeline.domain import ExpertOutput, Failed, LocalizedText, Place, Plan
from pipeline.ports import Job
from pipeline.response.respond import list_problems
from pipeline.task_kinds import KINDS
from pipeline.words import say
from tests.fakes.places import EMBEDDED, HOSTED, LLM, LOCAL
from tests.fakes.stages import ActingExpert, Bench, model, never, task
from tests.pipeline.planning.builders import request
from tests.words import english


async def act(_job: Job) -> ExpertOutput:
    await never()
    return ExpertOutput({})


async def explain(
    kind: str, open_: Collection[Place], closed: Collection[Place] = ()
) -> LocalizedText:
    tools = Bench(experts=[ActingExpert(act, place) for place in open_]).tools
    return await replace(tools, closed=frozenset(closed)).explain_missing(KINDS[kind])


def enabled_by(text: LocalizedText) -> str:
    """What would make it possible, as the command "tasks" shows it to an admin."""
    settings = text.args["enabled_by"]
    return say("en", settings) if isinstance(settings, LocalizedText) else str(settings)


@pytest.mark.parametrize(
    ("open_", "lists"),
    [
        ([], "HF_TOKEN / OPENAI_API_KEY / TROUPE_EXPERTS_URL"),
        ([EMBEDDED], "HF_TOKEN / OPENAI_API_KEY / TROUPE_EXPERTS_URL"),
        ([LLM], "HF_TOKEN / TROUPE_EXPERTS_URL"),
        ([HOSTED, LLM], "TROUPE_EXPERTS_URL"),
        ([LOCAL], english("wanting-or-model", needs="HF_TOKEN / OPENAI_API_KEY")),
        ([HOSTED, LLM, LOCAL], english("wanting-model")),
    ],
)
async def test_only_what_is_not_set_up_is_listed(open_: list[Place], lists: str) -> None:
    assert enabled_by(await explain("image-to-text", open_)) == lists


async def test_a_setting_that_is_there_and_does_not_help_is_not_listed() -> None:
    assert (await explain("media-conversion", [EMBEDDED])).id == "not-possible-nobody"


async def test_a_place_that_was_left_out_is_told_as_such() -> None:
    settings = enabled_by(await explain("text-to-image", [EMBEDDED], [HOSTED]))

    assert "TROUPE_PLACES (hosted) / OPENAI_API_KEY" in settings
    assert "HF_TOKEN" not in settings


async def test_a_run_knows_what_is_set_up_and_that_rules_leave_no_model() -> None:
    bench = Bench(experts=[ActingExpert(act, LLM)], models=[model("m", "text-to-video")])

    wants = await bench.tools.explain_missing(KINDS["object-detection"])
    ruled_out = await bench.tools.explain_missing(KINDS["text-to-video"])

    assert wants.args["enabled_by"] == "HF_TOKEN / TROUPE_EXPERTS_URL / [embedded] (faces)"
    assert ruled_out.id == "not-possible-rules"


async def test_every_kind_has_a_reason() -> None:
    for kind in KINDS:
        assert say("en", await explain(kind, [])).endswith(".")
    assert "[embedded] (noise, hum) / T" in enabled_by(await explain("audio-to-audio", []))


@pytest.mark.parametrize("open_", [[], [EMBEDDED]])
async def test_the_reason_is_the_whole_sentence_in_an_answer(open_: list[Place]) -> None:
    step = task(0, "media-conversion")
    reason = await explain(step.kind.name, open_)

    assert list_problems(request(), Plan((step,)), {step.id: Failed(reason)}) == (reason,)
