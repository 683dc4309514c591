"""A text split into messages, each of sections, lists and tables."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TypeGuard

from adapters.chat.markdown import write
from adapters.chat.pieces import ListItem, Words, pack
from adapters.chat.rendering import Layout
from adapters.slack.showing.mrkdwn import DIALECT, SECTION, is_link
from adapters.slack.web_api.client import Json
from pipeline.text import defuse

TABLE = "table"
FIRST_MESSAGE = 3800
"""Characters of the first message, which is edited: an edit may have 4,000."""
NEXT_MESSAGES = 11_500
"""Characters of each later message: all blocks of one may have 13,200 together."""
_WHOLE = 13_000
"""Characters in all blocks of a message together."""
_MOST_LISTS = 15
"""A text with more has them as text, since Slack takes 50 blocks in a message."""
_MOST_ROWS = 100
"""Slack's limit for the rows of a table."""
_MOST_CELLS = 20
"""Slack's limit for the columns of a table."""
_TABLE = 6000
"""Characters of a table; Slack takes 10,000 in all tables of a message."""
_STYLES = {"strong": "bold", "em": "italic", "s": "strike", "code": "code"}
"""Slack's names for the marks of words."""


class Drawn(str):
    """A table or a list as text, with a block of its own."""

    __slots__ = ("block", "sections")
    block: Json
    sections: tuple[str, ...]
    """The text, in parts that each fit into a section."""


def split_messages(markdown: str) -> tuple[tuple[str, ...], ...]:
    r"""Split a text into messages, each a tuple of sections, lists, and at most one table.

    `"Works here:\n\n- Pictures"` is one message of two parts: the section "Works here:", and
    "• Pictures" as a `Drawn` with a block of the type "rich_text".
    """
    messages: list[list[str]] = []
    for part in _split_parts(markdown):
        limit = FIRST_MESSAGE if len(messages) <= 1 else NEXT_MESSAGES
        if not messages or sum(map(len, messages[-1])) + len(part) + 2 > limit:
            messages.append([])
        has_table = any(is_table(each) for each in messages[-1])
        messages[-1] += part.sections if is_table(part) and has_table else [part]
    return tuple(tuple(parts) for parts in messages)


def is_table(part: str) -> TypeGuard[Drawn]:
    return isinstance(part, Drawn) and part.block["type"] == TABLE


def _split_parts(markdown: str) -> Iterator[str]:
    """Sections, and the tables and lists that keep to Slack's limits."""
    pieces = write(markdown, DIALECT)
    are_few = len({id(piece.items) for piece in pieces if piece.items}) <= _MOST_LISTS
    for _, group in groupby(pieces, key=lambda p: (id(p.cells), are_few and id(p.items))):
        members = tuple(group)
        sections, cells, items = pack(members, SECTION), members[0].cells, members[0].items
        text = "\n\n".join(sections)
        block: Json | None = None
        if 0 < len(cells) <= _MOST_ROWS and len(cells[0]) <= _MOST_CELLS and len(text) <= _TABLE:
            block = _render_table(cells)
        elif are_few and items and len(sections) == 1:
            block = _render_list(items)
        if block is None:
            yield from sections
            continue
        drawn = Drawn(text)
        drawn.block, drawn.sections = block, sections
        yield drawn


def _render_table(cells: Sequence[Sequence[str]]) -> Json:
    """A table; Slack takes no empty cells."""
    rows = [
        [{"type": "raw_text", "text": defuse(text) or "\u00a0"} for text in row] for row in cells
    ]
    wrapped = [{"is_wrapped": True} for _ in cells[0]]
    return {"type": TABLE, "rows": rows, "column_settings": wrapped}


def _render_list(items: Sequence[ListItem]) -> Json:
    """A list: for Slack, one after another of the same depth."""
    lists: list[Json] = []
    for (depth, is_ordered), group in groupby(
        items, key=lambda item: (item.depth, item.number is not None)
    ):
        members = tuple(group)
        numbered = {"style": "ordered", "offset": (members[0].number or 1) - 1}
        lists.append(
            {
                "type": "rich_text_list",
                "indent": depth,
                **(numbered if is_ordered else {"style": "bullet"}),
                "elements": [
                    {"type": "rich_text_section", "elements": [*map(_render_words, item.line)]}
                    for item in members
                ],
            }
        )
    return {"type": "rich_text", "elements": lists}


def _render_words(words: Words) -> Json:
    style = {_STYLES[mark]: True for mark in sorted(words.marks)}
    element: Json = {"type": "text", "text": defuse(words.text)}
    if is_link(words.href):
        element |= {"type": "link", "url": words.href}
    return {**element, **({"style": style} if style else {})}


LAYOUT = Layout(dialect=DIALECT, limit=FIRST_MESSAGE, whole=_WHOLE, split=split_messages)
