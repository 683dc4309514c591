"""Signs that a message was taken."""

from dataclasses import dataclass, field

from cachetools import TTLCache

from adapters.slack.web_api.client import Json, SlackClient
from pipeline.domain import Incoming, LocalizedText
from pipeline.words import say

_MOST_KEPT = 100_000
"""Messages that are remembered."""
_HOUR = 3600
"""Seconds for which they are: no run should take longer."""


@dataclass(slots=True)
class Reactions:
    """Shows that a message was taken: Slack's status line, or a 👀 reaction."""

    client: SlackClient
    _signs: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_MOST_KEPT, _HOUR))
    """By message: True if it has a sign, False if the run ended before it got one."""
    _eyes: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_MOST_KEPT, _HOUR))
    """The messages whose sign is the reaction."""

    async def show(self, message: Incoming) -> None:
        if self._signs.setdefault(message.key, True) is False:
            return
        working = say(message.person.locale, LocalizedText("slack-status"))
        if await self._show_status(message, working):
            if self._signs.get(message.key) is False:
                await self._show_status(message, "")
        elif await self.react("reactions.add", message, "eyes"):
            self._eyes[message.key] = True
            if self._signs.get(message.key) is False:
                await self.clear(message)

    async def clear(self, message: Incoming) -> None:
        """Remove the reaction; the status goes by itself when something is posted."""
        self._signs[message.key] = False
        if self._eyes.pop(message.key, False):
            await self.react("reactions.remove", message, "eyes")

    async def withdraw(self, message: Incoming) -> None:
        """Remove reaction and status: nothing is posted that would end it."""
        had_sign = self._signs.get(message.key) is not None
        await self.clear(message)
        if had_sign:
            await self._show_status(message, "")

    async def _show_status(self, message: Incoming, status: str) -> bool:
        thread = message.thread
        place: Json = {"channel_id": thread.channel.id, "thread_ts": thread.root}
        if status:
            loading = say(message.person.locale, LocalizedText("slack-loading")).splitlines()
            place["loading_messages"] = loading
        method = "assistant.threads.setStatus"
        return await self.client.try_call(method, **place, status=status) is not None

    async def react(self, method: str, message: Incoming, name: str) -> bool:
        args = {"channel": message.thread.channel.id, "timestamp": message.id, "name": name}
        return await self.client.try_call(method, **args) is not None
