"""Numbers of an answer that are no counts and no shares: in the record, rightly rounded or worked out of it, or marked."""

# ruff: noqa: RUF001 - signs that people type

import re
from collections.abc import Iterator
from itertools import permutations
from unicodedata import numeric

from pipeline.response.edits import Edits, sentence
from pipeline.response.numbers import CENTS, NUMBER, parts, readings, rounds_to, values
from pipeline.response.record import Record
from pipeline.response.spelled import COUNTED, SPELLED, counted_in, each_of, sign_value, value_of
from pipeline.response.units import unit_of
from pipeline.response.vocabulary import HALVES, OFFER, PERCENT

_ENUMERATED = re.compile(r"^[ \t]*\d{1,2}[.)](?=\s)", re.MULTILINE)
_PLAIN = re.compile(r"\b(?:3d|2d|mp3|mp4|4k|utf-8)\b", re.IGNORECASE)
_OF_TEXT = re.compile(
    r"\W+(?:sentences?|words?|parts?|steps?|points?|ways?|S[äa]tze\w*|Wört\w*|phrases|frases|frasi)\b",
    re.IGNORECASE,
)
_INLINE = re.compile(r"(?<![\w(.,])\d{1,2}\)(?=\s)")
_OUT_OF = re.compile(
    r"(?<![\w.,])(?P<part>\d+) (?:out of|von|sur|de|/) ?(?P<scale>5|10|100)(?= stars?\b| points?\b| Sterne| étoiles| estrellas|[.,;)\n]|\Z)"
)
_MANY = re.compile(
    r"\b(?:(?P<tens>dozens of|Dutzende|(?:des )?dizaines de|(?:docenas|decenas) de)|(?P<hundreds>hundreds of|Hunderte|(?:des )?centaines de|cientos de)"
    r"|(?P<thousands>thousands of|Tausende|(?:des )?milliers de|miles de))\b"
)
_POWERS = {"tens": 1, "hundreds": 2, "thousands": 3}
_MUCH = 100
_SINGLE_SIGN = re.compile(r"[½⅓⅔¼¾⅛]|(?<!^)(?<![\n;；])[\u2461-\u2473](?=\s?\w)(?![^\n]*\u2460)")
_PLACE = re.compile(r"\d+(?:,\d+)+")
_ROUGHLY = re.compile(
    r"(?:~|≈|\b(?:about|around|roughly|approx(?:imately|\.)?|some|nearly|almost|just|over|under|(?:more|less|fewer) than|close to"
    r"|ca\.?|circa|etwa|rund|ungefähr|gut|knapp|fast|über|unter|(?:mehr|weniger) als|environ|près de|presque|(?:plus|moins) de"
    r"|unos|unas|alrededor de|casi|cerca de|aproximadamente|(?:más|menos) de|quasi|oltre|quase|mais de|ongeveer|bijna))"
    r"[ \u00a0]?(?:[$€£]\s?)?\Z|(?:大约|大約|约|約|近|将近|超过|不到|およそ|ほぼ)\Z",
    re.IGNORECASE,
)
"""Before a number that is rounded."""
_OFFERED = 10
_MINUS = re.compile(r"(?<![\w\d.,)%–—−-])[-−–](?:[$€£]\s?)?\Z")
_CLOCK = re.compile(r"\s?(?:[ap]\.?m\b|Uhr\b|h\b|heures?\b|o['’]clock\b|[点點時时])", re.IGNORECASE)
_QUARTERS = frozenset({"quarter", "viertel", "quart", "cuarto", "quarto", "kwart"})
_TIME = re.compile(r"\d{1,2}:\d\d")
_WRITTEN = re.compile(r"(?<!\d)(\d{1,2})(?::|\.| ?h ?| Uhr |[时時点])([0-5]\d)(?!\d)")
_FEW = re.compile(r"\d|10")
_CLOCKED = re.compile(r"\d\d?")
_HALF_DAY, _HALF, _QUARTER = 12, 30, (15, 45)
_REACH = 30
_MOST_KNOWN = 16
_TEN, _MOST, _NEAR = 10, 1e12, 0.1


