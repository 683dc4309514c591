"""Why a kind of task cannot run here: only what is missing is told."""

from collections.abc import Collection

import pytest

from pipeline.domain import Failed, Made, Place, Plan
from pipeline.ports import Job
from pipeline.response.telling import went_wrong
from pipeline.table import KINDS
from pipeline.wanting import wanting
from pipeline.words import say
from tests.fakes.stages import ActingExpert, Bench, model, never, task
from tests.pipeline.planning.builders import request


def told(
    kind: str, open_: Collection[Place], closed: Collection[Place] = (), *, known: bool = False
) -> str:
    return say("en", wanting(KINDS[kind], open_, closed, known=known))


@pytest.mark.parametrize(
    ("open_", "lists"),
    [
        ([], "HF_TOKEN / OPENAI_API_KEY / TROUPE_EXPERTS_URL."),
        ([Place.EMBEDDED], "HF_TOKEN / OPENAI_API_KEY / TROUPE_EXPERTS_URL."),
        ([Place.LLM], "HF_TOKEN / TROUPE_EXPERTS_URL."),
        ([Place.HOSTED, Place.LLM], "TROUPE_EXPERTS_URL."),
        ([Place.LOCAL], "HF_TOKEN / OPENAI_API_KEY or a model for it on the expert server."),
        ([Place.HOSTED, Place.LLM, Place.LOCAL], "a model for it on the expert server."),
    ],
)
def test_only_what_is_not_set_up_is_listed(open_: list[Place], lists: str) -> None:
    assert told("image-to-text", open_).endswith(f"with {lists}")


def test_a_setting_that_is_there_and_does_not_help_is_not_listed() -> None:
    said = told("media-conversion", [Place.EMBEDDED])

    assert said.endswith("is not possible here now: nobody offers a model for it.")


def test_a_place_that_was_left_out_is_told_as_such() -> None:
    said = told("text-to-image", [Place.EMBEDDED], [Place.HOSTED])

    assert "TROUPE_PLACES (hosted) / OPENAI_API_KEY" in said
    assert "HF_TOKEN" not in said


def test_rules_that_leave_no_model_are_told_as_such() -> None:
    assert told("text-to-image", [Place.HOSTED], known=True).endswith("leave no model for it.")


async def test_a_run_knows_what_is_set_up() -> None:
    async def act(_job: Job) -> Made:
        await never()
        return Made({})

    bench = Bench(experts=[ActingExpert(act, Place.LLM)], models=[model("m", "text-to-video")])

    wants = await bench.tools.wanting(KINDS["object-detection"])
    ruled_out = await bench.tools.wanting(KINDS["text-to-video"])

    assert wants.args["enabled_by"] == "HF_TOKEN / TROUPE_EXPERTS_URL / troupe[embedded] (faces)"
    assert ruled_out.id == "not-possible-rules"


def test_every_kind_has_a_reason() -> None:
    for kind in KINDS:
        assert told(kind, []).endswith(".")
    assert "troupe[embedded] (noise, hum) / T" in told("audio-to-audio", [])


@pytest.mark.parametrize("open_", [[], [Place.EMBEDDED]])
def test_the_reason_is_the_whole_sentence_in_an_answer(open_: list[Place]) -> None:
    step = task(0, "media-conversion")
    reason = wanting(step.kind, open_, (), known=False)

    assert went_wrong(step, Plan((step,)), {step.id: Failed(reason)}, request()) == reason
