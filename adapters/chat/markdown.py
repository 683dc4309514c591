"""Renders Markdown in a platform's dialect: markdown-it parses it, one tree walk writes pieces.

A platform supplies a `Dialect`: how it escapes text and writes links, code and headings. Lists,
quotes, tables and fences are laid out here, the same for every platform.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from adapters.chat.pieces import ListItem, Piece, Segment, Words

LONGEST = 200_000
"""Characters of Markdown that are parsed; an answer has fewer."""
_NESTING = 20
"""Deeper brackets and quotes stay plain text: parsing time grows with depth times length."""
_ADDRESS = re.compile(r"https?://[^\s<>|`]+", re.IGNORECASE)
"""An address in plain text, with what may follow it in a sentence."""
_AFTER_ADDRESS = ".,;:!?'\")]*_~"
"""Characters that end a sentence rather than an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a platform writes Markdown's elements. Every function runs in linear time."""

    marks: Mapping[str, str]
    """The delimiters of "strong", "em" and "s"."""
    bullets: tuple[str, ...]
    """By nesting level; deeper levels use the last one."""
    rule: str
    indent: int
    """Minimum indent of a nested list, in spaces."""
    widest_table: int
    """In characters; a wider table becomes a list of records."""
    escape: Callable[[str], str]
    """Escapes markup and mentions in plain text. URLs are passed to `link` instead."""
    escape_line: Callable[[str], str] = str
    """Keeps escaped text at the start of a line from beginning a list, quote or heading."""
    code: Callable[[str], str]
    fence: Callable[[str, str], Piece]
    """Takes the language ("" if unknown) and the text."""
    link: Callable[[str, str, str], str]
    """Takes the URL, the label in the dialect, and the label as plain text ("" for none)."""
    heading: Callable[[int, str, str], str]
    """Takes the level (1 is the highest), the text in the dialect, and the plain text."""
    gap: str = ""
    """Separates a letter from a delimiter, if the platform needs that to recognise it."""


def write(markdown: str, dialect: Dialect) -> tuple[Piece, ...]:
    """Render CommonMark with tables and strikethrough as pieces. HTML is shown as text."""
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _NESTING})
    parser.enable(["table", "strikethrough"])
    tokens = parser.parse(markdown[:LONGEST])
    for token in tokens:
        token.children = token.children and [*_limit_nesting(token.children)]
    return tuple(_write_blocks(SyntaxTreeNode(tokens).children, dialect, ""))


def _limit_nesting(tokens: Sequence[Token]) -> Iterator[Token]:
    """The inline tokens, without emphasis in emphasis deeper than `_NESTING`.

    The parser bounds everything else; a tree of any depth would end in a RecursionError.
    """
    depth = 0
    for token in tokens:
        depth += token.nesting == 1
        if token.nesting == 0 or depth <= _NESTING:
            yield token
        depth -= token.nesting == -1


def write_words(text: str, dialect: Dialect) -> str:
    """Escape plain text, so that it is no markup and pings nobody; URLs become links."""
    return "".join(
        dialect.link(part, "", "") if is_address else dialect.escape(part)
        for part, is_address in find_addresses(text)
    )


def find_addresses(text: str) -> Iterator[tuple[str, bool]]:
    """Split a text into parts, each with whether it is a URL."""
    end = 0
    for match in _ADDRESS.finditer(text):
        address = match.group().rstrip(_AFTER_ADDRESS)
        if text[end : match.start()]:
            yield text[end : match.start()], False
        yield address, True
        end = match.start() + len(address)
    if text[end:]:
        yield text[end:], False


def _write_blocks(
    nodes: Iterable[SyntaxTreeNode], dialect: Dialect, indent: str, depth: int = 0
) -> Iterator[Piece]:
    for node in nodes:
        match node.type:
            case "fence" | "code_block":
                language = node.info.strip().partition(" ")[0]
                yield dialect.fence(language, node.content.rstrip("\n"))
            case "table":
                yield from _write_table(node, dialect)
            case "blockquote":
                yield from _write_quote(node, dialect)
            case "bullet_list" | "ordered_list":
                items = () if depth else _read_list(node)
                for piece in _write_list(node, dialect, indent, depth):
                    yield replace(piece, items=items)
            case "hr":
                yield Piece((Segment(dialect.rule),))
            case _:
                yield Piece(_indent(_write_line(node, dialect), indent))