def look_at_numbers(edits: Edits, known: Record) -> None:
    """Marks every number that is not in the record and does not follow from what is."""
    _settle_order(edits, known)
    for found in edits.open(CENTS):
        if values([found.group()]) & known.numbers - values(found.groups()):
            edits.settle(*found.span())
    results = frozenset(_results(edits.text, known))
    for found in edits.open(NUMBER):
        percent = PERCENT.match(edits.text, found.end())
        if not (
            _OF_TEXT.match(edits.text, found.end())
            or _known(found, known, percent=bool(percent))
            or _follows(found, known, results, percent=bool(percent))
            or _is_offered(edits.text, found, found.group())
        ):
            edits.mark(found.start(), percent.end() if percent else found.end())
        elif minus := _minus(found, known):
            edits.mark(minus, percent.end() if percent else found.end())
    _number_words(edits, known, results)


def _settle_order(edits: Edits, known: Record) -> None:
    """Leave numbers alone that only put something in order, or say how far a scale goes."""
    inline = (_INLINE,) if _INLINE.search(edits.text) and "1)" in edits.text else ()
    for harmless in (_ENUMERATED, _PLAIN, *inline):
        for found in harmless.finditer(edits.text):
            edits.settle(*found.span())
    for found in edits.open(_OUT_OF):
        edits.settle(*found.span("scale"))
        reading = (float(found["part"]), 0)
        if found["scale"] == "100" and any(rounds_to(100 * one, reading) for one in known.measured):
            edits.settle(*found.span())


def _number_words(edits: Edits, known: Record, results: frozenset[float]) -> None:
    paid = [value for value, what, _ in known.sized if what == "money"]
    coins = {part for value in paid for part in (int(value), round(100 * (value % 1)))}
    for found in edits.open(SPELLED):
        value = value_of(found.group())
        meant = [value] if value is not None else each_of(found.group())
        right = all(
            float(one) in known.numbers
            or one in coins
            or (float(one) in results and one > _OFFERED)
            or _is_offered(edits.text, found, str(one))
            or (_ROUGHLY.search(_before(found)) and _is_rounded(one, known))
            for one in meant
        )
        if not (right or known.says(found.group()) or _OF_TEXT.match(edits.text, found.end())):
            edits.mark(*found.span())
    _vague(edits, known)
    for found in edits.open(COUNTED):
        if sign_value(found.group()) not in known.numbers and not known.holds(found.group()):
            edits.mark(*found.span())


def _vague(edits: Edits, known: Record) -> None:
    """Dozens, hundreds and thousands, and signs that are numbers."""
    for found in edits.open(_MANY):
        least = next(10.0**power for name, power in _POWERS.items() if found[name])
        if not known.says(found.group()) and not any(
            least <= one < _MUCH * least for one in known.numbers
        ):
            edits.mark(*found.span())
    for found in edits.open(_SINGLE_SIGN):
        if numeric(found.group()) not in known.numbers and not known.holds(found.group()):
            edits.mark(*found.span())


def _known(found: re.Match[str], known: Record, *, percent: bool) -> bool:
    token = found.group()
    after = PERCENT.pattern if percent else r"(?![\w]|[.,]\d)"
    if re.search(rf"(?<![\w.,]){re.escape(token)}{after}", "\n".join(known.texts), re.IGNORECASE):
        return True
    if _TIME.fullmatch(token):
        return False
    if known.counts and _PLACE.fullmatch(token):  # "(100,140)" is a place in a picture
        return all(float(part) in known.numbers for part in token.split(","))
    return all(_known_part(part, known, percent=percent) for part in parts(token))


def _known_part(part: str, known: Record, *, percent: bool) -> bool:
    for reading in readings(part):
        value, decimals = reading
        if percent:
            if value in known.percents:
                return True
            if any(rounds_to(100 * one, reading) for one in (*known.scores, *known.measured)):
                return True
        elif (
            value in known.numbers
            or any(rounds_to(one, reading) for one in known.measured)
            or (
                decimals and any(rounds_to(one, reading) for one in (*known.scores, *known.numbers))
            )
        ):
            return True
    return False


