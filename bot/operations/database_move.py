"""`troupe db copy`: from the SQLite file of one bot to the database of several."""

from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import quote

import typer

from adapters.store import (
    check_copy,
    copy_database,
    copy_rows,
    exclusive,
    find_database_files,
    upgrade,
)
from bot.home import open_home
from bot.operations.archive import DATABASE
from bot.operations.backup import open_work_folder
from bot.settings import Settings
from pipeline.domain import LocalizedText
from pipeline.errors import SettingsError
from pipeline.words import say


async def copy_to_server(settings: Settings, source: Path | None) -> None:
    """Copy a file, by default that of the home folder, into the configured database on a server.

    Refused while a program serves either, and where there is something in the database already.
    All is copied, or nothing; the file stays as it is. Raises SettingsError.
    """
    url, file = settings.database_url, source or settings.home / DATABASE
    if find_database_files(url):
        raise SettingsError("copy-to-server")
    if not file.is_file():
        raise SettingsError("copy-nothing", file=str(file))
    open_home(settings)
    await upgrade(url)
    async with AsyncExitStack() as stack:
        own = f"sqlite:///{quote(str(file.absolute()))}"
        for lock in (own, url):
            await stack.enter_async_context(exclusive(lock))
        folder = await stack.enter_async_context(open_work_folder(settings))
        await copy_database(own, folder / DATABASE)
        await check_copy(folder / DATABASE)
        rows = await copy_rows(folder / DATABASE, url)
    done = LocalizedText("copy-done", {"rows": rows, "file": str(file)})
    typer.echo(say("en", done), err=True)
