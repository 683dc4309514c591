"""The stores for files: a folder, or a bucket behind the S3 protocol."""

from adapters.files.local import LocalFiles
from adapters.files.opening import open_files
from adapters.files.places import Bucket, FilesPlace, name_place, split_bucket
from adapters.files.store import FileStore

__all__ = [
    "Bucket",
    "FileStore",
    "FilesPlace",
    "LocalFiles",
    "name_place",
    "open_files",
    "split_bucket",
]
