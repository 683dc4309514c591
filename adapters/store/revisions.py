"""Bringing the tables to a revision, with the migrations in `migrations/`."""

from importlib.resources import files
from typing import Any

from sqlalchemy import Connection, inspect, text

from adapters.store.schema import HEAD
from pipeline.errors import SettingsError


def upgrade(connection: Connection) -> None:
    """Bring the tables to the newest revision. Raises SettingsError when they are newer than this program."""
    current = revision_of(connection)
    if current == HEAD:
        return
    # Imported here, since the usual start does not need it and it takes longer than all the rest of the store.
    from alembic.command import upgrade as migrate  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = _config(connection)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if current is not None and current not in known:
        raise SettingsError("store-newer", revision=current)
    migrate(config, "head")


def downgrade(connection: Connection, revision: str) -> None:
    """Bring the tables back to a revision ("base": none of them). What only newer tables hold is lost.

    Raises SettingsError when there is no such older one.
    """
    from alembic.command import downgrade as migrate  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    try:
        migrate(_config(connection), revision)
    except CommandError as error:
        raise SettingsError("store-no-revision", revision=revision) from error


def revision_of(connection: Connection) -> str | None:
    """The revision that the tables have now; None: there are none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def _config(connection: Connection) -> Any:  # noqa: ANN401 - imported late
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    return config
