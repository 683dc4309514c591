"""Domain values to versioned JSON text and back.

Members of a union are tagged with their class name; a task kind or a place is stored as its name.
Values of an older version are upgraded when loaded, by the functions in `_UPGRADES`. A newer
version or a task kind that no longer exists raises ValueError; callers skip such values.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, cast, get_args

from cattrs import Converter

from pipeline.domain import (
    Arg,
    Event,
    ExpertValue,
    Incoming,
    LocalizedText,
    Outcome,
    Place,
    PlanPart,
    Run,
    TaskKind,
    Value,
)
from pipeline.domain.values import Blob, Media
from pipeline.task_kinds import KINDS

_MASK_IMAGE = Media | Blob
_UNIONS = (_MASK_IMAGE, Value, ExpertValue, Arg, Outcome, Event, PlanPart)


VERSION = 2
"""The format version that is written. Version 1 (the first edition) had no envelope."""


_places: dict[str, Place] = {}


def register_places(places: Iterable[Place]) -> None:
    """Say which values the names of places stand for in what is loaded from now on."""
    _places.update((place.name, place) for place in places)


def dump(value: object, as_type: object = None) -> str:
    """The JSON text of a value, in an envelope with the version.

    Pass `as_type` if the value's static type is a union (Event, Outcome, a tuple of them).
    """
    envelope = {"version": VERSION, "value": to_plain(value, as_type)}
    return json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))


def to_plain(value: object, as_type: object = None) -> object:
    """A value as plain JSON data, without an envelope."""
    plain: object = _converter().unstructure(value, unstructure_as=as_type or type(value))
    return plain


def from_plain(as_type: object, plain: object) -> Any:  # noqa: ANN401 - an `as_type`
    """The inverse of `to_plain`. Raises KeyError, TypeError, ValueError or AttributeError."""
    return _converter().structure(plain, cast("type[Any]", as_type))


def load(as_type: object, text: str) -> Any:  # noqa: ANN401 - an `as_type`
    """The inverse of `dump`. Raises ValueError for anything invalid or of a newer version."""
    try:
        return from_plain(as_type, _upgrade(json.loads(text), as_type))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ValueError(f"not a {as_type}: {error!r}") from error


def load_events(texts: Iterable[str]) -> Sequence[Event]:
    """The events of a stored run; none if this program cannot read one of them."""
    try:
        return [load(Event, text) for text in texts]
    except ValueError as error:
        import structlog  # noqa: PLC0415 - workers, which load no events, do without

        log = structlog.get_logger()
        log.warning("stored events skipped", why=type(error.__cause__).__name__)
        return ()


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
    def rename(value: dict[str, Any]) -> dict[str, Any]:
        return {names.get(name, name): field for name, field in value.items()}

    return rename


_UPGRADES: Mapping[int, Mapping[object, Callable[[Any], Any]]] = {
    1: {Incoming: _rename(heard="addressing"), Run: _rename(unused="rejected")},
}
"""From version → type → upgrade to the next version."""


@cache
def _converter() -> Converter:
    converter = Converter(detailed_validation=False, omit_if_default=True)
    converter.register_unstructure_hook(datetime, datetime.isoformat)
    converter.register_structure_hook(datetime, lambda text, _: datetime.fromisoformat(text))
    converter.register_unstructure_hook(TaskKind, lambda kind: kind.name)
    converter.register_structure_hook(TaskKind, lambda name, _: KINDS[name])
    converter.register_unstructure_hook(Place, lambda place: place.name)
    converter.register_structure_hook(Place, lambda name, _: _load_place(name))
    converter.register_structure_hook(LocalizedText, lambda value, _: _load_sentence(value))
    converter.register_unstructure_hook(LocalizedText, _dump_sentence)
    converter.register_unstructure_hook_func(
        lambda of: getattr(of, "__origin__", of) is frozenset, sorted
    )
    for union in _UNIONS:
        _tag_members(converter, union)
    return converter


def _tag_members(converter: Converter, union: Any) -> None:  # noqa: ANN401 - types as values
    """Like cattrs' `configure_tagged_union`, but generates the code for a member on first use.

    Generating it for all members takes 50 ms, also in each worker process.
    """
    members = {member.__name__: member for member in get_args(union)}

    def structure(plain: Any, _: object) -> Any:  # noqa: ANN401 - parsed JSON, and a member
        # Version 1 wrote no tag for Mask.image.
        member = members[plain["is"]] if "is" in plain or union != _MASK_IMAGE else Media
        return converter.structure(plain, member)

    def unstructure(value: object) -> dict[str, object]:
        plain: dict[str, object] = converter.unstructure(value)
        plain["is"] = type(value).__name__
        return plain

    converter.register_structure_hook(union, structure)
    converter.register_unstructure_hook(union, unstructure)


def _load_place(name: Any) -> Place:  # noqa: ANN401 - parsed JSON
    if not isinstance(name, str):
        raise TypeError(f"not the name of a place: {name!r}")
    return _places.get(name) or Place(name=name)


def _load_sentence(value: Any) -> LocalizedText:  # noqa: ANN401 - parsed JSON
    args = {
        name: _load_sentence(arg) if isinstance(arg, dict) else arg
        for name, arg in value.get("args", {}).items()
    }
    return LocalizedText(value["id"], args)


def _dump_sentence(sentence: LocalizedText) -> dict[str, object]:
    if not sentence.args:
        return {"id": sentence.id}
    args = {
        name: _dump_sentence(arg) if isinstance(arg, LocalizedText) else arg
        for name, arg in sentence.args.items()
    }
    return {"id": sentence.id, "args": args}
