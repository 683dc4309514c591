"""The table of kinds, which is read without torch."""

import importlib.util
import sys

import pytest

from adapters.huggingface import WIRE_FORMATS
from adapters.local.kinds import TABLE
from adapters.local.kinds.audio import asks_for_a_voice
from pipeline.task_kinds import KINDS
from tests.adapters.local.test_diffusion import PAINTED
from tests.adapters.local.test_kinds import MODELS

NOWHERE_HERE = {
    "canny-control": "needs no model: the embedded experts draw it",
    "mlsd-control": "the same",
    "scribble-control": "the same",
    "hed-control": "no model class of transformers; the embedded experts come near it",
    **dict.fromkeys(PAINTED, "needs the extra [diffusion]"),
}


def test_every_row_has_a_tiny_model() -> None:
    painted = {} if importlib.util.find_spec("diffusers") is None else PAINTED
    assert (MODELS | painted).keys() == TABLE.kinds.keys()
    assert {kind.family for kind in TABLE.kinds.values()} == TABLE.loaders.keys()


def test_every_kind_on_the_wire_has_a_row_or_a_reason() -> None:
    assert TABLE.kinds.keys() <= WIRE_FORMATS.keys() <= KINDS.keys()
    assert WIRE_FORMATS.keys() - TABLE.kinds.keys() <= NOWHERE_HERE.keys()


def test_reading_the_table_does_not_import_torch() -> None:
    assert "torch" not in sys.modules


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("", 1),
        ("in another voice", 1),
        ("mit einer anderen Stimme", 1),
        ("con otra voz", 1),
        ("用别的声音", 1),
        ("remove the noise", 0),
        ("ohne die Stimme", 0),
        ("enlève la voix", 0),
        ("separate the voices", 0),
    ],
)
def test_another_voice_is_given_to_those_who_want_one(prompt: str, wanted: int) -> None:
    assert asks_for_a_voice(prompt) == bool(wanted)
