"""What commands and buttons work with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from pipeline.codec import load_union
from pipeline.domain import (
    Addressing,
    Choice,
    Chose,
    Command,
    Done,
    Event,
    Incoming,
    Invocation,
    LocalizedText,
    Model,
    Run,
    RunId,
    TaskId,
    Thread,
)
from pipeline.feedback import limit_reach
from pipeline.ports import Inbox, PlanExample, Store
from pipeline.selection import explain_refusal, filter_models, read_channel_rules
from pipeline.tools import Tools
from pipeline.words import has_message, say

_LOOKED_AT = 20
"""Runs among which a thread's last plan is looked for: commands and talk have none."""


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

    async def filter_allowed(self, models: Sequence[Model], thread: Thread) -> Sequence[Model]:
        """Those of the models that may be used in a channel, as it may use them."""
        settings = await self.store.settings(thread.channel)
        kept = filter_models(models, self.tools.rules, read_channel_rules(settings.policy))
        places = settings.places or self.tools.experts
        return [model for model in kept if any(place in places for place in model.places)]

    async def explain_forbidden(self, model: Model, thread: Thread) -> LocalizedText | None:
        """Why a model may not be used in a channel."""
        settings = await self.store.settings(thread.channel)
        return explain_refusal(model, self.tools.rules, read_channel_rules(settings.policy))

    async def find_examples(self, thread: Thread) -> Sequence[PlanExample]:
        """What was liked, and may be used in this thread."""
        return await self.store.find_examples(thread, reach=self.learn)

    async def is_learning(self, thread: Thread) -> bool:
        """Whether votes are learned from in this channel."""
        settings = await self.store.settings(thread.channel)
        return limit_reach(self.learn, settings.learn) != "off"

    async def find_last_plan(self, thread: Thread) -> Run | None:
        """The newest run of a thread that has ended and had a plan: neither talk nor a command."""
        runs = await self.store.runs(thread, limit=_LOOKED_AT)
        return next((run for run in runs if run.plan.tasks), None)

    async def read_choices(self, run: RunId) -> Mapping[TaskId, Choice]:
        """Which models were chosen in a run, why, and which would have been next."""
        events = (load_union(Event, event) for event in await self.store.events(run))
        return {event.task: event.choice for event in events if isinstance(event, Chose)}

    async def find_waiting(
        self, invocation: Invocation, thread: Thread | None = None
    ) -> list[RunId]:
        """What is under way, beside the command itself."""
        return [run for run in await self.inbox.waiting(thread) if run != invocation.run]

    async def models_of(self, run: RunId) -> tuple[str, ...]:
        """The models that took part in a run, those it was to avoid included."""
        record = await self.store.load(run)
        message = await self.inbox.message(run)
        used = (
            outcome.model.id
            for outcome in (record.outcomes if record else {}).values()
            if isinstance(outcome, Done)
        )
        return tuple(dict.fromkeys((*(message.avoid if message else ()), *used)))

    def message(self, invocation: Invocation) -> Incoming:
        """The message that an `ask` stands for."""
        return Incoming(
            f"ask-{invocation.id}",
            invocation.thread,
            invocation.person,
            invocation.args.get("text", ""),
            invocation.files,
            datetime.now(UTC),
            Addressing(mentioned=True),
        )


def translate(in_locale: str, sentence: str, /, **args: str | float) -> str:
    """A sentence in words, for building replies."""
    return say(in_locale, LocalizedText(sentence, args))


def translate_commands(commands: Sequence[Command], locale: str) -> tuple[Command, ...]:
    """The commands with their descriptions in a language."""
    return tuple(
        replace(command, says=translate(locale, f"command-{command.name}"))
        for command in commands
        if has_message(f"command-{command.name}")
    )
