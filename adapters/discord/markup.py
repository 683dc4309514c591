"""Markdown as Discord writes it, in texts that fit into a message."""

import re
from collections.abc import Iterable, Iterator

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
    defused,
    packed,
    parse,
    plain,
    records,
)

LIMIT = 2000
_WIDEST_TABLE = 64
_DEEPEST_HEADING = 3
_ADDRESS = re.compile(r"https?://[^\s<>`]+")
_SPECIAL = re.compile(r"([\\*_~`|\[\]])")
_LEADING = re.compile(r"^(\s*)([#>-]|\d+(?=[.)]))", re.MULTILINE)
_WHOLE = re.compile(
    r"\[[^\]\n]*\]\([^)\s]*\)|https?://\S+|`[^`\n]+`|\*\*[^*\n]+\*\*|~~[^~\n]+~~|\*[^*\n]+\*"
)
_MARKS = {Style.STRONG: "**", Style.EMPHASIS: "*", Style.STRUCK: "~~"}
_RULE = "─" * 16
_GAP = "\u200b"


def pages(markdown: str, limit: int = LIMIT) -> tuple[str, ...]:
    """The text in messages of at most `limit`, never cut inside a fence, a link or a word."""
    texts = packed(tuple(_pieces(parse(markdown))), limit, unbroken=_WHOLE, measure=measure)
    return tuple(text for text in texts if text.strip())


def measure(text: str) -> int:
    """Length as the strictest count it: UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def escaped(text: str) -> str:
    """Words that shall not become markup, and ping nobody; addresses stay as they are."""
    parts: list[str] = []
    end = 0
    for address in _ADDRESS.finditer(text):
        parts += [_escaped(text[end : address.start()]), address.group()]
        end = address.end()
    return defused("".join([*parts, _escaped(text[end:])]))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _pieces(blocks: Iterable[Block], indent: str = "") -> Iterator[Piece]:
    for block in blocks:
        match block:
            case Table(head, rows):
                yield from _table(head, rows)
            case Quote(inner):
                yield from _quote(inner)
            case Listing():
                yield from _listing(block, indent)
            case _:
                yield _piece(block, indent)


def _piece(block: Heading | Paragraph | Fence | Rule, indent: str) -> Piece:
    match block:
        case Heading(level, parts):
            hashes = "#" * min(level, _DEEPEST_HEADING)
            return Piece(f"{indent}{hashes} {_line(parts)}")
        case Paragraph(parts):
            return Piece(_indented(_guarded(_inlines(parts)), indent))
        case Fence(language, text):
            return _fence(language, text)
        case Rule():
            return Piece(_RULE)


def _guarded(text: str) -> str:
    """Words at the start of a line that would make it a heading, a quote or a list."""
    return _LEADING.sub(r"\1\\\2", text)


def _indented(text: str, indent: str) -> str:
    return "\n".join(f"{indent}{line}" for line in text.split("\n"))


def _fence(language: str, text: str) -> Piece:
    tag = language if re.fullmatch(r"[\w+#-]{1,20}", language) else ""
    body = text.replace("```", f"`{_GAP}`{_GAP}`")
    return Piece(defused(body), opening=f"```{tag}\n", closing="\n```")


def _table(
    head: tuple[tuple[Inline, ...], ...], rows: tuple[tuple[tuple[Inline, ...], ...], ...]
) -> Iterator[Piece]:
    """Discord has no tables: columns in a block of code, or records where they are too wide."""
    names = [plain(cell) for cell in head]
    cells = [[plain(cell) for cell in row] for row in rows]
    laid = columns(names, cells)
    if max(map(len, laid.split("\n"))) <= _WIDEST_TABLE:
        yield _fence("", laid)
        return
    for record in records(names, cells):
        first, *others = (escaped(line) for line in record)
        yield Piece("\n".join([f"- {first}", *(f"  {line}" for line in others)]))


def _quote(blocks: tuple[Block, ...]) -> Iterator[Piece]:
    gap = "\n\n"
    for piece in _pieces(blocks):
        if piece.opening:
            yield piece
            continue
        for line in piece.body.split("\n"):
            yield Piece(line, opening="> ", gap=gap)
            gap = "\n"


def _listing(listing: Listing, indent: str) -> Iterator[Piece]:
    gap = "\n\n" if not indent else "\n"
    for number, item in enumerate(listing.items):
        sign = "-" if listing.start is None else f"{listing.start + number}."
        first, *others = item or (Paragraph(()),)
        inner = indent + " " * (len(sign) + 1)
        if isinstance(first, Paragraph):
            text = _indented(_inlines(first.parts), inner).lstrip()
        else:
            text, others = "", [first, *others]
        yield Piece(f"{indent}{sign} {text}".rstrip(), gap=gap)
        gap = "\n"
        for piece in _pieces(others, inner):
            yield Piece(piece.body, piece.opening, piece.closing, gap="\n")


def _line(parts: Iterable[Inline]) -> str:
    return _inlines(parts).replace("\n", " ")


def _inlines(parts: Iterable[Inline]) -> str:
    return "".join(_inline(part) for part in parts)


def _inline(part: Inline) -> str:
    match part:
        case Words(text):
            return escaped(text)
        case Code(text):
            return _code(text)
        case Styled(style, parts):
            mark = _MARKS[style]
            return f"{mark}{_inlines(parts)}{mark}"
        case Anchor(href, parts):
            return _link(href, _inlines(parts), plain(parts))
        case Picture(href, alt):
            return _link(href, escaped(alt), alt)
        case Break():
            return "\n"


def _code(text: str) -> str:
    """Code with backquotes inside stands between two of them."""
    ticks = "``" if "`" in text else "`"
    pad = " " if ticks == "``" else ""
    return defused(f"{ticks}{pad}{text}{pad}{ticks}")


def _link(href: str, shown: str, words: str) -> str:
    address = href.replace(")", "%29").replace(" ", "%20")
    if not _ADDRESS.fullmatch(address):
        return shown
    return address if words in ("", href) else f"[{shown}]({address})"