def _write_line(node: SyntaxTreeNode, dialect: Dialect) -> tuple[Segment, ...]:
    """A paragraph or a heading."""
    inline = [child for part in node.children for child in part.children]
    if node.type != "heading":
        return tuple(_write_inline(inline, dialect, at_line_start=True))
    words = "".join(part.text for part in _write_inline(inline, dialect)).replace("\n", " ")
    return (Segment(dialect.heading(int(node.tag[1:]), words, _plain(inline))),)


def _write_list(node: SyntaxTreeNode, dialect: Dialect, indent: str, depth: int) -> Iterator[Piece]:
    bullet = dialect.bullets[min(depth, len(dialect.bullets) - 1)]
    first_number = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
    gap = "\n" if depth else "\n\n"
    for number, item in enumerate(node.children):
        mark = bullet if first_number is None else f"{first_number + number}."
        inner = indent + " " * max(len(mark) + 1, dialect.indent)
        first, *others = item.children or (None,)
        line: tuple[Segment, ...] = ()
        if first is not None and first.type in ("paragraph", "heading"):
            line = _indent(_write_line(first, dialect), inner, at_start=False)
        elif first is not None:
            others = [first, *others]
        yield Piece((Segment(f"{indent}{mark} " if line else f"{indent}{mark}"), *line), gap=gap)
        gap = "\n"
        for piece in _write_blocks(others, dialect, inner, depth + 1):
            yield replace(piece, gap="\n")


def _read_list(node: SyntaxTreeNode, depth: int = 0) -> tuple[ListItem, ...]:
    """The items of a list; () if one of them has more than a line and lists below it."""
    start = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
    items: list[ListItem] = []
    for number, item in enumerate(node.children):
        first, *others = item.children or (None,)
        if first is None or first.type != "paragraph":
            return ()
        line = tuple(_read_words(first.children, frozenset(), ""))
        items.append(ListItem(depth, None if start is None else start + number, line))
        for other in others:
            is_list = other.type in ("bullet_list", "ordered_list")
            if not (is_list and (inner := _read_list(other, depth + 1))):
                return ()
            items += inner
    return tuple(items)


def _write_quote(node: SyntaxTreeNode, dialect: Dialect) -> Iterator[Piece]:
    """One piece per line, so that a quote split over messages stays a quote."""
    gap = "\n\n"
    for piece in _write_blocks(node.children, dialect, ""):
        if piece.opening:
            yield piece
            continue
        for line in _split_lines(piece.body):
            yield Piece(line, opening="> ", gap=gap)
            gap = "\n"


def _write_table(node: SyntaxTreeNode, dialect: Dialect) -> Iterator[Piece]:
    """Aligned columns in a code block; if they are too wide, a list of records."""
    table = [
        [[inline for part in cell.children for inline in part.children] for cell in row.children]
        for section in node.children
        for row in section.children
    ]
    cells = tuple(tuple(map(_plain, row)) for row in table)
    head, *rows = cells
    widths = [max(map(_width, column)) for column in zip(head, *rows, strict=True)]
    if sum(widths) + 3 * len(widths) <= dialect.widest_table:
        rule = "-+-".join("-" * width for width in widths)
        lines = [_align(row, widths) for row in (head, *rows)]
        yield replace(dialect.fence("", "\n".join([lines[0], rule, *lines[1:]])), cells=cells)
        return
    names = [f"{dialect.escape(name)}: " if rows else "" for name in head]
    for row in table[1:] or table:
        values = ("".join(part.text for part in _write_inline(cell, dialect)) for cell in row)
        first, *others = [name + value for name, value in zip(names, values, strict=True)] or [""]
        lines = [f"{dialect.bullets[0]} {first}", *(f"  {line}" for line in others)]
        yield Piece((Segment("\n".join(lines)),), gap="\n", cells=cells)


def _align(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True))
    return " | ".join(cells).rstrip()


