"""What commands and buttons work with."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.domain import (
    ChannelSettings,
    Command,
    Invocation,
    LocalizedText,
    Model,
    RunId,
    Thread,
)
from pipeline.feedback import limit_reach
from pipeline.ports import Inbox, Store
from pipeline.selection import filter_models, read_channel_rules
from pipeline.tools import Tools
from pipeline.words import say


@dataclass(frozen=True, slots=True)
class CommandContext:
    """The ports that commands need, and what the installation offers."""

    store: Store
    inbox: Inbox
    tools: Tools
    commands: Sequence[Command]
    version: str
    learn: str = "workspace"
    """How far what is liked goes, as the installation says."""

    def filter_allowed(self, models: Sequence[Model], settings: ChannelSettings) -> Sequence[Model]:
        """Those of the models that may be used in a channel, as it may use them."""
        allowed = filter_models(models, self.tools.rules, read_channel_rules(settings.policy))
        places = settings.places or self.tools.experts
        return [model for model in allowed if any(place in places for place in model.places)]

    async def is_learning(self, thread: Thread) -> bool:
        """Whether votes are learned from in this channel."""
        settings = await self.store.settings(thread.channel)
        return limit_reach(self.learn, settings.learn) != "off"

    async def find_waiting(
        self, invocation: Invocation, thread: Thread | None = None
    ) -> list[RunId]:
        """What is under way, beside the command itself."""
        return [run for run in await self.inbox.waiting(thread) if run != invocation.run]


def translate(in_locale: str, sentence: str, /, **args: str | float) -> str:
    """A sentence in words, for building replies."""
    return say(in_locale, LocalizedText(sentence, args))
