"""What commands and buttons need."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.domain import (
    ChannelSettings,
    Invocation,
    LocalizedText,
    Model,
    RunId,
    Thread,
)
from pipeline.feedback import limit_reach
from pipeline.ports import Inbox, Store
from pipeline.selection.candidates import filter_models, read_channel_rules
from pipeline.tools import Tools
from pipeline.words import say


@dataclass(frozen=True, slots=True)
class CommandContext:
    """The ports that commands use."""

    store: Store
    inbox: Inbox
    tools: Tools
    learn: str = "workspace"
    """How far plan examples reach (TROUPE_LEARN); channels may narrow it."""

    def filter_allowed(self, models: Sequence[Model], settings: ChannelSettings) -> Sequence[Model]:
        """The models that the rules and the places of a channel allow."""
        allowed = filter_models(models, self.tools.rules, read_channel_rules(settings.policy))
        places = settings.places or self.tools.experts
        return [model for model in allowed if any(place in places for place in model.places)]

    async def is_learning(self, thread: Thread) -> bool:
        """Whether liked plans become examples in this channel."""
        settings = await self.store.settings(thread.channel)
        return limit_reach(self.learn, settings.learn) != "off"

    async def find_waiting(
        self, invocation: Invocation, thread: Thread | None = None
    ) -> list[RunId]:
        """The unfinished runs, without the command's own."""
        return [run for run in await self.inbox.list_waiting(thread) if run != invocation.run]


def translate(in_locale: str, sentence: str, /, **args: str | float) -> str:
    """The text of a sentence in a language."""
    return say(in_locale, LocalizedText(sentence, args))
