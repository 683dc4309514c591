"""Any value of the domain as JSON text and back. Unions carry the name of the class; a kind of task is its name."""

import json
from datetime import datetime
from functools import cache
from typing import Any, TypeVar, cast

from cattrs import Converter
from cattrs.strategies import configure_tagged_union

from pipeline.domain import Arg, Event, Outcome, PlanPart, Raw, Sentence, TaskKind, Value
from pipeline.domain.values import Blob, Media
from pipeline.table import KINDS

T = TypeVar("T")

_UNIONS = (Value, Raw, Arg, Media | Blob, Outcome, Event, PlanPart)


def dump(value: object, as_type: object = None) -> str:
    """JSON text of a value. `as_type` is needed where the value stands for a union (Event, Outcome, a tuple of them)."""
    return json.dumps(
        _converter().unstructure(value, unstructure_as=as_type or type(value)),
        ensure_ascii=False,
        separators=(",", ":"),
    )


def load(as_type: type[T], text: str) -> T:
    """The value behind a JSON text. Raises ValueError when it is not one."""
    try:
        return _converter().structure(json.loads(text), as_type)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"not a {as_type}: {error!r}") from error


def load_union(union: object, text: str) -> Any:  # noqa: ANN401 - the union's own members
    """As `load`, for a union such as Event or Outcome, which is no type to a type checker."""
    return load(cast("type[Any]", union), text)


@cache
def _converter() -> Converter:
    converter = Converter(detailed_validation=False, omit_if_default=True)
    converter.register_unstructure_hook(datetime, datetime.isoformat)
    converter.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))
    converter.register_unstructure_hook(TaskKind, lambda kind: kind.name)
    converter.register_structure_hook(TaskKind, lambda name, _: KINDS[name])
    converter.register_structure_hook(Sentence, lambda value, _: _sentence(value))
    converter.register_unstructure_hook(Sentence, _plain_sentence)
    converter.register_unstructure_hook_func(_is_frozenset, sorted)
    for union in _UNIONS:
        configure_tagged_union(union, converter, tag_name="is", tag_generator=_tag)
    return converter


def _sentence(value: Any) -> Sentence:  # noqa: ANN401 - parsed JSON
    args = {
        name: _sentence(arg) if isinstance(arg, dict) else arg
        for name, arg in value.get("args", {}).items()
    }
    return Sentence(value["id"], args)


def _plain_sentence(sentence: Sentence) -> dict[str, object]:
    if not sentence.args:
        return {"id": sentence.id}
    args = {
        name: _plain_sentence(arg) if isinstance(arg, Sentence) else arg
        for name, arg in sentence.args.items()
    }
    return {"id": sentence.id, "args": args}


def _tag(of: type) -> str:
    return of.__name__


def _is_frozenset(of: object) -> bool:
    return getattr(of, "__origin__", of) is frozenset
