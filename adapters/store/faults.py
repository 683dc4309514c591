"""What a database can raise, in our words."""

import sqlite3

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pipeline.errors import RequestError, SettingsError

FAULTS = (SQLAlchemyError, sqlite3.Error, OSError)
"""What is to be translated. SQLite's own comes from a transaction that could not be begun."""

_FULL = ("SQLITE_FULL", "53100")
_UNWRITABLE = ("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH")
_IN_THE_WAY = (PermissionError, NotADirectoryError, FileExistsError, IsADirectoryError)
_FOREIGN = ("SQLITE_NOTADB", "SQLITE_CORRUPT")
_GONE = (OSError, OperationalError, InterfaceError, PoolTimeout, sqlite3.OperationalError)
_REFUSED = ("28", "3D")
"""PostgreSQL's classes of wrong password and missing database."""


def translated(error: Exception) -> Exception:
    """An error while the program runs. What is no fault of the database's is a bug, and stays what it is."""
    if _code(error).startswith(_FULL):
        return RequestError("store-full")
    if isinstance(error, _GONE) or _lost(error):
        return RequestError("store-gone")
    return error


def at_start(error: Exception, url: str) -> SettingsError:
    """An error while the database is opened."""
    code = _code(error)
    if code.startswith(_FULL):
        return SettingsError("store-full")
    if code.startswith(_FOREIGN):
        return SettingsError("store-unreadable", url=url)
    if code.startswith(_UNWRITABLE) or isinstance(error, _IN_THE_WAY):
        return SettingsError("store-unwritable", url=url)
    if code.startswith(_REFUSED):
        return SettingsError("store-refused", url=url)
    return SettingsError("store-unreached", url=url)


def _code(error: Exception) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(cause, "sqlite_errorname", "") or getattr(cause, "sqlstate", ""))


def _lost(error: Exception) -> bool:
    return isinstance(error, DBAPIError) and error.connection_invalidated
