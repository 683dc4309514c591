"""The ports to files: fetching, worker processes, looking at and drawing media."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

from pipeline.domain import Blob, Boxes, Labels, Masks

T = TypeVar("T")


class Fetch(Protocol):
    """Every byte from a URL anywhere in the program."""

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        trusted: frozenset[str] = frozenset(),
        max_bytes: int,
    ) -> Blob:
        """The bytes behind a URL, its media type as the server claims it.

        `headers` (a token) go only to hosts in `trusted`. Only public addresses, or hosts that the
        settings allow, are reached; redirects follow the same rules. Raises FetchError.
        """


class Workers(Protocol):
    """The one pool of processes for everything heavy."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """Run `work(*args)` in another process: a function at the top of a module, with type hints.

        Cancelling kills the process. Raises what `work` raises.
        """


@dataclass(frozen=True, slots=True)
class FileDescription:
    """The real type of a file and one line on it ("photo, 640x480", "sound, 7.1 s")."""

    media_type: str
    description: str


class MediaTools(Protocol):
    """Looks at, converts and draws files, in bounds and in a worker. Raises MediaError."""

    async def describe(self, blob: Blob) -> FileDescription:
        """What a file is, by its bytes. Raises MediaError for a broken or oversized one."""

    async def convert(self, blob: Blob, media_type: str, *, max_bytes: int = 0) -> Blob:
        """The same as another type of file (a video's poster or sound), at most `max_bytes`."""

    async def fit(self, blob: Blob, max_bytes: int) -> Blob:
        """The same, smaller (scaled, compressed), of a type that chat platforms play inline."""

    async def draw_boxes(self, image: Blob, boxes: Boxes) -> Blob: ...
    async def draw_masks(self, image: Blob, masks: Masks) -> Blob: ...
    async def chart(self, labels: Labels) -> Blob: ...
    async def draw_depth(self, depth: Blob) -> Blob:
        """A grey picture of depths in colours."""

    async def draw_table(self, table: Blob) -> Blob:
        """The first rows of a table as a picture."""

    async def label(self, blob: Blob, made: Mapping[str, str]) -> Blob:
        """The file with its origin ("model", "licence" …) in its metadata, if its type has any."""
