"""Markdown as Slack's mrkdwn, in messages and sections; nothing in it pings anybody."""

import re
from collections.abc import Iterator
from itertools import groupby
from urllib.parse import quote

from adapters.chat.markdown import Dialect, write, write_words
from adapters.chat.pieces import Piece, Segment, pack
from adapters.chat.rendering import Layout
from pipeline.text import defuse

FIRST_MESSAGE = 3800
"""Characters of the first message, which is edited: an edit may have 4,000."""
NEXT_MESSAGES = 11_500
"""Characters of each later message: all blocks of one may have 13,200 together."""
SECTION = 2900
"""Characters of a section, of which Slack takes 3,000."""
_GAP = "\u200b"
"""An invisible character that keeps the one before it from being markup."""
_TICK = "\u02cb"
"""Looks like the backquote, which Slack cannot escape within code."""
_OPENING_MARK = re.compile(r"(?<![\w*_~`])([*_~`])(?=[^\s*_~`])")
_PING = re.compile(r"<(?=[@#!])")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_WHOLE = 13_000
"""Characters in all blocks of a message together."""
_MOST_ROWS = 100
"""Slack's limit for the rows of a table."""
_MOST_CELLS = 20
"""Slack's limit for the columns of a table."""
_TABLE = 6000
"""Characters of a table; Slack takes 10,000 in all tables of a message."""


class Table(str):
    """A table as text, with its cells for a block of its own."""

    __slots__ = ("cells", "sections")
    cells: tuple[tuple[str, ...], ...]
    sections: tuple[str, ...]
    """The text, in parts that each fit into a section."""


def split_messages(markdown: str) -> tuple[tuple[str, ...], ...]:
    """Split a text into messages, each a tuple of sections and at most one table."""
    messages: list[list[str]] = []
    for part in _split_parts(markdown):
        limit = FIRST_MESSAGE if len(messages) <= 1 else NEXT_MESSAGES
        if not messages or sum(map(len, messages[-1])) + len(part) + 2 > limit:
            messages.append([])
        has_table = any(isinstance(each, Table) for each in messages[-1])
        messages[-1] += part.sections if isinstance(part, Table) and has_table else [part]
    return tuple(tuple(parts) for parts in messages)


def _split_parts(markdown: str) -> Iterator[str]:
    """Sections, and the tables that keep to Slack's limits."""
    pieces = write(markdown, _DIALECT)
    for _, group in groupby(pieces, key=lambda piece: piece.cells and id(piece.cells)):
        members = tuple(group)
        sections, cells = pack(members, SECTION), members[0].cells
        text = "\n\n".join(sections)
        if 0 < len(cells) <= _MOST_ROWS and len(cells[0]) <= _MOST_CELLS and len(text) <= _TABLE:
            table = Table(text)
            table.cells, table.sections = cells, sections
            yield table
        else:
            yield from sections


def defuse_markdown(text: str) -> str:
    """Markdown that Slack itself renders, of which nothing pings anybody."""
    return defuse(_PING.sub(rf"<{_GAP}", text))


def render_sections(markdown: str) -> tuple[str, ...]:
    """Render a text as mrkdwn, in parts that each fit into a section."""
    return pack(write(markdown, _DIALECT), SECTION)


def render_words(text: str) -> tuple[str, ...]:
    """Render plain text in such parts; nothing in it is markup."""
    return pack([Piece((Segment(write_words(text, _DIALECT)),))], SECTION)


def _escape(text: str) -> str:
    return text.translate(_ENTITIES)


def escape_words(text: str) -> str:
    """Escape, and keep `*`, `_`, `~` and backquotes from becoming markup."""
    return _break_fences(_OPENING_MARK.sub(rf"\1{_GAP}", _escape(text)))


def _break_fences(text: str) -> str:
    return text.replace("```", f"`{_GAP}`{_GAP}`")


def _code(text: str) -> str:
    return f"`{_escape(text).replace('`', _TICK)}`"


def _fence(_: str, text: str) -> Piece:
    body = _break_fences(_escape(text)) or " "
    return Piece((Segment(body),), opening="```\n", closing="\n```")


def _link(href: str, _: str, words: str) -> str:
    if not href.lower().startswith(("https://", "http://", "mailto:")) or href != "".join(
        href.split()
    ):
        return escape_words(f"{words} ({href})" if href and href != words else words)
    address = _escape(quote(href, safe="%/:=&?~#+!$,;'@()*[]-._"))
    label = _break_fences(_escape(" ".join(words.split()))).replace("|", "¦")
    return f"<{address}|{label}>" if label and label != address else f"<{address}>"


def _heading(_: int, __: str, words: str) -> str:
    return f"*{escape_words(words).replace('*', '')}*"


_DIALECT = Dialect(
    marks={"strong": "*", "em": "_", "s": "~"},
    bullets=("•", "◦", "▪"),
    rule="———",
    indent=4,
    widest_table=90,
    escape=escape_words,
    code=_code,
    fence=_fence,
    link=_link,
    heading=_heading,
    gap=_GAP,
)
LAYOUT = Layout(dialect=_DIALECT, limit=FIRST_MESSAGE, whole=_WHOLE, split=split_messages)
