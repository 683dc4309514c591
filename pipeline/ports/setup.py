"""The set-up of the program by whoever runs it."""

from collections.abc import Sequence
from typing import Protocol

from pipeline.domain import SetupRequest, SetupResult, SetupStatus, StartExample

__all__ = ["Setup"]


class Setup(Protocol):
    """What is configured, and steps that configure more, each checked live before it is written.

    Who may call it is for the caller to decide.
    """

    async def describe(self) -> SetupStatus:
        """What is configured, what works, and what each missing thing needs."""
        ...

    async def list_examples(self) -> Sequence[StartExample]:
        """Three requests that work now, by what is configured."""
        ...

    async def apply(self, request: SetupRequest) -> SetupResult:
        """Check what was entered, then write it.

        With `renews` in the result, `renew` is to be called once the person was told.
        """
        ...

    async def undo(self) -> SetupResult:
        """Take the last change back."""
        ...

    def renew(self) -> None:
        """Let the program read its settings anew."""
        ...
