"""A run in the terminal: a live board, then the answer; plain lines where there is no terminal."""

import asyncio
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markdown import Markdown
from rich.padding import Padding
from rich.spinner import Spinner
from rich.text import Text

from adapters.chat.board import Board, Phase, format_headline, format_row
from adapters.chat.uploads import Upload, UploadLimits
from pipeline.domain import Answer, Apologised, LocalizedText
from pipeline.errors import TroupeError
from pipeline.text.names import clean_file_name
from pipeline.words import say, title

_TAIL = 6
"""Lines of the answer shown while it is written."""
_NO_LIMITS = UploadLimits(1 << 40, 1 << 40, message_files=1 << 20)


def clean(text: str) -> str:
    """Text that cannot steer the terminal."""
    return "".join(
        each for each in text if each in "\n\t" or unicodedata.category(each) not in ("Cc", "Cf")
    )


@dataclass(frozen=True, slots=True)
class Terminal:
    """Prints our messages in one language."""

    console: Console
    locale: str

    def say(self, id_: str, style: str = "", **args: str | float) -> None:
        self.print(LocalizedText(id_, args), style)

    def print(self, text: LocalizedText, style: str = "") -> None:
        self.console.print(Text(clean(say(self.locale, text)), style=style), soft_wrap=True)

    @contextmanager
    def tell_errors(self) -> Iterator[None]:
        """Say what the conversation refuses."""
        try:
            yield
        except TroupeError as error:
            self.print(error.sentence, "red")


class BoardRenderer:
    """The terminal draws boards as they are."""

    def render_progress(self, board: Board) -> Board:
        return board

    def render_end(self, board: Board) -> Sequence[Board]:
        return [board]

    def render_note(self, markdown: str) -> Board:
        return Board(text=markdown)


@dataclass(slots=True)
class Screen:
    """One run on the terminal. Files are written into a folder, never over others."""

    terminal: Terminal
    folder: Path
    live: Live | None
    """None where there is no terminal, or another run is drawn on it."""
    going_on: str = ""
    """What was asked before a restart."""
    key: str = "answer"
    limits: UploadLimits = _NO_LIMITS
    _board: Board = field(default_factory=Board)
    _spinner: Spinner = field(default_factory=lambda: Spinner("dots", style="cyan"))

    async def has_room(self) -> bool:
        return True

    async def post(self, key: str, page: Board, *, may_repeat: bool) -> str:  # noqa: ARG002 - a terminal shows anew what it showed before
        if page.end is None and page.text and not page.rows:
            self.terminal.console.print(Markdown(clean(page.text)))
        elif page.end is None:
            await self.edit("", page)
        else:
            await self.finish("", page)
        return "printed"

    async def edit(self, receipt: str, page: Board) -> None:  # noqa: ARG002 - there is one board
        if self.going_on:
            self.terminal.say("console-going-on", "dim", text=self.going_on)
            self.going_on = ""
        before, self._board = self._board, page
        if self.live is None:
            self._print_changes(before)
        else:
            self.live.start()
            self.live.update(self)

    async def finish(self, receipt: str, page: Board) -> None:
        await self.edit(receipt, page)
        if self.live is not None:
            self.live.stop()
        terminal = self.terminal
        match page.end:
            case Answer() as answer:
                text = clean(answer.text).strip()
                shown = Markdown(text) if terminal.console.is_terminal else Text(text)
                terminal.console.print(shown, soft_wrap=not terminal.console.is_terminal)
            case Apologised(reason, reference):
                if reason.id == "stopped":
                    terminal.print(reason, "yellow")
                else:
                    terminal.say("console-apology", "red", reason=say(terminal.locale, reason))
                    terminal.say("console-reference", "dim", reference=reference)
            case None:
                terminal.say("console-broken", "yellow")

    async def upload(self, key: str, files: Sequence[Upload], below: str) -> str:  # noqa: ARG002 - files are told below the answer
        for each in files:
            name = clean_file_name(each.file.attachment.name)
            path = await asyncio.to_thread(_write, self.folder, name, each.blob.data)
            self.terminal.say("console-saved", f"bold link {path.as_uri()}", path=str(path))
            self.terminal.say("console-made", "dim", alt=each.file.alt, model=each.file.model)
        return "written"

    async def look_up(self, key: str, content: Board | Sequence[Upload]) -> str:  # noqa: ARG002 - nothing stands here from before
        return ""

    def close(self) -> None:
        """After the files: what there is to know."""
        if self.live is not None:
            self.live.stop()
        if isinstance(self._board.end, Answer):
            notices = [say(self.terminal.locale, each) for each in self._board.end.notices]
            for notice in dict.fromkeys(notices):
                self.terminal.say("console-notice", "yellow", notice=notice)
        if self._board.end is not None:
            self.terminal.console.print()

    def _print_changes(self, before: Board) -> None:
        """The plan once, then a line for each task that changed."""
        rows = list(enumerate(self._board.rows, 1))
        if not before.rows and rows:
            kinds = [f"{number}. {title(self.terminal.locale, row.kind)}" for number, row in rows]
            self.terminal.say("console-planned", steps=", ".join(kinds))
        known = {row.task: (row.phase, row.why) for row in before.rows}
        for number, row in rows:
            if (row.phase, row.why) != known.get(row.task, (Phase.WAITING, None)):
                words = format_row(row, self.terminal.locale)
                self.terminal.say("console-task", step=number, what=words)

    def __rich__(self) -> RenderableType:
        """The live board. In the end, the answer tells what went wrong."""
        board, locale = self._board, self.terminal.locale
        is_told = isinstance(board.end, Answer)
        rows = [replace(row, why=None) if is_told else row for row in board.rows]
        lines = [Text(clean(f"{at}. {format_row(row, locale)}")) for at, row in enumerate(rows, 1)]
        if board.end is not None:
            return Padding(Group(*lines), (0, 0, 0, 1))
        self._spinner.update(text=Text(format_headline(board, locale), style="dim"))
        tail = "\n".join(clean(board.text).splitlines()[-_TAIL:])
        return Padding(Group(*lines, self._spinner, Text(tail)), (0, 0, 0, 1))


def _write(folder: Path, name: str, data: bytes) -> Path:
    """Write a file, never over another one."""
    folder.mkdir(parents=True, exist_ok=True)
    path, number = folder / name, 1
    while path.exists() and path.read_bytes() != data:
        number += 1
        path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
    path.write_bytes(data)
    return path.resolve()
