"""Markdown as Slack's mrkdwn, in sections; nothing in it pings anybody."""

import re
from functools import partial
from html import escape
from urllib.parse import quote

from adapters.chat.markdown import Dialect, write_words
from adapters.chat.pieces import Piece, Segment, pack
from pipeline.text import defuse

SECTION = 2900
"""Characters of a section, of which Slack takes 3,000."""
_GAP = "\u200b"
"""An invisible character that keeps the one before it from being markup."""
_TICK = "\u02cb"
"""Looks like the backquote, which Slack cannot escape within code."""
_OPENING_MARK = re.compile(r"(?<![\w*_~`])([*_~`])(?=[^\s*_~`])")
_PING = re.compile(r"<(?=[@#!])")
_escape = partial(escape, quote=False)


def defuse_markdown(text: str) -> str:
    """Markdown that Slack itself renders, of which nothing pings anybody."""
    return defuse(_PING.sub(rf"<{_GAP}", text))


def render_words(text: str) -> tuple[str, ...]:
    """Render plain text in such parts; nothing in it is markup."""
    return pack([Piece((Segment(write_words(text, DIALECT)),))], SECTION)


def escape_words(text: str) -> str:
    """Escape, and keep `*`, `_`, `~` and backquotes from becoming markup."""
    return _break_fences(_OPENING_MARK.sub(rf"\1{_GAP}", _escape(text)))


def _break_fences(text: str) -> str:
    return text.replace("```", f"`{_GAP}`{_GAP}`")


def _write_code(text: str) -> str:
    return f"`{_escape(text).replace('`', _TICK)}`"


def _write_fence(_: str, text: str) -> Piece:
    body = _break_fences(_escape(text)) or " "
    return Piece((Segment(body),), opening="```\n", closing="\n```")


def is_link(href: str) -> bool:
    is_known = href.lower().startswith(("https://", "http://", "mailto:"))
    return is_known and href == "".join(href.split())


def _write_link(href: str, _: str, words: str) -> str:
    if not is_link(href):
        return escape_words(f"{words} ({href})" if href and href != words else words)
    address = _escape(quote(href, safe="%/:=&?~#+!$,;'@()*[]-._"))
    label = _break_fences(_escape(" ".join(words.split()))).replace("|", "¦")
    return f"<{address}|{label}>" if label and label != address else f"<{address}>"


def _write_heading(_: int, __: str, words: str) -> str:
    return f"*{escape_words(words).replace('*', '')}*"


DIALECT = Dialect(
    marks={"strong": "*", "em": "_", "s": "~"},
    bullets=("•", "◦", "▪"),
    rule="———",
    indent=4,
    widest_table=90,
    escape=escape_words,
    code=_write_code,
    fence=_write_fence,
    link=_write_link,
    heading=_write_heading,
    gap=_GAP,
)
