"""What people call what was answered before ("that summary", "die Übersetzung", "刚才的译文"), and which answer that is."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resources

from adapters.embedded.planner.reading import read
from adapters.embedded.planner.view import File, View
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
_DOCUMENT = File("document", Attachment(FileHash(""), "application/pdf", "", 0))
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_OF = r"(?!\s+(?:of|to|for|des|der|vom|von|zu|zur|zum|auf|du|de|d'|à(?! voix| haute)|del|di|do|da|van)\b(?!\s+(?:antes|arriba|avant|tout|eben|vorhin|oben)))"
"""A summary of something else is not the one there is."""
_FOLLOWED = re.compile(r"[:\uff1a\n]")
"""A text that follows is rather what is meant."""
_MADE = r"(?!一下|出|し(?:て|た)|をし|をお願|を頼|を作|を書|して)"
_OTHERS = r"(?<![个份篇写做成要的の翻])"


@dataclass(frozen=True, slots=True)
class _Tongue:
    """How results are spoken of in one language."""

    place: str
    names: Mapping[str, re.Pattern[str]]


@dataclass(frozen=True, slots=True)
class _Reference:
    """Words that name a result, and what may stand in their place."""

    result: str
    start: int
    end: int
    place: str


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
    found = _reference(seen.text)
    if found is None or _FOLLOWED.search(seen.text, found.end):
        return None
    meant = _meant(found.result, seen)
    if meant is None:
        return None
    text = f"{seen.text[: found.start]}{found.place}{seen.text[found.end :]}"
    starts = [clause[0].start for clause in read(seen.text).clauses]
    return Named(
        View(text, before=(_DOCUMENT,)),
        View(text, said=meant, meant=True),
        seen.text[found.start : found.end],
        found.place,
        seen.text[: max((start for start in starts if start <= found.start), default=0)],
        _KINDS[found.result],
    )


def _reference(text: str) -> _Reference | None:
    """The first name of a result in a text."""
    found = [
        _Reference(result, match.start(), match.end(), tongue.place)
        for tongue in _tongues()
        for result, pattern in tongue.names.items()
        if (match := pattern.search(text))
    ]
    return min(found, key=lambda one: (one.start, -one.end), default=None)


def _meant(result: str, seen: View) -> str | None:
    """The newest answer that tells of having made it; else the newest, unless that tells of something else."""
    kinds = _KINDS[result]
    for answer in seen.answers:
        if not kinds or kinds & answer.kinds.keys():
            return next((answer.kinds[kind] for kind in kinds if kind in answer.kinds), answer.text)
    newest = seen.answers[0]
    return None if newest.kinds else newest.text


@cache
def _tongues() -> tuple[_Tongue, ...]:
    """The table, read once."""
    written = resources("adapters.embedded.planner").joinpath(_TABLE).read_text("utf-8")
    blocks = re.findall(r"^\[\w+\] (.+)\n((?:[^\[#].*\n)+)", written, re.MULTILINE)
    return tuple(_tongue(place, dict(_rows(lines))) for place, lines in blocks)


def _rows(lines: str) -> list[tuple[str, list[str]]]:
    return [
        (name, words.split())
        for name, _, words in (line.partition(":") for line in lines.splitlines())
    ]


def _tongue(place: str, rows: dict[str, list[str]]) -> _Tongue:
    spaceless = bool(_SPACELESS.search(place))
    pattern = _spaceless if spaceless else _spaced
    return _Tongue(
        place,
        {
            result: pattern(words, rows["pointed" if result == _POINTED else "led"])
            for result, words in rows.items()
            if result in _KINDS
        },
    )


def _spaced(words: list[str], led: list[str]) -> re.Pattern[str]:
    """One of the words with one that leads to it, and perhaps another between them."""
    names = "|".join(rf"\w*{_plain(w[1:])}" if w[0] == "*" else _plain(w) for w in words)
    leads = "|".join(rf"{_plain(w)}" if w.endswith("'") else rf"{_plain(w)}\s+" for w in led)
    return re.compile(
        rf"(?<!\w)(?:{leads})(?:[^\W\d]+\s+)?(?:{names})(?![\w.-]*\w){_OF}", re.IGNORECASE
    )


def _spaceless(words: list[str], led: list[str]) -> re.Pattern[str]:
    """One of the words; one that may be a deed only with what leads to it."""
    names = "|".join(word.rstrip("!") for word in sorted(words, key=len, reverse=True))
    alone = "|".join(word for word in sorted(words, key=len, reverse=True) if word[-1] != "!")
    leads = "|".join(led)
    bare = rf"|{_OTHERS}(?:{alone}){_MADE}" if alone else ""
    return re.compile(rf"(?:{leads})(?:{names}){_MADE}{bare}")


def _plain(word: str) -> str:
    return re.escape(word.replace("_", " "))
