"""Predictions for a column of a table: a random forest, judged on rows that it had not seen."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adapters.embedded.experts.lexicon import Phrases, split_words
from adapters.embedded.experts.tables import TypedTable, load_table
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_file, get_text
from pipeline.domain import Blob, LocalizedText
from pipeline.errors import BadInput

_FEWEST, _MOST_ROWS, _MOST_KINDS, _FOLDS = 20, 20_000, 40, 5
_Z = 1.96  # of a 95 % interval


@dataclass(frozen=True, slots=True)
class _Problem:
    """A table, the column to predict, and whether nobody named that column."""

    table: TypedTable
    target: str
    guessed: bool

    @property
    def known(self) -> Any:
        return self.table.cells[self.target] != ""

    @property
    def has_classes(self) -> bool:
        """Whether each value of the column stands there about twice or more."""
        values = self.table.cells[self.target][self.known]
        return bool(values.nunique() <= max(len(values) // 2, 2))

    @property
    def has_numbers(self) -> bool:
        return self.table.is_numeric(self.target)


def predict_class(args: ExpertInput, _language: str) -> WorkerResult:
    """A class for every row; a number where the column holds too many to be classes."""
    problem = find_target(args)
    numbers = problem.has_numbers and not problem.has_classes
    return _predict_numbers(problem) if numbers else _predict_classes(problem)


def predict_number(args: ExpertInput, _language: str) -> WorkerResult:
    """A number for every row; a class where the column holds words. Raises BadInput."""
    problem = find_target(args)
    words = not problem.has_numbers and problem.has_classes
    return _predict_classes(problem) if words else _predict_numbers(problem)


def find_target(args: ExpertInput) -> _Problem:
    """The column that the words name; the last one where they name none. Raises BadInput."""
    table, wanted = load_table(get_file(args, "table")), get_text(args, "target")
    names = Phrases.of((name, name) for name in table.names).concepts(wanted)
    if wanted and not names and len(split_words(wanted)) == 1:
        columns = ", ".join(table.names)[:300]
        raise BadInput("embedded-no-column", column=wanted, columns=columns)
    problem = _Problem(table, names[0] if names else table.names[-1], guessed=not names)
    known = int(problem.known.sum())
    if known < _FEWEST or len(table.cells) > _MOST_ROWS:
        raise BadInput("embedded-few-rows", rows=known, needed=_FEWEST)
    return problem


def _predict_classes(problem: _Problem) -> WorkerResult:
    """Judged by the share of the known rows that it would have got right."""
    from sklearn.ensemble import RandomForestClassifier

    truth = problem.table.cells[problem.target][problem.known]
    counts = truth.value_counts()
    if len(counts) < 2 or not problem.has_classes:  # noqa: PLR2004
        raise BadInput("embedded-not-classes", column=problem.target)
    stratified = bool(counts.min() >= _FOLDS)
    forest = RandomForestClassifier(n_estimators=150, random_state=0)
    held_out, rest = _fit(problem, forest, truth, stratified=stratified)
    right = int((held_out == truth.to_numpy()).sum())
    low, high = estimate_interval(right, len(truth))
    shares = {"percent": right / len(truth), "low": low, "high": high}
    shares["usual"] = float(counts.max()) / len(truth)
    percents = {name: str(round(share * 100)) for name, share in shares.items()}
    judgement = LocalizedText("embedded-classified", {**percents, "rows": len(truth)})
    return _result(problem, held_out, rest, judgement)


def _predict_numbers(problem: _Problem) -> WorkerResult:
    """Judged by how far off it would have been on the known rows."""
    from sklearn.ensemble import RandomForestRegressor
    from sklearn.metrics import r2_score

    if not problem.has_numbers:
        raise BadInput("embedded-not-figures", column=problem.target)
    truth = problem.table.typed[problem.target][problem.known]
    forest = RandomForestRegressor(n_estimators=150, random_state=0)
    held_out, rest = _fit(problem, forest, truth, stratified=False)
    misses = abs(held_out - truth.to_numpy())
    mean, spread = misses.mean(), _Z * misses.std(ddof=1) / math.sqrt(len(misses))
    facts: dict[str, str | int] = {
        "off": f"{mean:.4g}",
        "low": f"{max(mean - spread, 0):.4g}",
        "high": f"{mean + spread:.4g}",
        "rows": len(truth),
        "explained": f"{r2_score(truth, held_out):.2f}",
    }
    judgement = LocalizedText("embedded-regressed", facts)
    known, unknown = ([f"{number:.6g}" for number in part] for part in (held_out, rest))
    return _result(problem, known, unknown, judgement)


def _fit(problem: _Problem, forest: Any, truth: Any, *, stratified: bool) -> tuple[Any, Any]:
    """Predictions for known rows by forests that had not seen them, and for all other rows."""
    from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict

    features = _features(problem)
    folds = (StratifiedKFold if stratified else KFold)(_FOLDS, shuffle=True, random_state=0)
    known, unknown = features[problem.known], features[~problem.known]
    held_out = cross_val_predict(forest, known, truth, cv=folds)
    return held_out, forest.fit(known, truth).predict(unknown) if len(unknown) else []


def _features(problem: _Problem) -> Any:
    """Numbers (gaps: the median) and a column for each of a few words. Raises BadInput."""
    import pandas as pd

    table = problem.table
    names = [name for name in table.names if name != problem.target]
    numbers = [name for name in names if table.is_numeric(name)]
    words = [n for n in names if n not in numbers and table.cells[n].nunique() <= _MOST_KINDS]
    if not numbers and not words:
        raise BadInput("embedded-no-features")
    filled = table.typed[numbers].fillna(table.typed[numbers].median())
    coded = [pd.get_dummies(table.cells[name], prefix=name, dtype=float) for name in words]
    features = pd.concat([filled, *coded], axis=1)
    return features.set_axis([str(place) for place in range(features.shape[1])], axis=1)


def _result(
    problem: _Problem,
    held_out: Sequence[Any],
    rest: Sequence[Any],
    judgement: LocalizedText,
) -> WorkerResult:
    name, known = problem.target, problem.known
    sheet = problem.table.cells.astype(object)
    sheet.loc[known, f"predicted {name}"] = list(held_out)
    sheet.loc[~known, f"predicted {name}"] = list(rest)
    data = sheet.to_csv(index=False).encode()
    blob = Blob(data, "text/csv", "predictions.csv", f"predicted {name}")
    notes = [LocalizedText("embedded-held-out", {"column": name, "filled": len(rest)})]
    if problem.guessed:
        notes.append(LocalizedText("embedded-column-guessed", {"column": name}))
    return WorkerResult(slots={"table": blob}, notes=tuple(notes), sentences=(judgement,))


def estimate_interval(right: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson)."""
    share, z2 = right / count, _Z * _Z
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = _Z * math.sqrt(share * (1 - share) / count + z2 / (4 * count * count)) / (1 + z2 / count)
    return max(middle - half, 0.0), min(middle + half, 1.0)
