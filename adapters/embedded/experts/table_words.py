"""The words of a question or an order, read against the columns and cells of a table."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from adapters.embedded.experts.orders import is_understood, refuse
from adapters.embedded.experts.typed_table import TypedTable
from adapters.embedded.lexicon import Match, Phrases, months, phrases, split_words
from pipeline.errors import ExpertRefused

_SECTIONS = ("table", "join", "extreme", "comparative", "role", "row_noun")
"""The lexicon's sections that a question is read with."""
_MOST_VALUES = 2_000
"""Different cells of a column that a question may name."""
_LONGEST_VALUE = 100
"""Characters of such a cell."""
_LEAST_WORD = 3
"""Letters of a word that may stand for a cell or a column by itself."""
SIGNS = {"more": (">", "gt"), "less": ("<", "lt"), "at_least": ("≥", "ge"), "at_most": ("≤", "le")}
_AFTER = {"from_on": "at_least", "up_to": "at_most"}
_SIGN, _LIMIT = f"({'|'.join(SIGNS)})", r"N(\d+(?:[.,]\d{1,2})?)"
_COMPARISON = re.compile(rf"C(\d+) {_SIGN} {_LIMIT}(?!\S)|C(\d+) {_LIMIT} ({'|'.join(_AFTER)})")
_YEAR = re.compile(rf"(?:C(\d+) )?(?:{_SIGN} )?N((?:19|20)\d\d)(?: ({'|'.join(_AFTER)}))?(?!\S)")
_EMPTY = frozenset({"table.fill", "join.and", "order.fill", "table_file.file", "chart.chart"})
_WEAK = _EMPTY | {"table_file.rows", "table.rows", "table.years"}
"""What words mean that may also name a column or a value, which then counts."""
_LONGEST_START = 20
"""Letters of what a compound begins with, at most: a longer word is not searched."""
_COMPOUND = ("table.mean", "table.max", "table.min", "table.median")
"""What a word may begin with that has a column in it, as in "Durchschnittspreis"."""
_WEAK_SECTIONS = ("role", "row_noun")
_PLURALS = ("s", "es", "n", "en", "e")
_OF_PEOPLE = ("salary", "age", "birth", "start", "person")
_ROW_NOUNS = {"person": "rows", "count": "count rows"}
_OPPOSITE = {"max": "min", "min": "max", "more": "less", "less": "more"}


class Condition(NamedTuple):
    """A condition on a column in words, and a test of all rows."""

    column: str
    words: str
    test: Callable[[], Any]
    is_partial: bool = False
    """Whether only some words of a cell were named."""


@dataclass(frozen=True, slots=True)
class OrderWords:
    """The words of orders on a table.

    `allowed`: the concepts that mean something there; `can`: the sentence on what is possible.
    """

    vocabulary: Phrases
    allowed: frozenset[str]
    can: str


def read_table_words(
    table: TypedTable, text: str, order: OrderWords | None = None
) -> tuple[str, list[Condition]]:
    """Columns as C0, numbers as N0, known words by their concepts; and the values as conditions.

    The words are those of the lexicon for questions, after those of `order`. Raises ExpertRefused,
    naming the words that are not understood or mean several things.
    """
    words = split_words(text)
    values = [*_list_values(table, text)]
    parts = {} if order else _list_parts(table)
    known = order.vocabulary if order else phrases(*_SECTIONS)
    vocabulary = _build_vocabulary(table, values, parts, known)
    words = [part for word in words for part in _split_compound(word, vocabulary)]
    matches = vocabulary.find(words)
    tokens = [_find_token(table, match, words[match.start], order) for match in matches]
    conditions = [
        values[int(match.concept[1:])][1]
        for match in matches
        if _is_entry(match.concept) and match.concept[0] == "V"
    ]
    asked = {table.names[int(token[1:])] for token in " ".join(filter(None, tokens)).split()
             if _is_entry(token)}  # fmt: skip
    for at, match in enumerate(matches):
        if match.concept[:1] == "P":
            columns = [name for name in parts[match.concept[2:]] if name not in asked]
            tokens[at] = "" if len(columns) == 1 else None
            conditions += [_contain(table, name, match.concept[2:]) for name in columns[:1]]
    unknown = [
        " ".join(words[match.start : match.end])
        for match, token in zip(matches, tokens, strict=True)
        if token is None
    ]
    if unknown and order:
        raise refuse(unknown, order.can)
    if unknown:
        raise refuse_question("embedded-table-unclear", table, words=", ".join(unknown))
    return _join_units(" ".join(filter(None, tokens))), conditions


def find_columns(table: TypedTable, tokens: str) -> list[str]:
    """The columns among tokens, in their order, each once."""
    return [*dict.fromkeys(table.names[int(place)] for place in re.findall(r"\bC(\d+)", tokens))]


