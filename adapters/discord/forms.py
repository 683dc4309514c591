"""Forms as Discord's modals, selects and questions: what people choose or fill in."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from math import ceil
from typing import Any

import discord
from discord import ui

from adapters.chat.board import format_label
from adapters.discord.rendering import CommandButton, format_button
from pipeline.domain import (
    CommandSelect,
    InputField,
    InputForm,
    LocalizedText,
    Select,
    SelectOption,
)
from pipeline.text import shorten
from pipeline.words import say

_PREFIX, _MORE = "troupe:form:", "troupe:more:"
_LONGEST_LABEL, _LONGEST_TEXT, _MOST_FIELDS, _MOST_FILES = 45, 4000, 5, 10
_LONGEST_OPTION, _MOST_SELECTS, _MOST_CHOICES = 100, 5, 25

Json = dict[str, Any]


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
    for part in _list_inputs(data):
        values = part.get("values") or []
        if part["type"] == discord.ComponentType.file_upload.value:
            files += [known[id_] for id_ in values]
        else:
            args[str(part["custom_id"])] = str(part.get("value") or ",".join(values))
    return args, files


def _list_inputs(data: Mapping[str, Any]) -> Iterator[Json]:
    for label in data.get("components") or ():
        if "component" in label:
            yield label["component"]


# --- selects ---


def make_selects(select: Select, locale: str) -> discord.ui.View:
    """A select for each group of options; several groups share one if there are too many.

    The ids hold all state, like those of buttons. Options that are too long are left out.
    """
    options = [option for option in select.options if len(option.value) <= _LONGEST_OPTION]
    groups = [[*group] for _, group in groupby(options, key=lambda option: option.group)]
    size = ceil(len(groups) / _MOST_SELECTS) or 1
    rows = [groups[start : start + size] for start in range(0, len(groups), size)]
    view = discord.ui.View(timeout=None)
    for number, row in enumerate(rows):
        label = format_label(select.action, locale)
        names = ", ".join(group[0].group for group in row)
        share = _MOST_CHOICES // len(row)
        element: discord.ui.Select[discord.ui.View] = discord.ui.Select(
            custom_id=format_button(select.action, select.run, number),
            placeholder=shorten(f"{label}: {names}" if len(rows) > 1 else label, _LONGEST_OPTION),
            options=[_make_option(option) for group in row for option in group[:share]],
        )
        view.add_item(element)
    view.stop()
    return view


def make_more(select: CommandSelect, locale: str) -> discord.ui.View:
    """Selects of what else a command can show, one for each group or a few; ids hold all state."""
    label = say(locale, select.label)
    groups = [[*group] for _, group in groupby(select.options, key=lambda option: option.group)]
    size = ceil(len(groups) / _MOST_SELECTS) or 1
    view = discord.ui.View(timeout=None)
    for start in range(0, len(groups), size):
        row = groups[start : start + size]
        names = ", ".join(filter(None, (group[0].group for group in row)))
        share = _MOST_CHOICES // len(row)
        element: discord.ui.Select[discord.ui.View] = discord.ui.Select(
            custom_id=f"{_MORE}{select.command}:{start}",
            placeholder=shorten(f"{label} {names}" if names else label, _LONGEST_OPTION),
            options=[_make_option(option) for group in row for option in group[:share]],
        )
        view.add_item(element)
    view.stop()
    return view


def find_more(data: Mapping[str, Any]) -> tuple[str, str]:
    """The command of such a select and the option that was chosen; "" for anything else."""
    custom_id = str(data.get("custom_id", ""))
    if not custom_id.startswith(_MORE):
        return "", ""
    value = next(iter(data.get("values") or ()), "")
    return custom_id.removeprefix(_MORE).partition(":")[0], str(value)


def _make_option(option: SelectOption) -> discord.SelectOption:
    label = shorten(option.label, _LONGEST_OPTION)
    description = shorten(option.group, _LONGEST_OPTION) or None
    return discord.SelectOption(label=label, value=option.value, description=description)


# --- questions ---


def make_confirmation(command: CommandButton, locale: str) -> discord.ui.View:
    """The buttons below the question whether to delete for good; their ids hold all state."""
    choices = {
        "erase-yes": (command, discord.ButtonStyle.danger),
        "erase-no": (replace(command, words=""), discord.ButtonStyle.secondary),
    }
    view = discord.ui.View(timeout=None)
    for id_, (button, style) in choices.items():
        label = say(locale, LocalizedText(id_))
        view.add_item(discord.ui.Button(label=label, style=style, custom_id=button.id))
    view.stop()
    return view
