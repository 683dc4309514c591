"""The sheet for human annotators: a CSV file with a row for each message and measure."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from adapters.web.serialization import serialize_plan
from evaluation.figures import Score, compute_kappa, compute_rate
from evaluation.judging import MEASURES, JudgedTrial
from pipeline.errors import FetchError, PlanError

ANNOTATORS = ("annotator 1", "annotator 2")
_COLUMNS = ("request", "message", "measure", "text", "files", "result", *ANNOTATORS)
_QUESTIONS = [name for name in MEASURES if name not in ("kinds as expected", "completed")]
"""The paper's five measures."""
_MARKS = {"1": True, "0": False}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet would calculate a cell that starts like this."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What two annotators say of a measure."""

    rates: tuple[Score | None, Score | None]
    """Of each annotator; None without marks."""
    both: int
    """Rows that both have marked."""
    agree: float | None
    """The share of these on which they agree, in percent."""
    kappa: float | None
    """Cohen's kappa; None if it is not defined."""


def format_sheet(judged: Sequence[JudgedTrial]) -> str:
    """The sheet, with empty columns for two annotators. They enter 1 or 0."""
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(_COLUMNS)
    for each in judged:
        trial = each.trial
        for measure in _QUESTIONS:
            result = _describe_result(each, measure)
            cells = (trial.turn.text, " ".join(trial.turn.files), result)
            rows.writerow((trial.request, trial.number, measure, *map(_defuse, cells), "", ""))
    return text.getvalue()


def _describe_result(judged: JudgedTrial, measure: str) -> str:
    trial, stage = judged.trial, measure.partition(" ")[0]
    if stage == "planning":
        tasks = serialize_plan(trial.planned, "en")["tasks"]
        return "\n".join(f"{task['id']} {task['task']} {task['args']}" for task in tasks)
    if stage == "selection":
        return "\n".join(f"{id_} {choice.model.id}" for id_, choice in trial.choices.items())
    files = "\n".join(f"[{file.attachment.name}: {file.alt}]" for file in trial.files)
    return f"{trial.answer.text if trial.answer else ''}\n{files}".strip()


def _defuse(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def read_sheet(file: Path) -> Mapping[str, Agreement]:
    """What the annotators say, by measure. Raises FetchError, PlanError."""
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise FetchError("rows-not-read", file=str(file), problem=problem) from error
    marks: dict[str, list[tuple[bool | None, ...]]] = {}
    for number, row in enumerate(_read_rows(text), 2):
        marks.setdefault(row["measure"] or "", []).append(
            tuple(_read_mark(row[name] or "", number) for name in ANNOTATORS)
        )
    return {measure: _compare(marks[measure]) for measure in MEASURES if measure in marks}


def _read_rows(text: str) -> Iterator[Mapping[str, str]]:
    """Raises PlanError if a column is missing."""
    header = text.partition("\n")[0]  # spreadsheets separate by comma, semicolon or tab
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count))
    missing = {"measure", *ANNOTATORS} - set(rows.fieldnames or ())
    if missing:
        raise PlanError("sheet-no-column", column=min(missing))
    yield from rows


def _read_mark(cell: str, number: int) -> bool | None:
    """None for an empty cell. Raises PlanError."""
    mark = cell.strip()
    if mark and mark not in _MARKS:
        raise PlanError("sheet-no-mark", row=number, cell=mark)
    return _MARKS.get(mark)


def _compare(marks: Sequence[tuple[bool | None, ...]]) -> Agreement:
    first, second = (
        [mark for mark in column if mark is not None] for column in zip(*marks, strict=True)
    )
    both = [(one, other) for one, other in marks if one is not None and other is not None]
    agree = 100 * sum(one == other for one, other in both) / len(both) if both else None
    rates = (compute_rate(first) if first else None, compute_rate(second) if second else None)
    return Agreement(rates, len(both), agree, compute_kappa(both))
