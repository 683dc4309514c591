"""Shares in words ("half of them", "zwei Drittel", "la plupart des gens"): the record says them, or its numbers do, or they are marked."""

# ruff: noqa: RUF001 - signs that people type

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from pipeline.response.edits import Edits
from pipeline.response.numbers import values
from pipeline.response.record import Record
from pipeline.response.spelled import NUMBER_WORDS, counted_in
from pipeline.response.vocabulary import (
    HALVES,
    MOST,
    PARTS,
    WHOLES,
    forms,
)

_HALF = re.compile(
    r"(?<![\w-])(?:one )?half(?= (?:of|the (?!time\b|way\b)|them|these|those|all|are|is|were|was|have|has|as (?:many|much))\b)"
    r"|(?<=\bby )half\b|\bHälfte\b|\bla moitié\b(?! (?:gauche|droite|supérieure|inférieure))"
    r"|\bla mitad\b(?! (?:izquierda|derecha|superior|inferior))|\bla metà\b|\ba metade\b|\bde helft\b|一半|半分|半数|절반",
    re.IGNORECASE,
)
_FRACTION = re.compile(
    rf"\b(?P<part>{'|'.join(PARTS)})[ -](?P<whole>{'|'.join(WHOLES)})\b"
    r"|(?P<below>[二三四五十])分[之の](?P<above>[一二三四])",
    re.IGNORECASE,
)
_OF = re.compile(
    r"\s+(?:of|der|des|aller|von|davon|de|del|della|delle|dei|degli|da|das|dos|do|van|are|is|were|sind|ist|waren|haben|have|sont|son|sono|são)\b|\s+d['’]"
)
_ELSE = re.compile(
    r"\W+(?:of |de |d['’])?(?:an? )?(?:hours?|heure|ora|hora|past|\d)\b|[^.!?\n]{0,25}\b(?:\w*[Ss]tadt|Uhr|century)\b"
)
"""What follows where no share is meant: "a quarter of an hour", "ein Viertel der Stadt"."""
_PLACES = (
    "first second other left right top bottom upper lower last latter former each front back "
    "erste ersten zweite zweiten andere anderen linke linken rechte rechten obere oberen untere unteren "
    "vordere vorderen hintere hinteren letzte letzten autre otra altra outra eerste tweede premiers"
)
_PLACED = frozenset(_PLACES.split())
"""Before a part of a picture or of a recording."""
_MAJORITY = re.compile(
    r"(?<!the )(?<!at )\bmost (?:of (?:the|them|these|those|his|her|their|its|our)|people|persons|men|women|children|guests|faces|visitors|customers)\b"
    r"|\b(?:the|an?) (?:\w+ )?majority\b|\bthe bulk of\b"
    r"|\bdie meisten (?:der|von|davon|dieser|Leute|Menschen|Personen|Gäste|Kinder|Frauen|Männer|Teilnehmer\w*|Besucher\w*|Kunden)\b"
    r"|\b(?:die|eine|der) (?:\w+ )?Mehrheit\b|\b(?:ein|der) Großteil\b|\b(?:der|ein) größter? Teil\b"
    r"|\bla plupart d(?:e|es|['’]entre)\b|\bla majorité d(?:e|es)\b|\bla mayoría\b|\bla mayor parte\b|\bla maggior parte d\w+\b"
    r"|\ba maioria\b|\bde meeste (?:van|mensen)\b|\bde meerderheid\b|大多数|大部分|过半|過半数|大半|대부분",
    re.IGNORECASE,
)
_TEXTS = re.compile(
    r"text\w*|talk|speech|recording|transcript\w*|words?|wörter|document|letter|pages?|articles?|report|conversation|file|time|work|rest"
    r"|aufnahme|gesprächs?|dokuments?|rede|vortrags?|zeit|artikels|enregistrement|conversation|texte|temps|texto|grabación|tiempo",
    re.IGNORECASE,
)
"""Most of a text is nothing that is counted."""
_FILES = re.compile(
    r"pictures?|images?|photos?|files?|recordings?|videos?|clips?|bilder\w*|fotos|aufnahmen|imágenes|dateien",
    re.IGNORECASE,
)
_WRITTEN = re.compile(r"(?<![\d/])([1-9])/([1-9]\d?)(?![\d/])")
_SIGNS = {"½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4}
_ONE = re.compile(r"\b(?:one|eine[rsm]?|l['’]un|une|uno|una|um|uma|één)\b", re.IGNORECASE)
_NEAR, _ALMOST, _WIDE = 0.04, 0.12, 0.2
_MORE = re.compile(
    r"\b(?:more than|over|above|mehr als|über|plus (?:de|que)|más (?:de|que)|oltre|mais de|meer dan) (?:die |der |la |a |de )?\Z|超过\Z|超過\Z|以上\Z",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:less than|fewer than|under|below|weniger als|unter|moins (?:de|que)|menos (?:de|que)|meno di|minder dan) (?:die |der )?\Z|不到\Z",
    re.IGNORECASE,
)
_NEARLY = re.compile(
    r"\b(?:almost|nearly|about|roughly|around|some|fast|knapp|etwa|rund|ungefähr|gut|presque|environ|casi|unos?|quasi|quase|bijna) (?:die |la |a )?\Z",
    re.IGNORECASE,
)
_ONE_IN = re.compile(
    rf"\b(?P<part>one|einer|eine|eines|{'|'.join(NUMBER_WORDS)}) (?:times )?(?:in|out of|of|von) (?P<whole>{'|'.join(NUMBER_WORDS)})\b",
    re.IGNORECASE,
)
_LONG = 400
"""Signs of a text from which one may speak of most of what is in it without a number."""
_MOST_NUMBERS = 40
_UP_TO = re.compile(
    r"[.!?,;:\n]|\b(?:are|is|were|was|have|has|sind|ist|waren|sont|est|son|es|sono|são)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!?;\n]")