def _width(text: str) -> int:
    """Columns in a monospaced font; East Asian characters take two."""
    double = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    zero = sum(unicodedata.category(character) in ("Mn", "Me", "Cf") for character in text)
    return len(text) + double - zero


def _write_inline(
    nodes: Iterable[SyntaxTreeNode], dialect: Dialect, *, at_line_start: bool = False
) -> Iterator[Segment]:
    last = ""
    for node in nodes:
        for segment in _write_part(node, dialect):
            text = segment.text
            if at_line_start and not segment.is_atomic:
                text = dialect.escape_line(text)
            is_marked = segment.is_atomic and node.type != "link"
            if dialect.gap and _needs_gap(last, text, is_marked=is_marked):
                yield Segment(dialect.gap)
            yield replace(segment, text=text)
            if text:
                last, at_line_start = text, at_line_start and text.endswith("\n")
        if node.type in ("softbreak", "hardbreak"):
            at_line_start = True


def _needs_gap(before: str, text: str, *, is_marked: bool) -> bool:
    opens = is_marked and before[-1:].isalnum()
    return opens or (before[-1:] in tuple("*_~`") and text[:1].isalnum())


def _write_part(node: SyntaxTreeNode, dialect: Dialect) -> Iterator[Segment]:
    match node.type:
        case "strong" | "em" | "s":
            words = "".join(part.text for part in _write_inline(node.children, dialect))
            yield Segment(_mark(words, dialect.marks[node.type]), is_atomic=True)
        case "code_inline":
            yield Segment(dialect.code(node.content), is_atomic=True)
        case "link":
            label = "".join(part.text for part in _write_inline(node.children, dialect))
            href, words = str(node.attrs.get("href", "")), _plain(node.children)
            yield Segment(dialect.link(href, label, words), is_atomic=True)
        case "image":
            src, label = str(node.attrs.get("src", "")), dialect.escape(node.content)
            yield Segment(dialect.link(src, label, node.content), is_atomic=True)
        case "softbreak" | "hardbreak":
            yield Segment("\n")
        case _:
            for text, is_address in find_addresses(node.content):
                words = dialect.link(text, "", "") if is_address else dialect.escape(text)
                yield Segment(words, is_address)


def _read_words(
    nodes: Iterable[SyntaxTreeNode], marks: frozenset[str], href: str
) -> Iterator[Words]:
    """The same parts without a dialect."""
    for node in nodes:
        match node.type:
            case "inline":
                yield from _read_words(node.children, marks, href)
            case "strong" | "em" | "s":
                yield from _read_words(node.children, marks | {node.type}, href)
            case "code_inline":
                yield Words(node.content, marks | {"code"}, href)
            case "link":
                yield from _read_words(node.children, marks, str(node.attrs.get("href", "")))
            case "image":
                yield Words(node.content, marks, str(node.attrs.get("src", "")))
            case "softbreak" | "hardbreak":
                yield Words("\n")
            case _:
                for text, is_address in find_addresses(node.content):
                    yield Words(text, marks, text if is_address and not href else href)


def _mark(words: str, mark: str) -> str:
    """Put delimiters around each line, close to the words."""
    lines = (line.strip() for line in words.split("\n"))
    return "\n".join(f"{mark}{line}{mark}" if line.strip(mark) else line for line in lines)


def _plain(nodes: Iterable[SyntaxTreeNode]) -> str:
    """The text without markup."""
    return "".join(
        " " if node.type in ("softbreak", "hardbreak") else node.content or _plain(node.children)
        for node in nodes
    )


def _indent(line: Sequence[Segment], indent: str, *, at_start: bool = True) -> tuple[Segment, ...]:
    if not indent:
        return tuple(line)
    lines = [replace(part, text=part.text.replace("\n", f"\n{indent}")) for part in line]
    return (Segment(indent), *lines) if at_start else tuple(lines)


def _split_lines(body: Sequence[Segment]) -> Iterator[tuple[Segment, ...]]:
    line: list[Segment] = []
    for segment in body:
        first, *others = segment.text.split("\n")
        line.append(replace(segment, text=first))
        for text in others:
            yield tuple(line)
            line = [replace(segment, text=text)]
    yield tuple(line)
