"""Remove file names and URLs from a text of a language model unless they are known.

The text is streamed and filtered token by token. What was passed on is final, so a surface that
shows the stream never shows a link that the finished answer lacks.
"""
# ruff: noqa: RUF001 - quotation marks of many languages

import asyncio
import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from pipeline.text import defuse
from pipeline.text.names import FILE_ENDING

_WINDOW = 2000
"""Longest token in characters, and how far to look for the end of an open link."""
_MAX_WORDS, _MAX_RECORD = 4000, 100_000
"""Words of a record that are read, and their characters."""
_PART = 1000
"""Characters that are read in one go, in some ms."""
_EAST = "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uff66-\uff9f"
"""Scripts without spaces: text before a file name may be part of it, or prose."""
_STOPS = r">(){}\"'|*,;!“”„«»‹›‘’…\u3000-\u3004\uff00-\uff65"
_BREAKS = rf"{_EAST}{_STOPS}\s<\[\]`"
_SIGNS = frozenset(".:/@&\\")
"""One of them is in every reference."""
_MARKS = re.escape("".join(sorted(_SIGNS)))
_TARGET = r"\]\((?:[^()\n]|\n(?!\n)|\([^()\n]*\))*+"
_DEFINITION = r"\]:\s*<?[^\s<>]*"
_TOKEN = re.compile(
    rf"(?P<plain>(?:[^{_BREAKS}{_MARKS}]*+(?:[{_STOPS}](?=.)|[ \n](?=[^\s\[])))+)"
    rf"|(?P<target>{_TARGET}\)|{_DEFINITION}>?)"
    r"|(?P<cite>(?: |(?<![A-Za-z0-9_)]))\[\d{1,3}\](?![(:]))"
    r"|(?P<tag><[A-Za-z/!][^<>]*>)|(?P<ticks>`+)"
    rf"|(?P<word>(?:<(?=[@#]))?[{_EAST}]*[^{_BREAKS}]+)|(?P<space>\s+)|(?P<other>[{_EAST}]+|.)",
    re.DOTALL,
)
_UNFINISHED = re.compile(
    rf"(?:\]|{_TARGET}(?:\([^()\n]*)?|{_DEFINITION}| ?\[\d{{0,3}}\]?|<(?:[A-Za-z/!][^<>]*)?)\Z"
)
"""The start of a link, citation or tag that the next piece may complete."""
_DOMAINS = (
    "com|org|net|edu|gov|io|ai|co|dev|app|info|biz|xyz|site|online|cloud|link|tv|ly|gl|gg|ru|cn"
    "|de|fr|uk|eu|jp|es|ch|nl|pl|test|example|invalid|local"
)
_ADDRESS = re.compile(
    r"(?P<link>://|^www\.|^[a-z]{2,}:/.|^(?:mailto|javascript|file|blob):.|^data:.*/)"
    r"|(?P<path>^(?:[/~][^/]*|[a-z]:)/+[^/])"
    r"|^/*[^/@]+@(?:[\w-]+\.)+[^\W\d_]+\.?(?:[:/?#]|$)"
    rf"|^(?-i:(?:(?:[^\WA-Z]|-)+\.)+(?:{_DOMAINS}"
    r"|(?!(?:js|ts|cs|py|sh|go|rs)/)[a-z]{2}(?=/)))\.?(?:[/?#]|:\d)",
    re.IGNORECASE,
)
"""A URL, an absolute path, an e-mail address, or a host with a path.

No surface makes a link of a host alone, and it may be a name: "ASP.NET", "ASP.NET/C#".
"""
_WHOLE = re.compile(r"[a-z][a-z+.-]{1,20}://[^\s<>|`]{1,300}", re.IGNORECASE)
"""A URL as surfaces link it, also if its host begins with one of `_BREAKS`: "https://例え.jp"."""
_AFTER_WHOLE = "!'\")]*;"
_OPEN_HOST, _MORE_HOST = re.compile(r"://([^/?#]*)\Z"), re.compile(r"[^/?#.]*\.\w")
"""An address whose host may go on, and how it does."""
_MARK = re.compile(f"[{_MARKS}]")
_STEM, _ESCAPE = re.compile(rf"[{_EAST}]*"), re.compile(r"\\(?=[^\w\s]|_)")
_LINKING = re.compile(r"\b(?:href|src|srcset|action|data|poster)\s*=", re.IGNORECASE)
_EDGES, _BEFORE_WORDS = ".,:?_~#&\\/-\u2013\u2014", "<,:?_&\\-\u2013\u2014"
_HIDDEN = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Bidirectional control characters."""
_SCHEME = re.compile(r"(?:https?://|mailto:)?(?:www\.)?", re.IGNORECASE)
_HOST_END = re.compile(r"[/?#]")
"""After it, upper and lower case differ."""
_HOST = re.compile(rf"(?:[\w-]+\.)+(?:{_DOMAINS})")
_REMOVED = "…"
"""Replaces a reference; it cannot become part of a link."""
_FENCE, _LONGEST_STEM = 3, 40


def _normalize(word: str) -> str:
    """A reference without escapes and surrounding punctuation."""
    plain = _ESCAPE.sub("", html.unescape(word)).replace("\\", "/")
    return plain.rstrip(_EDGES).lstrip(_BEFORE_WORDS)


def _spell(plain: str) -> Iterator[str]:
    """The keys to look a reference up by: without scheme, and without more and more of `_EAST`."""
    stem = _STEM.match(plain)
    assert stem is not None
    for start in range(max(0, stem.end() - _LONGEST_STEM), stem.end() + 1):
        key = _SCHEME.sub("", plain[start:].strip(_EDGES), count=1)
        host = _HOST_END.split(key, maxsplit=1)[0]
        yield host.casefold() + key[len(host) :]


def _find_files(plain: str) -> list[str]:
    """The parts of a path or URL that are file names."""
    parts = ((part, FILE_ENDING.search(part)) for part in re.split(r"[/:=?#]", plain))
    return [part for part, end in parts if end and any(map(str.isalnum, part[: end.start()]))]


def _find_whole(text: str) -> list[str]:
    """The URLs in a text as surfaces link them."""
    return [_normalize(found.group().rstrip(_AFTER_WHOLE)) for found in _WHOLE.finditer(text)]


def _find_host(plain: str) -> str:
    return _HOST_END.split(next(_spell(plain)), maxsplit=1)[0].rpartition("@")[2]


@dataclass(frozen=True, slots=True)
class KnownReferences:
    """The file names and URLs in a run's record, and the ids of its steps."""

    names: frozenset[str] = frozenset()
    steps: frozenset[str] = frozenset()

    def has(self, plain: str) -> bool:
        return not self.names.isdisjoint(_spell(plain))


