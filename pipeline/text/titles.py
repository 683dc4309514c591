"""Titles of conversations: what was asked first, on one line."""

import unicodedata
from collections.abc import Iterable

_LONGEST = 80
"""Characters of a title that we make."""
_LONGEST_CHOSEN = 200
"""Characters of a title that a person chose."""
_MOST_READ = 2000
"""Characters of a message that are read for its title."""
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def make_title(text: str, names: Iterable[str]) -> str:
    """The words of a message; the names of its files if it has none."""
    lines = (_clean(line) for line in text[:_MOST_READ].splitlines())
    words = next((line for line in lines if any(map(str.isalnum, line))), "")
    return _cut(words or _clean(text[:_MOST_READ]) or _clean(", ".join(names)[:_MOST_READ]))


def clean_title(title: str) -> str:
    """A title that a person chose, on one line."""
    return _clean(title[:_MOST_READ])[:_LONGEST_CHOSEN].strip()


def _clean(text: str) -> str:
    shown = (" " if unicodedata.category(each) in _HIDDEN else each for each in text)
    return " ".join("".join(shown).split())


def _cut(line: str) -> str:
    if len(line) <= _LONGEST:
        return line
    words, _, _ = line[:_LONGEST].rpartition(" ")
    return f"{words if len(words) > _LONGEST // 2 else line[: _LONGEST - 1]}…"
