"""Predictions for a column of a table: a random forest, judged on rows that it had not seen."""

from typing import Any

from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_file, get_text
from adapters.embedded.experts.typed_table import TypedTable, load_table
from adapters.embedded.lexicon import Phrases, split_words
from pipeline.domain import Blob, LocalizedText
from pipeline.errors import BadInput

_FEWEST = 20
"""Rows to learn from."""
_MOST_ROWS = 20_000
_MOST_CATEGORIES = 40
"""Different words of a column that is learned from; a column of names has more."""


def predict_class(args: ExpertInput, _language: str) -> WorkerResult:
    """A class for every row; a number where the column holds too many to be classes."""
    return _predict(args, prefer_classes=True)


def predict_number(args: ExpertInput, _language: str) -> WorkerResult:
    """A number for every row; a class where the column holds words."""
    return _predict(args, prefer_classes=False)


def _predict(args: ExpertInput, *, prefer_classes: bool) -> WorkerResult:
    """A column of predictions, and how good those of the known rows are. Raises BadInput."""
    table = load_table(get_file(args, "table"))
    wanted = find_column(table, get_text(args, "target"))
    name = wanted or table.names[-1]
    known = table.cells[name] != ""
    if known.sum() < _FEWEST or len(known) > _MOST_ROWS:
        raise BadInput("embedded-few-rows", rows=int(known.sum()), needed=_FEWEST)
    different, numeric = table.cells[name][known].nunique(), table.is_numeric(name)
    has_classes = 1 < different <= max(known.sum() // 2, 2)
    if not (has_classes or numeric):
        raise BadInput("embedded-not-classes", column=name)
    classes = has_classes and (prefer_classes or not numeric)
    truth = (table.cells if classes else table.typed)[name][known]
    predicted = _fill(_make_forest(table, name, classes=classes), table.typed, truth, known)
    sheet = table.cells.assign(**{f"predicted {name}": predicted})
    data = sheet.to_csv(index=False, float_format="%.6g").encode()
    gaps = int((~known).sum())
    guessed = () if wanted else (LocalizedText("embedded-column-guessed", {"column": name}),)
    return WorkerResult(
        slots={"table": Blob(data, "text/csv", "predictions.csv", alt=f"predicted {name}")},
        sentences=(
            LocalizedText("embedded-held-out", {"column": name, "filled": gaps}),
            *guessed,
            _judge(truth, predicted[known], classes=classes),
        ),
    )


def find_column(table: TypedTable, words: str) -> str:
    """The column that some words name; "" where they name none. Raises BadInput."""
    names = Phrases.of((name, name) for name in table.names).concepts(words)
    if not names and len(split_words(words)) == 1:
        columns = ", ".join(table.names)[:300]
        raise BadInput("embedded-no-column", column=words, columns=columns)
    return names[0] if names else ""


def _make_forest(table: TypedTable, target: str, *, classes: bool) -> Any:
    """A forest on the numbers and the categories of the other columns. Raises BadInput."""
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    others = [name for name in table.names if name != target]
    numbers = [name for name in others if table.is_numeric(name)]
    texts = [name for name in others if not (table.is_numeric(name) or table.is_date(name))]
    words = [name for name in texts if table.cells[name].nunique() <= _MOST_CATEGORIES]
    if not numbers and not words:
        raise BadInput("embedded-no-features")
    encode = make_column_transformer(
        (SimpleImputer(strategy="median"), numbers),
        (OneHotEncoder(handle_unknown="ignore"), words),
    )
    forest = RandomForestClassifier if classes else RandomForestRegressor
    return make_pipeline(encode, forest(oob_score=True, random_state=0))


def _fill(forest: Any, features: Any, truth: Any, known: Any) -> Any:
    """A known row is predicted by the trees that were grown without it, a gap by all of them."""
    import pandas as pd

    forest.fit(features[known], truth)
    trees = forest[-1]
    predicted = pd.Series(index=known.index, dtype=object)
    if hasattr(trees, "classes_"):
        predicted[known] = trees.classes_[trees.oob_decision_function_.argmax(axis=1)]
    else:
        predicted[known] = trees.oob_prediction_
    if not known.all():
        predicted[~known] = forest.predict(features[~known])
    return predicted.infer_objects()


def _judge(truth: Any, held_out: Any, *, classes: bool) -> LocalizedText:
    """How right the predictions of the known rows are, beside the simplest guess."""
    from sklearn.metrics import accuracy_score, mean_absolute_error, r2_score

    rows = len(truth)
    if classes:
        right, usual = accuracy_score(truth, held_out), truth.value_counts(normalize=True).max()
        percents = {"percent": f"{100 * right:.0f}", "usual": f"{100 * usual:.0f}"}
        return LocalizedText("embedded-classified", {**percents, "rows": rows})
    off, explained = mean_absolute_error(truth, held_out), r2_score(truth, held_out)
    facts = {"off": f"{float(f'{off:.4g}'):,.12g}", "explained": f"{explained:.2f}"}
    return LocalizedText("embedded-regressed", {**facts, "rows": rows})