def collect_references(texts: Iterable[str], steps: Iterable[int] = ()) -> KnownReferences:
    """The file names and URLs in the texts, from at most `_MAX_WORDS` words that may be any.

    The first texts count most: put what a person wrote before what a long document says.
    """
    different, signs = dict.fromkeys(texts), _SIGNS | {"["}
    words = (word for text in different for word in text.split() if not signs.isdisjoint(word))
    names, numbers, left = set[str](), set(map(str, steps)), _MAX_RECORD
    for part in (word[:_WINDOW] for word in islice(words, _MAX_WORDS)):
        left -= len(part)
        if left < 0:
            break
        for whole in _find_whole(part):
            names.update(_spell(whole))
        for token in _TOKEN.finditer(part.replace("](", "  ").replace("<", " ")):
            if token.lastgroup == "cite" and numbers:
                numbers.add(token.group().strip(" []"))
            elif token.lastgroup == "word":
                plain = _normalize(token.group())
                for value in {plain, plain.replace("=", ":").rpartition(":")[2]}:
                    for key in _spell(value):
                        names.update((key, key.partition("/")[0]))
    return KnownReferences(frozenset(names), frozenset(numbers))


async def check_references(text: str, known: KnownReferences) -> "ReferenceFilter":
    """Read a whole text, its first 100,000 characters at most, with pauses for others."""
    check = ReferenceFilter(known)
    for start in range(0, min(len(text), _MAX_RECORD), _PART):
        check.feed(text[start : start + _PART])
        await asyncio.sleep(0)
    check.finish()
    return check


@dataclass(slots=True)
class ReferenceFilter:
    """Filters a streamed answer. The result does not depend on how the text is split."""

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
            token = _TOKEN.match(text, start, start + _WINDOW)
            assert token is not None
            may_grow = not final and len(text) - start < _WINDOW
            if may_grow and (token.end() == len(text) or _UNFINISHED.match(text, start)):
                break
            kind, part = token.lastgroup, token.group()
            if kind == "word" and not self._ticks and (host := _OPEN_HOST.search(part)):
                whole = _WHOLE.search(text, start, start + _WINDOW)
                if whole and whole.start() < token.end() < whole.end():
                    if may_grow and whole.end() == len(text):
                        break
                    is_other = not host[1] or _MORE_HOST.match(text, token.end(), whole.end())
                    if is_other and not self._may_stay(*_find_whole(whole.group())):
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
            address = _normalize(part[2:].strip(" \t\r\n<>"))
            return self._may_stay(address) and not self._names_other(address)
        target, _, title = part[2:-1].strip().partition(" ")
        return bool(title) and target[0] != "<" and title[-1] not in "\"')"

    def _clean(self, kind: str | None, part: str) -> str:
        match kind:
            case "word":
                return self._clean_word(part)
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
            word = _normalize(part)
            is_address = _ADDRESS.search(word) or _HOST.fullmatch(word)
            self._shown += [_find_host(word)] if is_address else []
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
        core = word.rstrip(_EDGES).lstrip(_BEFORE_WORDS)
        if not _MARK.search(core) or self._may_stay(_normalize(core)):
            return word
        self.removed += 1
        name = _STEM.sub("", core, count=1)
        return word.replace(core if name[0] == "." else name, _REMOVED, 1)

    def _is_known(self, kind: str, part: str) -> bool:
        """Whether all URLs in a link or tag are in the record; a link to a file never counts."""
        words = [_normalize(token[0]) for token in _TOKEN.finditer(part[1:-1]) if token["word"]]
        addresses = [word for word in words if _ADDRESS.search(word) or _find_files(word)]
        addresses += _find_whole(part[1:-1])
        if not addresses:
            return kind == "tag" and not _LINKING.search(part)
        if kind == "target" and (_find_files(addresses[0]) or self._names_other(addresses[0])):
            return False
        return all(map(self._may_stay, addresses))

    def _names_other(self, address: str) -> bool:
        """Whether the label of a link shows an address on another host than the link leads to."""
        host = _find_host(address)
        return any(host != each and not host.endswith(f".{each}") for each in self._shown)

    def _may_stay(self, plain: str) -> bool:
        """Whether a word is not a reference, or is in the record.

        Code is not clickable, so e-mail addresses and paths are kept there.
        """
        address, files = _ADDRESS.search(_STEM.sub("", plain, count=1)), _find_files(plain)
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
