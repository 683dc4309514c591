"""Renders a run's board as messages in a chat platform's dialect."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace

from adapters.chat.board import Board, Phase, find_phase, list_actions
from adapters.chat.board_text import format_headline, format_row
from adapters.chat.markdown import Dialect, write
from adapters.chat.pieces import pack
from adapters.chat.uploads import Upload
from pipeline.domain import Action, Answer, Apologised, LocalizedText
from pipeline.text import Measure, cut, shorten, unlink
from pipeline.words import say

_MOST_ROWS = 18
"""Steps that are shown; the others are counted."""
_LONGEST_ROW = 100
"""Characters of a step."""
_LONGEST_SMALL = 1000
"""Characters of a line of small print."""
_BEGINNING = 800
"""Characters of a text in a file that are shown beside it."""
_MORE = " …"
"""Stands below a text that goes on."""
_SMALL_MARK = 4
"""Characters that a platform adds to a line of small print, at most."""


@dataclass(frozen=True, slots=True)
class Page:
    """A message, in the platform's dialect."""

    parts: tuple[str, ...]
    """Shown as separate sections where the platform has them."""
    _: KW_ONLY
    small: tuple[str, ...] = ()
    """Lines of small print."""
    actions: tuple[Action, ...] = ()
    """One button for each."""
    phase: Phase | None = None
    """The state of the run; None where there is nothing to do, as in small talk."""
    files: tuple[Upload, ...] = ()
    """Those that join the message, where a platform shows files so."""
    source: str = field(default="", compare=False)
    """The Markdown of which the text was made, where the page has all of it that there is yet."""
    board: Board | None = field(default=None, compare=False)
    """What the first message of a run draws, for platforms that have plans of their own."""

    @property
    def text(self) -> str:
        return "\n\n".join(self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a platform lays out its messages."""

    dialect: Dialect
    limit: int
    """Greatest length of the text of a message that is edited."""
    whole: int
    """Greatest length of any message, with its small print."""
    split: Callable[[str], Sequence[tuple[str, ...]]]
    """Splits Markdown into messages, each a tuple of parts."""
    measure: Measure = len
    keeps_plan: bool = False
    """Keep the plan above an apology."""
    joins_files: bool = False
    """Attach the files to the answer's last message."""


@dataclass(frozen=True, slots=True)
class BoardRenderer:
    """Draws the board of a run in a person's language."""

    layout: Layout
    locale: str

    def render_progress(self, board: Board) -> Page:
        """The state of each task, and the answer so far (the beginning of a long one)."""
        limit = self.layout.limit
        texts = self._pack(board.text[:limit], limit // 2)
        is_cut = len(texts) > 1 or len(board.text) > limit
        shown = [f"{texts[0]}{_MORE}" if is_cut else texts[0]] if texts else []
        mark, head = self.layout.dialect.marks["strong"], format_headline(board, self.locale)
        head = f"{mark}{self._escape(head)}{mark}"
        plan = self._join_lines([head, *self._format_rows(board)], limit // (1 + len(shown)))
        page = Page(
            (plan, *shown),
            actions=(Action.STOP,),
            phase=Phase.RUNNING,
            source=board.text[:limit].lstrip(),
            board=board,
        )
        return self._add_small(page, (repair.what for repair in board.repairs))[0]

    def render_end(self, board: Board) -> Sequence[Page]:
        """The answer or the apology."""
        if isinstance(board.end, Answer):
            first, *others = self._render_answer(board.end, board)
            return [replace(first, board=board), *others]
        end = board.end or Apologised(LocalizedText("stopped"), "")
        half = self.layout.limit // 2
        rows = self._join_lines(self._format_rows(board), half) if self.layout.keeps_plan else ""
        words = say(self.locale, end.reason)
        reason = self._pack(words, half)[0]
        parts = (rows, reason) if rows else (reason,)
        page = Page(parts, phase=Phase.FAILED, source=words, board=board)
        return [replace(page, actions=list_actions(board))]

    def begin_text(self, text: str, file: str) -> str:
        """The first lines of a text that is in a file, and a note that says so."""
        note = say(self.locale, LocalizedText("answer-in-file", {"file": file}))
        return f"{note}\n\n{next(cut(text, _BEGINNING))} …"

    def _render_answer(self, answer: Answer, board: Board) -> Sequence[Page]:
        """The answer; in small print its notices, and which model made which file."""
        split = self.layout.split
        empty = say(self.locale, LocalizedText("answer-empty"))
        text = answer.text if split(answer.text) else empty
        texts, phase = split(text), find_phase(board)
        source = text if len(texts) == 1 else ""
        pages = [Page(parts, phase=phase, source=source) for parts in texts]
        sources = (f"{each.attachment.name}: {each.model}" for each in answer.files if each.model)
        *first, last = self._add_small(pages[-1], (*answer.notices, *sources))
        return [*pages[:-1], *first, replace(last, actions=list_actions(board))]

    def _add_small(self, page: Page, lines: Iterable[LocalizedText | str]) -> Sequence[Page]:
        """Add small print to a page; lines that do not fit go on further pages."""
        pages = [page]
        for each in lines:
            words = each if isinstance(each, str) else say(self.locale, each)
            small = (*pages[-1].small, self._escape(shorten(words, _LONGEST_SMALL)))
            texts = (pages[-1].text, *small)
            size = sum(self.layout.measure(text) + _SMALL_MARK for text in texts)
            if size <= self.layout.whole:
                pages[-1] = replace(pages[-1], small=small)
            else:
                pages.append(Page((), small=small[-1:], phase=page.phase))
        return pages

    def _format_rows(self, board: Board) -> list[str]:
        rows = [shorten(format_row(row, self.locale), _LONGEST_ROW) for row in board.rows]
        hidden = len(rows) - _MOST_ROWS
        return [*map(self._escape, rows[:_MOST_ROWS]), *([f"… +{hidden}"] if hidden > 0 else [])]

    def _join_lines(self, lines: Sequence[str], limit: int) -> str:
        """The lines that fit, in order."""
        text = ""
        for line in lines:
            if self.layout.measure(text) + self.layout.measure(line) < limit:
                text = f"{text}\n{line}" if text else line
        return text

    def _pack(self, markdown: str, limit: int) -> Sequence[str]:
        pieces = write(markdown, self.layout.dialect)
        return pack(pieces, limit - len(_MORE) - _SMALL_MARK, measure=self.layout.measure)

    def _escape(self, text: str) -> str:
        """Words beside the answer, which nobody has checked: a model may have written them."""
        return self.layout.dialect.escape(unlink(text))
