"""What commands and buttons need."""

from collections.abc import Callable
from dataclasses import dataclass, field

from bot.access import ListGate
from pipeline.domain import Incoming, Invocation, LocalizedText, RunId, Thread
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


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandContext:
    """What commands and buttons use: the ports, and the gate that says who may do what."""

    store: Store
    inbox: Inbox
    tools: Tools
    gate: ListGate = field(default_factory=ListGate)
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
    """The sentence with this id in a language."""
    return say(in_locale, LocalizedText(sentence, args))
