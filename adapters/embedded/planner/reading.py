"""Reads a request: masks quotes and file names, finds words, splits clauses.

Training and run time share this module: a change here requires new weights.
"""

# ruff: noqa: RUF001 - punctuation of many scripts

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from adapters.embedded.lexicon import CJK
from adapters.embedded.planner.tagging import LONGEST_WORD, lexicon, shorten

LONGEST = 1200
"""Characters that are looked at; of a longer message the beginning and the end."""
_PASTE = 25
"""Words after a head that make them material."""
_SHORT_QUOTE = 2
"""Words up to which a quote is a name."""
_LONG_QUOTE = 25
"""Words from which a quote is more than a sentence."""
_INSIDE = 30
"""Words of a quote that are read, in TaskBench's requests."""
_MOST_WORDS = 300
"""Words of a request, half of them at its end."""

_MEDIA = {
    "fimg": "jpg jpeg png gif bmp webp tiff heic avif",
    "faud": "wav mp3 flac ogg m4a aac opus",
    "fvid": "mp4 avi mov mkv webm",
    "ftab": "csv tsv xlsx xls ods",
    "fdoc": "txt pdf doc docx odt md rtf pptx epub eml",
}
_MASK_OF = {suffix: mask for mask, suffixes in _MEDIA.items() for suffix in suffixes.split()}
_FILE = re.compile(rf"[\w-]*\.({'|'.join(_MASK_OF)})\b", re.IGNORECASE)
_QUOTE = re.compile(
    r"(?<![A-Za-z0-9])'(?P<a>[^\n]{2,}?)'(?![A-Za-z0-9])"
    r"|\"(?P<b>[^\"]{2,}?)\"|»(?P<i>[^»«\n]{2,}?)«|“(?P<c>[^”“]{2,}?)[”“]|„(?P<d>[^“”]{2,}?)[“”]"
    r"|«(?P<e>[^»]{2,}?)»|「(?P<f>[^」]{2,}?)」|『(?P<g>[^』]{2,}?)』"
    r"|‘(?P<h>[^’]{2,}?)’(?![A-Za-z0-9])"
)
_GAP = re.compile(r"_{2,}|\[mask\]|<mask>", re.IGNORECASE)
_URL = re.compile(r"https?://\S+")
_HEAD = re.compile(r"^([^\n:：]{2,120})(?:[:：]\s+|[:：]?\n+|：)", re.DOTALL)
_TOKEN = re.compile(rf"[{CJK}]|[^\W{CJK}]+|[?？:：]")
_BREAK = re.compile(r"[.!?;:,。！？；，、：\n]|\s[-–&+]\s|\(\d|\d\)")


@dataclass(frozen=True, slots=True)
class Quote:
    """A span that is material rather than instruction; `start` and `end` include the marks."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the model sees it, and where it starts in the request."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A request, read."""

    text: str
    clauses: tuple[tuple[Word, ...], ...]
    quotes: tuple[Quote, ...]
    names: tuple[Quote, ...]
    """File names in the text."""
    inside: Mapping[int, tuple[str, ...]]
    """Words of quotes by where those start (TaskBench's requests say in them what is needed)."""


def read(text: str, *, pastes: bool = True) -> Reading:
    """Read a request.

    `pastes`: many words after a short head, and a colon or line break, are material.
    """
    text = shorten(text, LONGEST)
    masks = [(quote, _quote_mask(quote.text)) for quote in find_quotes(text)]
    quotes = tuple(quote for quote, mask in masks if mask.startswith("q"))
    if pastes and (pasted := _pasted(text)) and all(q.end <= pasted.start for q, _ in masks):
        masks.append((pasted, "qlong"))
    taken = [(quote.start, quote.end) for quote, _ in masks]
    masks += [
        (Quote(match[0], match.start(), match.end()), _name_mask(match[0]))
        for match in _FILE.finditer(text)
        if not any(start <= match.start() < end for start, end in taken)
    ]
    names = tuple(quote for quote, mask in masks if mask.startswith("f"))
    words = _words(text, sorted(masks, key=lambda pair: pair[0].start))
    if len(words) > _MOST_WORDS:
        words = words[: _MOST_WORDS // 2] + words[-_MOST_WORDS // 2 :]
    inside = {
        quote.start: tuple(map(_normalize, _TOKEN.findall(quote.text)[:_INSIDE]))
        for quote in (() if pastes else quotes)
    }
    return Reading(text, _clauses(text, words, 2 if pastes else 3), quotes, names, inside)


def find_quotes(text: str) -> list[Quote]:
    """The spans between quotation marks."""
    found = []
    for match in _QUOTE.finditer(text):
        inner = next(group for group in match.groups() if group is not None)
        found.append(Quote(inner.strip(), match.start(), match.end()))
    return found


def _name_mask(name: str) -> str:
    return _MASK_OF[name.rpartition(".")[2].lower()]


def _quote_mask(inner: str) -> str:
    if _FILE.fullmatch(inner):
        return _name_mask(inner)
    if _GAP.search(inner):
        return "qgap"
    size = len(_TOKEN.findall(inner))
    if inner.endswith(("?", "？")):
        return "qask"
    if size <= _SHORT_QUOTE:
        return "qone"
    return "qsent" if size < _LONG_QUOTE else "qlong"


def _pasted(text: str) -> Quote | None:
    head = _HEAD.match(text)
    if head is None or len(_TOKEN.findall(text, head.end())) < _PASTE:
        return None
    return Quote(text[head.end() :].strip(), head.end(), len(text))


def _words(text: str, masks: list[tuple[Quote, str]]) -> list[Word]:
    words: list[Word] = []
    at = 0
    for quote, mask in masks:
        words += _plain_words(text, at, quote.start)
        words.append(Word(mask, quote.start))
        at = quote.end
    return words + _plain_words(text, at, len(text))


def _plain_words(text: str, start: int, end: int) -> list[Word]:
    piece = _URL.sub(lambda m: " qurl".ljust(len(m[0]))[: len(m[0])], text[start:end])
    numbered = rf"({'|'.join(lexicon().words['numbered'])})(\s?#?\d{{1,2}}\b)"
    piece = re.sub(numbered, lambda m: m[1] + " " * len(m[2]), piece, flags=re.IGNORECASE)
    piece = _GAP.sub(lambda m: "qgap".ljust(len(m[0]))[: len(m[0])], piece)
    return [Word(_normalize(m[0]), start + m.start()) for m in _TOKEN.finditer(piece)]


def _normalize(word: str) -> str:
    if word in "?？:：":
        return "?" if word in "?？" else ":"
    plain = word[:LONGEST_WORD]
    if not plain.isascii():
        plain = unicodedata.normalize("NFKC", plain)[:LONGEST_WORD]
    return re.sub(r"\d+", "0", plain.lower().replace("_", ""))


def _clauses(text: str, words: list[Word], least: int) -> tuple[tuple[Word, ...], ...]:
    joints = frozenset(lexicon().words["joint"])
    clauses: list[list[Word]] = [[]]
    end = 0
    for word in words:
        gap = text[end : word.start] if word.start > end else ""
        breaks = bool(_BREAK.search(gap)) or word.text in joints
        if breaks and len(clauses[-1]) >= least:
            clauses.append([])
        clauses[-1].append(word)
        end = word.start + 1
    if len(clauses) > 1 and len(clauses[-1]) < 2:  # noqa: PLR2004
        last = clauses.pop()
        clauses[-1] += last
    return tuple(tuple(clause) for clause in clauses if clause)
