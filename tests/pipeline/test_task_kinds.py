"""Why a kind of task cannot run here: only what is missing is told."""

from collections.abc import Collection

import pytest

from pipeline.domain import ExpertOutput, Failed, LocalizedText, Place, Plan
from pipeline.ports import Job
from pipeline.response.respond import list_problems
from pipeline.task_kinds import KINDS, explain_missing
from pipeline.words import say
from tests.fakes.stages import ActingExpert, Bench, model, never, task
from tests.pipeline.planning.builders import request
from tests.words import english


def explain(
    kind: str, open_: Collection[Place], closed: Collection[Place] = (), *, known: bool = False
) -> LocalizedText:
    return explain_missing(KINDS[kind], open_, closed, known=known)


def enabled_by(text: LocalizedText) -> str:
    """What would make it possible, as the command "tasks" shows it to an admin."""
    settings = text.args["enabled_by"]
    return say("en", settings) if isinstance(settings, LocalizedText) else str(settings)


@pytest.mark.parametrize(
    ("open_", "lists"),
    [
        ([], "HF_TOKEN / OPENAI_API_KEY / TROUPE_EXPERTS_URL"),
        ([Place.EMBEDDED], "HF_TOKEN / OPENAI_API_KEY / TROUPE_EXPERTS_URL"),
        ([Place.LLM], "HF_TOKEN / TROUPE_EXPERTS_URL"),
        ([Place.HOSTED, Place.LLM], "TROUPE_EXPERTS_URL"),
        ([Place.LOCAL], english("wanting-or-model", needs="HF_TOKEN / OPENAI_API_KEY")),
        ([Place.HOSTED, Place.LLM, Place.LOCAL], english("wanting-model")),
    ],
)
def test_only_what_is_not_set_up_is_listed(open_: list[Place], lists: str) -> None:
    assert enabled_by(explain("image-to-text", open_)) == lists


def test_a_setting_that_is_there_and_does_not_help_is_not_listed() -> None:
    assert explain("media-conversion", [Place.EMBEDDED]).id == "not-possible-nobody"


def test_a_place_that_was_left_out_is_told_as_such() -> None:
    settings = enabled_by(explain("text-to-image", [Place.EMBEDDED], [Place.HOSTED]))

    assert "TROUPE_PLACES (hosted) / OPENAI_API_KEY" in settings
    assert "HF_TOKEN" not in settings


def test_rules_that_leave_no_model_are_told_as_such() -> None:
    assert explain("text-to-image", [Place.HOSTED], known=True).id == "not-possible-rules"


async def test_a_run_knows_what_is_set_up() -> None:
    async def act(_job: Job) -> ExpertOutput:
        await never()
        return ExpertOutput({})

    bench = Bench(experts=[ActingExpert(act, Place.LLM)], models=[model("m", "text-to-video")])

    wants = await bench.tools.explain_missing(KINDS["object-detection"])
    ruled_out = await bench.tools.explain_missing(KINDS["text-to-video"])

    assert wants.args["enabled_by"] == "HF_TOKEN / TROUPE_EXPERTS_URL / [embedded] (faces)"
    assert ruled_out.id == "not-possible-rules"


def test_every_kind_has_a_reason() -> None:
    for kind in KINDS:
        assert say("en", explain(kind, [])).endswith(".")
    assert "[embedded] (noise, hum) / T" in enabled_by(explain("audio-to-audio", []))


@pytest.mark.parametrize("open_", [[], [Place.EMBEDDED]])
def test_the_reason_is_the_whole_sentence_in_an_answer(open_: list[Place]) -> None:
    step = task(0, "media-conversion")
    reason = explain_missing(step.kind, open_, (), known=False)

    assert list_problems(request(), Plan((step,)), {step.id: Failed(reason)}) == (reason,)
