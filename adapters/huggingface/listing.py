"""What the Hub's API says of models, as our models. Runs in a thread: its client library takes long to load."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic_core import from_json

from adapters.huggingface.borrowed import can_ask
from adapters.huggingface.formats import FORMS
from adapters.huggingface.tags import KINDS_OF, TAGS
from pipeline.domain import Model, Place

_WIDTHS = {"F64": 8, "I64": 8, "F32": 4, "I32": 4, "F16": 2, "BF16": 2, "I16": 2}
_OWN = "hf-inference"


def listed(body: bytes) -> tuple[Model, ...]:
    """The models of a list, in its order, those that cannot be read left out. Raises ValueError when it is none, and ExpertRefused.

    `kind` is the first of our kinds that the model's task serves, "" when there is none; no places: no provider serves it.
    """
    rows = from_json(body)
    if not isinstance(rows, list):
        raise ValueError("no list of models")  # noqa: TRY004 - what was read is wrong
    return tuple(model for row in rows for model in _read(row))


def single(body: bytes) -> Model:
    """One model. Raises ValueError."""
    found = listed(b"[" + body + b"]")
    if not found:
        raise ValueError("no model")
    return found[0]


def _read(row: object) -> Iterator[Model]:
    from huggingface_hub.hf_api import ModelInfo  # noqa: PLC0415 - half a second, only for those who use the Hub

    if not isinstance(row, Mapping) or row.get("private") or row.get("disabled"):
        return
    try:
        info: Any = ModelInfo(**row)  # type: ignore[no-untyped-call]
        yield _model(info)
    except (
        KeyError,
        TypeError,
        ValueError,
        ArithmeticError,
        AttributeError,
    ):  # of a shape we do not know
        return


def _model(info: Any) -> Model:  # noqa: ANN401 - the library's, untyped where it matters
    tag = str(info.pipeline_tag or "")
    providers = tuple(_providers(info, tag))
    card = info.card_data
    return Model(
        id=str(info.id),
        kind=KINDS_OF.get(tag, ("",))[0],
        places=(Place.HOSTED,) if providers else (),
        revision=str(info.sha or ""),
        licence=_licence(info, card),
        downloads=int(info.downloads or 0),
        likes=int(info.likes or 0),
        languages=_words(getattr(card, "language", None)),
        gated=bool(info.gated),
        size=_size(info),
        providers=providers,
    )


def _providers(info: Any, tag: str) -> Iterator[str]:  # noqa: ANN401 - as above
    """Live ones that do this task and that we can call, in the Hub's order."""
    kinds = KINDS_OF.get(tag, ())
    task = TAGS[kinds[0]].task if kinds else ""
    for mapping in info.inference_provider_mapping or ():
        live = mapping.status == "live" and mapping.task == task
        known = mapping.provider == _OWN or can_ask(mapping.provider, task)
        on_our_wire = mapping.provider != _OWN or (tag in FORMS and task != "conversational")
        if live and known and on_our_wire and not mapping.adapter:
            yield f"{mapping.provider}:{mapping.provider_id}"


def _licence(info: Any, card: Any) -> str:  # noqa: ANN401 - as above
    """All that are named. What an author calls a licence of their own is told as such: "mit-like" is not the MIT licence."""
    tagged = (tag.partition(":")[2] for tag in info.tags or () if tag.startswith("license:"))
    found = _words(getattr(card, "license", None)) or tuple(tagged)
    name = str(getattr(card, "license_name", None) or "")
    own = f"other ({name})" if name else "other"
    return ", ".join(own if licence == "other" else licence for licence in found)


def _words(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(map(str, value)) if isinstance(value, Sequence) else ()


def _size(info: Any) -> int:  # noqa: ANN401 - as above
    """Bytes of the weights, -1 where the Hub does not say."""
    if not info.safetensors:
        return -1
    parameters: Mapping[str, int] = info.safetensors.parameters
    return math.ceil(sum(count * _WIDTHS.get(kind, 1) for kind, count in parameters.items()))
