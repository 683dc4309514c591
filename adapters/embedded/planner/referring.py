"""What people call what was answered before ("that summary", "die Übersetzung", "刚才的译文"), and which answer that is."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resources

from adapters.embedded.planner.called import File
from adapters.embedded.planner.reading import read
from adapters.embedded.planner.view import View
from adapters.embedded.planner.words import language_in, wants_all
from pipeline.domain import Attachment, FileHash

_TABLE = "results.txt"
_KINDS: Mapping[str, frozenset[str]] = {
    "summary": frozenset({"summarization"}),
    "translation": frozenset({"translation"}),
    "transcript": frozenset({"automatic-speech-recognition"}),
    "answer": frozenset(),
    "description": frozenset({"image-to-text"}),
    "writing": frozenset({"text-generation", "text2text-generation", "conversational"}),
    "text": frozenset(),
}
"""Result → the kinds of tasks that make it; none where any may."""
_POINTED = "text"
DOCUMENT = File("document", Attachment(FileHash(""), "application/pdf", "", 0))
"""Stands for a text that is worked on: what people want of a document they want of a text."""
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_OF = r"(?!\s+(?:of|to|for|des|der|vom|von|zu|zur|zum|auf|du|de|d'|à(?! voix| haute)|del|di|do|da|van)\b(?!\s+(?:antes|arriba|avant|tout|eben|vorhin|oben)))"
"""A summary of something else is not the one there is."""
_FOLLOWED = re.compile(r"[:\uff1a\n]")
"""A text that follows is rather what is meant."""
_MADE = r"(?!一下|出|し(?:て|た)|をし|をお願|を頼|を作|を書|して)"
_OTHERS = frozenset("个份篇写做成要的の翻")
"""What stands before a result that is of something else, or still to be made."""
_VERSION = (
    r"(?P<en>\b(?:the|that|your)\s+(?:\w+\s+(?:version|one|text|translation)))\b|(?P<de>\b(?:die|der|diese|deine)\s+\w+\s+(?:fassung|version|variante|übersetzung))\b|"
    r"(?P<fr>\b(?:la|cette|ta)\s+version\s+(?:en\s+)?\w+)\b|(?P<es>\b(?:la|esa|tu)\s+versión\s+(?:en\s+)?\w+)\b|"
    r"(?P<it>\b(?:la|quella)\s+versione\s+(?:in\s+)?\w+)\b|(?P<pt>\b(?:a|essa)\s+versão\s+(?:em\s+)?\w+)\b|"
    r"(?P<nl>\b(?:de|die)\s+\w+\s+versie)\b|(?P<zh>\w文版|\w语版)本?|(?P<ja>\w{1,4}語版)"
)
"""What people call an answer by its language."""
_LONGEST = 400
"""Characters of a request that may name a result; longer ones hold a text of their own."""


@dataclass(frozen=True, slots=True)
class _Tongue:
    """How results are spoken of in one language."""

    place: str
    names: re.Pattern[str]
    pointed: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Reference:
    """Words that name a result, and what may stand in their place."""

    result: str
    start: int
    end: int
    place: str
    words: str = ""
    meant: str = ""
    """The answer, where the words say which."""


@dataclass(frozen=True, slots=True)
class Named:
    """A request that names an answer of before, read as if that were a document of the thread."""

    read: View
    filled: View
    """The same with the answer as what was said."""
    name: str
    place: str
    earlier: str
    """What of the request stands before the clause with the name."""
    makers: frozenset[str]
    """The kinds that make such a result."""


def named(seen: View) -> Named | None:
    """A request for something with an answer of before; None where it names none."""
    if not seen.answers or seen.files or read(seen.text).quotes:
        return None
    found = _version(seen) or _reference(seen.text)
    if found is None or _FOLLOWED.search(seen.text, found.end):
        return None
    meant = found.meant or _meant(found, seen)
    if meant is None:
        return None
    text = f"{seen.text[: found.start]}{found.place}{seen.text[found.end :]}"
    starts = [clause[0].start for clause in read(seen.text).clauses]
    return Named(
        View(text, before=(DOCUMENT,)),
        View(text, said=meant, meant=True),
        seen.text[found.start : found.end],
        found.place,
        seen.text[: max((start for start in starts if start <= found.start), default=0)],
        _KINDS[found.result],
    )


def _reference(text: str) -> _Reference | None:
    """The first name of a result in a text, where that is short enough not to be one itself."""
    if len(text) > _LONGEST:
        return None
    found = [_first(tongue, text) for tongue in _tongues()]
    return min(filter(None, found), key=lambda one: (one.start, -one.end), default=None)


def _first(tongue: _Tongue, text: str) -> _Reference | None:
    for match in tongue.names.finditer(text):
        result, led = match.lastgroup or "", (match["led"] or "").strip().casefold()
        pointed = result != _POINTED or led in tongue.pointed
        if pointed and (led or not {*text[: match.start()][-1:]} & _OTHERS):
            return _Reference(result, match.start(), match.end(), tongue.place, match[0])
    return None


def _version(seen: View) -> _Reference | None:
    """An answer that is named by its language: the translation into it, else what was there before one into another."""
    match = re.search(_VERSION, seen.text, re.IGNORECASE)
    code = language_in(match[0]) if match else ""
    if match is None or not code or len(seen.text) > _LONGEST:
        return None
    translated = [answer for answer in seen.answers if answer.language]
    into = [answer.kinds["translation"] for answer in translated if answer.language == code]
    before = [answer.text for answer in seen.answers if not answer.language]
    if not into and not (translated and before):
        return None
    place = _places()[match.lastgroup or "en"]
    meant = (into or before)[0]
    return _Reference("translation", match.start(), match.end(), place, match[0], meant)


def _meant(found: _Reference, seen: View) -> str | None:
    """The newest answer that tells of having made it, or all of them; else the newest, unless that tells of something else."""
    kinds = _KINDS[found.result]
    made = [answer for answer in seen.answers if not kinds or kinds & answer.kinds.keys()]
    texts = [next((a.kinds[kind] for kind in kinds if kind in a.kinds), a.text) for a in made]
    if kinds and wants_all(found.words):
        return "\n\n".join(reversed(texts)) or None
    if texts:
        return texts[0]
    newest = seen.answers[0]
    return None if newest.kinds else newest.text


@cache
def _tongues() -> tuple[_Tongue, ...]:
    """The table, read once."""
    return tuple(_tongue(place, dict(_rows(lines))) for _, place, lines in _blocks())


@cache
def _places() -> Mapping[str, str]:
    """Language → what is read in the place of a name."""
    return {code: place for code, place, _ in _blocks()}


@cache
def _blocks() -> Sequence[tuple[str, str, str]]:
    written = resources("adapters.embedded.planner").joinpath(_TABLE).read_text("utf-8")
    return re.findall(r"^\[(\w+)\] (.+)\n((?:[^\[#].*\n)+)", written, re.MULTILINE)


def _rows(lines: str) -> list[tuple[str, list[str]]]:
    return [
        (name, words.split())
        for name, _, words in (line.partition(":") for line in lines.splitlines())
    ]


def _tongue(place: str, rows: dict[str, list[str]]) -> _Tongue:
    names = (_spaceless if _SPACELESS.search(place) else _spaced)(rows)
    return _Tongue(place, names, frozenset(rows["pointed"]))


def _spaced(rows: dict[str, list[str]]) -> re.Pattern[str]:
    """One of the words with one that leads to it, and perhaps another between them."""
    leads = "|".join(_plain(w) if w.endswith("'") else rf"{_plain(w)}\s+" for w in rows["led"])
    names = "|".join(rf"(?P<{result}>{'|'.join(map(_spelled, rows[result]))})" for result in _KINDS)
    return re.compile(
        rf"(?<!\w)(?P<led>{leads})(?:[^\W\d]+\s+)?(?:{names})(?![\w.-]*\w){_OF}", re.IGNORECASE
    )


def _spaceless(rows: dict[str, list[str]]) -> re.Pattern[str]:
    """One of the words; one that may be a deed only with what leads to it."""

    def spelled(word: str) -> str:
        return rf"(?(led){word[:-1]}|(?!))" if word[-1] == "!" else word

    names = "|".join(
        rf"(?P<{result}>{'|'.join(map(spelled, sorted(rows[result], key=len, reverse=True)))})"
        for result in _KINDS
    )
    return re.compile(rf"(?P<led>{'|'.join(rows['led'])})?(?:{names}){_MADE}")


def _spelled(word: str) -> str:
    return rf"\w*{_plain(word[1:])}" if word[0] == "*" else _plain(word)


def _plain(word: str) -> str:
    return re.escape(word.replace("_", " "))
