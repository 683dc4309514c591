"""The port to the ledger: which posts were made."""

from enum import StrEnum
from typing import Protocol

from pipeline.domain import RunId


class Posting(StrEnum):
    """The state of a post in the ledger."""

    FRESH = "fresh"
    UNSURE = "unsure"
    """Begun but not confirmed: look it up on the platform first."""
    POSTED = "posted"


class Ledger(Protocol):
    """The posts of each run by idempotency key, so that nothing is posted twice.

    A key is the run's id, a colon and the part ("{run}:answer:2"). It is deleted with its run.
    """

    async def begin(self, key: str) -> tuple[Posting, str]:
        """Record that a post is about to be made; returns its state so far and its receipt."""

    async def done(self, key: str, receipt: str) -> None:
        """Record that the post was made; `receipt` is its id on the platform."""

    async def find_run(self, receipt: str) -> RunId | None:
        """Find the run whose answer includes the message with this receipt."""
