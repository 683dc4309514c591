"""What the bot's messages in Slack look like: mrkdwn in sections, small print and buttons."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from adapters.chat.board import (
    ANSWERED_ACTIONS,
    APOLOGISED_ACTIONS,
    RUNNING_ACTIONS,
    Board,
    format_headline,
    format_label,
    format_row,
)
from adapters.chat.markdown import Dialect, write
from adapters.chat.splitting import Piece, Segment, pack
from adapters.slack.client import Json
from pipeline.domain import Action, Answer, Apologised, LocalizedText, RunId
from pipeline.text import cut
from pipeline.words import say

FIRST_MESSAGE, NEXT_MESSAGES = 3800, 11_500
"""Characters: the first message is edited, which Slack takes only of shorter ones."""
PREFIX = "troupe:"
SECTION = 2900
_GAP = "\u200b"
_TICK = "\u02cb"
_LIVE_MARK = re.compile(r"(?<![\w*_~`])([*_~`])(?=[^\s*_~`])")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_STYLES = {Action.STOP: "danger"}
_MOST_FILES_LISTED, _LONGEST_LABEL = 20, 75


@dataclass(frozen=True, slots=True)
class SlackMessage:
    """The content of a post or an edit; `text` is for notifications and screen readers."""

    text: str
    blocks: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class SlackRenderer:
    """Draws the board of a run in a person's language."""

    run: RunId
    locale: str

    def render_progress(self, board: Board) -> SlackMessage:
        """What the run does, and the answer as far as it is written."""
        rows = (escape(format_row(row, self.locale)) for row in board.rows)
        lines = "\n".join([f"*{escape(format_headline(board, self.locale))}*", *rows])
        parts = [next(cut(lines, FIRST_MESSAGE // 2))]
        if written := sections(board.text[:FIRST_MESSAGE]):
            shown = next(cut(written[0], FIRST_MESSAGE // 2 - 2))
            is_cut = (shown, len(board.text)) != (written[0], len(board.text[:FIRST_MESSAGE]))
            fence = "\n```" if shown.count("```") % 2 else ""
            parts.append(f"{shown}{fence} …" if is_cut or len(written) > 1 else shown)
        return join_sections(parts, self._buttons(RUNNING_ACTIONS))

    def render_end(self, board: Board) -> Sequence[SlackMessage]:
        match board.end:
            case Answer() as answer:
                return self._answer(answer)
            case Apologised(reason, reference):
                words = say(self.locale, reason)
                shown = _small_print([] if reference in words else [reference])
                buttons = self._buttons(APOLOGISED_ACTIONS)
                return [join_sections(split_messages(words)[0], *shown, buttons)]
            case None:
                return [self.render_note(say(self.locale, LocalizedText("stopped")))]

    def render_note(self, markdown: str) -> SlackMessage:
        return join_sections(split_messages(markdown)[0])

    def _answer(self, answer: Answer) -> Sequence[SlackMessage]:
        here_it_is = say(self.locale, LocalizedText("slack-here-it-is"))
        *first, last = split_messages(answer.text) or split_messages(here_it_is)
        below = (*_small_print(self._notes(answer)), self._buttons(ANSWERED_ACTIONS))
        return [*map(join_sections, first), join_sections(last, *below)]

    def _notes(self, answer: Answer) -> Iterable[str]:
        """Notices, and which model made which file."""
        for notice in answer.notices:
            yield f"💡 {escape(say(self.locale, notice))}"
        for file in answer.files[:_MOST_FILES_LISTED]:
            words = {"file": file.attachment.name, "model": file.model}
            yield escape(say(self.locale, LocalizedText("slack-made-by", words)))

    def _buttons(self, actions: Iterable[Action]) -> Json:
        """Buttons carry their run's id, so they work after a restart."""
        return {"type": "actions", "elements": [self._button(action) for action in actions]}

    def _button(self, action: Action) -> Json:
        label = format_label(action, self.locale)[:_LONGEST_LABEL]
        button: Json = {
            "type": "button",
            "action_id": f"{PREFIX}{action}",
            "text": {"type": "plain_text", "text": label, "emoji": True},
            "value": self.run,
        }
        return button | ({"style": _STYLES[action]} if action in _STYLES else {})


def split_messages(markdown: str) -> tuple[tuple[str, ...], ...]:
    """The sections of a text, shared out over messages."""
    shared: list[list[str]] = []
    for part in sections(markdown):
        limit = FIRST_MESSAGE if len(shared) <= 1 else NEXT_MESSAGES
        if shared and sum(map(len, shared[-1])) + len(part) + 2 <= limit:
            shared[-1].append(part)
        else:
            shared.append([part])
    return tuple(tuple(parts) for parts in shared)


def join_sections(parts: Sequence[str], *below: Json) -> SlackMessage:
    """A message of these sections, and blocks below them."""
    return SlackMessage("\n\n".join(parts), (*map(_section, parts), *below))


def _section(text: str) -> Json:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}}


def _small_print(lines: Iterable[str]) -> Iterable[Json]:
    text = "\n".join(line for line in lines if line)
    for part in cut(text, SECTION):
        element = {"type": "mrkdwn", "text": part, "verbatim": True}
        yield {"type": "context", "elements": [element]}


# --- Markdown as mrkdwn: nothing in it pings anybody ---


def sections(markdown: str) -> tuple[str, ...]:
    """The text as mrkdwn, in parts that each fit into a section."""
    return pack(write(markdown, _SLACK), SECTION)


def escape(text: str) -> str:
    """Text that Slack shows as it is: no mention, no link, no entity."""
    return text.translate(_ENTITIES)


def _escape_words(text: str) -> str:
    """Stars, underscores and tildes stay what they are, and backquotes open no block."""
    return _break_fences(_LIVE_MARK.sub(rf"\1{_GAP}", escape(text)))


def _break_fences(text: str) -> str:
    return text.replace("```", f"`{_GAP}`{_GAP}`")


def _code(text: str) -> str:
    return f"`{escape(text).replace('`', _TICK)}`"


def _fence(_: str, text: str) -> Piece:
    body = _break_fences(escape(text)) or " "
    return Piece((Segment(body),), opening="```\n", closing="\n```")


def _link(href: str, _: str, words: str) -> str:
    if not href.lower().startswith(("https://", "http://", "mailto:")) or href != "".join(
        href.split()
    ):
        return _escape_words(f"{words} ({href})" if href and href != words else words)
    address = escape(quote(href, safe="%/:=&?~#+!$,;'@()*[]-._"))
    label = _break_fences(escape(" ".join(words.split()))).replace("|", "¦")
    return f"<{address}|{label}>" if label and label != address else f"<{address}>"


def _heading(_: int, __: str, words: str) -> str:
    return f"*{_escape_words(words).replace('*', '')}*"


_SLACK = Dialect(
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
