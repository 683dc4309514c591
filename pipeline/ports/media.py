"""The ports for work on files: downloads, worker processes, media tools, queries on tables."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from pipeline.domain import Blob, Boxes, FileDescription, Labels, Masks, QueryResult, TableInfo
from pipeline.queues import FIRST, Ticket

T = TypeVar("T")


class Fetch(Protocol):
    """Downloads; all of the program's go through here."""

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        trusted: frozenset[str] = frozenset(),
        max_bytes: int,
    ) -> Blob:
        """Download a URL; the media type is the one the server claims.

        `headers` (a token) are sent only to hosts in `trusted`. Only public addresses and hosts
        that the settings allow are contacted, also in redirects. Raises FetchError.
        """


class Workers(Protocol):
    """The pool of worker processes for all heavy work."""

    async def run(
        self,
        work: Callable[..., T],
        *args: object,
        ticket: Ticket = FIRST,
        seconds: float | None = None,
    ) -> T:
        """Run `work(*args)` in a worker process. `work` is a module-level function with type hints.

        The call waits for a worker; without a ticket it precedes the steps of all runs. `seconds`
        count from when the work begins. Cancelling kills the process. Raises what `work` raises,
        and TimeoutError.
        """


class MediaTools(Protocol):
    """Inspects, converts and draws files in worker processes. All methods raise MediaError."""

    async def describe(self, blob: Blob) -> FileDescription:
        """Inspect a file's bytes. Raises MediaError if it is broken or oversized."""

    async def convert(self, blob: Blob, media_type: str) -> Blob:
        """Convert a file (or a video's poster or sound track)."""

    async def fit(self, blob: Blob, max_bytes: int) -> Blob:
        """Shrink a file to `max_bytes`, in a type that chat platforms show inline."""

    async def preview(self, image: Blob, side: int) -> Blob:
        """The image as JPEG, on white, scaled down to at most `side` pixels in each direction."""

    async def find_cut_out(self, picture: Blob) -> Blob | None:
        """The mask of a cut-out: its transparency; None for a picture without any."""

    async def draw_boxes(self, image: Blob, boxes: Boxes) -> Blob: ...
    async def draw_masks(self, image: Blob, masks: Masks) -> Blob: ...
    async def chart(self, labels: Labels) -> Blob: ...
    async def draw_depth(self, depth: Blob) -> Blob:
        """A greyscale depth map in colours."""

    async def draw_table(self, table: Blob) -> Blob:
        """The first rows of a table as an image."""

    async def label(self, blob: Blob, made: Mapping[str, str]) -> Blob:
        """Write a file's origin (model, licence …) to its metadata, if its type supports it."""


class TableEngine(Protocol):
    """Carries out queries on the tables of files, and on nothing else."""

    async def describe(self, blobs: Sequence[Blob], ticket: Ticket = FIRST) -> Sequence[TableInfo]:
        """The tables of these files. Raises MediaError."""

    async def query(self, blobs: Sequence[Blob], sql: str, ticket: Ticket = FIRST) -> QueryResult:
        """Carry out one SELECT. Raises MediaError."""
