"""The list of well-known models."""

from collections import Counter

from adapters.huggingface import WIRE_FORMATS, load_known_models
from pipeline.domain import Place
from pipeline.task_kinds import KINDS

_IN_LIBRARIES = {"canny-control", "mlsd-control", "scribble-control"}


def test_there_is_a_model_for_every_kind_on_the_wire() -> None:
    listed = {model.kind for model in load_known_models(Place)}

    assert listed == WIRE_FORMATS.keys() - _IN_LIBRARIES
    assert listed <= KINDS.keys()


def test_no_model_is_listed_twice() -> None:
    twice = [
        id_ for id_, n in Counter(model.id for model in load_known_models(Place)).items() if n > 1
    ]

    assert twice == []


def test_every_model_is_described() -> None:
    assert all(model.description for model in load_known_models(Place))


def test_only_models_that_can_run_at_the_places_are_listed() -> None:
    hosted = load_known_models([Place.HOSTED])

    assert hosted
    assert {model.places for model in hosted} == {(Place.HOSTED,)}
    assert not load_known_models([Place.EMBEDDED])


def test_places_are_kept_in_the_order_that_was_asked_for() -> None:
    model = next(m for m in load_known_models([Place.LOCAL, Place.HOSTED]) if len(m.places) > 1)

    assert model.places == (Place.LOCAL, Place.HOSTED)
