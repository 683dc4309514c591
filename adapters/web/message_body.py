"""A message that came over HTTP: its text and its files, within our limits."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from adapters.bounds import Spool
from adapters.web.options import MEBI, Refused, WebOptions
from adapters.web.run_logs import FILE_SCHEME
from pipeline.domain import Link
from pipeline.text.names import clean_file_name

STORED_PATTERN = r"/files/([0-9a-f]{64})/([^/?#]+)"
"""Addresses of files of earlier messages and answers."""
LONGEST_STORED = 3_072
"""Their characters. As a count in the pattern, it would cost pydantic 19 ms and 9 MB."""
_STORED = re.compile(STORED_PATTERN)

THREAD = "The conversation that the message belongs to; left out for a new one."
AFTER = (
    'The run of the conversation that the message follows, "" to begin anew; left out, it follows '
    "what the conversation shows last."
)
KEEP = "Addresses of files of earlier messages and answers, to send them again."


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file that came with a message."""

    name: str
    content: Spool


@dataclass(frozen=True, slots=True)
class MessageBody:
    """A message as it came; `thread` is "" for a new conversation.

    `after`: the run that it follows, "" for none; None if it does not say.
    """

    text: str
    thread: str
    files: Sequence[UploadedFile | Link]
    after: str | None = None


def read_address(address: str, name: str = "") -> Link | None:
    """The file of an earlier message or answer with this address; None if it is no such address."""
    if len(address) <= LONGEST_STORED and (match := _STORED.fullmatch(address)):
        key, own_name = match.groups()
        return Link(f"{FILE_SCHEME}{key}", clean_file_name(name or unquote(own_name)))
    return None


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
