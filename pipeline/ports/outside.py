"""The ports to the outside: chats, fetching, worker processes, media, gate and limits."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from pipeline.domain import (
    Blob,
    Boxes,
    Command,
    Event,
    Incoming,
    Invocation,
    Labels,
    Link,
    Masks,
    Person,
    Press,
    Reply,
    RunId,
    Thread,
)

T = TypeVar("T")


class Listener(Protocol):
    """The conversation, as a chat adapter sees it. Every entry passes the same gate and limits."""

    @property
    def commands(self) -> Sequence[Command]: ...

    async def said(self, message: Incoming) -> RunId | None:
        """A message was heard. Taken durably when this returns an id; None: it is not for the bot, or known already."""
        ...

    async def edited(self, message: Incoming) -> None: ...
    async def deleted(self, thread: Thread, message: str) -> None: ...
    async def pressed(self, press: Press) -> Reply: ...
    async def invoked(self, invocation: Invocation) -> Reply: ...
    async def completions(
        self, command: str, option: str, typed: str, thread: Thread
    ) -> Sequence[str]:
        """At most 25, each at most 100 characters."""
        ...


class Chat(Protocol):
    """A place where people talk to the bot."""

    @property
    def platform(self) -> str: ...

    async def listen(self, listener: Listener) -> None:
        """Hand over what is heard, until cancelled. Catches up on what was missed first. Raises SettingsError when it cannot begin."""
        ...

    async def download(self, link: Link) -> Blob:
        """A file that was sent. Raises FetchError."""
        ...

    async def history(self, thread: Thread, *, before: str) -> Sequence[Incoming]:
        """What was said in a thread before a message, oldest first (at most some 50): for a bot called into a thread."""
        ...

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        """Show what happens, and deliver the answer when it comes; returns when it stands there, under keys of the run.

        Called again for the same run after a restart; what stands there already is not posted again.
        Never keeps the events waiting: what cannot be shown in time is merged into what comes next.
        Raises ChatError.
        """
        ...


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

        `headers` (a token) go only to hosts in `trusted`, redirects are followed by hand under the same rules, and only public
        addresses, or hosts the settings allow, are reached. Raises FetchError.
        """
        ...


class Workers(Protocol):
    """The one pool of processes for everything heavy."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        """`work(*args)` in another process; both must pickle. Cancelling kills the process. Raises what `work` raises."""
        ...


@dataclass(frozen=True, slots=True)
class Described:
    """A file that was looked at: its real type and one line on it ("photo, 640x480", "sound, 7.1 s")."""

    media_type: str
    description: str


class MediaTools(Protocol):
    """Looks at, converts and draws files, in bounds and in a worker. Raises MediaError."""

    async def describe(self, blob: Blob) -> Described:
        """What a file is, by its bytes. Raises MediaError for an empty, broken, mislabelled or oversized one."""
        ...

    async def convert(self, blob: Blob, media_type: str, *, max_bytes: int = 0) -> Blob:
        """The same as another type of file (a poster for a video, the sound of a video), within a size if one is given."""
        ...

    async def fit(self, blob: Blob, max_bytes: int) -> Blob:
        """The same, smaller (scaled, compressed), of a type that chat platforms play inline."""
        ...

    async def draw_boxes(self, image: Blob, boxes: Boxes) -> Blob: ...
    async def draw_masks(self, image: Blob, masks: Masks) -> Blob: ...
    async def chart(self, labels: Labels) -> Blob: ...
    async def draw_depth(self, depth: Blob) -> Blob:
        """A grey picture of depths in colours."""
        ...

    async def draw_table(self, table: Blob) -> Blob:
        """The first rows of a table as a picture."""
        ...

    async def label(self, blob: Blob, made: Mapping[str, str]) -> Blob:
        """The file with what made it ("model", "licence" …) in its metadata; the same where its type has no place for that."""
        ...


class Gate(Protocol):
    """Who may do what where."""

    async def check(self, person: Person, thread: Thread, what: str) -> None:
        """Raises NotAllowed. `what` is "ask", a command's name, or an action's."""
        ...


class Limits(Protocol):
    """How much, how often."""

    async def check(self, person: Person, thread: Thread) -> None:
        """Count one request. Raises OverLimit, with the seconds to wait."""
        ...


Clock = Callable[[], datetime]
Tell = Callable[[Event], None]
"""Where a run puts its events. Never waits."""
