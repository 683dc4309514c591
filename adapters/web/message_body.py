"""A message that came over HTTP: its text and its files, within our limits."""

from collections.abc import Sequence
from dataclasses import dataclass

from adapters.bounds import Spool
from adapters.web.options import MEBI, Refused, WebOptions
from pipeline.domain import Link

THREAD = "The conversation that the message belongs to; left out for a new one."


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that came with a message."""

    name: str
    content: Spool


@dataclass(frozen=True, slots=True)
class MessageBody:
    """A message as it came; `thread` is "" for a new conversation."""

    text: str
    thread: str
    files: Sequence[UploadedFile | Link]


def check_files(files: Sequence[UploadedFile | Link], options: WebOptions) -> None:
    """Raises Refused for too many files, or one that is empty or too large."""
    if len(files) > options.max_files:
        raise Refused(400, "web-too-many-files", limit=options.max_files)
    for file in files:
        if isinstance(file, UploadedFile):
            if not file.content.size:
                raise Refused(400, "web-file-empty", name=file.name)
            check_size(file, options)


def check_size(file: UploadedFile, options: WebOptions) -> None:
    """Raises Refused for a file that is too large."""
    if file.content.size > options.max_file:
        limit = options.max_file // MEBI
        raise Refused(413, "web-file-too-large", name=file.name, limit=limit)
