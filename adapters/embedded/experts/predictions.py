"""Predictions for a column of a table: a random forest, judged on rows that it had not seen."""

import math
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
        return 1 < int(values.nunique()) <= max(len(values) // 2, 2)


def predict_class(args: ExpertInput, _language: str) -> WorkerResult:
    """A class for every row; a number where the column holds too many to be classes."""
    problem = find_target(args)
    if problem.has_classes:
        return _predict(problem, classes=True)
    if problem.table.is_numeric(problem.target):
        return _predict(problem, classes=False)
    raise BadInput("embedded-not-classes", column=problem.target)


def predict_number(args: ExpertInput, _language: str) -> WorkerResult:
    """A number for every row; a class where the column holds words. Raises BadInput."""
    problem = find_target(args)
    if problem.table.is_numeric(problem.target):
        return _predict(problem, classes=False)
    if problem.has_classes:
        return _predict(problem, classes=True)
    raise BadInput("embedded-not-figures", column=problem.target)


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


def _predict(problem: _Problem, *, classes: bool) -> WorkerResult:
    """Known rows are predicted by forests that had not seen them, all others by one of all."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.model_selection import cross_val_predict

    table, name, known = problem.table, problem.target, problem.known
    truth = (table.cells if classes else table.typed)[name][known]
    kind = RandomForestClassifier if classes else RandomForestRegressor
    forest, features = kind(random_state=0), _features(problem)
    held_out = cross_val_predict(forest, features[known], truth, cv=_make_folds(truth, classes))
    rest = list(forest.fit(features[known], truth).predict(features[~known])) if any(~known) else []
    sheet = table.cells.astype(object)
    show = str if classes else "{:.6g}".format
    sheet.loc[known, f"predicted {name}"] = list(map(show, held_out))
    sheet.loc[~known, f"predicted {name}"] = list(map(show, rest))
    data = sheet.to_csv(index=False).encode()
    blob = Blob(data, "text/csv", "predictions.csv", f"predicted {name}")
    notes = [LocalizedText("embedded-held-out", {"column": name, "filled": len(rest)})]
    if problem.guessed:
        notes.append(LocalizedText("embedded-column-guessed", {"column": name}))
    judgement = (_judge_classes if classes else _judge_numbers)(truth, held_out)
    return WorkerResult(slots={"table": blob}, notes=tuple(notes), sentences=(judgement,))


def _make_folds(truth: Any, classes: bool) -> Any:  # noqa: FBT001
    from sklearn.model_selection import KFold, StratifiedKFold

    stratified = classes and truth.value_counts().min() >= _FOLDS
    return (StratifiedKFold if stratified else KFold)(_FOLDS, shuffle=True, random_state=0)


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
    joined = pd.concat([filled, table.cells[words]], axis=1)
    return pd.get_dummies(joined, columns=words, dtype=float).to_numpy()


def _judge_classes(truth: Any, held_out: Any) -> LocalizedText:
    """The share of the known rows that it got right, and that of the commonest class."""
    right = int((held_out == truth.to_numpy()).sum())
    low, high = estimate_interval(right, len(truth))
    shares = {"percent": right / len(truth), "low": low, "high": high}
    shares["usual"] = float(truth.value_counts(normalize=True).max())
    percents = {name: str(round(share * 100)) for name, share in shares.items()}
    return LocalizedText("embedded-classified", {**percents, "rows": len(truth)})


def _judge_numbers(truth: Any, held_out: Any) -> LocalizedText:
    """How far off it was on the known rows."""
    from sklearn.metrics import r2_score

    misses = abs(held_out - truth.to_numpy())
    mean, spread = misses.mean(), _Z * misses.std(ddof=1) / math.sqrt(len(misses))
    facts: dict[str, str | int] = {
        "off": _format(mean),
        "low": _format(max(mean - spread, 0)),
        "high": _format(mean + spread),
        "rows": len(truth),
        "explained": f"{r2_score(truth, held_out):.2f}",
    }
    return LocalizedText("embedded-regressed", facts)


def estimate_interval(right: int, count: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson)."""
    share, z2 = right / count, _Z * _Z
    middle = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = _Z * math.sqrt(share * (1 - share) / count + z2 / (4 * count * count)) / (1 + z2 / count)
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _format(figure: float) -> str:
    """Four digits that count, and never an exponent."""
    return f"{figure:,.0f}" if figure >= 1000 else f"{figure:.4g}"  # noqa: PLR2004 - four digits
