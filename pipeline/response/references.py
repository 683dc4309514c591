"""Files and addresses in an answer: only those in the run's record stay; nothing else is touched.

The text is read once, token by token, and may come in pieces: what has been handed on is final,
so a surface that shows the stream never shows a link that the finished answer lacks.
"""
# ruff: noqa: RUF001 - quotation marks of many languages

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from pipeline.text import defuse

_WINDOW = 2000
"""Characters a single token may have, and for which an open bracket is waited for."""
_EAST = "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af\uff66-\uff9f"
_BREAKS = r"\s<>()\[\]{}\"'`|*,;!“”„«»‹›‘’…\u3000-\u3004\uff00-\uff65"
_TOKEN = re.compile(
    rf"(?P<space>\s+)|(?P<east>[{_EAST}]+)|(?P<word>[^{_BREAKS}{_EAST}]+)|(?P<ticks>`+)"
    r"|(?P<tag><[A-Za-z/!][^<>]*>)|(?P<target>\]\((?:[^()\n]|\n(?=[^\n])|\([^()\n]*\))*+\))|(?P<sign>.)",
    re.DOTALL,
)
"""Scripts that are written without spaces stand apart from the names and addresses in them."""
_FILES = frozenset(
    "png jpg jpeg gif webp bmp tif tiff svg ico heic wav mp3 flac ogg opus m4a aac weba mp4 mov"  # noqa: SIM905
    " avi mkv webm pdf doc docx xls xlsx ppt pptx odt ods rtf csv tsv txt json xml yaml yml md"
    " srt vtt zip tar gz 7z rar htm html exe epub parquet".split()
)
_DOMAINS = frozenset(
    "com org net edu gov io ai co dev app info biz xyz site online cloud link tv ly gl gg ru cn"  # noqa: SIM905
    " de fr uk eu jp es ch nl pl test example invalid local".split()
)
_CODE_ENDINGS = frozenset({"js", "ts", "cs", "py", "sh", "go", "rs"})
_EDGES, _BEFORE_WORDS = ".,:?_~#&\\/-\u2013\u2014", ",:?_&\\-\u2013\u2014"
_HIDDEN = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Characters that turn the direction of reading."""
_GONE = "…"
"""Stands where a reference was; it cannot become part of a link."""
_MAX_PENDING, _MAX_OPEN, _MAX_STEM, _MAX_WORDS = 400, 16, 40, 4000
_STEP_DIGITS, _COUNTRY, _FENCE = 3, 2, 3
_PLAIN = frozenset(".:[@")
_EAST_CHARACTER = re.compile(rf"[{_EAST}]")
_LINKING = frozenset({"href", "src", "srcset", "action", "data", "poster"})


@dataclass(frozen=True, slots=True)
class KnownReferences:
    """Files and addresses in a run's record, spelled as by `_key`, and the ids of its steps."""

    names: frozenset[str] = frozenset()
    steps: frozenset[str] = frozenset()


def collect_references(texts: Iterable[str], steps: Iterable[int] = ()) -> KnownReferences:
    """Every file and address in the texts, from 4,000 words at most."""
    words = (word for text in texts for word in text.split() if not _PLAIN.isdisjoint(word))
    names: set[str] = set()
    for word in islice(words, _MAX_WORDS):
        names.update(_spellings(word[:_WINDOW]))
    return KnownReferences(frozenset(names), frozenset(map(str, steps)))