def _split_compound(word: str, vocabulary: Phrases) -> list[str]:
    """Its two parts, as of "durchschnitts" + "preis", if it means nothing by itself."""
    if not vocabulary.find([word])[0].concept:
        for cut in range(_LEAST_WORD, min(len(word) - _LEAST_WORD, _LONGEST_START) + 1):
            ends = vocabulary.meanings.get((word[:cut],)) in _COMPOUND
            if ends and vocabulary.find([word[cut:]])[0].concept:
                return [word[:cut], word[cut:]]
    return [word]


def refuse_question(message: str, table: TypedTable, **facts: str | float) -> ExpertRefused:
    """A refusal that names the columns."""
    return ExpertRefused(message, columns=", ".join(table.names)[:300], **facts)


def _is_entry(concept: str) -> bool:
    """Whether a concept is a column (C3) or a value (V12)."""
    return concept[:1] in ("C", "V") and concept[1:].isdigit()


def _find_token(table: TypedTable, match: Match, word: str, order: OrderWords | None) -> str | None:
    """What a word stands for; "" if it says nothing, None if it is not understood."""
    section, _, name = match.concept.rpartition(".")
    if _is_entry(match.concept):
        return match.concept if match.concept[0] == "C" else ""
    if match.concept in _EMPTY:
        return ""
    if order and not is_understood(match.concept, word, order.allowed):
        return None
    if not section:
        return f"N{word}" if word[0].isdigit() else "" if match.concept[:1] == "P" else None
    find = _FINDERS.get(section)
    return find(table, name) if find else name


def _find_column(table: TypedTable, role: str) -> str | None:
    """The only column about something."""
    names = [name for name in table.find_by_role(role) if not table.is_id(name)]
    return f"C{table.names.index(names[0])}" if len(names) == 1 else None


def _find_extreme(table: TypedTable, extreme: str) -> str | None:
    """The direction and the column of an extreme; 一番高い is dear, or else high."""
    if extreme == "max_high":
        return _find_extreme(table, "max_price") or "max"
    return _find_direction(table, extreme, form="which {0} {1}")


def _find_direction(table: TypedTable, name: str, form: str) -> str | None:
    """The direction and the column that "max_age" means, in a form such as "which {0} {1}".

    A day of birth turns it round: the oldest has the highest age, or the earliest day.
    """
    direction, role = name.split("_")
    column = _find_column(table, role)
    if column is None and role == "age":
        direction, column = _OPPOSITE[direction], _find_column(table, "birth")
    return form.format(direction, column) if column else None


def _lists_people(table: TypedTable) -> bool:
    """Whether each row is a person: something is told that only people have, each name once."""
    first = next((name for name in table.names if table.is_text(name)), "")
    is_personal = any(map(table.find_by_role, _OF_PEOPLE))
    return is_personal and bool(first) and table.cells[first].is_unique


_FINDERS: Mapping[str, Callable[[TypedTable, str], str | None]] = {
    "number": lambda _, name: f"N{name}",
    "type": lambda _, name: f".{name}",
    "role": _find_column,
    "extreme": _find_extreme,
    "comparative": partial(_find_direction, form="{1} {0}"),
    "row_noun": lambda table, name: _ROW_NOUNS[name] if _lists_people(table) else None,
}
"""What the words of a section stand for in a table; those of others stand for themselves."""


def _join_units(tokens: str) -> str:
    """N80 thousand: N80000; the years of an age say nothing more."""
    tokens = re.sub(r"N(\d{1,6}) thousand", r"N\g<1>000", tokens)
    return re.sub(r"(N\d{1,3}) years(?!\S)", r"\1", tokens)


def find_rows(table: TypedTable, conditions: Sequence[Condition], *, fit: bool = True) -> Any:
    """The index of the rows that fit all conditions; with `fit=False`, those that fit none."""
    rows = table.cells.index
    for condition in conditions:
        rows = rows[condition.test()[rows] == fit]
    return rows


def cut_conditions(table: TypedTable, tokens: str) -> tuple[str, list[Condition]]:
    """The tokens without years and comparisons with numbers, and the conditions that they are.

    "C1 more N5 which C0" gives "which C0" and the condition that the column C1 is over 5.
    Raises ExpertRefused for a comparison with a column of words.
    """
    tokens, years = _cut_years(table, tokens)
    return _COMPARISON.sub(" ", tokens), [*years, *_read_comparisons(table, tokens)]


def _read_comparisons(table: TypedTable, tokens: str) -> list[Condition]:
    """The comparisons with numbers among the words of a text. Raises ExpertRefused."""
    conditions = []
    for place, sign, limit, place_2, limit_2, after in _COMPARISON.findall(tokens):
        name, number = table.names[int(place or place_2)], (limit or limit_2).replace(",", ".")
        if table.is_date(name):
            continue
        shown, compare = SIGNS[sign or _AFTER[after]]
        if not table.is_numeric(name):
            raise refuse_question("embedded-table-which-column", table)
        test = partial(getattr(table.typed[name], compare), float(number))
        conditions.append(Condition(name, f"{name} {shown} {number}", test))
    return conditions


