"""Remove file names and URLs from a text of a language model unless they are known.

The text is streamed and filtered token by token. What was passed on is final, so a surface that
shows the stream never shows a link that the finished answer lacks.
"""

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.references.known import MAX_CHARACTERS, KnownReferences
from pipeline.references.syntax import (
    ADDRESS,
    BEFORE_WORDS,
    EDGES,
    HOST,
    MORE_HOST,
    OPEN_HOST,
    OWN_TARGET,
    SIGNS,
    STEM,
    TOKEN,
    UNFINISHED,
    URL,
    WINDOW,
    find_file_names,
    find_host,
    find_urls,
    normalize,
)
from pipeline.text import defuse

_PART = 1000
"""Characters that are read in one go, in some ms."""
_FENCE = 3
"""Backticks that begin a block of code."""
_LINKING = re.compile(r"\b(?:href|src|srcset|action|data|poster)\s*=", re.IGNORECASE)
"""Attributes of HTML that load or link what they name."""
_HIDDEN = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Bidirectional control characters."""
_REMOVED = "…"
"""Replaces a reference; it cannot become part of a link."""


@dataclass(slots=True)
class ReferenceFilter:
    """Replaces the unknown references in a streamed answer, the same however it is split.

    With `known` from "see cat.png", `feed("It is in cat.png, not dog.png.")` and `finish()` return
    "It is in cat.png, not ….", `removed` is 1 and `kept` is {"cat.png"}.
    """

    known: KnownReferences
    removed: int = 0
    kept: dict[str, None] = field(default_factory=dict)
    """The known references that the text has, in its order."""
    _brackets: int = 0
    """How many are open: the text in them is the label of a link, if an address follows."""
    _shown: list[str] = field(default_factory=list)
    """The hosts of the addresses that stand in these brackets."""
    _text: str = "\n"
    """The text still to be read, and the character before it."""
    _ticks: int = 0
    """The number of backticks that end the current code; 0 outside code."""

    def feed(self, piece: str) -> str:
        """Add a piece of the answer; returns the text that can be shown now."""
        self._text += piece.translate(_HIDDEN)
        return "".join(self._read(final=False))

    def finish(self) -> str:
        """End the answer; returns the rest of the text."""
        return "".join(self._read(final=True))

    def _read(self, *, final: bool) -> Iterator[str]:
        start, text = 1, self._text
        while start < len(text):
            token = TOKEN.match(text, start, start + WINDOW)
            assert token is not None
            may_grow = not final and len(text) - start < WINDOW
            if may_grow and (token.end() == len(text) or UNFINISHED.match(text, start)):
                break
            kind, part = token.lastgroup, token.group()
            if kind == "word" and not self._ticks and (host := OPEN_HOST.search(part)):
                whole = URL.search(text, start, start + WINDOW)
                if whole and whole.start() < token.end() < whole.end():
                    if may_grow and whole.end() == len(text):
                        break
                    is_other = not host[1] or MORE_HOST.match(text, token.end(), whole.end())
                    if is_other and not self._may_stay(*find_urls(whole.group())):
                        self.removed += 1
                        yield part[: host.start()] + _REMOVED
                        start += len(part)
                        continue
            if self._is_prose(kind, part):
                kind, part = "other", part[0]
            yield defuse(self._clean(kind, part))
            self._follow_label(kind, part)
            start += len(part)
        self._text = text[start - 1 :]

    def _is_prose(self, kind: str | None, part: str) -> bool:
        """Whether a token that looks like Markdown is plain text: in code, or after a bracket."""
        if self._ticks or kind != "target":
            return kind in ("target", "cite", "tag") and self._ticks > 0
        if part[1] == ":":
            address = normalize(part[2:].strip(" \t\r\n<>"))
            return self._may_stay(address) and not self._names_other(address)
        target, _, title = part[2:-1].strip().partition(" ")
        return bool(title) and target[0] != "<" and title[-1] not in "\"')"

    def _clean(self, kind: str | None, part: str) -> str:
        match kind:
            case "word":
                return self._clean_word(part)
            case "target" if part == OWN_TARGET:
                return part
            case "target" | "tag" if not self._is_known(kind, part):
                self.removed += 1
                return "]" if kind == "target" else _REMOVED
            case "other" | "cite" if part[0] == "[" and self._shown and not self._brackets:
                return f" {part}"  # else a link whose address stands elsewhere
            case "cite" if self.known.steps and part.strip(" []") not in self.known.steps:
                return ""
            case "ticks":
                self._toggle_code(len(part))
            case "space" if part.count("\n") > 1 and self._ticks < _FENCE:
                self._ticks = 0
        return part

    def _follow_label(self, kind: str | None, part: str) -> None:
        """Keep track of the label of a link, which ends with its paragraph."""
        if part == "[" and not self._ticks:
            self._brackets += 1
        elif part[0] == "]":
            self._brackets = max(0, self._brackets - 1)
        elif kind == "word" and self._brackets:
            word = normalize(part)
            is_address = ADDRESS.search(word) or HOST.fullmatch(word)
            self._shown += [find_host(word)] if is_address else []
        elif kind == "space" and part.count("\n") > 1:
            self._brackets = 0
        if not self._brackets and part[0] != "]":
            self._shown.clear()

    def _toggle_code(self, ticks: int) -> None:
        if not self._ticks:
            self._ticks = ticks
        elif ticks == self._ticks or ticks > self._ticks >= _FENCE:
            self._ticks = 0

    def _clean_word(self, word: str) -> str:
        """The word, with an unknown file name or URL replaced."""
        core = word.rstrip(EDGES).lstrip(BEFORE_WORDS)
        if SIGNS.isdisjoint(core) or self._may_stay(normalize(core)):
            return word
        self.removed += 1
        name = STEM.sub("", core, count=1)
        return word.replace(core if name[0] == "." else name, _REMOVED, 1)

    def _is_known(self, kind: str, part: str) -> bool:
        """Whether all URLs in a link or tag are in the record; a link to a file never counts."""
        words = [normalize(token[0]) for token in TOKEN.finditer(part[1:-1]) if token["word"]]
        addresses = [word for word in words if ADDRESS.search(word) or find_file_names(word)]
        addresses += find_urls(part[1:-1])
        if not addresses:
            return kind == "tag" and not _LINKING.search(part)
        if kind == "target" and (find_file_names(addresses[0]) or self._names_other(addresses[0])):
            return False
        return all(map(self._may_stay, addresses))

    def _names_other(self, address: str) -> bool:
        """Whether the label of a link shows an address on another host than the link leads to."""
        host = find_host(address)
        return any(host != each and not host.endswith(f".{each}") for each in self._shown)

    def _may_stay(self, plain: str) -> bool:
        """Whether a word is not a reference, or is in the record.

        Code is not clickable, so e-mail addresses and paths are kept there.
        """
        address, files = ADDRESS.search(STEM.sub("", plain, count=1)), find_file_names(plain)
        if not (address or files):
            return True
        if self.known.has(plain):
            self.kept[plain] = None
            return True
        if address and address["link"]:
            return False
        if files:
            return self._ticks >= _FENCE or all(map(self.known.has, files))
        assert address is not None
        return bool(self._ticks) and ("/" not in plain or address["path"] is not None)


def filter_text(text: str, known: KnownReferences) -> str:
    """A short text with its unknown references replaced."""
    check = ReferenceFilter(known)
    return check.feed(text) + check.finish()


async def check_references(text: str, known: KnownReferences) -> ReferenceFilter:
    """Filter a text that may be long, and return the filter with its counts.

    Only the first `MAX_CHARACTERS` are read. Other tasks get their turn in between.
    """
    check = ReferenceFilter(known)
    for start in range(0, min(len(text), MAX_CHARACTERS), _PART):
        check.feed(text[start : start + _PART])
        await asyncio.sleep(0)
    check.finish()
    return check
