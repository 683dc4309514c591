"""One table: which kinds can run inside the program, with which library."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from importlib.util import find_spec

from adapters.embedded.experts import (
    reading,
    speech,
)
from adapters.embedded.experts.finding import Work
from pipeline.domain import Model, Place


class Needs(Enum):
    """What must be done to the files before a worker gets them."""

    AS_IS = auto()
    WAV = auto()


@dataclass(frozen=True, slots=True)
class Row:
    """One kind: the model as it is shown, the function that does the work in a worker, and the modules it imports there."""

    model: Model
    work: Work
    modules: tuple[str, ...] = ()
    needs: Needs = Needs.AS_IS


def _row(  # noqa: PLR0913 - a row of the table
    kind: str,
    id_: str,
    licence: str,
    description: str,
    work: Work,
    *modules: str,
    languages: tuple[str, ...] = (),
    needs: Needs = Needs.AS_IS,
) -> tuple[str, Row]:
    model = Model(id_, kind, (Place.EMBEDDED,), description, licence=licence, languages=languages)
    return kind, Row(model, work, modules, needs)


# fmt: off - one row, one line
ROWS: Mapping[str, Row] = dict(
    (
        _row(
            "text-to-speech",
            "espeak-ng",
            "GPL-3.0",
            "clear but robotic voice, about a hundred languages",
            speech.speak,
            "espeakng_loader",
        ),
        _row(
            "optical-character-recognition",
            "rapidocr",
            "Apache-2.0",
            "reads printed text (Latin and Chinese script); misses handwriting",
            reading.read,
            "rapidocr",
            "onnxruntime",
        ),
    )
)
# fmt: on


def embedded_models(kind: str = "") -> Sequence[Model]:
    """The models that can run inside the program as it is installed, of one kind or of all."""
    return tuple(row.model for name, row in ROWS.items() if kind in ("", name) and can(name))


def can(kind: str) -> bool:
    """Whether a kind can run inside the program as it is installed. Imports nothing heavy."""
    row = ROWS.get(kind)
    return row is not None and all(find_spec(module) for module in row.modules)
