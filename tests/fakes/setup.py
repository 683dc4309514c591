"""A set-up that answers as told and keeps what it was asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.domain import (
    LocalizedText,
    SetupRequest,
    SetupResult,
    SetupState,
    SetupStatus,
    StartExample,
)

STATUS = SetupStatus(
    generation="one",
    states=(SetupState(id="slack", is_on=False, text=LocalizedText("setup-slack-off")),),
    can=1,
    of=2,
    missing=(),
    providers=(),
    servers=(),
    folders=(),
    models=(),
    manifest_url="https://api.slack.com/apps",
    file="/home/ann/.env",
    undo=(),
)
INVOICE = StartExample(
    id="invoice",
    title=LocalizedText("start-invoice"),
    text=LocalizedText("start-invoice-text"),
    sample="invoice",
)
WRITTEN = SetupResult(is_good=True, written=("HF_TOKEN",), renews=True)


@dataclass
class FakeSetup:
    """A `Setup` without settings."""

    status: SetupStatus = STATUS
    result: SetupResult = WRITTEN
    asked: list[SetupRequest] = field(default_factory=list)
    undone: int = 0
    renewed: int = 0

    async def describe(self) -> SetupStatus:
        return self.status

    async def list_examples(self) -> Sequence[StartExample]:
        return (INVOICE,)

    async def apply(self, request: SetupRequest) -> SetupResult:
        self.asked.append(request)
        return self.result

    async def undo(self) -> SetupResult:
        self.undone += 1
        return self.result

    def renew(self) -> None:
        self.renewed += 1
