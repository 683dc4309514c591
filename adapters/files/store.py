"""What every store for files does beyond the port, for whoever runs the program."""

from typing import Protocol

from pipeline.ports import Files


class FileStore(Files, Protocol):
    """A store for files that can be opened, tested and measured."""

    async def prepare(self) -> None:
        """Make the store usable and clear away what was begun. Raises SettingsError."""

    async def check(self) -> None:
        """Write a small file and read it back. Raises StoreUnavailable at once."""

    async def measure(self, most: int) -> tuple[int, int]:
        """How many files there are, and their bytes; counting stops at `most`."""
