"""Selects below a reply: everything that fits is offered, in as few as Discord takes."""

from collections import Counter

import discord
import pytest

from adapters.discord.acting.selects import make_more
from pipeline.domain import CommandSelect, LocalizedText, SelectOption
from pipeline.task_kinds import KINDS, find_medium


def offered(*sizes: int) -> list[list[str]]:
    """The options of each select that is made for groups of these sizes."""
    options = tuple(
        SelectOption(f"{group}-{number}", "a task", f"group {group}")
        for group, size in enumerate(sizes)
        for number in range(size)
    )
    view = make_more(CommandSelect("models", LocalizedText("models-pick"), options), "en")
    selects = [each for each in view.children if isinstance(each, discord.ui.Select)]
    return [[option.value for option in select.options] for select in selects]


@pytest.mark.parametrize(
    ("sizes", "selects"),
    [
        ((3,), [3]),
        ((3, 4, 5), [3, 4, 5]),
        ((20, 7, 8, 3, 5, 15), [20, 23, 15]),
        ((40, 2), [25, 15, 2]),
        ((31, 4, 3, 3, 4, 12), [25, 20, 12]),
        ((25,) * 6, [24, 24, 24]),
    ],
)
def test_groups_share_selects_only_where_there_are_too_many(
    sizes: tuple[int, ...], selects: list[int]
) -> None:
    assert [len(row) for row in offered(*sizes)] == selects


def test_no_task_of_a_full_house_is_left_out() -> None:
    sizes = Counter(find_medium(kind) for kind in KINDS.values()).values()

    assert sum(map(len, offered(*sizes))) == sum(sizes)