@dataclass(slots=True)
class ReferenceFilter:
    """Takes an answer in pieces and gives back what may be shown of it.

    The whole output depends on the whole text only, not on how it was cut into pieces.
    """

    known: KnownReferences
    removed: int = 0
    _text: str = ""
    _pending: list[str] = field(default_factory=list)
    """Waits for an open bracket to be closed, or for the next token."""
    _open: list[tuple[int, bool]] = field(default_factory=list)
    """Where in it open brackets stand, and whether they began a line."""
    _definition: int | None = None
    """Where in it the definition of a link began ("[1]: https://…")."""
    _before: str = " "
    _line: bool = True
    """Nothing but signs of quotation stood in this line yet."""
    _ticks: int = 0
    """How many backticks end the code that we are in; 0 outside."""
    _fenced: bool = False

    def feed(self, piece: str) -> str:
        """The next piece of the answer; returns what can be shown by now."""
        self._text += piece.translate(_HIDDEN)
        return self._read(final=False)

    def finish(self) -> str:
        """Returns the rest, at the end of the answer."""
        return self._read(final=True) + self._settle(keep=0)

    def _read(self, *, final: bool) -> str:
        at, text = 0, self._text
        shown: list[str] = []
        while at < len(text):
            match = _TOKEN.match(text, at, at + _WINDOW)
            assert match is not None
            if not final and len(text) - at <= _WINDOW and _is_unfinished(text, at, match):
                break
            at += self._take(match.lastgroup or "", match.group())
            if len(self._pending) > _MAX_PENDING:
                self._open.clear()
                self._definition = None
            if not self._open and self._definition is None:
                shown.append(self._settle(keep=1))
        self._text = text[at:]
        return "".join(shown)

    def _settle(self, *, keep: int) -> str:
        last = len(self._pending) - keep
        settled = defuse("".join(self._pending[:last]))
        del self._pending[:last]
        return settled

    def _take(self, kind: str, part: str) -> int:
        """Handle one token; returns how many of its characters were used."""
        if (kind == "tag" and self._ticks) or (kind == "target" and not self._is_link(part)):
            kind, part = "sign", part[0]
        match kind:
            case "word":
                self._pending.append(self._word(part))
            case "ticks":
                self._code(part)
            case "target":
                self._target(part)
            case "tag":
                self._pending.append(self._tag(part))
            case "space":
                self._space(part)
            case _:
                self._sign(part)
        if kind not in ("space", "word"):
            self._definition = self._definition if part == "]" else None
        self._line = "\n" in part if kind == "space" else self._line and part in "!>["
        self._before = part
        return len(part)

    def _is_link(self, part: str) -> bool:
        """Whether "](…)" ends a Markdown link: an address, and a title in quotes at most."""
        _, _, title = part[2:-1].strip().partition(" ")
        return not self._ticks and (
            not title or part[2:].lstrip()[:1] == "<" or title[-1] in "\"')"
        )

    def _word(self, part: str) -> str:
        """The word without a file or address that is not in the record."""
        if self._before == "]" and part[0] != ":":
            self._definition = None
        definition = self._definition if part != ":" else None
        core = part.rstrip(_EDGES).lstrip(_BEFORE_WORDS)
        stem = self._before if _EAST_CHARACTER.match(self._before) else ""
        self._definition = self._definition if part == ":" else None
        if not core or _may_stay(core, self.known, stem, code=self._ticks, fenced=self._fenced):
            return part
        self.removed += 1
        if definition is not None:
            del self._pending[definition:]
            return ""
        if stem and core[0] == "." and self._pending:
            self._pending[-1] = ""
        begin = part.find(core)
        return f"{part[:begin]}{_GONE}{part[begin + len(core) :]}"

    def _code(self, part: str) -> None:
        if not self._ticks:
            self._ticks, self._fenced = len(part), self._line and len(part) >= _FENCE
        elif len(part) == self._ticks or (self._fenced and len(part) > self._ticks):
            self._ticks, self._fenced = 0, False
        self._pending.append(part)

    def _target(self, part: str) -> None:
        """The end of a Markdown link or image: without an address of the record its label stays."""
        words = [word for kind, word in _tokens(part[2:-1]) if kind == "word"]
        addresses = [word for word in words if _is_reference(word)]
        start, _ = self._open.pop() if self._open else (None, False)
        unknown = any(not _may_stay(word, self.known) for word in addresses)
        if addresses and not unknown and not _is_file(addresses[0]):
            self._pending.append(part)
            return
        self.removed += unknown or not addresses
        if start is None:
            self._pending.append("]")
            return
        self._pending[start] = ""
        if not any(piece.strip() for piece in self._pending[start:]):
            self._pending.append(_GONE)

    def _tag(self, part: str) -> str:
        """An autolink or an HTML tag, unless it leads where the record does not."""
        inner = part[1:-1].strip()
        words = [word for kind, word in _tokens(inner) if kind == "word"]
        references = [word for word in words if _is_reference(word)]
        links = any(word.casefold().rstrip("=") in _LINKING for word in words)
        if all(_may_stay(word, self.known) for word in references) and (references or not links):
            return part
        self.removed += 1
        return _GONE

    def _space(self, part: str) -> None:
        if part.count("\n") > 1:
            self._open.clear()
            self._definition = None
            if not self._fenced:
                self._ticks = 0
        self._pending.append(part)

    def _sign(self, part: str) -> None:
        if part == "[" and not self._ticks:
            if self._before == "!" and self._pending and self._pending[-1] == "!":
                part = f"{self._pending.pop()}["
            self._open = [*self._open[1 - _MAX_OPEN :], (len(self._pending), self._line)]
        self._pending.append(part)
        if part == "]" and self._open and not self._ticks:
            start, begins_line = self._open.pop()
            self._definition = start if begins_line and not self._open else None
            if len(self._pending) == start + _STEP_DIGITS:
                self._cite(start)

    def _cite(self, start: int) -> None:
        """Drop "[7]" where no step has that number, but not in "rows[7]"."""
        cited, known = self._pending[start + 1], self.known
        if not (cited.isdecimal() and len(cited) <= _STEP_DIGITS and known.steps):
            return
        last = self._pending[start - 1][-1:] if start else ""
        indexes = last.isascii() and (last.isalnum() or last in ("_", ")"))
        if cited in known.steps or f"[{cited}]" in known.names or indexes:
            return
        del self._pending[start:]
        self._definition = None
        if self._pending and self._pending[-1] == " ":
            self._pending[-1] = ""


