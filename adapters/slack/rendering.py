"""Markdown as Slack's mrkdwn: always the same for the same text, and nothing in it pings anybody."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import quote

from pipeline.text import (
    Anchor,
    Block,
    Break,
    Code,
    Fence,
    Heading,
    Inline,
    Listing,
    Paragraph,
    Picture,
    Piece,
    Quote,
    Rule,
    Style,
    Styled,
    Table,
    Words,
    columns,
    packed,
    parse,
    plain,
    records,
)

SECTION = 2900
_WIDEST_TABLE = 90
_UNBROKEN = re.compile(r"&\w+;|<[^<>\n]*>|`[^`\n]+`|\*[^*\n]+\*|_[^_\n]+_|~[^~\n]+~")
_MARKS = {Style.STRONG: "*", Style.EMPHASIS: "_", Style.STRUCK: "~"}
_GAP = "\u200b"
_TICK = "\u02cb"
_INDENT = "    "
_LIVE_MARK = re.compile(r"(?<![\w*_~`])([*_~`])(?=[^\s*_~`])")
_ADDRESS = re.compile(r"(?:https?://|mailto:)[^\s]+", re.IGNORECASE)
_BARE_ADDRESS = re.compile(r"(https?://[^\s<>|]*[^\s<>|.,;:!?'\")\]*_~])")
_BULLETS = ("•", "◦", "▪")


def sections(markdown: str) -> tuple[str, ...]:
    """The text as mrkdwn, in parts that each fit into a section."""
    parts = packed(tuple(_pieces(parse(markdown))), SECTION, unbroken=_UNBROKEN)
    return tuple(part for part in parts if part.strip())


def escaped(text: str) -> str:
    """Text that Slack takes as it is: no mention, no link, no entity."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _pieces(blocks: Iterable[Block]) -> Iterator[Piece]:
    for block in blocks:
        yield from _piece(block)


def _piece(block: Block) -> Iterator[Piece]:
    match block:
        case Fence(_, text):
            yield _fenced(text)
        case Table(head, rows):
            yield _tabled(head, rows)
        case Listing():
            yield from _listed(block, 0)
        case Quote(blocks):
            yield from map(_quoted, _pieces(blocks))
        case _:
            yield Piece(_line(block))


def _line(block: Paragraph | Heading | Rule) -> str:
    match block:
        case Paragraph(parts):
            return _inline(parts)
        case Heading(_, parts):
            return f"*{_guarded(plain(parts)).replace('*', '')}*"
        case Rule():
            return "———"


def _listed(listing: Listing, depth: int) -> Iterator[Piece]:
    """A line for each item, those of lists within it indented; code in it is a block of its own."""
    for number, blocks in enumerate(listing.items):
        bullet = _BULLETS[min(depth, len(_BULLETS) - 1)]
        mark = bullet if listing.start is None else f"{listing.start + number}."
        yield from _item(blocks, f"{_INDENT * depth}{mark}", depth)


def _item(blocks: Sequence[Block], mark: str, depth: int) -> Iterator[Piece]:
    first, *rest = blocks or (Paragraph(()),)
    if isinstance(first, Listing | Fence | Table | Quote):
        yield Piece(mark, gap="\n")
        rest = [first, *rest]
    else:
        yield Piece(f"{mark} {_line(first)}", gap="\n")
    for block in rest:
        if isinstance(block, Listing):
            yield from _listed(block, depth + 1)
        else:
            yield from (_below(piece, depth + 1) for piece in _piece(block))


def _below(piece: Piece, depth: int) -> Piece:
    indent = "" if piece.opening else _INDENT * depth
    return replace(piece, body=f"{indent}{piece.body}", gap="\n")


def _quoted(piece: Piece) -> Piece:
    if piece.opening:
        return piece
    return replace(piece, body="\n".join(f"> {line}" for line in piece.body.splitlines()))


def _fenced(text: str) -> Piece:
    body = _unfenced(escaped(text))
    return Piece(body or " ", "```\n", "\n```")


def _tabled(
    head: Sequence[tuple[Inline, ...]], rows: Sequence[Sequence[tuple[Inline, ...]]]
) -> Piece:
    titles = [plain(cell) for cell in head]
    cells = [[plain(cell) for cell in row] for row in rows]
    table = columns(titles, cells)
    if max(map(len, table.splitlines())) <= _WIDEST_TABLE:
        return _fenced(table)
    lines = ("\n".join(f"• {_guarded(line)}" for line in row) for row in records(titles, cells))
    return Piece("\n\n".join(lines) or _guarded(" · ".join(titles)))


def _inline(parts: Iterable[Inline]) -> str:
    text = ""
    for part in parts:
        added = _part(part)
        opens = isinstance(part, Styled | Code) and text[-1:].isalnum()
        closes = text[-1:] in {"*", "_", "~", "`"} and added[:1].isalnum()
        if opens or closes:
            text += _GAP
        text += added
    return text


def _part(part: Inline) -> str:
    match part:
        case Words(text):
            return _worded(text)
        case Code(text):
            return f"`{escaped(text).replace('`', _TICK)}`"
        case Styled(style, parts):
            return _styled(_MARKS[style], _inline(parts))
        case Anchor(href, parts):
            return _linked(href, plain(parts))
        case Picture(href, alt):
            return _linked(href, alt or "🖼")
        case Break():
            return "\n"


def _styled(mark: str, text: str) -> str:
    """Slack wants the marks close to the words, and on one line."""
    lines = (line.strip() for line in text.split("\n"))
    return "\n".join(f"{mark}{line}{mark}" if line.strip(mark) else line for line in lines)


def _linked(href: str, label: str) -> str:
    if not _ADDRESS.fullmatch(href):
        return _guarded(f"{label} ({href})" if href and href != label else label)
    address = escaped(quote(href, safe="%/:=&?~#+!$,;'@()*[]-._"))
    words = _unfenced(escaped(" ".join(label.split()))).replace("|", "¦")
    return f"<{address}|{words}>" if words and words != address else f"<{address}>"


def _worded(text: str) -> str:
    """Words, with the bare addresses among them as links."""
    parts = _BARE_ADDRESS.split(text)
    return "".join(
        _linked(part, part) if number % 2 else _guarded(part) for number, part in enumerate(parts)
    )


def _guarded(text: str) -> str:
    """Words whose stars, underscores and tildes stay what they are, and whose backquotes open no block."""
    return _unfenced(_LIVE_MARK.sub(lambda found: found.group(1) + _GAP, escaped(text)))


def _unfenced(text: str) -> str:
    return text.replace("```", f"`{_GAP}`{_GAP}`")
