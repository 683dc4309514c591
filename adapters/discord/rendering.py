"""What the bot's messages in Discord look like: Markdown in its dialect, and a run's board."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from adapters.chat.board import (
    ANSWERED_ACTIONS,
    APOLOGISED_ACTIONS,
    RUNNING_ACTIONS,
    Board,
    format_headline,
    format_row,
)
from adapters.chat.markdown import Dialect, find_addresses, write
from adapters.chat.splitting import Piece, Segment, pack
from pipeline.domain import Action, Answer, Apologised, LocalizedText, RunId
from pipeline.text import defuse, shorten
from pipeline.words import say

LIMIT = 2000
"""Of a message, in UTF-16 units."""
_MOST_ROWS, _LONGEST_ROW = 18, 100
_PREFIX, _SMALL, _MORE = "troupe", "-# ", " …"
_DEEPEST_HEADING = 3
_GAP = "\u200b"
_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\*_~`|[]"})
_LANGUAGE = re.compile(r"[\w+#-]{1,20}")


@dataclass(frozen=True, slots=True)
class DiscordMessage:
    """The content of a post or an edit."""

    text: str
    actions: tuple[Action, ...] = ()
    """Of its buttons."""
    awaits_files: bool = False
    """The buttons come with the files, as they say that the answer is complete."""


def format_button(action: Action, run: RunId) -> str:
    """A button's id says all there is to know, so the button works after a restart."""
    return f"{_PREFIX}:{action}:{run}"


def parse_button(custom_id: str) -> tuple[Action, RunId] | None:
    """What a button's id says; None when it is not one of ours."""
    prefix, _, rest = custom_id.partition(":")
    action, _, run = rest.partition(":")
    if prefix != _PREFIX or action not in set(Action) or not run:
        return None
    return Action(action), RunId(run)


@dataclass(frozen=True, slots=True)
class DiscordRenderer:
    """Draws the board of a run in a person's language."""

    run: RunId
    locale: str

    def render_progress(self, board: Board) -> DiscordMessage:
        """The plan as a list of tasks; then the answer as it is written, or its beginning."""
        texts = split_messages(board.text[: 2 * LIMIT], LIMIT - len(_MORE))
        if not texts:
            return DiscordMessage(self._render_plan(board), RUNNING_ACTIONS)
        text = f"{texts[0]}{_MORE}" if len(texts) > 1 else texts[0]
        return DiscordMessage(text, RUNNING_ACTIONS)

    def render_end(self, board: Board) -> Sequence[DiscordMessage]:
        match board.end:
            case Answer() as answer:
                return self._render_answer(answer)
            case Apologised() as apology:
                return [self._render_apology(board, apology)]
            case None:
                stopped = Apologised(LocalizedText("stopped"), "")
                return [self._render_apology(board, stopped)]

    def render_note(self, markdown: str) -> DiscordMessage:
        """With the answer's buttons: files that were to bring them may have become links."""
        text = split_messages(markdown)[0]
        return DiscordMessage(text, ANSWERED_ACTIONS)

    def _render_answer(self, answer: Answer) -> Sequence[DiscordMessage]:
        texts = [*split_messages(answer.text)] or [""]
        for line in self._small_print(answer):
            note = f"{_SMALL}{line}"
            joined = f"{texts[-1]}\n{note}".lstrip("\n")
            if measure(joined) <= LIMIT:
                texts[-1] = joined
            else:
                texts.append(note)
        *first, last = texts
        end = DiscordMessage(last or "✅", ANSWERED_ACTIONS, awaits_files=bool(answer.files))
        return [*map(DiscordMessage, first), end]

    def _small_print(self, answer: Answer) -> Iterable[str]:
        """Notices, and which model made which file."""
        for notice in answer.notices:
            yield shorten(escape(say(self.locale, notice)), LIMIT // 2)
        for file in answer.files:
            words = f"{file.attachment.name}: {file.model} ({file.kind})"
            yield shorten(escape(words), LIMIT // 2)

    def _render_plan(self, board: Board) -> str:
        head = escape(format_headline(board, self.locale))
        repairs = [f"{_SMALL}{escape(say(self.locale, repair.what))}" for repair in board.repairs]
        return _join_lines([f"**{head}**", *self._rows(board), *repairs])

    def _render_apology(self, board: Board, apology: Apologised) -> DiscordMessage:
        """What went wrong, under what was done."""
        rows = [*self._rows(board), ""] if board.rows else []
        reference = LocalizedText("answer-reference", {"reference": apology.reference})
        small = [f"{_SMALL}{escape(say(self.locale, reference))}"] if apology.reference else []
        text = _join_lines([*rows, escape(say(self.locale, apology.reason)), *small])
        return DiscordMessage(text, APOLOGISED_ACTIONS)

    def _rows(self, board: Board) -> list[str]:
        shown = board.rows[:_MOST_ROWS]
        lines = [shorten(format_row(row, self.locale), _LONGEST_ROW) for row in shown]
        hidden = len(board.rows) - len(shown)
        return [*map(escape, lines), *([f"… +{hidden}"] if hidden else [])]


def _join_lines(lines: Sequence[str]) -> str:
    """As many lines as fit into a message."""
    text = ""
    for line in lines:
        if measure(text) + measure(line) < LIMIT:
            text = f"{text}\n{line}" if text else line
    return text or shorten(lines[0], LIMIT // 2)


# --- Markdown ---


def split_messages(markdown: str, limit: int = LIMIT) -> tuple[str, ...]:
    """The text in messages of at most `limit`, never cut inside a link or a span of code."""
    return pack(write(markdown, _DISCORD), limit, measure=measure)


def measure(text: str) -> int:
    """Length as the strictest count it: UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def escape(text: str) -> str:
    """Words that become no markup and ping nobody; addresses stay as they are."""
    parts = (part if is_address else _escape(part) for part, is_address in find_addresses(text))
    return defuse("".join(parts))


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
    """Code with backquotes inside stands between two of them."""
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
