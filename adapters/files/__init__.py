"""The stores for files."""

from adapters.files.local import LocalFiles
from adapters.files.store import FileStore

__all__ = ["FileStore", "LocalFiles"]
