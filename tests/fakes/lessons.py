"""Lessons out of a fake store."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.domain import Audience, Channel, RunId, Thread
from pipeline.lessons import Voted, lessons
from pipeline.lessons import reach as reach_of
from pipeline.ports import Lesson
from tests.fakes.lasting import FakeInbox
from tests.fakes.store import FakeStore


@dataclass
class FakeLessons:
    """What the store's votes teach."""

    store: FakeStore
    inbox: FakeInbox = field(default_factory=FakeInbox)

    async def taught(self, thread: Thread, *, reach: str) -> Sequence[Lesson]:
        channel = thread.channel
        channels = self._channels(channel, reach)
        newest = list(dict.fromkeys(vote.run for vote in reversed(self.store.cast.values())))
        return lessons(
            Voted(
                self.store.saved[run].run,
                tuple(vote.value for vote in self.store.cast.values() if vote.run == run),
                self.store.saved[run].thread.channel == channel,
            )
            for run in newest
            if (of := self.store.saved[run].thread).channel in channels
            and (of == thread or not of.closed)
        )

    async def unteach(self, runs: Sequence[RunId]) -> None:
        self.store.cast = {
            at: vote
            for at, vote in self.store.cast.items()
            if vote.run not in runs or vote.value < 0
        }

    def _channels(self, channel: Channel, reach: str) -> set[Channel]:
        def of(other: Channel) -> str:
            chosen = self.store.chosen.get(other)
            return reach_of(reach, chosen.learn if chosen else "")

        if of(channel) == "off":
            return set()
        told = {
            saved.thread.channel: saved.run.audience
            for saved in self.store.saved.values()
            if saved.run.audience is not Audience.UNKNOWN
        }
        for entry in self.inbox.entries:
            if entry.message.heard.audience is not Audience.UNKNOWN:
                told[entry.message.thread.channel] = entry.message.heard.audience
        open_ = {
            other
            for other, audience in told.items()
            if audience is Audience.WORKSPACE
            and (other.platform, other.workspace) == (channel.platform, channel.workspace)
            and of(other) == "workspace"
        }
        return open_ if channel in open_ else {channel}
