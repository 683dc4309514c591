"""Markdown as a tree of frozen values, from which each platform writes its own."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode


class Style(StrEnum):
    """How words stand out."""

    STRONG = "strong"
    EMPHASIS = "em"
    STRUCK = "s"


@dataclass(frozen=True, slots=True)
class Words:
    """Text as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A span of code."""

    text: str


@dataclass(frozen=True, slots=True)
class Styled:
    """Parts that stand out."""

    style: Style
    parts: tuple["Inline", ...]


@dataclass(frozen=True, slots=True)
class Anchor:
    """Parts that lead somewhere."""

    href: str
    parts: tuple["Inline", ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that is elsewhere."""

    href: str
    alt: str


@dataclass(frozen=True, slots=True)
class Break:
    """The next line of the same paragraph."""


Inline = Words | Code | Styled | Anchor | Picture | Break


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    parts: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; 1 is the highest."""

    level: int
    parts: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Fence:
    """A block of code."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """What someone said."""

    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A list; `start` is its first number, None where it has bullets."""

    start: int | None
    items: tuple[tuple["Block", ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: cells are parts."""

    head: tuple[tuple[Inline, ...], ...]
    rows: tuple[tuple[tuple[Inline, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across."""


Block = Paragraph | Heading | Fence | Quote | Listing | Table | Rule

_NESTING = 100


def parse(markdown: str) -> tuple[Block, ...]:
    """CommonMark with tables and strikethrough; HTML is text. Nothing of the text is lost."""
    reader = MarkdownIt("commonmark", {"html": False, "maxNesting": _NESTING})
    reader.enable(["table", "strikethrough"])
    return _blocks(SyntaxTreeNode(reader.parse(markdown)).children)


def plain(parts: Iterable[Inline]) -> str:
    """Only the words."""
    return "".join(_plain_part(part) for part in parts)


def _plain_part(part: Inline) -> str:
    match part:
        case Words(text) | Code(text):
            return text
        case Styled(_, parts) | Anchor(_, parts):
            return plain(parts)
        case Picture(_, alt):
            return alt
        case Break():
            return " "


def _blocks(nodes: Iterable[SyntaxTreeNode]) -> tuple[Block, ...]:
    return tuple(_BLOCKS[node.type](node) for node in nodes if node.type in _BLOCKS)


def _inlines(nodes: Iterable[SyntaxTreeNode]) -> tuple[Inline, ...]:
    parts = (_inline(node) for node in nodes)
    return tuple(part for part in parts if part != Words(""))


def _inline(node: SyntaxTreeNode) -> Inline:
    match node.type:
        case "strong" | "em" | "s":
            return Styled(Style(node.type), _inlines(node.children))
        case "link":
            return Anchor(str(node.attrs.get("href", "")), _inlines(node.children))
        case "code_inline":
            return Code(node.content)
        case "image":
            return Picture(str(node.attrs.get("src", "")), node.content)
        case "softbreak" | "hardbreak":
            return Break()
        case _:
            return Words(node.content)


def _parts(node: SyntaxTreeNode) -> tuple[Inline, ...]:
    return tuple(part for child in node.children for part in _inlines(child.children))


def _paragraph(node: SyntaxTreeNode) -> Block:
    return Paragraph(_parts(node))


def _heading(node: SyntaxTreeNode) -> Block:
    return Heading(int(node.tag[1:]), _parts(node))


def _fence(node: SyntaxTreeNode) -> Block:
    return Fence(node.info.strip().partition(" ")[0], node.content.rstrip("\n"))


def _code(node: SyntaxTreeNode) -> Block:
    return Fence("", node.content.rstrip("\n"))


def _quote(node: SyntaxTreeNode) -> Block:
    return Quote(_blocks(node.children))


def _bullets(node: SyntaxTreeNode) -> Block:
    return Listing(None, tuple(_blocks(item.children) for item in node.children))


def _numbers(node: SyntaxTreeNode) -> Block:
    start = int(node.attrs.get("start", 1))
    return Listing(start, tuple(_blocks(item.children) for item in node.children))


def _table(node: SyntaxTreeNode) -> Block:
    rows = [
        tuple(_parts(cell) for cell in row.children)
        for part in node.children
        for row in part.children
    ]
    return Table(rows[0], tuple(rows[1:]))


def _rule(_: SyntaxTreeNode) -> Block:
    return Rule()


_BLOCKS: Mapping[str, Callable[[SyntaxTreeNode], Block]] = {
    "paragraph": _paragraph,
    "heading": _heading,
    "fence": _fence,
    "code_block": _code,
    "blockquote": _quote,
    "bullet_list": _bullets,
    "ordered_list": _numbers,
    "table": _table,
    "hr": _rule,
}
