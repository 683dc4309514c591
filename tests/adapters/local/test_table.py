"""The table of kinds, which is read without torch."""

import importlib.util
import sys

from adapters.local.kinds import TABLE
from adapters.wire.formats import WIRE_FORMATS
from pipeline.task_kinds import KINDS
from tests.adapters.local.test_diffusion import PAINTED
from tests.adapters.local.test_kinds import MODELS

NOWHERE_HERE = {
    "canny-control": "needs no model: the embedded experts draw it",
    "mlsd-control": "the same",
    "scribble-control": "the same",
    "hed-control": "no model class of transformers; the embedded experts come near it",
    "normal-control": "would be drawn by code of our own",
    "openpose-control": "the same",
    "seg-control": "the same",
    "mask-generation": "its pipeline needs torchvision",
    "audio-to-audio": "no pipeline of transformers; the embedded experts clean sounds",
    "table-question-answering": "language models and the embedded experts do better",
    **dict.fromkeys(PAINTED, "needs the extra [diffusion]"),
}


def test_every_row_has_a_tiny_model() -> None:
    painted = {} if importlib.util.find_spec("diffusers") is None else PAINTED
    assert (MODELS | painted).keys() == TABLE.kinds.keys()


def test_every_kind_on_the_wire_has_a_row_or_a_reason() -> None:
    assert TABLE.kinds.keys() <= WIRE_FORMATS.keys() <= KINDS.keys()
    assert WIRE_FORMATS.keys() - TABLE.kinds.keys() <= NOWHERE_HERE.keys()


def test_reading_the_table_does_not_import_torch() -> None:
    assert "torch" not in sys.modules
