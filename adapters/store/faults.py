"""Faults of databases: what each means while running, and at the start."""

import sqlite3

from sqlalchemy import URL, exc

from pipeline.errors import SettingsError, StoreDamaged, StoreUnavailable

FAULTS = (exc.SQLAlchemyError, sqlite3.Error, OSError)
"""Errors to translate. sqlite3 raises its own when a transaction cannot begin."""
_Running = tuple[type[StoreUnavailable], str]
_GONE: _Running = (StoreUnavailable, "store-gone")
_FULL: _Running = (StoreUnavailable, "store-full")
_DAMAGED: _Running = (StoreDamaged, "store-damaged")
_FATAL = ("FATAL", "PANIC")
"""Severities of errors after which a server closes the connection."""
_BY_CODE: tuple[tuple[tuple[str, ...], _Running, str], ...] = (
    (("SQLITE_FULL", "53100"), _FULL, "store-full"),
    (("SQLITE_NOTADB", "SQLITE_CORRUPT", "XX001", "XX002"), _DAMAGED, "store-unreadable"),
    (("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM"), _GONE, "store-unwritable"),
    (("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL"), _GONE, "store-unreached"),
    (("SQLITE_IOERR", "SQLITE_NOMEM", "SQLITE_INTERRUPT"), _GONE, "store-unreached"),
    (("28", "3D"), _GONE, "store-refused"),  # PostgreSQL's: a wrong password, a missing database
    (
        ("42501",),
        _GONE,
        "store-forbidden",
    ),  # a user who may not make tables, as most since version 15
    (("53300",), _GONE, "store-crowded"),
    (("25006",), _GONE, "store-read-only"),
    (("08", "40", "53", "55P03", "57", "58"), _GONE, "store-unreached"),
)
"""Prefixes of error codes, what they mean while running, and the sentence for them at start.

The last are PostgreSQL's: connections, lost races, resources, locks, restarts, disks.
"""


def translate(error: Exception) -> Exception:
    """StoreUnavailable for a fault of the database while running; any other error unchanged."""
    meaning, _ = _look_up(error)
    if meaning is None and isinstance(error, (OSError, exc.TimeoutError)):  # also of the pool
        meaning = _GONE
    if meaning is None and (is_cut_off(error) or _ends_connection(error)):
        meaning = _GONE
    return error if meaning is None else meaning[0](meaning[1])


def is_cut_off(error: BaseException | None) -> bool:
    """Whether the connection broke, so that a transaction may or may not be committed."""
    return isinstance(error, exc.DBAPIError) and error.connection_invalidated


def _ends_connection(error: Exception) -> bool:
    """Whether a PostgreSQL server closes the connection after an error, or its driver is confused.

    A server that shuts down says so, also on a connection that waits for nothing, and closes it a
    moment later. What is sent meanwhile the driver refuses with an internal error. SQLAlchemy takes
    that for a cut only after the connection has been opened.
    """
    if not isinstance(error, exc.DBAPIError) or error.orig is None:
        return False
    is_internal = isinstance(error, exc.InternalError) and _find_code(error) == ""
    return is_internal or getattr(error.orig.__cause__, "severity_en", "") in _FATAL


def explain_at_start(error: BaseException, address: URL) -> SettingsError:
    """The error to raise when the database cannot be opened."""
    _, sentence = _look_up(error)
    if not sentence:
        is_path = isinstance(error, OSError) and address.get_backend_name() == "sqlite"
        sentence = "store-unwritable" if is_path else "store-unreached"
    return SettingsError(sentence, url=str(address.set(query={})))


def _look_up(error: BaseException) -> tuple[_Running | None, str]:
    code = _find_code(error)
    rows = ((meaning, starting) for codes, meaning, starting in _BY_CODE if code.startswith(codes))
    return next(rows, (None, ""))


def _find_code(error: BaseException) -> str:
    """SQLite's name of an error, or PostgreSQL's number; "" if it has none."""
    cause = error.orig if isinstance(error, exc.DBAPIError) else error
    return getattr(cause, "sqlite_errorname", None) or getattr(cause, "sqlstate", None) or ""
