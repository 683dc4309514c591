"""A run's board as the messages of a chat platform, written in its dialect."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from adapters.chat.board import Board, format_headline, format_row
from adapters.chat.markdown import Dialect, write, write_words
from adapters.chat.splitting import pack
from pipeline.domain import Action, Answer, Apologised, LocalizedText
from pipeline.text import Measure, shorten
from pipeline.words import say

ANSWERED_ACTIONS = (Action.RETRY, Action.ANOTHER, Action.DETAILS, Action.UP, Action.DOWN)
_APOLOGISED_ACTIONS = (Action.RETRY, Action.DETAILS)
_MOST_ROWS, _LONGEST_ROW, _LONGEST_SMALL = 18, 100, 1000
_MORE = " …"
_SMALL_MARK = 4
"""What a platform writes around a line of small print, at most."""


@dataclass(frozen=True, slots=True)
class Page:
    """A message, in the platform's dialect."""

    parts: tuple[str, ...]
    """A platform that has sections shows each part as one."""
    small: tuple[str, ...] = ()
    """Lines of small print."""
    actions: tuple[Action, ...] = ()
    """Of its buttons."""
    awaits_files: bool = False
    """The buttons come with the files, as they say that the answer is complete."""

    @property
    def text(self) -> str:
        return "\n\n".join(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a platform lays out its messages."""

    dialect: Dialect
    limit: int
    """Of the words of a message that is edited."""
    whole: int
    """Of any message with its small print."""
    split: Callable[[str], Sequence[tuple[str, ...]]]
    """The messages that a text in Markdown needs, in parts."""
    measure: Measure = len
    keeps_plan: bool = False
    """An apology is shown below the plan."""
    joins_files: bool = False
    """The files join the answer's last message."""


@dataclass(frozen=True, slots=True)
class BoardRenderer:
    """Draws the board of a run in a person's language."""

    layout: Layout
    locale: str

    def render_progress(self, board: Board) -> Page:
        """What the run does, and the answer as far as it is written, or its beginning."""
        limit = self.layout.limit
        texts = self._fill(board.text[:limit], limit // 2)
        is_cut = len(texts) > 1 or len(board.text) > limit
        shown = [f"{texts[0]}{_MORE}" if is_cut else texts[0]] if texts else []
        mark, head = self.layout.dialect.marks["strong"], format_headline(board, self.locale)
        head = f"{mark}{self._escape(head)}{mark}"
        plan = self._join_lines([head, *self._rows(board)], limit // (1 + len(shown)))
        page = Page((plan, *shown), actions=(Action.STOP,))
        return self._add_small(page, (repair.what for repair in board.repairs))[0]

    def render_end(self, board: Board) -> Sequence[Page]:
        """The answer, or what went wrong, perhaps under what was done."""
        if isinstance(board.end, Answer):
            return self._answer(board.end)
        end = board.end or Apologised(LocalizedText("stopped"), "")
        half = self.layout.limit // 2
        rows = self._join_lines(self._rows(board), half) if self.layout.keeps_plan else ""
        reason = self._fill(say(self.locale, end.reason), half)[0]
        page = Page((rows, reason) if rows else (reason,), actions=_APOLOGISED_ACTIONS)
        reference = LocalizedText("answer-reference", {"reference": end.reference})
        return self._add_small(page, [reference] if end.reference else [])

    def render_note(self, markdown: str) -> Page:
        """With the answer's buttons, where files that were to bring them became links."""
        actions = ANSWERED_ACTIONS if self.layout.joins_files else ()
        return Page(self.layout.split(markdown)[0], actions=actions)

    def _answer(self, answer: Answer) -> Sequence[Page]:
        """Below it notices, and which model made which file."""
        split = self.layout.split
        pages = split(answer.text) or split(say(self.locale, LocalizedText("answer-empty")))
        made = (f"{each.attachment.name}: {each.model} ({each.kind})" for each in answer.files)
        *first, last = self._add_small(Page(pages[-1]), (*answer.notices, *made))
        awaits_files = self.layout.joins_files and bool(answer.files)
        last = replace(last, actions=ANSWERED_ACTIONS, awaits_files=awaits_files)
        return [*map(Page, pages[:-1]), *first, last]

    def _add_small(self, page: Page, lines: Iterable[LocalizedText | str]) -> Sequence[Page]:
        """The page with small print, and further ones with what does not fit."""
        pages = [page]
        for each in lines:
            words = each if isinstance(each, str) else say(self.locale, each)
            small = (*pages[-1].small, self._escape(shorten(words, _LONGEST_SMALL)))
            texts = (pages[-1].text, *small)
            size = sum(self.layout.measure(text) + _SMALL_MARK for text in texts)
            if size <= self.layout.whole:
                pages[-1] = replace(pages[-1], small=small)
            else:
                pages.append(Page((), small[-1:]))
        return pages

    def _rows(self, board: Board) -> list[str]:
        rows = [shorten(format_row(row, self.locale), _LONGEST_ROW) for row in board.rows]
        hidden = len(rows) - _MOST_ROWS
        return [*map(self._escape, rows[:_MOST_ROWS]), *([f"… +{hidden}"] if hidden > 0 else [])]

    def _join_lines(self, lines: Sequence[str], limit: int) -> str:
        """As many lines as fit, in their order."""
        text = ""
        for line in lines:
            if self.layout.measure(text) + self.layout.measure(line) < limit:
                text = f"{text}\n{line}" if text else line
        return text

    def _fill(self, markdown: str, limit: int) -> Sequence[str]:
        pieces = write(markdown, self.layout.dialect)
        return pack(pieces, limit - len(_MORE) - _SMALL_MARK, measure=self.layout.measure)

    def _escape(self, text: str) -> str:
        return write_words(text, self.layout.dialect)
