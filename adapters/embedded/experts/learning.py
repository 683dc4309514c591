"""Predictions for a column of the person's own table: a random forest, judged on rows that it had not seen (scikit-learn)."""

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adapters.embedded.experts.documents import grid
from adapters.embedded.experts.figures import figure, is_numeric
from adapters.embedded.experts.finding import Args, Finding, file, words
from pipeline.domain import Blob, Sentence
from pipeline.errors import BadInput

_FEWEST, _MOST_ROWS, _MOST_KINDS, _FOLDS = 20, 20_000, 40, 5
_Z = 1.96
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class _Lesson:
    """A table made ready: the rows whose target is known and those to predict, by their place."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    target: int
    guessed: bool

    @property
    def known(self) -> list[int]:
        return [place for place, row in enumerate(self.rows) if row[self.target]]

    @property
    def truth(self) -> list[str]:
        return [self.rows[place][self.target] for place in self.known]

    @property
    def unknown(self) -> list[int]:
        return [place for place, row in enumerate(self.rows) if not row[self.target]]


def classify(args: Args, _language: str) -> Finding:
    """A class for every row; a figure where the column holds too many to be classes. Raises BadInput."""
    lesson = _lesson(args)
    many = len(set(lesson.truth)) > _as_classes(lesson)
    return _figures(lesson) if many and is_numeric(lesson.truth) else _classes(lesson)


def regress(args: Args, _language: str) -> Finding:
    """A figure for every row; a class where the column holds words. Raises BadInput."""
    lesson = _lesson(args)
    named = not is_numeric(lesson.truth) and len(set(lesson.truth)) <= _as_classes(lesson)
    return _classes(lesson) if named else _figures(lesson)


def _as_classes(lesson: _Lesson) -> int:
    """How many different values can be classes: each stands there several times."""
    return max(len(lesson.known) // 2, 2)


def _classes(lesson: _Lesson) -> Finding:
    """Judged by in how many of the known rows it would have been right."""
    from sklearn.ensemble import RandomForestClassifier

    truth = lesson.truth
    classes = Counter(truth)
    if len(classes) < 2 or len(classes) > _as_classes(lesson):  # noqa: PLR2004
        raise BadInput("embedded-not-classes", column=lesson.head[lesson.target])
    forest = RandomForestClassifier(n_estimators=150, random_state=0)
    held_out, rest = _predicted(lesson, forest, truth, stratified=min(classes.values()) >= _FOLDS)
    right = sum(guess == true for guess, true in zip(held_out, truth, strict=True))
    low, high = _wilson(right, len(truth))
    told = Sentence(
        "embedded-classified",
        {
            "percent": _percent(right / len(truth)),
            "low": _percent(low),
            "high": _percent(high),
            "rows": len(truth),
            "usual": _percent(max(classes.values()) / len(truth)),
        },
    )
    return _finding(lesson, held_out, rest, told)


def _figures(lesson: _Lesson) -> Finding:
    """Judged by how far off it would have been on the known rows."""
    from sklearn.ensemble import RandomForestRegressor

    column = lesson.truth
    if not is_numeric(column):
        raise BadInput("embedded-not-figures", column=lesson.head[lesson.target])
    truth = [figure(cell) or 0.0 for cell in column]
    held_out, rest = _predicted(
        lesson, RandomForestRegressor(n_estimators=150, random_state=0), truth, stratified=False
    )
    misses = [abs(guess - true) for guess, true in zip(held_out, truth, strict=True)]
    mean = sum(misses) / len(misses)
    spread = _Z * _deviation(misses) / math.sqrt(len(misses))
    told = Sentence(
        "embedded-regressed",
        {
            "off": f"{mean:.4g}",
            "low": f"{max(mean - spread, 0):.4g}",
            "high": f"{mean + spread:.4g}",
            "rows": len(truth),
            "explained": f"{_explained(held_out, truth):.2f}",
        },
    )
    rounded = [f"{guess:.6g}" for guess in held_out], [f"{guess:.6g}" for guess in rest]
    return _finding(lesson, *rounded, told)


def _lesson(args: Args) -> _Lesson:
    head, *rows = grid(file(args, "table"))
    wanted = words(args, "target").casefold()
    named = _meant(head, wanted)
    if wanted and named is None and " " not in wanted:  # words may just tell what to do
        raise BadInput("embedded-no-column", column=wanted, columns=", ".join(head)[:300])
    target = named if named is not None else len(head) - 1
    lesson = _Lesson(head, rows[:_MOST_ROWS], target, guessed=named is None)
    if len(lesson.known) < _FEWEST:
        raise BadInput("embedded-few-rows", rows=len(lesson.known), needed=_FEWEST)
    return lesson


def _meant(head: Sequence[str], wanted: str) -> int | None:
    """The column of that name; else the one that is named first in the words, of several the one with the longest name."""
    names = [" ".join(_WORD.findall(name.casefold())) for name in head]
    said = f" {' '.join(_WORD.findall(wanted))} "
    exact = (place for place, name in enumerate(head) if name.casefold() == wanted)
    found = [
        (at, -len(name), place)
        for place, name in enumerate(names)
        if name and (at := said.find(f" {name} " if name.isascii() else name)) >= 0
    ]
    return next(exact, min(found)[2] if found else None)


def _predicted(
    lesson: _Lesson,
    forest: Any,  # noqa: ANN401
    truth: Sequence[Any],
    *,
    stratified: bool,
) -> tuple[list[Any], list[Any]]:
    """For the known rows what a forest says that has not seen them (five folds); for the others what one says that saw all."""
    from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict

    features = _features(lesson)
    folds = (StratifiedKFold if stratified else KFold)(_FOLDS, shuffle=True, random_state=0)
    known = features[lesson.known]
    held_out = list(cross_val_predict(forest, known, truth, cv=folds))
    if not lesson.unknown:
        return held_out, []
    return held_out, list(forest.fit(known, truth).predict(features[lesson.unknown]))


def _features(lesson: _Lesson) -> Any:  # noqa: ANN401 - a numpy array
    """Figures as they are (gaps filled with the median), words as one column for each; columns of ever different words left out."""
    import numpy as np

    columns = []
    for place in (p for p in range(len(lesson.head)) if p != lesson.target):
        cells = [row[place] for row in lesson.rows]
        if is_numeric(cells):
            values = np.array([np.nan if (v := figure(cell)) is None else v for cell in cells])
            columns.append(np.where(np.isnan(values), np.nanmedian(values), values))
        elif len(kinds := set(cells)) <= _MOST_KINDS:
            columns += [np.array([cell == kind for cell in cells], float) for kind in sorted(kinds)]
    if not columns:
        raise BadInput("embedded-no-features")
    return np.column_stack(columns)


def _finding(
    lesson: _Lesson, held_out: Sequence[Any], rest: Sequence[Any], told: Sentence
) -> Finding:
    guesses = dict(zip(lesson.known, held_out, strict=True))
    guesses |= dict(zip(lesson.unknown, rest, strict=True))
    sheet = io.StringIO()
    writer = csv.writer(sheet)
    name = lesson.head[lesson.target]
    writer.writerow([*lesson.head, f"predicted {name}"])
    writer.writerows([*row, guesses[place]] for place, row in enumerate(lesson.rows))
    blob = Blob(sheet.getvalue().encode(), "text/csv", "predictions.csv", f"predicted {name}")
    notes = [Sentence("embedded-held-out", {"column": name, "filled": len(rest)})]
    if lesson.guessed:
        notes.append(Sentence("embedded-column-guessed", {"column": name}))
    return Finding({"table": blob}, tuple(notes), told={"text": told})


def _wilson(right: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson)."""
    share, z2 = right / count, _Z * _Z
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = _Z * math.sqrt(share * (1 - share) / count + z2 / (4 * count * count)) / (1 + z2 / count)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _deviation(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / max(len(values) - 1, 1))


def _explained(guesses: Sequence[float], truth: Sequence[float]) -> float:
    """R²: the share of the differences that the guesses account for."""
    mean = sum(truth) / len(truth)
    whole = sum((true - mean) ** 2 for true in truth) or 1.0
    missed = sum((guess - true) ** 2 for guess, true in zip(guesses, truth, strict=True))
    return 1 - missed / whole


def _percent(share: float) -> str:
    return str(round(share * 100))
