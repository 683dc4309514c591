"""The sign that a message was heard, before anything else happens."""

from dataclasses import dataclass, field

from cachetools import TTLCache

from adapters.slack.calls import SlackCalls
from pipeline.domain import Incoming, Sentence
from pipeline.words import say

EYES, WARNING = "eyes", "warning"
_REMEMBERED, _HOUR = 10_000, 3600


@dataclass(slots=True)
class Acknowledgements:
    """Slack's own status line in the thread; where it is not to be had, a pair of eyes on the message."""

    calls: SlackCalls
    _eyes: set[str] = field(default_factory=set)
    _over: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_REMEMBERED, _HOUR))

    async def show(self, message: Incoming) -> None:
        channel = message.thread.channel.id
        shown = await self.calls.try_once(
            "assistant.threads.setStatus",
            channel_id=channel,
            thread_ts=message.thread.root,
            status=say(message.person.locale, Sentence("slack-status")),
        )
        if shown is None and await self.calls.try_once(
            "reactions.add", channel=channel, timestamp=message.id, name=EYES
        ):
            self._eyes.add(message.key)
            if message.key in self._over:
                await self.clear(message)

    async def warn(self, message: Incoming) -> None:
        """The last resort where nothing can be said."""
        channel = message.thread.channel.id
        await self.calls.try_once(
            "reactions.add", channel=channel, timestamp=message.id, name=WARNING
        )

    async def clear(self, message: Incoming) -> None:
        """Eyes are closed; the status goes by itself when something is posted."""
        self._over[message.key] = True
        if message.key in self._eyes:
            self._eyes.discard(message.key)
            await self.calls.try_once(
                "reactions.remove",
                channel=message.thread.channel.id,
                timestamp=message.id,
                name=EYES,
            )
