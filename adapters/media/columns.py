"""Columns of running text that a page draws row by row, put one after the other."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""
_FEWEST_ROWS = 4
"""Rows with a gap at the same place; fewer are no columns."""
_GAP = 1.0
"""How wide a gap is, in heights of the line; spaces between words are narrower."""
_WIDE = 8.0
"""How wide a column of text is, in heights of the line; those of tables are mostly narrower."""
_FEWEST_WORDS = 3
"""Words of the usual row of a column of text."""
_RUNS_ON = 0.4
"""Share of the rows of running text that begin in the middle of a sentence."""


def order_columns(text: str, boxes: Sequence[Box], read: Callable[[Box], str]) -> tuple[str, bool]:
    """The text of a page, column by column; and whether columns in it may be mixed.

    `boxes`: where the page draws words, in that order; `read` gives the words in one. The text is
    left as it is unless rows have gaps, and the words beside them run on from row to row: the
    cells of a table do not.
    """
    rows = _list_rows(boxes)
    counts = Counter(len(row) for row in rows if len(row) > 1)
    (columns, count), *_ = counts.most_common(1) or [(0, 0)]
    sides = [*zip(*(row for row in rows if len(row) == columns), strict=True)]
    if count < _FEWEST_ROWS or not all(_runs_on(side, read) for side in sides):
        return text, False
    gutters = [
        (max(right for _, _, right, _ in before), min(left for left, *_ in after))
        for before, after in pairwise(sides)
    ]
    ordered = "\n".join(read(box) for box in _order(rows, gutters))
    is_plain = all(end < start for end, start in gutters)
    if is_plain and sorted("".join(ordered.split())) == sorted("".join(text.split())):
        return ordered, False
    return text, True


def _list_rows(boxes: Sequence[Box]) -> list[list[Box]]:
    """Boxes that are drawn one after the other at the same height, joined up to their gaps."""
    rows: list[list[Box]] = []
    last: Box = (0.0, 0.0, 0.0, 0.0)
    for box in boxes:
        height = box[3] - box[1]
        if not rows or min(box[3], last[3]) - max(box[1], last[1]) < height / 2:
            rows.append([])
        row = rows[-1]
        is_near = bool(row) and row[-1][0] <= box[0] < row[-1][2] + _GAP * height
        last = _unite(row.pop(), box) if is_near else box
        row.append(last)
    return [sorted(row) for row in rows]


def _unite(one: Box, other: Box) -> Box:
    left, bottom = map(min, zip(one[:2], other[:2], strict=True))
    right, top = map(max, zip(one[2:], other[2:], strict=True))
    return left, bottom, right, top


def _runs_on(side: Sequence[Box], read: Callable[[Box], str]) -> bool:
    """Whether the rows of a column are the lines of a text."""
    if median((right - left) / (top - bottom or 1) for left, bottom, right, top in side) < _WIDE:
        return False
    lines = [read(box) for box in side]
    goes_on = [line[:1].islower() for line in lines[1:]]
    words = median(len(line.split()) for line in lines)
    return words >= _FEWEST_WORDS and sum(goes_on) >= _RUNS_ON * len(goes_on)


def _order(rows: Sequence[Sequence[Box]], gutters: Sequence[tuple[float, float]]) -> list[Box]:
    """Column after column, between the rows that cross a gutter."""
    ordered: list[Box] = []
    block: list[list[Box]] = [[] for _ in range(len(gutters) + 1)]
    for row in rows:
        if any(box[0] < end and box[2] > start for box in row for end, start in gutters):
            ordered += [box for column in block for box in column]
            ordered += row
            block = [[] for _ in block]
            continue
        for box in row:
            block[sum(box[0] >= start for _, start in gutters)].append(box)
    return [*ordered, *(box for column in block for box in column)]
