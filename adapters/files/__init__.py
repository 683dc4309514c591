"""Files by the hash of their content."""

from adapters.files.local import LocalFiles

__all__ = ["LocalFiles"]
