"""What the owner's pages ask of the program, in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from adapters.web.owner.ports import (
    Checkup,
    SettingChange,
    SettingName,
    SettingRefused,
    Storage,
    StoredTable,
)
from pipeline.domain import Ability, Channel, ChannelSettings, LocalizedText, report_bad
from pipeline.ports import KnownChannel
from pipeline.task_kinds import KINDS

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


@dataclass
class FakeAdministration:
    """Knows two channels, and finds one thing to mend."""

    keeps_prompts: bool = False
    is_traced: bool = False
    checkup: Checkup | None = None
    running: list[Mapping[str, Any]] = field(default_factory=list)
    channels: dict[str, ChannelSettings] = field(
        default_factory=lambda: {
            "slack:T1:C1": ChannelSettings(mention="always"),
            "slack:T1:C2": ChannelSettings(),
        }
    )
    sweeps: int = 0

    async def status(self, since: str) -> Mapping[str, Any]:
        if since == "never":
            raise ValueError(since)
        spent = {"calls": 2, "failed": 1, "prompt_tokens": 9, "reply_tokens": 1, "usd": 0.5}
        return {
            "version": "1",
            "running": {
                "ready": True,
                "problems": {"slack": "revoked"},
                "places": {"hosted": "no credit", "local": ""},
                "started_at": NOON.isoformat(),
                "platforms": {"slack": False, "web": True},
                "changed_at": {"slack": NOON.isoformat(), "web": NOON.isoformat()},
                "workers": {"count": 2, "busy": 1, "waiting": 0, "lost": 0},
                "loop_lag": 0.01,
                "free_bytes": {"home": 10**9},
                "running": self.running,
                "waiting": [{"run": "fedc", "channel": "slack:T1:C1", "seconds": 5000}],
            },
            "database": {
                "outcomes": {"slack": {"answered": 3, "not_done": 1}},
                "last_answered": {"at": NOON.isoformat(), "run": "0123abcd4567"},
                "unanswered": {"slack": {"count": 1, "seconds": 90000}},
                "spent": spent,
                "apologies": [
                    {"run": "0123abcd4567", "at": NOON.isoformat()}
                    | {"channel": "slack:T1:C1", "reason": "apology-bug"}
                ],
                "failed_steps": [
                    {"times": 2, "reason": "gone", "kind": "image-to-text", "place": "local"}
                    | {"model": "org/bad", "last": NOON.isoformat(), "run": "0123abcd4567"}
                ],
            },
            "spent_today": spent,
        }

    async def live(self) -> Sequence[Mapping[str, Any]]:
        return self.running

    async def check(self) -> Checkup:
        self.checkup = Checkup(
            at=NOON,
            findings=[report_bad("doctor-data", mend="mend it", why="broken", where="here")],
            abilities=[Ability(KINDS["text-to-image"], problem=LocalizedText("tasks-nobody"))],
        )
        return self.checkup

    async def list_channels(self, query: str, *, after: str, limit: int) -> Sequence[KnownChannel]:
        keys = [key for key in self.channels if query in key and key > after][:limit]
        return [KnownChannel(Channel(*key.split(":")), self.channels[key], NOON) for key in keys]

    def list_values(self, channel: KnownChannel) -> Mapping[str, str]:
        return {"mention": channel.settings.mention}

    def list_settings(self) -> Sequence[SettingName]:
        return [SettingName("mention", ("always", "threads"))]

    async def change_channels(
        self, channels: Sequence[str], changes: Mapping[str, str], *, preview: bool
    ) -> Sequence[SettingChange]:
        for key in channels:
            if key not in self.channels:
                raise SettingRefused("owner-unknown-channel", channel=key)
        wanted = changes.get("mention", "unknown")
        if wanted not in ("", "always", "threads"):
            raise SettingRefused("settings-bad", value=wanted, choices="always, threads")
        told = []
        for key in channels:
            before = self.channels[key].mention
            if before != wanted:
                told.append(SettingChange(key, "mention", before, wanted))
            if not preview:
                self.channels[key] = ChannelSettings(mention=wanted)
        return told

    async def measure(self) -> Storage:
        table = StoredTable(name="runs", rows=3, oldest=NOON, due=2 - self.sweeps, due_soon=1)
        return Storage(
            database=1000,
            files=2,
            file_bytes=50,
            files_are_more=False,
            free={"home": 10},
            tables=[table],
            most=100,
            retention_days=90,
            cutoff=NOON,
            keeps_prompts=self.keeps_prompts,
            swept_at=NOON if self.sweeps else None,
        )

    async def sweep(self) -> None:
        self.sweeps += 1
