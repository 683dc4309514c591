"""Discord's dialect of Markdown, and the limits of its messages."""

import re

from adapters.chat.markdown import Dialect, write, write_words
from adapters.chat.pieces import Piece, Segment, pack
from adapters.chat.rendering import Layout, Page
from pipeline.text import defuse

LIMIT = 2000
"""Longest plain message, in UTF-16 units."""
LAYOUT_LIMIT = 4000
"""Most text in all components of a message, in UTF-16 units."""
_SMALL = "-# "
"""Begins a line of small print."""
_DEEPEST_HEADING = 3
"""Levels of headings that Discord has."""
_GAP = "\u200b"
"""A space without width, which keeps three backquotes from ending a fence."""
_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\*_~`|[]"})
"""Characters that Discord may take for markup, with a backslash."""
_LANGUAGE = re.compile(r"[\w+#-]{1,20}")
"""A language that Discord may know, behind the backquotes of a fence."""


def render_text(page: Page) -> str:
    """A page as the text of a message."""
    return "\n".join(part for part in (page.text, render_small(page)) if part)


def render_small(page: Page) -> str:
    """A page's lines of small print."""
    return "\n".join(f"{_SMALL}{line}" for line in page.small)


def split_messages(markdown: str, limit: int = LIMIT) -> tuple[str, ...]:
    """Split a text into messages, not inside a link or inline code."""
    return pack(write(markdown, _DISCORD), limit, measure=measure)


def measure(text: str) -> int:
    """Length in UTF-16 units, the strictest way to count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def escape(text: str) -> str:
    """Escape plain text, so that it is no markup and pings nobody; URLs stay links."""
    return write_words(text, _DISCORD)


def _escape_line(text: str) -> str:
    """Discord shows a backslash before a letter or digit, so a number's dot is escaped instead."""
    words = text.lstrip()
    space = text[: len(text) - len(words)]
    if words.startswith(("#", ">", "-", "+")):
        return f"{space}\\{words}"
    after = words.lstrip("0123456789")
    if after != words and after.startswith((".", ")")) and not after[1:2].strip():
        return f"{space}{words[: len(words) - len(after)]}\\{after}"
    return text


def _code(text: str) -> str:
    """Inline code; two backquotes delimit code that contains one."""
    return defuse(f"`` {text} ``" if "`" in text else f"`{text}`")


def _fence(language: str, text: str) -> Piece:
    tag = language if _LANGUAGE.fullmatch(language) else ""
    body = defuse(text.replace("```", f"`{_GAP}`{_GAP}`"))
    return Piece((Segment(body),), opening=f"```{tag}\n", closing="\n```")


def _link(href: str, label: str, words: str) -> str:
    address = href.replace(")", "%29").replace(" ", "%20").replace("`", "%60")
    if not address.startswith(("https://", "http://")):
        return label
    return address if words in ("", href) else f"[{label}]({address})"


_DISCORD = Dialect(
    marks={"strong": "**", "em": "*", "s": "~~"},
    bullets=("-",),
    rule="─" * 16,
    indent=2,
    widest_table=64,
    escape=lambda text: defuse(text.translate(_SPECIAL)),
    escape_line=_escape_line,
    code=_code,
    fence=_fence,
    link=_link,
    heading=lambda level, words, _: f"{'#' * min(level, _DEEPEST_HEADING)} {words}",
)
LAYOUT = Layout(
    dialect=_DISCORD,
    limit=LAYOUT_LIMIT,
    whole=LAYOUT_LIMIT,
    split=lambda markdown: [(text,) for text in split_messages(markdown, LAYOUT_LIMIT)],
    measure=measure,
    keeps_plan=True,
    joins_files=True,
)
