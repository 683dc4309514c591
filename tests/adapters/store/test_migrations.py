"""The migrations make the tables that the code knows, in one line of revisions."""

from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine

from adapters.store.revisions import downgrade, revision_of, upgrade
from adapters.store.schema import HEAD, metadata

ROOT = Path(__file__).parents[3]


def scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations"))
    return ScriptDirectory.from_config(config)


def differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


def test_there_is_one_head_and_the_code_expects_it() -> None:
    assert scripts().get_heads() == [HEAD]


def test_the_migrations_make_the_tables_that_the_code_knows(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/troupe.db")
    with engine.begin() as connection:
        upgrade(connection)

        assert differences(connection) == []
    engine.dispose()


def test_every_revision_can_be_undone_and_done_again(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/troupe.db")
    with engine.begin() as connection:
        upgrade(connection)
        for script in scripts().walk_revisions():
            downgrade(connection, script.down_revision or "base")  # type: ignore[arg-type]
            assert revision_of(connection) == script.down_revision

        upgrade(connection)

        assert revision_of(connection) == HEAD
        assert differences(connection) == []
    engine.dispose()
