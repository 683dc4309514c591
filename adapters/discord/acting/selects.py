"""Selects below a reply: models for a step, and what else a command can show."""

from collections.abc import Mapping, Sequence
from itertools import chain, groupby
from math import ceil
from typing import Any

import discord

from adapters.chat.board_text import format_label
from adapters.discord.showing.buttons import format_button
from pipeline.domain import CommandSelect, Select, SelectOption
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
    """A select of models for each step of a run, or for a few; the best 25 of each.

    Options that are too long are left out.
    """
    options = [option for option in select.options if len(option.value) <= _LONGEST_OPTION]
    rows = _arrange([group[:_MOST_CHOICES] for group in _group(options)])
    label = format_label(select.action, locale)
    view = discord.ui.View(timeout=None)
    for number, row in enumerate(rows):
        words = f"{label}: {_name_groups(row)}" if len(rows) > 1 else label
        view.add_item(_make_select(format_button(select.action, select.run, number), words, row))
    view.stop()
    return view


def make_more(select: CommandSelect, locale: str) -> discord.ui.View:
    """Selects of everything else that a command can show, by groups of options."""
    rows = _arrange(
        [
            group[start : start + _MOST_CHOICES]
            for group in _group(select.options)
            for start in range(0, len(group), _MOST_CHOICES)
        ]
    )
    label = say(locale, select.label)
    view = discord.ui.View(timeout=None)
    for number, row in enumerate(rows):
        words = f"{label} {_name_groups(row)}".strip()
        view.add_item(_make_select(f"{_MORE}{select.command}:{number}", words, row))
    view.stop()
    return view


def _group(options: Sequence[SelectOption]) -> Sequence[Sequence[SelectOption]]:
    return [[*group] for _, group in groupby(options, lambda option: option.group)]


def _arrange(groups: Sequence[Sequence[SelectOption]]) -> Sequence[Sequence[SelectOption]]:
    """The options of each select: those of one group, or of a few if there are too many groups.

    Six groups of 20, 7, 8, 3, 5 and 15 become selects of 20, 7 + 8 + 3 + 5 and 15 options. Where
    that needs too many selects, each gets as many groups, which are cut to an equal share.
    """
    if len(groups) <= _MOST_SELECTS:
        return groups
    rows: list[list[SelectOption]] = []
    for group in groups:
        if rows and len(rows[-1]) + len(group) <= _MOST_CHOICES:
            rows[-1] += group
        else:
            rows.append([*group])
    if len(rows) <= _MOST_SELECTS:
        return rows
    size = ceil(len(groups) / _MOST_SELECTS)
    shares = [group[: _MOST_CHOICES // size] for group in groups]
    starts = range(0, len(shares), size)
    return [[*chain.from_iterable(shares[start : start + size])] for start in starts]


def _name_groups(row: Sequence[SelectOption]) -> str:
    return ", ".join(filter(None, dict.fromkeys(option.group for option in row)))


def _make_select(
    id_: str, placeholder: str, row: Sequence[SelectOption]
) -> discord.ui.Select[discord.ui.View]:
    """A select whose id holds all state, like that of a button."""
    return discord.ui.Select(
        custom_id=id_,
        placeholder=shorten(placeholder, _LONGEST_OPTION),
        options=[
            discord.SelectOption(
                label=shorten(option.label, _LONGEST_OPTION),
                value=option.value,
                description=shorten(option.group, _LONGEST_OPTION) or None,
            )
            for option in row
        ],
    )


def find_more(data: Mapping[str, Any]) -> tuple[str, str]:
    """The command of such a select and the option that was chosen; "" for anything else."""
    custom_id = str(data.get("custom_id", ""))
    if not custom_id.startswith(_MORE):
        return "", ""
    value = next(iter(data.get("values") or ()), "")
    return custom_id.removeprefix(_MORE).partition(":")[0], str(value)
