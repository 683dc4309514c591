"""Things, colours and moods that experts often see, in six languages: what an answer may call them, and whether the record has them."""

# ruff: noqa: RUF001 - words of many languages

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pipeline.response.edits import sentence
from pipeline.response.vocabulary import OFFER, plural

LANGUAGES = ("en", "de", "fr", "es", "zh", "ja")
_TABLE = Path(__file__).with_name("things.txt")
_ALWAYS = "*"
_SIGNS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_KATAKANA = re.compile(r"[ァ-ヿ]+")
_DENIED = re.compile(r"ません|ない|なかった|没有|没看|不是|并非|無し|なし")
_NOT = r"not|no|never|nor|neither|without|nicht|kein\w*|ohne|pas|ni|sans|aucune?|non|sin|ning[uú]n\w*|niet|geen"
_DENYING = re.compile(
    rf"(?:\b(?:{_NOT})|n['’]t)\b(?![^.!?\n]*(?:[;:]|\b(?:but|just|only|sondern|aber|nur|mais|sino|pero|solo)\b))",
    re.IGNORECASE,
)
"""That something is not there, unless it is said what is."""
_DENIED_AFTER = re.compile(r"[^.!?;:\n]*\b(?:nicht|keine?)\b[ .!?\n]")
_ELSE = re.compile(r"\b(?:hot|en) \Z", re.IGNORECASE)
"""Before words that then mean something else: "hot dog", "en train de"."""
_WORD = re.compile(r"[^\W\d_]+")
_EAST = ("zh", "ja")
_REACH = 150


@dataclass(frozen=True, slots=True)
class Thing:
    """What may be seen: its words in each language, the words for one of them, and those that let it be spoken of."""

    section: str
    forms: Mapping[str, tuple[str, ...]]
    members: frozenset[str]
    allowing: frozenset[str]

    def is_in(self, words: frozenset[str], text: str) -> bool:
        """Whether a record has it: its words, one by one, and its text, in small letters."""
        if _ALWAYS in self.allowing or not self.allowing.isdisjoint(words):
            return True
        return any(form in text for one in _EAST for form in self.forms[one])


@cache
def things() -> tuple[Thing, ...]:
    return tuple(_read(_TABLE.read_text("utf-8")))


def thing_of(label: str) -> Thing | None:
    """What an English label means, by its last word."""
    word = label.casefold().replace("_", " ").rpartition(" ")[2]
    return next((one for one in things() if word in one.forms["en"]), None)


def spoken_of(text: str, language: str) -> Iterator[tuple[re.Match[str], Thing, str]]:
    """Where a text speaks of a thing, but not to deny or to offer it; the word, where it is only one of them."""
    known = _words(language)
    for found in (*_WORD.finditer(text), *_signs(text, known)):
        word = found.group().casefold()
        if word in known and not _is_denied(text, found):
            yield found, known[word], word if word in known[word].members else ""


def _signs(text: str, known: Mapping[str, Thing]) -> Iterator[re.Match[str]]:
    """Words that nothing parts from others."""
    for word in known:
        if _SIGNS.match(word) and word in text:
            whole = f"(?<![ァ-ヿ]){word}(?![ァ-ヿ])" if _KATAKANA.fullmatch(word) else word
            yield from re.finditer(whole, text)


def forms_in(thing: Thing, language: str) -> str:
    """A pattern for its words in a language."""
    return "|".join(map(re.escape, sorted(thing.forms.get(language, ()), key=len)[::-1]))


def _is_denied(text: str, found: re.Match[str]) -> bool:
    begin, end = sentence(text, *found.span())
    before = text[max(begin, found.start() - _REACH) : found.start()]
    after = text[found.end() : min(end + 1, found.end() + _REACH)]
    if _ELSE.search(before) or _DENYING.search(before) or _DENIED_AFTER.match(after):
        return True
    said = f"{before} {after}"
    return bool(OFFER.search(said) or _DENIED.search(said))


@cache
def _words(language: str) -> Mapping[str, Thing]:
    """The words of a language; English ones for things are looked for in every one written in Latin letters."""
    known: dict[str, Thing] = {}
    for thing in things():
        spoken = [language] if language in thing.forms else []
        if language not in _EAST and thing.section != "colours":
            spoken.append("en")
        for word in (word for one in spoken for word in thing.forms[one]):
            known.setdefault(word.casefold(), thing)
        if language == "en":
            known.update({word: thing for word in thing.members if word not in known})
    return known


def _read(text: str) -> Iterator[Thing]:
    section = ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            yield _thing(section, line)


def _thing(section: str, line: str) -> Thing:
    rest, _, allowing = line.partition("~")
    named, _, members = rest.partition(">")
    spoken = dict(zip(LANGUAGES, (one.split() for one in named.split(";")), strict=False))
    spoken["en"] = [form for word in spoken["en"] for form in (word, plural(word))]
    more = frozenset(_both(members.split()))
    words = {word.casefold() for some in spoken.values() for word in some}
    allowed = frozenset(words | more | set(_both(allowing.split())))
    forms = {language: tuple(some) for language, some in spoken.items()}
    return Thing(section, forms, more, allowed)


def _both(words: Iterable[str]) -> Iterator[str]:
    """Words, one and several."""
    for word in words:
        yield from (word.casefold(), plural(word.casefold()))
