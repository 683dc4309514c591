"""A span as the program describes it, before the SDK makes one of it; and who takes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One span of a trace. Times are seconds since 1970."""

    name: str
    key: str
    """Tells it from others of the trace."""
    parent: str = ""
    """The key of its parent, which comes before it; "" for the root."""
    began: float
    ended: float
    is_call: bool = False
    """Whether it is a call to something outside the program."""
    attributes: Mapping[str, str | int | float] = field(default_factory=dict)
    error: str = ""
    """The id or class of what went wrong: nobody's words; "" if nothing did."""


class TraceSender(Protocol):
    """Takes traces and sends them on."""

    def send(self, trace_id: str, spans: Sequence[Span]) -> None:
        """Hand the spans of one trace over, parents before their children. Never waits."""
        ...

    async def check(self) -> bool:
        """Whether what takes them says that it does, asked now."""
        ...
