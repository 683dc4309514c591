"""Forms as Discord's modals: what people fill in."""

from collections.abc import Mapping
from typing import Any

import discord
from discord import ui

from adapters.discord.web_api.library import Json
from pipeline.domain import InputField, InputForm, LocalizedText
from pipeline.text import shorten
from pipeline.words import say

_PREFIX = "troupe:form:"
"""Begins the id of a form; the command follows."""
_LONGEST_LABEL = 45
"""Characters of a form's title and of a field's label."""
_LONGEST_TEXT = 4000
"""Characters that a field of text takes."""
_MOST_FIELDS = 5
"""Fields that a form has room for."""
_MOST_FILES = 10
"""Files that a field takes."""


def make_modal(command: str, form: InputForm, locale: str) -> ui.Modal:
    """A modal whose id holds all state: the library need not remember it.

    It has room for five fields; below the last one, it names those that are left out.
    """
    title = shorten(say(locale, form.title), _LONGEST_LABEL)
    modal = ui.Modal(title=title, custom_id=f"{_PREFIX}{command}")
    shown, rest = form.fields[:_MOST_FIELDS], form.fields[_MOST_FIELDS:]
    names = LocalizedText("discord-form-rest", {"names": ", ".join(field.name for field in rest)})
    for field in shown:
        label = shorten(say(locale, field.label), _LONGEST_LABEL)
        note = say(locale, names) if rest and field is shown[-1] else None
        modal.add_item(ui.Label(text=label, description=note, component=_make_input(field)))
    modal.stop()
    return modal


def _make_input(field: InputField) -> ui.Item[Any]:
    name, required = field.name, field.required
    if field.file:
        least = int(required)
        return ui.FileUpload(
            custom_id=name, required=required, min_values=least, max_values=_MOST_FILES
        )
    if not field.choices:
        style = discord.TextStyle.paragraph
        return ui.TextInput(
            custom_id=name, style=style, required=required, max_length=_LONGEST_TEXT
        )
    options = [
        discord.SelectOption(label=word, value=word, default=word in field.chosen)
        for word in field.choices
    ]
    return ui.Select(
        custom_id=name,
        required=required,
        min_values=int(required),
        max_values=field.most,
        options=options,
    )


def find_form(data: Mapping[str, Any]) -> str:
    """The command whose form was submitted; "" if the modal is none of ours."""
    custom_id = str(data.get("custom_id", ""))
    return custom_id.removeprefix(_PREFIX) if custom_id.startswith(_PREFIX) else ""


def read_submission(data: Mapping[str, Any]) -> tuple[dict[str, str], list[Json]]:
    """What was filled in, by the names of fields, and the files. Choices are joined by commas."""
    args: dict[str, str] = {}
    files: list[Json] = []
    known: Json = (data.get("resolved") or {}).get("attachments") or {}
    for part in (row["component"] for row in data.get("components") or () if "component" in row):
        values = part.get("values") or []
        if part["type"] == discord.ComponentType.file_upload.value:
            files += [known[id_] for id_ in values]
        else:
            args[str(part["custom_id"])] = str(part.get("value") or ",".join(values))
    return args, files
