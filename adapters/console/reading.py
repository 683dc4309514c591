"""A typed line made into words and files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

_QUOTED = re.compile(r"""(?<!\S)(['"])(?P<path>.+?)\1(?=\s|$)""")
_BEGINS = re.compile(r"(?<!\S)(?:~?/|\.{1,2}/|file://)")
_WORD = re.compile(r"(?:\\.|\S)+")
_MEANT = re.compile(r".+/.*\.[A-Za-z0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class Typed:
    """What a line says, the files it names, and a path in it where there is no file."""

    text: str
    files: tuple[Path, ...] = ()
    missing: str = ""


def typed(line: str) -> Typed:
    """The words and the files of a line. Paths may be quoted, escaped, with plain spaces, or file addresses."""
    files: list[Path] = []
    rest = _without(_QUOTED, line, files)
    rest = _taken(rest, files)
    missing = next((word for word in _paths(rest) if _MEANT.fullmatch(word)), "")
    return Typed(re.sub(r"[ \t]+", " ", rest).strip(), tuple(files), missing)


def file_at(path: str) -> Path | None:
    """The file that a path, as typed or dragged, means; None if there is none."""
    plain = path.strip()
    if len(plain) > 1 and plain[0] == plain[-1] and plain[0] in "'\"":
        plain = plain[1:-1]
    if plain.startswith("file://"):
        plain = unquote(urlsplit(plain).path)
    for each in (plain, re.sub(r"\\(.)", r"\1", plain)):
        try:
            found = Path(each).expanduser()
            if each and found.is_file():
                return found.resolve()
        except (OSError, ValueError, RuntimeError):
            continue
    return None


def _without(pattern: re.Pattern[str], line: str, files: list[Path]) -> str:
    """The line without the quoted paths in it."""

    def take(match: re.Match[str]) -> str:
        found = file_at(match["path"])
        if found is None:
            return match[0]
        files.append(found)
        return ""

    return pattern.sub(take, line)


def _taken(line: str, files: list[Path]) -> str:
    """The line without the bare paths in it, and without bare names of files that are here."""
    rest = line
    while (found := _first(rest)) is not None:
        start, end, path = found
        files.append(path)
        rest = rest[:start] + rest[end:]
    return rest


def _first(line: str) -> tuple[int, int, Path] | None:
    """The first path of a file in a line, as long as it can be: it may hold spaces."""
    for begin in _BEGINS.finditer(line):
        for end in _ends(line, begin.start()):
            if path := file_at(line[begin.start() : end]):
                return begin.start(), end, path
    for word in _WORD.finditer(line):
        if "." in word[0].strip(".") and (path := file_at(word[0])):
            return word.start(), word.end(), path
    return None


def _ends(line: str, start: int) -> Iterator[int]:
    """Where a path beginning there can end, the longest first."""
    ends = [match.end() for match in _WORD.finditer(line) if match.end() > start]
    return reversed(ends)


def _paths(line: str) -> Iterator[str]:
    for begin in _BEGINS.finditer(line):
        if word := _WORD.match(line, begin.start()):
            yield word[0]
