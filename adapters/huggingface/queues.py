"""Providers that answer with a place in a queue: where to look, how far it is, how to cancel."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from adapters.huggingface.asking import Call

Document = Mapping[str, Any]


class State(StrEnum):
    """How far a job is."""

    UNDER_WAY = "under way"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Ticket:
    """A job in a provider's queue: addresses below the router. No `result`: it comes with the last look."""

    look: str
    result: str = ""
    cancel: tuple[str, str] | None = None
    """Method and address."""


def ticket(call: Call, said: Document) -> Ticket | None:
    """The ticket that a first answer is; None when it is the result itself. Raises KeyError, TypeError."""
    match said:
        case {"request_id": str(), "response_url": str(answer)}:  # fal
            path, query = _routed(call, answer), urlsplit(call.url).query
            ask = f"?{query}" if query else ""
            return Ticket(f"{path}/status{ask}", path + ask, ("PUT", f"{path}/cancel{ask}"))
        case {"urls": {"get": str(look)}} if state(said) is State.UNDER_WAY:  # replicate
            cancel = said["urls"].get("cancel")
            leave = ("POST", _routed(call, str(cancel))) if cancel else None
            return Ticket(_routed(call, look), cancel=leave)
        case {"data": {"urls": {"get": str(look)}}}:  # wavespeed
            return Ticket(_routed(call, look))
        case {"id": str(job), "task_status": "PROCESSING"}:  # zai
            base = call.url.partition("/api/paas/")[0]
            return Ticket(f"{base}/api/paas/v4/async-result/{job}")
        case {"id": str(job), "status": "queued" | "in_progress"}:  # together
            return Ticket(f"{call.url}/{job}")
        case _:
            return None


_DONE = frozenset({"completed", "succeeded", "success"})
_FAILED = frozenset({"failed", "fail", "canceled", "cancelled", "error", "aborted"})


def state(said: Document) -> State:
    """How far the job is, by whichever name the provider calls it."""
    inside = said.get("data")
    of = inside if isinstance(inside, Mapping) else said
    word = str(of.get("status") or of.get("task_status") or "").lower()
    if word in _DONE:
        return State.FAILED if of.get("error") else State.DONE
    return State.FAILED if word in _FAILED else State.UNDER_WAY


def position(said: Document) -> str:
    """The place in the queue as "#3"; "" when it is not told."""
    place = said.get("queue_position")
    return f"#{place}" if isinstance(place, int) and place > 0 else ""


def _routed(call: Call, address: str) -> str:
    """The same path below the router: our token goes nowhere else, whatever address the provider names."""
    below = call.url.partition(f"/{call.provider}/")[0]
    path = urlsplit(address).path
    if not path.startswith("/") or ".." in path:
        raise KeyError(address)
    return f"{below}/{call.provider}{path}"