_REACH = 120
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Claim:
    """A share of something: within which bounds it is right. `whole`: of how many parts, 0 for a majority."""

    whole: int
    low: float
    high: float

    def holds(self, value: float) -> bool:
        return self.low <= value <= self.high


_MOST_OF_IT = _Claim(0, 0.5 + 1e-9, 1 - 1e-9)


def look_at_portions(edits: Edits, known: Record) -> None:
    """Marks halves, thirds, quarters and majorities that nobody counted or said."""
    for found in edits.open(_ONE_IN):
        claim = _claim(_one_in(found), "")
        if claim and (_is_said(claim, known) or _is_counted(claim, "", known)):
            edits.settle(*found.span())
    for found in edits.open(_HALF):
        _look(edits, known, found, _claim(Fraction(1, 2), _before(edits.text, found)))
    for found in edits.open(_FRACTION):
        _look(edits, known, found, _claim(_share(found, edits.text), _before(edits.text, found)))
    for found in edits.open(_MAJORITY):
        if not any(map(_TEXTS.fullmatch, _following(_sentence(edits.text, found.end())))):
            _look(edits, known, found, _MOST_OF_IT)


def _claim(share: Fraction | None, before: str) -> _Claim | None:
    """What is claimed, after the words in front ("more than", "fast")."""
    if share is None:
        return None
    near = float(share)
    if _MORE.search(before):
        return _Claim(share.denominator, near, 1.0)
    if _LESS.search(before):
        return _Claim(share.denominator, 0.0, near)
    below = _ALMOST if _NEARLY.search(before) else _NEAR
    return _Claim(share.denominator, near - below, near + _NEAR)


