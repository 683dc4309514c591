"""Shares in words ("half of them", "zwei Drittel", "la plupart des gens"): the record says them, or its numbers do, or they are marked."""

# ruff: noqa: RUF001 - signs that people type

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

from pipeline.response.edits import Edits
from pipeline.response.numbers import values
from pipeline.response.record import Record
from pipeline.response.vocabulary import HALVES, MOST, PARTS, WHOLES, counted_in, forms

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
_HALF_OF_IT, _NEAR = 0.5, 0.04
_LONG = 400
"""Signs of a text from which one may speak of most of what is in it without a number."""
_MOST_NUMBERS = 40
_UP_TO = re.compile(
    r"[.!?,;:\n]|\b(?:are|is|were|was|have|has|sind|ist|waren|sont|est|son|es|sono|são)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")


def look_at_portions(edits: Edits, known: Record) -> None:
    """Marks halves, thirds, quarters and majorities that nobody counted or said."""
    for found in edits.open(_HALF):
        _look(edits, known, found, Fraction(1, 2))
    for found in edits.open(_FRACTION):
        if (share := _share(found, edits.text)) is not None:
            _look(edits, known, found, share)
    for found in edits.open(_MAJORITY):
        if not any(map(_TEXTS.fullmatch, _following(edits.text, found.end()))):
            _look(edits, known, found, None)


def _look(edits: Edits, known: Record, found: re.Match[str], share: Fraction | None) -> None:
    before = _WORD.findall(edits.text[max(0, found.start() - 20) : found.start()])
    if before and before[-1].casefold() in _PLACED:
        return
    if _is_said(share, known) or _is_counted(share, _following(edits.text, found.end()), known):
        edits.settle(*found.span())
    else:
        edits.mark(*found.span())


def _share(found: re.Match[str], text: str) -> Fraction | None:
    """What a fraction in words is worth; None where it is none ("a third person")."""
    if found["above"]:
        part, whole = PARTS[found["above"]], WHOLES[found["below"]]
    else:
        part, whole = PARTS[found["part"].casefold()], WHOLES[found["whole"].casefold()]
        if _ELSE.match(text, found.end()) or (part == 1 and not _OF.match(text, found.end())):
            return None
    return Fraction(part, whole) if part < whole and (part, whole) != (2, 4) else None


def _following(text: str, at: int) -> list[str]:
    """The next few words up to the verb: of what it is a share."""
    rest = _UP_TO.split(text[at : at + 60], maxsplit=1)[0]
    return [word.casefold() for word in _WORD.findall(rest)][:3]


def _is_said(share: Fraction | None, known: Record) -> bool:
    """Whether somebody said it, in any language or as a figure."""
    words = frozenset(known.words.split())
    said = [value / 100 for value in known.percents]
    for text in known.texts:
        said += [int(part) / int(whole) for part, whole in _WRITTEN.findall(text)]
        said += [value for sign, value in _SIGNS.items() if sign in text]
    if share is None:
        long = any(len(text) > _LONG for text in known.told)
        named = words & MOST or any(map(_MAJORITY.search, known.told))
        return long or bool(named) or any(value > _HALF_OF_IT for value in said)
    if share.denominator == 2:  # noqa: PLR2004 - a half
        named = words & HALVES or any(map(_HALF.search, known.told))
    else:
        named = any(WHOLES.get(word) == share.denominator for word in words)
    return bool(named) or any(_near(value, share) for value in (*said, *known.scores))


def _is_counted(share: Fraction | None, following: list[str], known: Record) -> bool:
    """Whether things that were counted stand in this proportion."""
    shares = [*_of_things(following, known), *_of_numbers(known)]
    if any(map(_FILES.fullmatch, following)):
        shares += [part / known.done for part in range(1, known.done)]
    if share is None:
        return any(_HALF_OF_IT < value < 1 for value in shares)
    return any(_near(value, share) for value in shares)


def _near(value: float, share: Fraction) -> bool:
    return abs(value - share) <= _NEAR


def _of_things(following: list[str], known: Record) -> Iterator[float]:
    """Of what experts counted: the share of each label in all; where it is a share of one, those of the others in that one."""
    counts = {label: max(some) for label, some in known.counts.items()}
    wholes = [
        label
        for label in counts
        if any(re.fullmatch(forms(label), word, re.IGNORECASE) for word in following)
    ]
    for label, count in counts.items():
        if not wholes:
            yield count / sum(counts.values())
        yield from (count / counts[whole] for whole in wholes if whole != label)


def _of_numbers(known: Record) -> Iterator[float]:
    """Of the numbers in what was said: one in another, and one in both."""
    ones = {1.0} if any(map(_ONE.search, known.told)) else set()
    said = sorted(values(known.told) | counted_in(known.told) | ones, reverse=True)
    for one, other in permutations((value for value in said[:_MOST_NUMBERS] if value > 0), 2):
        yield from (one / other, one / (one + other))