def _is_unfinished(text: str, at: int, match: re.Match[str]) -> bool:
    """Whether what follows could change how a token at the end of the text is read."""
    if match.end() == len(text):
        return True
    if text.startswith("](", at):
        return match.lastgroup != "target"
    tag = text[at] == "<" and (text[at + 1].isalpha() or text[at + 1] in "/!")
    return tag and match.lastgroup != "tag" and "<" not in text[at + 1 :]


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for match in _TOKEN.finditer(text):
        yield match.lastgroup or "", match.group()


def _spellings(word: str) -> Iterator[str]:
    """The keys under which the references in a word of the record are known."""
    start = word.find("[")
    if start >= 0 and (end := word.find("]", start)) >= 0:
        yield word[start : end + 1]
    stem = ""
    for kind, part in _tokens(word.replace("](", "  ").replace("<", " ")):
        if kind == "word":
            key = _key(part)
            yield key
            yield key.partition("/")[0]
            yield _key(part.replace("=", ":").rpartition(":")[2])
            yield from (_key(stem[at:] + part) for at in range(len(stem)))
        stem = part[-_MAX_STEM:] if kind == "east" else ""


def _may_stay(
    word: str, known: KnownReferences, stem: str = "", *, code: int = 0, fenced: bool = False
) -> bool:
    """Whether a word is no reference, or one of the record.

    Code is not clickable, and what looks like a host there may be an attribute ("df.info").
    """
    if stem and word[0] == ".":
        stem = stem[-_MAX_STEM:]
        named = any(_key(stem[at:] + word) in known.names for at in range(len(stem)))
        return named or not _is_file(f"x{word}")
    if not _is_reference(word) or _key(word) in known.names:
        return True
    if _has_scheme(word):
        return False
    parts = [part for part in word.replace("=", "/").replace(":", "/").split("/") if part]
    if _is_file(word):
        files = [part for part in parts if _is_file(part)]
        return fenced or all(_key(file) in known.names for file in files)
    return bool(code) and ("/" not in word or _is_path(word))


def _is_reference(word: str) -> bool:
    return _has_scheme(word) or _has_host(word) or _is_file(word) or _is_path(word)


def _has_scheme(word: str) -> bool:
    plain = html.unescape(word).replace("\\", "").casefold()
    scheme, colon, rest = plain.partition(":")
    if not colon or not rest:
        return plain.startswith("www.")
    return (
        "://" in plain
        or (rest[0] == "/" and len(rest) > 1 and len(scheme) > 1 and scheme.isalpha())
        or scheme in ("mailto", "javascript", "file", "blob")
        or (scheme == "data" and "/" in rest)
        or plain.startswith("www.")
    )


def _has_host(word: str) -> bool:
    plain = html.unescape(word).replace("\\", "").casefold().replace("?", "/").replace("#", "/")
    host, slash, _ = plain.lstrip("/").partition("/")
    person, at, domain = host.partition(":")[0].rpartition("@")
    labels = domain.strip(".").split(".")
    if len(labels) < 2 or not all(label.replace("-", "").isalnum() for label in labels):  # noqa: PLR2004
        return False
    top = labels[-1]
    country = slash and len(top) == _COUNTRY and top.isalpha() and top not in _CODE_ENDINGS
    return top in _DOMAINS or bool(country) or bool(at and person and top.isalpha())


def _is_file(word: str) -> bool:
    stem, dot, ending = word.replace("#", "?").partition("?")[0].rstrip(_EDGES).rpartition(".")
    return bool(dot) and ending.casefold() in _FILES and any(map(str.isalnum, stem))


def _is_path(word: str) -> bool:
    """An absolute path of at least two parts: "/mnt/data"; "/kæt/" is none."""
    plain = word.replace("\\", "/")
    absolute = plain[0] in "/~" or plain[1:3] == ":/"
    return absolute and sum(map(bool, plain.split("/"))) > 1


def _key(reference: str) -> str:
    """One spelling for a reference, whatever its case, scheme and the punctuation around it."""
    plain = html.unescape(reference).replace("\\", "").casefold().strip(_EDGES)
    for prefix in ("https://", "http://", "mailto:", "www."):
        plain = plain.removeprefix(prefix)
    return plain
