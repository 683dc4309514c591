"""Modals: what Discord demands of them, and what a person's submission looks like."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from tests.servers.discord.rules import OPTIONS, check_options, check_range, invalid
from tests.servers.discord.values import Json

SELECT, TEXT, LABEL, FILES = 3, 4, 18, 19
MOST_PARTS, LONGEST_ID, LONGEST_LABEL, LONGEST_NOTE, LONGEST_TEXT = 5, 100, 45, 100, 4000
MOST_FILES = 10
COMMON = {"type", "id", "custom_id", "required"}
KEYS = {
    SELECT: COMMON | {"options", "placeholder", "min_values", "max_values", "disabled"},
    TEXT: COMMON | {"label", "style", "min_length", "max_length", "value", "placeholder"},
    FILES: COMMON | {"min_values", "max_values"},
}


def check_modal(data: Json) -> None:
    """Refuse a modal that Discord would not show."""
    if set(data) != {"custom_id", "title", "components"}:
        raise invalid("data", f"a modal has a custom_id, a title and components, not {set(data)}")
    _check_length(data["custom_id"], 1, LONGEST_ID, "custom_id")
    _check_length(data["title"], 1, LONGEST_LABEL, "title")
    parts = data["components"]
    if not 1 <= len(parts) <= MOST_PARTS:
        raise invalid("components", f"Must be between 1 and {MOST_PARTS} in length.")
    for part in parts:
        if part.get("type") != LABEL or set(part) - {
            "type",
            "id",
            "label",
            "description",
            "component",
        }:
            raise invalid("components", "only labels are played here")
        _check_length(part.get("label"), 1, LONGEST_LABEL, "label")
        if part.get("description") is not None:
            _check_length(part["description"], 1, LONGEST_NOTE, "description")
        _check_input(part.get("component") or {})
    ids = [part["component"]["custom_id"] for part in parts]
    if len({*ids}) < len(ids):
        raise invalid("components.custom_id", "Component custom id cannot be duplicated")


def _check_input(part: Json) -> None:
    kind = part.get("type")
    if kind not in KEYS or set(part) - KEYS[kind]:
        raise invalid("component", f"{kind} with {set(part)}")
    _check_length(part.get("custom_id"), 1, LONGEST_ID, "custom_id")
    if not isinstance(part.get("required", True), bool):
        raise invalid("required", "must be true or false")
    if kind == TEXT:
        _check_text(part)
    else:
        _check_choice(part, kind)


def _check_choice(part: Json, kind: int) -> None:
    if kind == SELECT:
        check_options(part)
    most = MOST_FILES if kind == FILES else OPTIONS
    low, high = check_range(part, most)
    if low == 0 and part.get("required", True):
        raise invalid("min_values", "what is required has at least one value")
    if kind == SELECT and sum(option.get("default", False) for option in part["options"]) > high:
        raise invalid("options", "more defaults than may be chosen")


def _check_text(part: Json) -> None:
    if part.get("label") is not None:
        raise invalid("label", "the label around it has one")
    if part.get("style") not in (1, 2):
        raise invalid("style", "1 for a line, 2 for a paragraph")
    low, high = part.get("min_length", 0), part.get("max_length", LONGEST_TEXT)
    if not 0 <= low <= LONGEST_TEXT or not max(1, low) <= high <= LONGEST_TEXT:
        raise invalid("max_length", f"{low} to {high} is not within {LONGEST_TEXT}")
    _check_length(part.get("value", ""), 0, high, "value")
    _check_length(part.get("placeholder", ""), 0, 100, "placeholder")


def _check_length(text: object, low: int, high: int, where: str) -> None:
    if not isinstance(text, str) or not low <= len(text) <= high:
        raise invalid(where, f"Must be between {low} and {high} in length: {text!r}")


def fill(modal: Json, values: Mapping[str, object], upload: Callable[[object], Json]) -> Json:
    """What Discord sends for a submission; it lets nobody leave out what is required."""
    inputs = [part["component"] for part in modal["components"]]
    assert set(values) <= {part["custom_id"] for part in inputs}, f"no such fields: {values}"
    resolved: dict[str, Json] = {}
    parts: list[Json] = []
    for number, part in enumerate(inputs):
        given = values.get(part["custom_id"])
        base = {"type": part["type"], "id": 2 * number + 2, "custom_id": part["custom_id"]}
        if part["type"] == TEXT:
            filled: Json = {"value": given if given is not None else part.get("value", "")}
            assert filled["value"] or not part.get("required", True), "it must be filled in"
            assert len(filled["value"]) <= part.get("max_length", LONGEST_TEXT)
        elif part["type"] == FILES:
            files = [upload(each) for each in _as_list(given)]
            resolved |= {file["id"]: file for file in files}
            filled = {"values": [file["id"] for file in files]}
        else:
            filled = {"values": _as_list(given) if given is not None else [*_defaults(part)]}
            assert {*filled["values"]} <= {option["value"] for option in part["options"]}
        if "values" in filled and (filled["values"] or part.get("required", True)):
            low, high = check_range(part, OPTIONS)
            assert low <= len(filled["values"]) <= high, "too few or too many"
        parts.append({"type": LABEL, "id": 2 * number + 1, "component": base | filled})
    files_too: Json = {"resolved": {"attachments": resolved}} if resolved else {}
    return {"custom_id": modal["custom_id"], "components": parts} | files_too


def _as_list(given: object) -> list[str]:
    return [*given] if isinstance(given, Sequence) and not isinstance(given, str) else []


def _defaults(part: Json) -> Iterator[str]:
    return (option["value"] for option in part["options"] if option.get("default"))
