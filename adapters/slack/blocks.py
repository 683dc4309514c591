"""Renders pages as Slack messages: mrkdwn sections, small print and buttons."""

import re
from urllib.parse import quote

from adapters.chat.board import format_label
from adapters.chat.markdown import Dialect, write
from adapters.chat.rendering import Layout, Page
from adapters.chat.splitting import Piece, Segment, pack
from adapters.slack.client import Json
from pipeline.domain import Action, RunId
from pipeline.text import cut

FIRST_MESSAGE, NEXT_MESSAGES = 3800, 11_500
"""Characters; the first message is edited, and Slack accepts only shorter edits."""
PREFIX = "troupe:"
SECTION = 2900
_GAP = "\u200b"
_TICK = "\u02cb"
_OPENING_MARK = re.compile(r"(?<![\w*_~`])([*_~`])(?=[^\s*_~`])")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_LONGEST_LABEL = 75
_WHOLE = 13_000
"""Characters in all blocks of a message together."""


def split_messages(markdown: str) -> tuple[tuple[str, ...], ...]:
    """Split a text into messages, each a tuple of sections."""
    messages: list[list[str]] = []
    for part in render_sections(markdown):
        limit = FIRST_MESSAGE if len(messages) <= 1 else NEXT_MESSAGES
        if messages and sum(map(len, messages[-1])) + len(part) + 2 <= limit:
            messages[-1].append(part)
        else:
            messages.append([part])
    return tuple(tuple(parts) for parts in messages)


def render_content(page: Page, run: RunId, locale: str) -> Json:
    """A page as arguments of Slack's methods; `text` is for notifications and screen readers."""
    sections: list[Json] = [{"type": "section", "text": _mrkdwn(part)} for part in page.parts]
    small = "\n".join(page.small)
    contexts = [{"type": "context", "elements": [_mrkdwn(each)]} for each in cut(small, SECTION)]
    buttons = [_button(action, run, locale) for action in page.actions]
    actions = [{"type": "actions", "elements": buttons}] if buttons else []
    return {"text": page.text or small, "blocks": [*sections, *contexts, *actions]}


def _button(action: Action, run: RunId, locale: str) -> Json:
    """A button carries its run's id, so it works after a restart."""
    label = format_label(action, locale)[:_LONGEST_LABEL]
    return {
        "type": "button",
        "action_id": f"{PREFIX}{action}",
        "text": {"type": "plain_text", "text": label, "emoji": True},
        "value": run,
        **({"style": "danger"} if action is Action.STOP else {}),
    }


def _mrkdwn(text: str) -> Json:
    return {"type": "mrkdwn", "text": text, "verbatim": True}


# --- Markdown as mrkdwn: nothing in it pings anybody ---


def render_sections(markdown: str) -> tuple[str, ...]:
    """Render a text as mrkdwn, in parts that each fit into a section."""
    return pack(write(markdown, _DIALECT), SECTION)


def _escape(text: str) -> str:
    return text.translate(_ENTITIES)


def _escape_words(text: str) -> str:
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
        return _escape_words(f"{words} ({href})" if href and href != words else words)
    address = _escape(quote(href, safe="%/:=&?~#+!$,;'@()*[]-._"))
    label = _break_fences(_escape(" ".join(words.split()))).replace("|", "¦")
    return f"<{address}|{label}>" if label and label != address else f"<{address}>"


def _heading(_: int, __: str, words: str) -> str:
    return f"*{_escape_words(words).replace('*', '')}*"


_DIALECT = Dialect(
    marks={"strong": "*", "em": "_", "s": "~"},
    bullets=("•", "◦", "▪"),
    rule="———",
    indent=4,
    widest_table=90,
    escape=_escape_words,
    code=_code,
    fence=_fence,
    link=_link,
    heading=_heading,
    gap=_GAP,
)
LAYOUT = Layout(dialect=_DIALECT, limit=FIRST_MESSAGE, whole=_WHOLE, split=split_messages)