def _cut_years(table: TypedTable, tokens: str) -> tuple[str, list[Condition]]:
    """The tokens without years, and the conditions that they are: "since 2022"."""
    dates = [name for name in table.names if table.is_date(name)]
    conditions: list[Condition] = []

    def cut(found: re.Match[str]) -> str:
        place, sign, year, after = found.groups()
        named = [table.names[int(place)]] if place else dates
        if len(named) != 1 or named[0] not in dates:
            return found[0]
        years = table.typed[named[0]].dt.year
        shown, compare = SIGNS.get(sign or _AFTER.get(after, ""), ("=", "eq"))
        test = partial(getattr(years, compare), int(year))
        conditions.append(Condition(named[0], f"{named[0]} {shown} {year}", test))
        return " "

    return _YEAR.sub(cut, tokens), conditions


def _build_vocabulary(
    table: TypedTable,
    values: Sequence[tuple[str, Condition]],
    parts: Mapping[str, Sequence[str]],
    words: Phrases,
) -> Phrases:
    """The words for columns (which may go on), values and operations; none that mean several.

    Words that stand only within cells or names of columns count where they mean nothing else.
    """
    known = dict(words.meanings)
    for key, candidates in _list_meanings(table, values).items():
        meaning = known.get(key, "table.fill")
        is_weak = meaning in _WEAK or meaning.partition(".")[0] in _WEAK_SECTIONS
        known[key] = "" if not is_weak or len(candidates) > 1 else min(candidates)
    for word in parts:
        for key in _inflect((word,)):
            known.setdefault(key, f"P:{word}")
    heads = [set(split_words(name)) for name in table.names] if parts else []
    for place, head in enumerate(heads):
        for word in head.difference(*heads[:place], *heads[place + 1 :]):
            for key in _inflect((word,)) if len(word) >= _LEAST_WORD else ():
                known.setdefault(key, f"C{place}")
    return Phrases(known)


def _list_meanings(
    table: TypedTable, values: Sequence[tuple[str, Condition]]
) -> Mapping[tuple[str, ...], set[str]]:
    """The names of columns and the values, also in the plural, and what each may stand for."""
    meanings: dict[tuple[str, ...], set[str]] = {}
    for place, (phrase, _) in enumerate(values):
        for key in _inflect(tuple(split_words(phrase))):
            meanings.setdefault(key, set()).add(f"V{place}")
    for place, name in enumerate(table.names):
        for head in filter(None, map(split_words, (name, name.partition("(")[0]))):
            for form in (*_inflect(tuple(head)), (*head[:-1], f"{head[-1]}*")):
                meanings.setdefault(form, set()).add(f"C{place}")
    return meanings


def _inflect(key: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """A phrase, also with its last word in the plural or without its ending."""
    yield key
    if key and len(key[-1]) > _LEAST_WORD and key[-1].isalpha():
        *before, last = key
        yield from ((*before, last + ending) for ending in _PLURALS)
        if last[-1] == "s" and len(last) > _LEAST_WORD + 1:
            yield (*before, last[:-1])


def _list_values(table: TypedTable, text: str) -> Iterator[tuple[str, Condition]]:
    """The words for the values of a table, each with its condition."""
    names = months()
    for name in table.names:
        column = table.typed[name]
        if table.is_date(name):
            for word, number in names.items():
                test = partial(column.dt.month.eq, number)
                yield word, Condition(name, f"{name} = month {number}", test)
        elif table.is_text(name):
            for cell in column.unique()[:_MOST_VALUES]:
                if 1 < len(cell) <= _LONGEST_VALUE and _may_be_meant(cell, text):
                    condition = Condition(name, f"{name} = {cell}", partial(column.eq, cell))
                    folded = " ".join(split_words(cell))
                    month = names.get(folded)
                    others = {word for word, number in names.items() if number == month}
                    yield from ((word, condition) for word in {folded, *others})


def _may_be_meant(cell: str, text: str) -> bool:
    """A short word that people use for something else is a value only as it is written: "IT"."""
    is_filler = phrases("table").meanings.get(tuple(split_words(cell))) in _EMPTY
    return not is_filler or bool(re.search(rf"(?<!\w){re.escape(cell)}(?!\w)", text))


def _list_parts(table: TypedTable) -> dict[str, list[str]]:
    """The words within the cells that name the rows, and the columns in which they stand."""
    parts: dict[str, list[str]] = {}
    for name in table.names:
        cells = table.cells[name]
        if table.is_text(name) and cells.is_unique and len(cells) <= _MOST_VALUES:
            for word in {word for cell in cells for word in split_words(cell[:_LONGEST_VALUE])}:
                if len(word) >= _LEAST_WORD and word.isalpha():
                    parts.setdefault(word, []).append(name)
    return parts


def _contain(table: TypedTable, name: str, word: str) -> Condition:
    """Rows whose cell has a word, also in its plural."""
    forms = {key[0] for key in _inflect((word,))}

    def test() -> Any:
        return table.cells[name].map(lambda cell: not forms.isdisjoint(split_words(cell)))

    return Condition(name, f"{name} ∋ {word}", test, is_partial=True)
