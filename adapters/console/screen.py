"""What stands in the terminal: a live board of the run, and the answer; plain lines where there is no terminal."""

import time
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markdown import Markdown
from rich.padding import Padding
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from pipeline.domain import Answer, Apologised, Event, Planned, Sentence, Shown
from pipeline.progress import Board, Phase, Row, headline, row_words, seen
from pipeline.words import say, title

_STYLES = {
    Phase.WAITING: "dim",
    Phase.RUNNING: "cyan",
    Phase.DONE: "green",
    Phase.FAILED: "red",
    Phase.SKIPPED: "dim",
    Phase.STOPPED: "yellow",
}
_MARKS = {
    Phase.WAITING: "·",
    Phase.DONE: "✓",
    Phase.FAILED: "✗",
    Phase.SKIPPED: "-",
    Phase.STOPPED: "■",
}
_TAIL = 6
"""Lines of the answer shown while it is being written."""


def clean(text: str) -> str:
    """Text that cannot steer the terminal."""
    return "".join(
        each for each in text if each in "\n\t" or unicodedata.category(each) not in ("Cc", "Cf")
    )


class Screen:
    """Draws the events of one run."""

    def __init__(self, console: Console, locale: str, *, alone: bool) -> None:
        self._console = console
        self._locale = locale
        self._board = Board()
        self._began: dict[int, float] = {}
        self._spinner = Spinner("dots", style="cyan")
        self._turning = Spinner("dots", style="cyan")
        self._live = (
            Live(self, console=console, refresh_per_second=10, transient=False)
            if alone and console.is_terminal
            else None
        )

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def __rich__(self) -> RenderableType:
        parts: list[RenderableType] = []
        if self._board.rows:
            parts.append(self._table())
        if self._board.end is None:
            self._spinner.update(text=Text(headline(self._board, self._locale), style="dim"))
            parts.append(self._spinner)
            parts.append(self._tail())
        return Padding(Group(*parts), (0, 0, 0, 1))

    def show(self, event: Event) -> None:
        before = self._board
        self._board = seen(before, event)
        for row in self._board.rows:
            if row.phase is Phase.RUNNING:
                self._began.setdefault(row.task, time.monotonic())
        if self._live is None:
            self._tell(before, event)

    def _tell(self, before: Board, event: Event) -> None:
        """The plan once, then each task when it changes, a line each."""
        if isinstance(event, Planned) and before.rows == self._board.rows:
            return
        if isinstance(event, Planned):
            steps = ", ".join(
                f"{number}. {title(self._locale, row.kind)}"
                for number, row in enumerate(self._board.rows, 1)
            )
            self.say("console-planned", steps=steps)
            return
        known = {row.task: row for row in before.rows}
        for number, row in enumerate(self._board.rows, 1):
            old = known.get(row.task)
            if old is not None and (old.phase, old.why) != (row.phase, row.why):
                self.say("console-task", step=number, what=clean(row_words(row, self._locale)))

    def say(self, id: str, style: str = "", **args: str | float) -> None:  # noqa: A002 - the sentence's own word
        """One of our sentences."""
        self._console.print(
            Text(say(self._locale, Sentence(id, args)), style=style), soft_wrap=True
        )

    def _table(self) -> Table:
        table = Table.grid(padding=(0, 1))
        table.add_column(width=1)
        table.add_column(justify="right", style="dim")
        table.add_column(overflow="fold")
        table.add_column(style="dim", overflow="fold")
        table.add_column(justify="right", style="dim", no_wrap=True)
        for number, row in enumerate(self._board.rows, 1):
            style = _STYLES[row.phase]
            mark = self._turning if row.phase is Phase.RUNNING else Text(_MARKS[row.phase], style)
            what = Text(title(self._locale, row.kind))
            told = isinstance(self._board.end, Answer) and row.phase is not Phase.DONE
            if row.why is not None and not told:  # what went wrong is told in the answer
                what.append(
                    f"\n{clean(say(self._locale, row.why))}",
                    style="dim" if row.phase is Phase.DONE else "red",
                )
            table.add_row(mark, str(number), what, Text(clean(row.model)), Text(self._took(row)))
        return table

    def _took(self, row: Row) -> str:
        if row.phase is Phase.RUNNING and row.fraction >= 0:
            return f"{row.fraction:.0%}"
        if row.phase is Phase.RUNNING:
            seconds = time.monotonic() - self._began.get(row.task, time.monotonic())
        else:
            seconds = row.took
        return (
            say(self._locale, Sentence("console-took", {"seconds": f"{seconds:.1f}"}))
            if seconds
            else ""
        )

    def _tail(self) -> Text:
        return Text("\n".join(clean(self._board.text).splitlines()[-_TAIL:]))

    def answer(self, answer: Answer, places: Sequence[Path]) -> None:
        """The answer's words, where its files are, and what there is to know."""
        text = clean(answer.text).strip()
        if self._console.is_terminal:
            self._console.print(Markdown(text))
        else:
            self._console.print(Text(text), soft_wrap=True)
        for file, place in zip(answer.files, places, strict=True):
            self._file(file, place)
        for notice in dict.fromkeys(say(self._locale, each) for each in answer.notices):
            self.say("console-notice", "yellow", notice=clean(notice))
        self._console.print()

    def _file(self, file: Shown, place: Path) -> None:
        told = say(self._locale, Sentence("console-saved", {"path": str(place)}))
        self._console.print(Text(told, style=f"bold link {place.as_uri()}"), soft_wrap=True)
        self.say("console-made", "dim", alt=clean(file.alt), model=clean(file.model))

    def apology(self, apology: Apologised) -> None:
        reason = clean(say(self._locale, apology.reason))
        if apology.reason.id == "stopped":
            self._console.print(Text(reason, style="yellow"))
        else:
            self.say("console-apology", "red", reason=reason)
            self.say("console-reference", "dim", reference=apology.reference)
        self._console.print()
