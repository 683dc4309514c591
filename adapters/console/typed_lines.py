"""The lines that a person types, and the files that they name."""

import asyncio
import re
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

_WORD = re.compile(r"""(?P<quote>['"]).+?(?P=quote)(?=\s|$)|(?:\\.|\S)+""")
_PATH_STARTS = ("/", "./", "../", "~/", "file://")
_LONGEST_SUFFIX = 6
"""Characters of what ends a file's name, with the dot."""


async def read_lines() -> AsyncIterator[str]:
    """The lines of standard input, until it ends.

    A daemon thread reads them, since reading from a terminal cannot be cancelled.
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


def parse_line(line: str) -> tuple[str, list[Path], str]:
    """The text of a line, the files it names, and a path in it without a file ("" if none).

    Paths may be quoted, escaped (as terminals do for dragged files) or file URLs.
    """
    words: list[str] = []
    files: list[Path] = []
    missing = ""
    for match in _WORD.finditer(line):
        word = match.group()
        is_path = word.strip("'\"").startswith(_PATH_STARTS)
        may_be_file = is_path or "." in word.strip(".")
        if may_be_file and (file := find_file(word)):
            files.append(file)
        else:
            words.append(word)
            is_file_name = 1 < len(Path(word.strip("'\"")).suffix) <= _LONGEST_SUFFIX
            missing = missing or (word if is_path and is_file_name else "")
    return " ".join(words), files, missing


def find_file(path: str) -> Path | None:
    """The file at a path, as typed or dragged; None if there is none."""
    plain = path.strip()
    if len(plain) > 1 and plain[0] == plain[-1] and plain[0] in "'\"":
        plain = plain[1:-1]
    if plain.startswith("file://"):
        plain = unquote(urlsplit(plain).path)
    for each in (plain, plain.replace("\\", "")):
        with suppress(OSError, ValueError, RuntimeError):
            file = Path(each).expanduser()
            if file.is_file():
                return file.resolve()
    return None