def _look(edits: Edits, known: Record, found: re.Match[str], claim: _Claim | None) -> None:
    before = _WORD.findall(_before(edits.text, found))
    if claim is None or (before and before[-1].casefold() in _PLACED):
        return
    if _is_said(claim, known) or _is_counted(claim, _sentence(edits.text, found.end()), known):
        edits.settle(*found.span())
    else:
        edits.mark(*found.span())


def _before(text: str, found: re.Match[str]) -> str:
    return text[max(0, found.start() - 25) : found.start()]


def _one_in(found: re.Match[str]) -> Fraction | None:
    part, whole = found["part"].casefold(), NUMBER_WORDS[found["whole"].casefold()]
    count = NUMBER_WORDS.get(part, 1)
    return Fraction(count, whole) if count < whole else None


def _share(found: re.Match[str], text: str) -> Fraction | None:
    """What a fraction in words is worth; None where it is none ("a third person")."""
    if found["above"]:
        part, whole = PARTS[found["above"]], WHOLES[found["below"]]
    else:
        part, whole = PARTS[found["part"].casefold()], WHOLES[found["whole"].casefold()]
        if _ELSE.match(text, found.end()) or (part == 1 and not _OF.match(text, found.end())):
            return None
    return Fraction(part, whole) if part < whole and (part, whole) != (2, 4) else None


def _sentence(text: str, at: int) -> str:
    return _ENDS.split(text[at : at + _REACH], maxsplit=1)[0]


def _following(after: str) -> list[str]:
    """The next few words up to the verb: of what it is a share."""
    rest = _UP_TO.split(after, maxsplit=1)[0]
    return [word.casefold() for word in _WORD.findall(rest)][:3]


def _is_said(claim: _Claim, known: Record) -> bool:
    """Whether somebody said it, in any language or as a figure."""
    words = frozenset(known.words.split())
    said = [value / 100 for value in known.percents]
    for text in known.texts:
        said += [int(part) / int(whole) for part, whole in _WRITTEN.findall(text)]
        said += [value for sign, value in _SIGNS.items() if sign in text]
    match claim.whole:
        case 0:
            long = any(len(text) > _LONG for text in known.told)
            named = long or words & MOST or any(map(_MAJORITY.search, known.told))
        case 2:
            named = words & HALVES or any(map(_HALF.search, known.told))
        case whole:
            named = any(WHOLES.get(word) == whole for word in words)
    scores = known.scores if claim.whole and claim.high - claim.low < _WIDE else ()
    return bool(named) or any(map(claim.holds, (*said, *scores)))


def _is_counted(claim: _Claim, after: str, known: Record) -> bool:
    """Whether things that were counted stand in this proportion."""
    shares = [*_of_things(after, known), *_of_numbers(known)]
    if any(map(_FILES.fullmatch, _following(after))):
        shares += [part / known.done for part in range(1, known.done)]
    return any(map(claim.holds, shares))


def _of_things(after: str, known: Record) -> Iterator[float]:
    """Of what experts counted: the share of each label in all, or of that which is named.

    Where it is a share of one of them, those of the others in that one.
    """
    counts = {label: max(some) for label, some in known.counts.items()}
    words = {label: re.compile(rf"\b(?:{forms(label)})\b", re.IGNORECASE) for label in counts}
    of = " ".join(_following(after))
    wholes = [label for label in counts if words[label].search(of)]
    named = [one for one in counts if one not in wholes and words[one].search(after)]
    for label in named or counts:
        if not wholes:
            yield counts[label] / sum(counts.values())
        yield from (counts[label] / counts[whole] for whole in wholes if whole != label)


def _of_numbers(known: Record) -> Iterator[float]:
    """Of the numbers in what was said: one in another, and one in both."""
    ones = {1.0} if any(map(_ONE.search, known.told)) else set()
    said = sorted(values(known.told) | counted_in(known.told) | ones, reverse=True)
    for one, other in permutations((value for value in said[:_MOST_NUMBERS] if value > 0), 2):
        yield from (one / other, one / (one + other))
