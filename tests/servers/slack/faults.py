"""What can be told to go wrong, and when."""

from collections import deque
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limited:
    """429 with Retry-After; nothing happens."""

    seconds: int = 1


@dataclass(frozen=True)
class Broken:
    """A 5xx page; nothing happens."""

    status: int = 503


@dataclass(frozen=True)
class Lost:
    """It takes effect, then the connection is cut before the answer."""


@dataclass(frozen=True)
class Cut:
    """The connection is cut before anything happens."""


@dataclass(frozen=True)
class Refused:
    """Slack's own refusal: `ok` is false."""

    error: str


Fault = Limited | Broken | Lost | Cut | Refused


@dataclass
class Faults:
    """The faults still to come."""

    waiting: dict[str, deque[Fault]] = field(default_factory=dict)
    everywhere: Fault | None = None
    seen: set[str] = field(default_factory=set)
    revoked: bool = False
    withheld_scopes: set[str] = field(default_factory=set)
    deliveries: int = 1
    dead_addresses: int = 0
    hung_addresses: int = 0
    struck: list[tuple[str, Fault]] = field(default_factory=list)

    def once(self, method: str, *faults: Fault) -> None:
        """The next calls of `method` meet these, one each."""
        self.waiting.setdefault(method, deque()).extend(faults)

    def once_everywhere(self, fault: Fault) -> None:
        """The first call of every method meets this."""
        self.everywhere, self.seen = fault, set()

    def next(self, method: str) -> Fault | None:
        queue = self.waiting.get(method)
        fault = queue.popleft() if queue else None
        if fault is None and self.everywhere is not None and method not in self.seen:
            self.seen.add(method)
            fault = self.everywhere
        if fault is not None:
            self.struck.append((method, fault))
        return fault
