"""Shows a run in the terminal: a live board, then the answer; plain lines in a pipe."""

import asyncio
import unicodedata
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markdown import Markdown
from rich.padding import Padding
from rich.spinner import Spinner
from rich.text import Text

from adapters.chat.board import Board, apply_event
from adapters.chat.board_text import format_headline, format_row
from pipeline.domain import Answer, AnswerFile, Apologised, Event, LocalizedText
from pipeline.errors import TroupeError
from pipeline.ports import Files
from pipeline.text.names import clean_file_name
from pipeline.words import say

_TAIL = 6
"""Lines of the answer shown while it is written."""


def clean(text: str) -> str:
    """Remove the characters that could control the terminal."""
    return "".join(
        each for each in text if each in "\n\t" or unicodedata.category(each) not in ("Cc", "Cf")
    )


@dataclass(frozen=True, slots=True)
class Terminal:
    """Prints our messages in one language."""

    console: Console
    locale: str

    def say(self, id_: str, style: str = "", **args: str | float | LocalizedText) -> None:
        text = clean(say(self.locale, LocalizedText(id_, args)))
        self.console.print(Text(text, style=style), soft_wrap=True)

    @contextmanager
    def print_errors(self) -> Iterator[None]:
        """Print an error that the conversation raises."""
        try:
            yield
        except TroupeError as error:
            self.say(error.sentence.id, "red", **error.sentence.args)


async def show_run(
    terminal: Terminal, events: AsyncIterator[Event], files: Files, folder: Path
) -> bool:
    """Draw a run and print how it ended; return whether it did end.

    The answer's files are saved in `folder`, never over others.
    """
    end = await _draw(terminal, events)
    match end:
        case Answer(_, text, files=answer_files, notices=notices):
            is_plain, words = not terminal.console.is_terminal, clean(text).strip()
            shown = Text(words) if is_plain else Markdown(words)
            terminal.console.print(shown, soft_wrap=is_plain)
            for file in answer_files:
                await _save(terminal, file, files, folder)
            for notice in dict.fromkeys(say(terminal.locale, each) for each in notices):
                terminal.say("console-notice", "yellow", notice=notice)
        case Apologised(LocalizedText("stopped")):
            terminal.say("stopped", "yellow")
        case Apologised(reason):
            terminal.say("console-apology", "red", reason=reason)
        case None:
            terminal.say("console-broken", "yellow")
            return False
    terminal.console.print()
    return True


async def _draw(terminal: Terminal, events: AsyncIterator[Event]) -> Answer | Apologised | None:
    """Draw a run on a terminal, or print each change; returns how it ended."""
    console, board = terminal.console, Board()
    spinner = Spinner("dots", style="cyan")
    live = Live(
        get_renderable=lambda: _render(board, terminal.locale, spinner),
        console=console,
        refresh_per_second=10,
    )
    with live if console.is_terminal else nullcontext():
        async for event in events:
            before, board = board, apply_event(board, event)
            if not console.is_terminal:
                _print_changes(terminal, before, board)
    return board.end


def _print_changes(terminal: Terminal, before: Board, board: Board) -> None:
    """Print a line for each new or changed task; progress and models do not count."""
    known = [(row.task, row.phase, row.why) for row in before.rows]
    for number, row in enumerate(board.rows, 1):
        if (row.task, row.phase, row.why) not in known:
            terminal.say("console-task", step=number, what=format_row(row, terminal.locale))


def _render(board: Board, locale: str, spinner: Spinner) -> RenderableType:
    """The live board, without problems once there is an answer, which reports them itself."""
    is_answered = isinstance(board.end, Answer)
    rows = [replace(row, why=None) if is_answered else row for row in board.rows]
    texts = [f"{step}. {format_row(row, locale)}" for step, row in enumerate(rows, 1)]
    lines = [Text(clean(text)) for text in texts]
    if board.end is not None:
        return Padding(Group(*lines), (0, 0, 0, 1))
    spinner.update(text=Text(format_headline(board, locale), style="dim"))
    tail = "\n".join(clean(board.text).splitlines()[-_TAIL:])
    return Padding(Group(*lines, spinner, Text(tail)), (0, 0, 0, 1))


async def _save(terminal: Terminal, file: AnswerFile, files: Files, folder: Path) -> None:
    name = clean_file_name(file.attachment.name)
    try:
        data = await files.get(file.attachment.hash)
    except KeyError:  # erased meanwhile
        terminal.say("file-left-out", "yellow", file=name)
        return
    path = await asyncio.to_thread(_write, folder, name, data)
    terminal.say("console-saved", f"bold link {path.as_uri()}", path=str(path))
    terminal.say("console-made", "dim", alt=file.alt, model=file.model)


def _write(folder: Path, name: str, data: bytes) -> Path:
    """Write a file, under another name if its own is taken; return its path."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path, number = folder / name, 1
    while path.exists() and path.read_bytes() != data:
        number += 1
        path = (folder / name).with_stem(f"{Path(name).stem}-{number}")
    path.write_bytes(data)
    return path.resolve()
