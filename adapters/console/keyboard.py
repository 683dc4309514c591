"""Lines from the keyboard or a pipe with the files they name, and Ctrl-C."""

import asyncio
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

_PATH_STARTS = ("/", "./", "../", "~/", "file://")
_MOST_WORDS, _LONGEST_SUFFIX = 12, 6
"""Words of a path with plain spaces; letters of an ending, with its point."""


@dataclass(frozen=True, slots=True)
class TypedLine:
    """The words of a line, the files it names, and a path in it that leads nowhere."""

    text: str
    files: tuple[Path, ...] = ()
    missing: str = ""


def parse_line(line: str) -> TypedLine:
    """Paths may be quoted, escaped, have plain spaces, or be file addresses."""
    words = line.split()
    text: list[str] = []
    files: list[Path] = []
    missing = ""
    while words:
        file, count = _find_first_file(words)
        if file is None:
            missing = missing or (words[0] if _is_path(words[0]) else "")
            text.append(words[0])
        else:
            files.append(file)
        words = words[count:]
    return TypedLine(" ".join(text), tuple(files), missing)


def find_file(path: str) -> Path | None:
    """The file that a path, as typed or dragged, leads to."""
    plain = path.strip()
    if len(plain) > 1 and plain[0] == plain[-1] and plain[0] in "'\"":
        plain = plain[1:-1]
    if plain.startswith("file://"):
        plain = unquote(urlsplit(plain).path)
    for each in (plain, plain.replace("\\", "")):
        with suppress(OSError, ValueError, RuntimeError):
            file = Path(each).expanduser()
            if each and file.is_file():
                return file.resolve()
    return None


def _find_first_file(words: Sequence[str]) -> tuple[Path | None, int]:
    """The file that the first words name, as many as can be, and how many they are."""
    first = words[0]
    may_go_on = first.startswith((*_PATH_STARTS, "'", '"'))
    for count in range(min(len(words), _MOST_WORDS) if may_go_on else 1, 0, -1):
        is_name = may_go_on or "." in first.strip(".")
        if is_name and (file := find_file(" ".join(words[:count]))):
            return file, count
    return None, 1


def _is_path(word: str) -> bool:
    ending = Path(word).suffix
    is_ending = 1 < len(ending) <= _LONGEST_SUFFIX and ending[1:].isalnum()
    return is_ending and word.startswith(_PATH_STARTS)


async def read_lines() -> AsyncIterator[str]:
    """What is typed, line by line, until the end of the input.

    A thread reads, since reading from a terminal cannot be cancelled; it does not keep the program
    from ending.
    """
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    def read() -> None:
        with suppress(RuntimeError, OSError, ValueError):  # the program ended meanwhile
            for line in sys.stdin:
                loop.call_soon_threadsafe(queue.put_nowait, line)
            loop.call_soon_threadsafe(queue.put_nowait, None)

    threading.Thread(target=read, name="keyboard", daemon=True).start()
    while (line := await queue.get()) is not None:
        yield line


@contextmanager
def catch_interrupts(on_interrupt: Callable[[], None]) -> Iterator[None]:
    """Call back at Ctrl-C while this lasts, where the loop can."""
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError, RuntimeError, ValueError):
        loop.add_signal_handler(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.remove_signal_handler(signal.SIGINT)
