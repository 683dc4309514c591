"""Simple questions on a table: the highest, lowest, sum, mean, how many, and looking a cell up."""

import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from adapters.embedded.experts.documents import grid
from adapters.embedded.experts.figures import figure, is_numeric, shown
from adapters.embedded.experts.finding import Args, Finding, file, some_words
from adapters.embedded.experts.tokens import tokens
from pipeline.domain import Sentence, Text
from pipeline.errors import ExpertRefused

_MOST_ROWS = 100_000
_GUESS = 0.3
"""How sure an answer is whose column nobody named."""


@dataclass(frozen=True, slots=True)
class Table:
    """Headings, and rows of as many cells."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def column(self, place: int) -> list[str]:
        return [row[place] for row in self.rows]

    @property
    def numeric(self) -> list[int]:
        return [place for place in range(len(self.head)) if is_numeric(self.column(place))]

    @property
    def names(self) -> int:
        """The column that says what a row is about: the first that holds no figures."""
        return next((p for p in range(len(self.head)) if p not in self.numeric), 0)


@dataclass(frozen=True, slots=True)
class _Found:
    """An answer, and the rows that it comes from."""

    text: str
    rows: Sequence[Sequence[str]]
    column: str = ""
    guessed: bool = False
    """Whether the column is a guess: the question names none of several."""


_EXTREMES = {"max", "min"}
_ASKS: Mapping[str, str] = {
    "max": r"\b(?:highest|most|largest|maximum|max|biggest|greatest|best|oldest|longest|tallest|höchste\w*|meiste\w*|größte\w*|beste\w*|plus (?:grand|haut|élevé)e?s?|maximum|mayor|máxim\w+|más alt\w+)\b|最大|最高|最多",
    "min": r"\b(?:lowest|least|smallest|minimum|min|fewest|cheapest|youngest|shortest|worst|niedrigste\w*|wenigste\w*|kleinste\w*|plus (?:petit|bas)(?:se)?s?|menor|mínim\w+|más baj\w+)\b|最小|最低|最少",
    "mean": r"\b(?:average|mean|durchschnitt\w*|mittel\w*|moyen\w*|promedio|media)\b|平均",
    "median": r"\bmedian\b|中位数|中央値",
    "count": r"\b(?:how many|count|number of (?:rows|entries|records)|wie viele|combien de|cuánt[oa]s)\b|多少(?:个|行)|いくつ",
    "sum": r"\b(?:total|sum|altogether|overall|insgesamt|summe|gesamt\w*|somme|suma)\b|总|合计|合計",
}  # fmt: skip
_MATHS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "mean": statistics.fmean,
    "median": statistics.median,
}
_MORE = re.compile(
    r"(?:more|greater|higher|larger|older) than|\bover\b|\babove\b|mehr als|über|plus de|más de|>",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"(?:less|fewer|lower|smaller|younger) than|\bunder\b|\bbelow\b|weniger als|unter|moins de|menos de|<",
    re.IGNORECASE,
)


def ask(args: Args, _language: str) -> Finding:
    """An answer, and what it was reckoned from. Raises BadInput, and ExpertRefused when the question is beyond simple sums."""
    question = some_words(args, "question")
    head, *rows = grid(file(args, "table"))
    found = answered(question, Table(head, rows[:_MOST_ROWS]))
    if found is None:
        raise ExpertRefused("embedded-no-answer")
    count = len(found.rows)
    notes = [Sentence("embedded-reckoned", {"rows": count, "column": found.column or "–"})]
    if count == 1:
        pairs = zip(head, found.rows[0], strict=True)
        notes = [Sentence("embedded-row", {"row": ", ".join(f"{k}: {v}" for k, v in pairs)[:300]})]
    if found.guessed:
        notes.append(Sentence("embedded-guessed", {"column": found.column}))
    score = _GUESS if found.guessed else None
    return Finding({"text": Text(found.text, score)}, tuple(notes))


def answered(question: str, table: Table) -> _Found | None:
    """None when the question names neither a sum of a kind nor a cell."""
    asked = next(
        (name for name, words in _ASKS.items() if re.search(words, question, re.IGNORECASE)), ""
    )
    chosen = _chosen(question, table)
    if asked == "count" and not _counts_a_column(question, table, chosen):
        return _Found(str(len(chosen)), chosen)
    if asked in _EXTREMES:
        return _extreme(question, table, chosen, highest=asked == "max")
    place = _column(question, table, table.numeric)
    if asked in _MATHS and place is not None:
        values = [value for row in chosen if (value := figure(row[place])) is not None]
        guessed = _is_guess(question, table, place, table.numeric)
        made = shown(_MATHS[asked](values)) if values else ""
        return _Found(made, chosen, table.head[place], guessed) if values else None
    return _looked_up(question, table, chosen)


def _chosen(question: str, table: Table) -> Sequence[Sequence[str]]:
    """The rows that the question is about: those with a cell that it names, or a figure beyond one that it sets."""
    for pattern, sign in ((_MORE, 1), (_LESS, -1)):
        if hit := pattern.search(question):
            limit = re.search(r"[-\d.,]*\d", question[hit.end() :])
            place = _column(question, table, table.numeric)
            bound = figure(limit.group()) if limit else None
            if bound is not None and place is not None:
                return [
                    row
                    for row in table.rows
                    if (value := figure(row[place])) is not None and sign * (value - bound) > 0
                ]
    named = [row for row in table.rows if any(_names(question, cell) for cell in row)]
    return named or table.rows


def _names(question: str, cell: str) -> bool:
    """Whether a question names a cell: as a word of its own, and no bare figure."""
    if len(cell) < 2 or figure(cell) is not None:  # noqa: PLR2004
        return False
    return bool(re.search(rf"(?<!\w){re.escape(cell.casefold())}(?!\w)", question.casefold()))


def _extreme(
    question: str, table: Table, rows: Sequence[Sequence[str]], *, highest: bool
) -> _Found | None:
    place = _column(question, table, table.numeric)
    pairs = [
        (value, row)
        for row in rows
        if place is not None and (value := figure(row[place])) is not None
    ]
    if not pairs or place is None:
        return None
    value, row = (max if highest else min)(pairs, key=lambda pair: pair[0])
    asks_value = re.search(
        r"\b(?:what|how|was|wie|quel\w*|cuál)\b.*", question, re.IGNORECASE
    ) and not re.search(r"\b(?:which|who|where|welche\w*|wer|qui|quién)\b", question, re.IGNORECASE)
    name = row[table.names]
    text = f"{row[place]} ({name})" if asks_value else name
    guessed = _is_guess(question, table, place, table.numeric)
    return _Found(text if name else shown(value), [row], table.head[place], guessed)


def _column(question: str, table: Table, among: Sequence[int]) -> int | None:
    """The column whose heading shares most words with the question; the only one where there is no other."""
    asked = set(tokens(question))
    scores = {place: len(asked & set(tokens(table.head[place]))) for place in among}
    best = max(scores, key=lambda place: scores[place], default=None)
    if best is not None and (scores[best] > 0 or len(among) == 1):
        return best
    return among[-1] if among and not any(scores.values()) else None


def _is_guess(question: str, table: Table, place: int, among: Sequence[int]) -> bool:
    return len(among) > 1 and not set(tokens(question)) & set(tokens(table.head[place]))


def _counts_a_column(question: str, table: Table, chosen: Sequence[Sequence[str]]) -> bool:
    """Whether a cell is wanted ("how many people live in Rome") and not a number of rows ("how many cities")."""
    asked = set(tokens(question))
    named = any(asked & set(tokens(table.head[place])) for place in table.numeric)
    return (
        named
        and len(chosen) < len(table.rows)
        and not _MORE.search(question)
        and not _LESS.search(question)
    )


def _looked_up(question: str, table: Table, rows: Sequence[Sequence[str]]) -> _Found | None:
    """The cell in the row and under the heading that the question names."""
    if len(rows) == len(table.rows) and len(rows) > 1:
        return None
    others = [
        p for p in range(len(table.head)) if not any(_names(question, row[p]) for row in rows)
    ]
    place = _column(question, table, others)
    if place is None:
        return None
    guessed = _is_guess(question, table, place, others)
    return _Found(", ".join(row[place] for row in rows[:20]), rows, table.head[place], guessed)
