"""Renders pages as Discord messages: text in Discord's Markdown, and the ids of buttons."""

import re
from dataclasses import dataclass

from adapters.chat.markdown import Dialect, write, write_words
from adapters.chat.rendering import Layout, Page
from adapters.chat.splitting import Piece, Segment, pack
from pipeline.domain import Action, RunId
from pipeline.text import defuse

LIMIT, LAYOUT_LIMIT = 2000, 4000
"""Longest plain message, and most text in all components of a message, in UTF-16 units."""
_PREFIX, _COMMAND, _SMALL = "troupe", "command", "-# "
_DEEPEST_HEADING = 3
_GAP = "\u200b"
_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\*_~`|[]"})
_LANGUAGE = re.compile(r"[\w+#-]{1,20}")


def format_button(action: Action, run: RunId, number: int = 0) -> str:
    """The button id holds the action and the run, so the button works after a restart.

    `number` tells apart those of one message that have the same action.
    """
    return f"{_PREFIX}:{action}:{run}" + (f"#{number}" if number else "")


def parse_button(custom_id: str) -> tuple[Action, RunId] | None:
    """The action and run of a button id; None when it is not one of ours."""
    prefix, _, rest = custom_id.partition(":")
    action, _, run = rest.partition("#")[0].partition(":")
    if prefix != _PREFIX or action not in set(Action) or not run:
        return None
    return Action(action), RunId(run)


@dataclass(frozen=True, slots=True)
class CommandButton:
    """A button that carries out a command, for the person who gave it."""

    person: str
    root: str
    """The message on which the thread of the command starts; "" outside threads."""
    words: str
    """The command with its arguments; "" to carry out none."""

    @property
    def id(self) -> str:
        return f"{_PREFIX}:{_COMMAND}:{self.person}:{self.root}:{self.words}"


def parse_command_button(custom_id: str) -> CommandButton | None:
    """The command of a button id; None when it is not one of these."""
    match custom_id.split(":"):
        case [prefix, kind, person, root, words] if (prefix, kind) == (_PREFIX, _COMMAND):
            return CommandButton(person, root, words)
        case _:
            return None


def render_text(page: Page) -> str:
    """A page as the text of a message."""
    return "\n".join(part for part in (page.text, render_small(page)) if part)


def render_small(page: Page) -> str:
    """A page's lines of small print."""
    return "\n".join(f"{_SMALL}{line}" for line in page.small)


# --- Markdown ---


def split_messages(markdown: str, limit: int = LIMIT) -> tuple[str, ...]:
    """Split a text into messages, not inside a link or inline code."""
    return pack(write(markdown, _DISCORD), limit, measure=measure)


def measure(text: str) -> int:
    """Length in UTF-16 units, the strictest way to count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def escape(text: str) -> str:
    """Escape plain text, so that it is no markup and pings nobody; URLs stay links."""
    return write_words(text, _DISCORD)


def _escape(text: str) -> str:
    return defuse(text.translate(_SPECIAL))


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


def _heading(level: int, words: str, _: str) -> str:
    return f"{'#' * min(level, _DEEPEST_HEADING)} {words}"


_DISCORD = Dialect(
    marks={"strong": "**", "em": "*", "s": "~~"},
    bullets=("-",),
    rule="─" * 16,
    indent=2,
    widest_table=64,
    escape=_escape,
    escape_line=_escape_line,
    code=_code,
    fence=_fence,
    link=_link,
    heading=_heading,
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
