"""What commands and buttons need."""

from collections.abc import Callable
from dataclasses import dataclass

from pipeline.domain import Incoming, Invocation, LocalizedText, Person, RunId, Thread
from pipeline.feedback import limit_reach
from pipeline.ports import Inbox, Store
from pipeline.tools import Tools
from pipeline.words import say


@dataclass(frozen=True, slots=True)
class Typed:
    """What a person has typed of an option so far."""

    option: str
    text: str
    locale: str


@dataclass(frozen=True, slots=True)
class CommandContext:
    """The ports that commands use."""

    store: Store
    inbox: Inbox
    tools: Tools
    is_admin: Callable[[Person, Thread], bool] = lambda _person, _thread: False
    """Whether a person is told of settings and of what is missing."""
    learn: str = "workspace"
    """How far plan examples reach (TROUPE_LEARN); channels may narrow it."""

    async def is_learning(self, thread: Thread) -> bool:
        """Whether liked plans become examples in this channel."""
        settings = await self.store.settings(thread.channel)
        return limit_reach(self.learn, settings.learn) != "off"

    async def find_waiting(
        self, invocation: Invocation, thread: Thread | None = None
    ) -> list[RunId]:
        """The unfinished runs, without the command's own."""
        return [run for run in await self.inbox.list_waiting(thread) if run != invocation.run]

    async def find_waiting_if(
        self, invocation: Invocation, is_meant: Callable[[Incoming], bool]
    ) -> list[RunId]:
        """The unfinished runs whose message is meant, without the command's own."""
        waiting = await self.find_waiting(invocation)
        messages = [(run, await self.inbox.message(run)) for run in waiting]
        return [run for run, message in messages if message and is_meant(message)]


def translate(in_locale: str, sentence: str, /, **args: str | float) -> str:
    return say(in_locale, LocalizedText(sentence, args))
