"""The curated models as the adapters list them."""

from collections import Counter

from adapters.huggingface.tags import TAGS
from adapters.local.kinds import LOCAL_KINDS
from pipeline.selection.curated import load_known_models
from pipeline.task_kinds import KINDS
from tests.fakes.places import EMBEDDED, HOSTED, LOCAL, PLACES

ALL = load_known_models(PLACES)


def test_there_is_a_model_for_every_kind_that_an_expert_server_runs() -> None:
    assert {model.kind for model in load_known_models([LOCAL])} == LOCAL_KINDS


def test_only_kinds_that_the_hub_lists_have_hosted_models() -> None:
    hosted = {model.kind for model in load_known_models([HOSTED])}

    assert hosted <= TAGS.keys()
    assert TAGS.keys() - hosted == {"zero-shot-image-classification", "audio-to-audio"} | {
        "audio-classification"
    }, "nobody serves these"
    assert hosted <= KINDS.keys()


def test_no_model_is_listed_twice_for_a_kind() -> None:
    counts = Counter((model.id, model.kind) for model in ALL)

    assert [model for model, times in counts.items() if times > 1] == []


def test_every_model_is_described_for_the_planner() -> None:
    short = {model.id for model in ALL if len(model.description) < 120}

    assert short == set()


def test_only_models_that_can_run_at_the_places_are_listed() -> None:
    hosted = load_known_models([HOSTED])

    assert hosted
    assert {model.places for model in hosted} == {(HOSTED,)}
    assert not load_known_models([EMBEDDED])


def test_places_are_kept_in_the_order_that_was_asked_for() -> None:
    model = next(m for m in load_known_models([LOCAL, HOSTED]) if len(m.places) > 1)

    assert model.places == (LOCAL, HOSTED)
