"""Switches that make the played Discord misbehave as the real one does."""

from dataclasses import dataclass, field
from enum import Enum


class Trouble(Enum):
    """What happens to one call."""

    LIMITED = "429"
    BLOCKED = "429 of the network before Discord"
    BROKEN = "502"
    UNAVAILABLE = "503"
    UNAUTHORIZED = "401"
    BANNED = "403 of the network before Discord"
    MODERATED = "400: the words or files are blocked"
    TOO_OLD = "400: the message was edited too often"
    UNKNOWN = "404: somebody deletes the message just now"
    LOST = "done, and the connection cut before the answer"
    LOST_502 = "done, and 502 answered"


class File(Enum):
    """What the file host does with an address."""

    HTML = "a page instead of the file"
    REDIRECT = "sends elsewhere"
    HUGE = "two gigabytes"
    GONE = "404"


@dataclass
class Faults:
    """What is to go wrong, and for how many calls."""

    limit_everything_once: bool = False
    wait: float = 0.02
    """Seconds that a limited call shall wait."""
    deliver: int = 1
    interactions_too_late: bool = False
    tokens_expired: bool = False
    """Interactions take no replies any more, as fifteen minutes after their use."""
    token_revoked: bool = False
    calls_left: int | None = None
    """After so many calls, each done, the caller is never answered again: it is killed meanwhile."""  # noqa: E501
    request_bytes: int = 25 << 20
    """Files of one request together, at most."""
    loses_kept_files: bool = False
    """An edit that keeps a file by its id is refused."""
    refuses_shown_files: bool = False
    """No component finds a file."""
    elsewhere: str = "https://example.org/elsewhere"
    _planned: list[tuple[str, Trouble]] = field(default_factory=list)
    _files: dict[int, File] = field(default_factory=dict)
    _limited: set[str] = field(default_factory=set)

    def spend(self) -> bool:
        """Whether this call still gets its answer."""
        if self.calls_left is None:
            return True
        self.calls_left -= 1
        return self.calls_left > 0

    @property
    def spent(self) -> bool:
        return self.calls_left is not None and self.calls_left <= 0

    def next(self, call: str, trouble: Trouble, *, times: int = 1) -> None:
        """The next calls of this name ("POST message") meet this trouble."""
        self._planned.extend([(call, trouble)] * times)

    def left(self, call: str) -> int:
        """How many calls of this name will meet trouble yet."""
        return sum(name == call for name, _ in self._planned)

    def file(self, upload: int, how: File) -> None:
        self._files[upload] = how

    def of_file(self, upload: int) -> File | None:
        return self._files.get(upload)

    def meet(self, call: str) -> Trouble | None:
        if self.limit_everything_once and call not in self._limited:
            self._limited.add(call)
            return Trouble.LIMITED
        for planned in self._planned:
            if planned[0] == call:
                self._planned.remove(planned)
                return planned[1]
        return None
