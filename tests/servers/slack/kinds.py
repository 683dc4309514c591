"""Each kind of block: the fields and limits that slack_sdk knows, and those only documented."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from slack_sdk.errors import SlackObjectFormationError
from slack_sdk.models.basic_objects import JsonObject
from slack_sdk.models.blocks import Block, BlockElement

from tests.servers.slack.workspace import Json

BARE = {
    "confirm": {"title", "text", "confirm", "deny", "style"},
    "style": {"bold", "italic", "strike", "code", "underline", "highlight", "client_highlight"},
    "slack_file": {"id", "url"},
    "positive_button": {"text", "value", "accessibility_label"},
    "negative_button": {"text", "value", "accessibility_label"},
    "options": {"text", "value", "description", "url"},
    "initial_option": {"text", "value", "description", "url"},
    "initial_options": {"text", "value", "description", "url"},
    "option_groups": {"label", "options"},
    "column_settings": {"align", "is_wrapped"},
    "filter": {"include", "exclude_external_shared_channels", "exclude_bot_users"},
    "dispatch_action_config": {"trigger_actions_on"},
}
"""The fields of objects without a type, by the field that they stand in."""
TEXTS = {"plain_text", "mrkdwn"}
TEXT_INPUTS = {"plain_text_input", "rich_text_input", "email_text_input", "url_text_input"}
PICKERS = {"datepicker", "timepicker", "datetimepicker", "checkboxes", "radio_buttons"}
SELECTS = {
    f"{many}{what}_select"
    for many in ("", "multi_")
    for what in ("static", "external", "users", "conversations", "channels")
}
RICH = {"rich_text_section", "rich_text_list", "rich_text_quote", "rich_text_preformatted"}
PARTS = {
    ("context", "elements"): {"image", *TEXTS},
    ("actions", "elements"): {"button", "overflow", "workflow_button", *SELECTS, *PICKERS},
    ("context_actions", "elements"): {"feedback_buttons", "icon_button"},
    ("input", "element"): {"number_input", "file_input", *TEXT_INPUTS, *SELECTS, *PICKERS},
    ("rich_text", "elements"): RICH,
    ("rich_text_list", "elements"): {"rich_text_section"},
    ("table", "rows"): {"raw_text", "raw_number", "rich_text"},
    ("plan", "tasks"): {"task_card"},
    ("task_card", "details"): {"rich_text"},
    ("task_card", "output"): {"rich_text"},
    ("task_card", "sources"): {"url"},
    ("carousel", "elements"): {"card"},
    ("card", "actions"): {"button"},
}
"""The kinds that may stand in a field."""
MOST = {
    ("checkboxes", "options"): 10,
    ("radio_buttons", "options"): 10,
    ("card", "actions"): 3,
    ("table", "rows"): 100,
    ("table", "column_settings"): 20,
}
BETWEEN = {
    ("plain_text_input", "min_length"): (0, 3000),
    ("plain_text_input", "max_length"): (1, 3000),
    ("file_input", "max_files"): (1, 10),
}
MESSAGE_ONLY = {"markdown", "plan", "task_card", "table", "context_actions"}
"""Blocks that neither a modal nor App Home takes."""


def _classes(parent: type[Any]) -> Iterator[type[Any]]:
    for child in parent.__subclasses__():
        if child.__module__.startswith("slack_sdk.models.blocks"):
            yield child
        yield from _classes(child)


def _collect(parent: type[Any]) -> dict[str, set[str]]:
    """The fields by type. Some types stand for several classes, such as "image"."""
    fields: dict[str, set[str]] = {}
    for each in _classes(parent):
        if isinstance(kind := getattr(each, "type", None), str):
            blank: Any = object.__new__(each)
            fields.setdefault(kind, {"type"}).update(blank.attributes)
    return fields


FIELDS = _collect(JsonObject)
PARSED: dict[Any, set[str]] = {each: set(_collect(each)) for each in (Block, BlockElement)}
PARSED_KINDS = set[str]().union(*PARSED.values())


def complaints(part: Any, field: str = "blocks") -> Iterator[str]:
    """Kinds, fields and values that slack_sdk does not know, at any depth."""
    if isinstance(part, list):
        for each in part:
            yield from complaints(each, field)
    elif isinstance(part, dict):
        yield from _unknown(part, field)
        yield from _formed(part)
        yield from _limits(part)
        for name, each in part.items():
            yield from complaints(each, name)
    elif part is None:
        yield f"{field} is null"


def _unknown(part: Json, field: str) -> Iterator[str]:
    kind = part.get("type")
    known = BARE.get(field) if kind is None else FIELDS.get(str(kind))
    if known is None:
        yield f"{field}: unknown kind {kind!r}"
    elif unknown := set(part) - known:
        yield f"{kind or field} has unknown {sorted(unknown)}"


def _formed(part: Json) -> Sequence[str]:
    """What the SDK's own checks say of a block or an element."""
    return _find_faults(json.dumps(part)) if part.get("type") in PARSED_KINDS else ()


@cache
def _find_faults(text: str) -> Sequence[str]:
    """The same blocks are sent again and again, and the SDK looks for their classes each time."""
    part, faults = json.loads(text), list[str]()
    for parent, kinds in PARSED.items():
        try:
            parsed = parent.parse(part) if part["type"] in kinds else None
            if parsed is not None:
                parsed.validate_json()
        except (SlackObjectFormationError, TypeError) as error:
            faults.append(f"{part['type']}: {error}")
    return faults


def _limits(part: Json) -> Iterator[str]:
    """What the documentation says beyond the SDK's checks."""
    kind = str(part.get("type"))
    for name, value in part.items():
        place, where = (kind, name), f"{kind}.{name}"
        if place in PARTS and (wrong := {_kind(each) for each in _flat(value)} - PARTS[place]):
            yield f"{where} takes no {sorted(wrong)}"
        if place in MOST and len(value) > MOST[place]:
            yield f"{where} has more than {MOST[place]}"
        low, high = BETWEEN.get(place, (0, 0))
        if high and not low <= value <= high:
            yield f"{where} must be from {low} to {high}"


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for each in value:
            yield from _flat(each)
    else:
        yield value


def _kind(part: Any) -> str:
    return str(part.get("type")) if isinstance(part, dict) else type(part).__name__
