"""Tables as an engine for queries holds them, and what queries on them lead to."""

from dataclasses import dataclass

from pipeline.domain.sentences import LocalizedText


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column as the engine holds it."""

    name: str
    type: str
    """In SQL."""
    remark: str = ""
    """What was taken off the values ("%"), or why they are text."""
    values: tuple[str, ...] = ()
    """All its values, if they are few texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableInfo:
    """A table as the engine holds it."""

    name: str
    title: str
    """The name of the file or the sheet."""
    rows: int
    columns: tuple[TableColumn, ...]
    samples: tuple[tuple[str, ...], ...]
    """The first rows, and the last ones."""
    notes: tuple[LocalizedText, ...] = ()
    """What was not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryResult:
    """What a query led to: rows, or a problem."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """The first ones. Numbers are exact, or have fifteen digits."""
    total: int = 0
    file: bytes = b""
    """All rows as CSV, if there are at least two."""
    problem: str = ""
    """Why there is no result, in the engine's words or ours."""
