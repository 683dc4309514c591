"""What an answer says was seen: as many of each thing as were counted, and nothing that no expert saw."""

# ruff: noqa: RUF001 - signs that people type

import re

from pipeline.domain import Request
from pipeline.response.edits import Edits
from pipeline.response.labels import names
from pipeline.response.numbers import NUMBER, parts, readings
from pipeline.response.record import Record
from pipeline.response.spelled import COUNTERS, RUN, SPELLED, sign_value, value_of
from pipeline.response.things import forms_in, spoken_of, thing_of
from pipeline.response.tongues import language_of
from pipeline.response.vocabulary import forms

_SPELLED = re.sub(r"\?P<\w+>", "?:", SPELLED.pattern)
_COUNT = rf"(?:{NUMBER.pattern}|{_SPELLED})"
_SIGNED = rf"(?:\d{{1,3}}|{RUN})"
_IN_NAME = re.compile(r"[A-ZÄÖÜ]\w+ [A-ZÄÖÜ]")
"""A colour that is part of a name: "Red Square"."""
_MOST = 1e9
_DIGIT = re.compile(r"\d")
_EAST = ("zh", "ja")


def look_at_counts(edits: Edits, known: Record, request: Request) -> None:
    """Where somebody wrote "5 cats" and three were found: put right where no other count can be meant, in other languages marked."""
    language = language_of(edits.text, request.person.locale)
    for label, counts in known.counts.items():
        for found in edits.open(_counting(forms(label))):
            place = "count" if found["count"] else "after"
            told = _figure(found[place])
            if told is None or told in counts or told in known.stated or known.holds(found.group()):
                edits.settle(*found.span(place))
            elif len(counts) == 1 and not found["between"]:
                edits.mend(*found.span(place), str(next(iter(counts))))
            elif told not in known.numbers:
                edits.mark(*found.span(place))
        _count_elsewhere(edits, known, label, language)


def _count_elsewhere(edits: Edits, known: Record, label: str, language: str) -> None:
    """The same for a label's words in the language of the answer."""
    thing = thing_of(label) if " " not in label else None
    words = forms_in(thing, language) if thing and language != "en" else ""
    if not words:
        return
    pattern = _counting_signs(words) if language in _EAST else _counting(words)
    for found in edits.open(pattern):
        place = "count" if found["count"] else "after"
        told = _figure(found[place])
        if told is None or told in known.counts[label] or told in known.stated:
            edits.settle(*found.span(place))
        else:
            edits.mark(*found.span(place))


def look_at_seen(edits: Edits, known: Record, request: Request, *, said: str) -> None:
    """Marks things, colours and moods that nobody saw, and a lesser label where it stands for the first. `said`: the answer before anything was told below."""
    if known.labelled or known.pictured:
        _look_at_things(edits, known, language_of(edits.text, request.person.locale))
    if language_of(edits.text, request.person.locale) != "en":
        return
    for first, *others in known.ranked:
        if not names(said, first, others):
            for label in others:
                for found in edits.open(re.compile(rf"\b(?:{forms(label)})\b", re.IGNORECASE)):
                    if found.end() <= len(said.strip()):
                        edits.mark(*found.span())


def _look_at_things(edits: Edits, known: Record, language: str) -> None:
    words, text = frozenset(known.words.split()), "\n".join(known.texts).casefold()
    given = [thing for _, thing, _ in spoken_of(known.words, "en")]
    moody = any(thing.section == "moods" for thing in given) or known.felt
    for found, thing, member in list(spoken_of(edits.text, language)):
        one = member.removesuffix("s")
        there = not words.isdisjoint((one, member)) if member else thing.is_in(words, text)
        if there or edits.is_settled(*found.span()) or (thing.section == "moods" and not moody):
            continue
        named = thing.section == "colours" and _IN_NAME.match(edits.text, found.start())
        if thing.section != "colours" or (known.pictured and not named):
            edits.mark(*found.span())


def _counting(some: str) -> re.Pattern[str]:
    """A number before or after a label."""
    return re.compile(
        rf"(?P<count>{_COUNT})[ \u00a0]+(?P<between>(?:[^\W\d_]+[ \u00a0]+){{0,2}}?)[*_\"“]*\b(?:{some})\b"
        rf"|\b(?:{some})\b[*_\"”]*\s*[:(×x=]\s*(?P<after>\d+)\b(?!\s?[%％]|[.,]\d)",
        re.IGNORECASE,
    )


def _counting_signs(some: str) -> re.Pattern[str]:
    """The same where a word for counting stands between: "三匹の猫", "猫が3匹", "三只猫"."""
    return re.compile(
        rf"(?P<count>{_SIGNED})\s?{COUNTERS}の?\s?(?:{some})"
        rf"|(?:{some})(?:たち)?(?:が|は|を|も|：|:|、|\s|有)?\s?(?P<after>{_SIGNED})\s?{COUNTERS}"
    )


def _figure(written: str) -> int | None:
    if not _DIGIT.search(written):
        return value_of(written) or (sign_value(written) if re.fullmatch(RUN, written) else None)
    (value, decimals), *_ = readings(parts(written)[0])
    return int(value) if decimals == 0 and value < _MOST else None
