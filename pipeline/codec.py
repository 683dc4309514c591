"""Any value of the domain as JSON text and back, with the version of its form.

A union carries the name of the class, a task kind its own name. A value of an older version is
upgraded as it is read: `_UPGRADES` has one function for each change of a name. A newer value,
or of a kind that no longer exists, raises ValueError; whoever reads stored values skips it.
"""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from typing import Any, cast

from cattrs import Converter
from cattrs.strategies import configure_tagged_union

from pipeline.domain import (
    Arg,
    Event,
    ExpertValue,
    Incoming,
    LocalizedText,
    Outcome,
    PlanPart,
    Run,
    TaskKind,
    Value,
)
from pipeline.domain.values import Blob, Media
from pipeline.task_kinds import KINDS

_UNIONS = (Value, ExpertValue, Arg, Outcome, Event, PlanPart)


VERSION = 2
"""The version of the form in which values are written. 1, the first edition's, had no envelope."""


def dump(value: object, as_type: object = None) -> str:
    """JSON text of a value, in an envelope with its version.

    `as_type` is needed where the value stands for a union (Event, Outcome, a tuple of them).
    """
    envelope = {"version": VERSION, "value": to_plain(value, as_type)}
    return json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))


def to_plain(value: object, as_type: object = None) -> object:
    """What JSON can hold of a value, without an envelope."""
    plain: object = _converter().unstructure(value, unstructure_as=as_type or type(value))
    return plain


def from_plain(as_type: object, plain: object) -> Any:  # noqa: ANN401 - of the type given
    """The value of a type behind what `to_plain` made of it. Raises ValueError and the like."""
    return _converter().structure(plain, cast("type[Any]", as_type))


def load(as_type: object, text: str) -> Any:  # noqa: ANN401 - of the type given
    """The value behind a JSON text. Raises ValueError when it is not one, or of a newer version."""
    try:
        return from_plain(as_type, _upgrade(json.loads(text), as_type))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ValueError(f"not a {as_type}: {error!r}") from error


def _upgrade(stored: Any, as_type: object) -> Any:  # noqa: ANN401 - parsed JSON
    version, value = 1, stored
    if isinstance(stored, dict) and stored.keys() == {"version", "value"}:
        version, value = stored["version"], stored["value"]
    if not 1 <= version <= VERSION:
        raise ValueError(f"version {version} is newer than {VERSION}")
    for step in range(version, VERSION):
        if change := _UPGRADES[step].get(as_type):
            value = change(value)
    return value


def _rename(**names: str) -> Callable[[Any], Any]:
    """Renames the fields of an object."""

    def rename(value: dict[str, Any]) -> dict[str, Any]:
        return {names.get(name, name): field for name, field in value.items()}

    return rename


_UPGRADES: Mapping[int, Mapping[object, Callable[[Any], Any]]] = {
    1: {Incoming: _rename(heard="addressing"), Run: _rename(unused="rejected")},
}
"""By the version before: what changed in which type."""


@cache
def _converter() -> Converter:
    converter = Converter(detailed_validation=False, omit_if_default=True)
    converter.register_unstructure_hook(datetime, datetime.isoformat)
    converter.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))
    converter.register_unstructure_hook(TaskKind, lambda kind: kind.name)
    converter.register_structure_hook(TaskKind, lambda name, _: KINDS[name])
    converter.register_structure_hook(LocalizedText, lambda value, _: _sentence(value))
    converter.register_unstructure_hook(LocalizedText, _plain_sentence)
    converter.register_unstructure_hook_func(
        lambda of: getattr(of, "__origin__", of) is frozenset, sorted
    )
    # The picture of a mask, before the values that hold masks. The first edition wrote no tag here.
    configure_tagged_union(
        Media | Blob, converter, tag_name="is", tag_generator=_tag, default=Media
    )
    for union in _UNIONS:
        configure_tagged_union(union, converter, tag_name="is", tag_generator=_tag)
    return converter


def _sentence(value: Any) -> LocalizedText:  # noqa: ANN401 - parsed JSON
    args = {
        name: _sentence(arg) if isinstance(arg, dict) else arg
        for name, arg in value.get("args", {}).items()
    }
    return LocalizedText(value["id"], args)


def _plain_sentence(sentence: LocalizedText) -> dict[str, object]:
    if not sentence.args:
        return {"id": sentence.id}
    args = {
        name: _plain_sentence(arg) if isinstance(arg, LocalizedText) else arg
        for name, arg in sentence.args.items()
    }
    return {"id": sentence.id, "args": args}


def _tag(of: type) -> str:
    return of.__name__
