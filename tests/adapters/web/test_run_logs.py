"""The logs of runs that a program keeps in memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from adapters.web.elsewhere import Elsewhere
from adapters.web.run_logs import RunLogs
from pipeline.domain import Event, RunId
from pipeline.ports import ENDED, Position
from tests.adapters.web.records import Records
from tests.contracts.messages import message


@dataclass
class SilentProgress:
    """Nobody has told anything yet."""

    async def tell(self, run: RunId, after: Position, events: Sequence[Event]) -> Position:
        return after

    async def read(self, run: RunId, after: Position) -> tuple[Position, Sequence[Event]]:
        return after, ()

    async def clear(self, older_than: timedelta) -> None:
        """There is nothing."""


async def test_a_run_that_ended_elsewhere_unread_is_forgotten_like_our_own() -> None:
    records = Records()
    others = Elsewhere(progress=SilentProgress(), are_there=lambda: True)
    logs = RunLogs(records.store, records.inbox, elsewhere=others)

    waiting = logs.open(RunId("waiting"), message("0"))
    for number in range(300):
        logs.open(RunId(f"{number}"), message("1"))
        logs.hear(f"{number} {ENDED}")

    assert len(logs._logs) < 260  # noqa: SLF001 - what it holds
    assert logs.open(RunId("waiting"), message("0")) is waiting