def _follows(
    found: re.Match[str], known: Record, results: frozenset[float], *, percent: bool
) -> bool:
    """Whether a number is one of the record in another form: rounded, worked out, a time of day."""
    token, text = found.group(), found.string
    if ":" in token or _CLOCK.match(text, found.end()):
        return _is_time(token, known)
    rough = bool(_ROUGHLY.search(_before(found)))
    for value, decimals in readings(parts(token)[-1]):
        if percent:
            if any(rounds_to(100 * one, (value, decimals)) for one in _ratios(text, known)):
                return True
            scores = (100 * one for one in (*known.scores, *known.measured))
            if rough and any(_rounds_up(one, value) for one in scores):
                return True
        elif (rough and _is_rounded(value, known)) or (
            value in results and (value > _OFFERED or unit_of(text, *found.span()))
        ):
            return True
    return False


def _before(found: re.Match[str]) -> str:
    return found.string[max(0, found.start() - _REACH) : found.start()]


def _is_rounded(value: float, known: Record) -> bool:
    return any(_rounds_up(one, value) for one in known.numbers)


def _rounds_up(exact: float, value: float) -> bool:
    """Whether a whole number with noughts at its end is an exact one rounded, and not far from it."""
    if not _TEN <= value < _MOST or value % _TEN:
        return False
    step = _TEN ** (len(str(int(value))) - len(str(int(value)).rstrip("0")))
    return abs(exact - value) <= step / 2 and abs(exact - value) <= _NEAR * exact


def _results(text: str, known: Record) -> Iterator[float]:
    """What is worked out of numbers that the answer names itself, of prices in the record, and of a few times one of them."""
    named = _named(text, known)
    paid = [value for value, dimension, _ in known.sized if dimension == "money"]
    sums = {
        value
        for one, other in permutations(sorted(set(paid))[:_MOST_KNOWN], 2)
        for value in (one + other, one - other)
    }
    yield from sums
    for one, other in permutations([*named, *sorted(sums & values([text]))], 2):
        yield from (one + other, one - other, one * other)
    for times in (value for value in named if value in range(2, _OFFERED + 1)):
        yield from (times * value for value in sorted(known.stated)[-_MOST_KNOWN:])


def _ratios(text: str, known: Record) -> Iterator[float]:
    """What share one number is of another, and each count of all."""
    for one, other in permutations(_named(text, known), 2):
        yield from (one / other, one / (one + other))
    counts = [max(some) for some in known.counts.values()]
    yield from (count / sum(counts) for count in counts)


def _named(text: str, known: Record) -> list[float]:
    named = (values([text]) | counted_in([text])) & known.numbers
    return sorted(value for value in named if value > 0)[-_MOST_KNOWN:]


def _is_time(token: str, known: Record) -> bool:
    """Whether a time of day is in the record in words, or by another half of the day."""
    pieces = parts(token)
    if len(pieces) > 2 or not all(map(_CLOCKED.fullmatch, pieces)):  # noqa: PLR2004 - hour, minute
        return False
    hour, minute = int(pieces[0]), int(pieces[1]) if pieces[1:] else 0
    words = frozenset(known.words.split())
    written = {
        (int(one) % _HALF_DAY, int(other))
        for one, other in _WRITTEN.findall("\n".join(known.texts))
    }
    parted = (minute == _HALF and words & HALVES) or (minute in _QUARTER and words & _QUARTERS)
    if minute and not parted:
        told = minute in known.numbers and not any(minute == other for _, other in written)
        return (hour % _HALF_DAY, minute) in written or (told and hour in known.numbers)
    hours = {hour % _HALF_DAY, *([(hour + 1) % _HALF_DAY] if parted else [])}
    return any(value % _HALF_DAY in hours for value in known.numbers)


def _is_offered(text: str, found: re.Match[str], number: str) -> bool:
    """Whether a small number only stands in an offer ("2 or 3 more, if you like")."""
    if not _FEW.fullmatch(number):
        return False
    begin, end = sentence(text, *found.span())
    return bool(OFFER.search(text, begin, end + 1))


def _minus(found: re.Match[str], known: Record) -> int | None:
    """Where a minus stands that the record does not have."""
    minus = _MINUS.search(found.string, max(0, found.start() - 4), found.start())
    if not minus:
        return None
    below = re.compile(rf"[-−–]\s?(?:[$€£]\s?)?{re.escape(found.group())}")
    return None if any(map(below.search, known.texts)) else minus.start()
