"""What commands and buttons work with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from pipeline.codec import load_union
from pipeline.domain import (
    Choice,
    Chose,
    Command,
    Done,
    Event,
    Heard,
    Incoming,
    Invocation,
    Model,
    Place,
    Run,
    RunId,
    Sentence,
    TaskId,
    Thread,
)
from pipeline.lessons import reach
from pipeline.policy import Rules, channel_rules, permitted, refusal
from pipeline.ports import Catalogue, Files, Inbox, Lesson, Lessons, Store
from pipeline.words import known, say

_LOOKED_AT = 20
"""Runs among which a thread's last plan is looked for: commands and talk have none."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The ports that commands need, and what the installation offers."""

    store: Store
    inbox: Inbox
    catalogue: Catalogue
    files: Files
    commands: Sequence[Command]
    places: tuple[str, ...]
    version: str
    lessons: Lessons
    learn: str = "workspace"
    """How far what is liked goes, as the installation says."""
    rules: Rules = field(default_factory=Rules)
    closed: frozenset[Place] = frozenset()
    """Places that are set up, but left out of TROUPE_PLACES."""

    async def allowed(self, models: Sequence[Model], thread: Thread) -> Sequence[Model]:
        """Those of the models that may be used in a channel, as it may use them."""
        settings = await self.store.settings(thread.channel)
        kept = permitted(models, self.rules, channel_rules(settings.policy))
        places = settings.places or self.places
        return [model for model in kept if any(place in places for place in model.places)]

    async def forbidden(self, model: Model, thread: Thread) -> Sentence | None:
        """Why a model may not be used in a channel."""
        settings = await self.store.settings(thread.channel)
        return refusal(model, self.rules, channel_rules(settings.policy))

    async def taught(self, thread: Thread) -> Sequence[Lesson]:
        """What was liked, and may be used in this thread."""
        return await self.lessons.taught(thread, reach=self.learn)

    async def learns(self, thread: Thread) -> bool:
        """Whether votes are learned from in this channel."""
        settings = await self.store.settings(thread.channel)
        return reach(self.learn, settings.learn) != "off"

    async def planned(self, thread: Thread) -> Run | None:
        """The newest run of a thread that has ended and had a plan: neither talk nor a command."""
        runs = await self.store.runs(thread, limit=_LOOKED_AT)
        return next((run for run in runs if run.plan.tasks), None)

    async def choices(self, run: RunId) -> Mapping[TaskId, Choice]:
        """Which models were chosen in a run, why, and which would have been next."""
        told = (load_union(Event, event) for event in await self.store.events(run))
        return {event.task: event.choice for event in told if isinstance(event, Chose)}

    async def waiting(self, invocation: Invocation, thread: Thread | None = None) -> list[RunId]:
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
            Heard(mentioned=True),
        )


def worded(in_locale: str, sentence: str, /, **args: str | float) -> str:
    """A sentence in words, for building replies."""
    return say(in_locale, Sentence(sentence, args))


def localised(commands: Sequence[Command], locale: str) -> tuple[Command, ...]:
    """The commands with their descriptions in a language."""
    return tuple(
        replace(command, says=worded(locale, f"command-{command.name}"))
        for command in commands
        if known(f"command-{command.name}")
    )
