"""Selects below a reply: models for a step, and what else a command can show."""

from collections.abc import Mapping
from itertools import groupby
from math import ceil
from typing import Any

import discord

from adapters.chat.board import format_label
from adapters.discord.showing.buttons import format_button
from pipeline.domain import (
    CommandSelect,
    Select,
    SelectOption,
)
from pipeline.text import shorten
from pipeline.words import say

_MORE = "troupe:more:"
"""Begins the id of a select of what else a command can show; the command follows."""
_LONGEST_OPTION = 100
"""Characters of an option's label and value, and of a select's placeholder."""
_MOST_SELECTS = 5
"""Rows below a message: each select fills one."""
_MOST_CHOICES = 25
"""Options of a select."""


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
