"""Forms as Slack's modals."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from adapters.slack.reading.files import read_file
from adapters.slack.showing.blocks import plain_text
from adapters.slack.web_api.client import Json, SlackClient
from adapters.slack.web_api.errors import SlackGone
from pipeline.domain import InputField, InputForm, Link, LocalizedText
from pipeline.words import say

_OPEN_SECONDS = 2.0
"""Slack waits three seconds for a form to open."""
_IS_OPEN = "exchanged_trigger_id"
"""The error code for a click that has opened a form already."""
_LONGEST_TITLE = 24
"""Characters, Slack's limit for the title and the buttons of a modal."""
_LONGEST_LABEL = 150
"""Characters; Slack takes 2,000 above a field, and 150 as its placeholder."""
_LONGEST_TEXT = 3000
"""Characters, Slack's limit for what is typed into a field."""
_MOST_FILES = 10
"""Slack's limit for a field."""


async def open_form(client: SlackClient, payload: Json, form: Json) -> None:
    """Open a form for an interaction. Raises ChatError, TimeoutError."""
    try:
        async with asyncio.timeout(_OPEN_SECONDS):
            await client.call("views.open", trigger_id=payload["trigger_id"], view=form)
    except SlackGone as gone:
        if gone.code != _IS_OPEN:  # the answer to an earlier attempt got lost
            raise


def render_modal(id_: str, title: str, submit: str, locale: str, blocks: Sequence[Json]) -> Json:
    """A modal; `title` and `submit` are ids of messages. Without `submit` it asks for nothing."""
    button = {"submit": say_plainly(locale, submit, _LONGEST_TITLE)} if submit else {}
    return {
        "type": "modal",
        "callback_id": id_,
        "title": say_plainly(locale, title, _LONGEST_TITLE),
        **button,
        "close": say_plainly(locale, "slack-form-close", _LONGEST_TITLE),
        "blocks": list(blocks),
    }


def render_fields(form: InputForm, locale: str) -> Sequence[Json]:
    """A block for each field, with the field's name as its id."""
    return [
        render_field(field.name, field.label, _render_input(field), locale)
        | {"optional": not field.required}
        for field in form.fields
    ]


def render_field(name: str, label: LocalizedText, element: Json, locale: str) -> Json:
    """A field that need not be filled in."""
    words = plain_text(say(locale, label), _LONGEST_LABEL)
    if element["type"].endswith("select"):
        element = {"placeholder": words, **element}
    named = {**element, "action_id": name}
    return {"type": "input", "block_id": name, "label": words, "element": named, "optional": True}


def _render_input(field: InputField) -> Json:
    if field.file:
        return {"type": "file_input", "max_files": _MOST_FILES}
    if not field.choices:
        return {"type": "plain_text_input", "multiline": True, "max_length": _LONGEST_TEXT}
    options = [{"text": plain_text(c), "value": c} for c in field.choices]
    chosen = [option for option in options if option["value"] in field.chosen]
    if field.most == 1:
        initial = {"initial_option": chosen[0]} if chosen else {}
        return {"type": "static_select", "options": options, **initial}
    many: Json = {"initial_options": chosen} if chosen else {}
    most = {"max_selected_items": field.most}
    return {"type": "multi_static_select", "options": options, **most, **many}


def read_submission(payload: Json) -> tuple[dict[str, str], tuple[Link, ...]]:
    """What was filled in, by the names of fields, and the files. Choices are joined by commas."""
    args: dict[str, str] = {}
    files: list[Link] = []
    for name, fields in payload["view"]["state"]["values"].items():
        value: Json = fields.get(name) or {}
        if value.get("type") == "file_input":
            files += map(read_file, value.get("files") or ())
        else:
            args[name] = ",".join(_list_words(value)).strip()
    return args, tuple(files)


def _list_words(value: Mapping[str, Any]) -> Sequence[str]:
    chosen = value.get("selected_options") or [value.get("selected_option") or {}]
    words = [option.get("value") for option in chosen]
    return [str(w) for w in (*words, value.get("value"), value.get("selected_conversation")) if w]


def say_plainly(locale: str, sentence: str, most: int = _LONGEST_LABEL) -> Json:
    """A message as a text object."""
    return plain_text(say(locale, LocalizedText(sentence)), most)
