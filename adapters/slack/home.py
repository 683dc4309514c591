"""The app's own view: suggested prompts and the names of threads in direct messages."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from slack_bolt.async_app import AsyncApp

from adapters.chat.events import Dispatcher
from adapters.slack.client import Json, SlackClient
from adapters.slack.messages import PLATFORM, Directory
from pipeline.domain import Channel, LocalizedText, Thread
from pipeline.ports import Listener
from pipeline.text import shorten
from pipeline.words import say

OPENED = "app_home_opened"
"""The event that somebody looks at the app's own view."""
_PROMPTS: Mapping[str, frozenset[str]] = {
    "draw": frozenset({"text-to-image"}),
    "poem": frozenset({"text-generation", "text-to-speech"}),
    "translate": frozenset({"translation"}),
    "mood": frozenset({"text-classification"}),
    "read": frozenset({"text-to-speech"}),
}
"""Prompts that need no file, with the kinds of tasks that must run for each; the best first."""
_MOST_PROMPTS, _LONGEST_TITLE = 4, 80


@dataclass(frozen=True, slots=True)
class SlackHome:
    """Bolt's listener for the app's own view."""

    listener: Listener
    client: SlackClient
    directory: Directory
    dispatcher: Dispatcher

    def register(self, app: AsyncApp) -> None:
        app.event(OPENED)(self._on_opened)

    async def _on_opened(self, event: Json) -> None:
        if event.get("tab") == "messages":
            self.dispatcher.start(self._suggest(str(event["user"]), str(event["channel"])))

    async def _suggest(self, user: str, channel: str) -> None:
        """Suggest what can run now. In a thread, Slack would ignore it."""
        person = await self.directory.find_person(user)
        thread = Thread(Channel(PLATFORM, self.client.me.team, channel), "")
        overview = await self.listener.overview(person, thread)
        prompts = choose_prompts(overview.kinds, person.locale)
        method = "assistant.threads.setSuggestedPrompts"
        await self.client.try_call(method, channel_id=channel, prompts=prompts)


def choose_prompts(kinds: Collection[str], locale: str) -> Sequence[Json]:
    """At most four prompts for these kinds of tasks; the last one asks for help."""
    names = [name for name, needed in _PROMPTS.items() if needed <= {*kinds}]
    prompts = [
        {
            "title": _say(locale, f"slack-prompt-{name}"),
            "message": _say(locale, f"slack-prompt-{name}-text"),
        }
        for name in names[: _MOST_PROMPTS - 1]
    ]
    return [*prompts, {"title": _say(locale, "slack-prompt-help"), "message": "help"}]


async def name_thread(client: SlackClient, thread: Thread, text: str) -> None:
    """Name a thread of direct messages after the request that begins it, if Slack allows that."""
    title = shorten(" ".join(text.split()), _LONGEST_TITLE)
    place = {"channel_id": thread.channel.id, "thread_ts": thread.root, "title": title}
    if title and await client.try_call("agents.sessions.rename", **place) is None:
        await client.try_call("assistant.threads.setTitle", **place)


def _say(locale: str, sentence: str) -> str:
    return say(locale, LocalizedText(sentence))
