"""The JSON that the API sends and takes about a person's conversations."""

from typing import Annotated

from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from adapters.web.cursors import MAX_CURSOR

LARGEST_PAGE = 100
_LONGEST_QUERY = 500


class ListedThread(TypedDict):
    """A conversation in the list."""

    thread: str
    title: str
    """What a person called it, else the words of the first message, or the names of its files."""
    pinned: bool
    at: str
    """When something was last said (ISO 8601)."""
    live: bool
    """Whether a run of it is not over."""


class FoundThread(ListedThread):
    """A conversation in the list, and the place that was found."""

    excerpt: str
    """Without a query, and where the title was found, empty."""


class Threads(TypedDict):
    """A page of the list."""

    threads: list[FoundThread]
    next: str | None
    """The `before` of the next page; null at the end."""


class ForgottenThread(TypedDict):
    """A conversation that is gone, and a sentence that says so."""

    thread: str
    text: str


class GoneThread(TypedDict):
    """A conversation that is gone."""

    thread: str


class RunBegan(TypedDict):
    """A run that began in a conversation."""

    thread: str
    run: str
    after: str | None
    """The run that its message follows; "" for none; null for what is newest."""
    message: str
    """The id of its message."""


class Anew(TypedDict):
    """Nothing: the reader has to read everything anew."""


CHANGES = {"thread": ListedThread, "forgotten": GoneThread, "run": RunBegan, "anew": Anew}
"""The events of the stream of changes."""


class DeviceLink(TypedDict):
    """A link for another device."""

    url: str
    expires: str
    """Until when it opens anything (ISO 8601)."""


class ThreadsQuery(BaseModel):
    """Which conversations."""

    query: Annotated[
        str, Field(max_length=_LONGEST_QUERY, description="Words that all have to be there.")
    ] = ""
    before: Annotated[
        str, Field(max_length=MAX_CURSOR, description="The `next` of the page before.")
    ] = ""
    limit: Annotated[int, Field(ge=1, le=LARGEST_PAGE)] = 40
