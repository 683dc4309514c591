"""A whole conversation made of fakes."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from adapters.store.rate_limits import LocalRateLimits
from bot.access import ListGate
from bot.commands.context import CommandContext
from bot.conversation import Conversation
from bot.intake import Intake
from bot.message_files import FileReceiver
from bot.rate_limits import MessageLimits
from bot.runner import Runner
from bot.summarization import Summarization
from bot.thread_log import ThreadLog
from pipeline.domain import Addressing, Channel, Incoming, Link, Person, Thread
from pipeline.ports import Llm
from tests.fakes.chat import FakeChat
from tests.fakes.persistence import FakeInbox
from tests.fakes.stages import ANN, Bench
from tests.fakes.store import FakeStore

GENERAL = Channel("fake", "team", "general")
MENTION = Addressing(mentioned=True)


def message(  # noqa: PLR0913 - a builder
    text: str = "please",
    *,
    id: str = "001",  # noqa: A002
    root: str = "001",
    addressing: Addressing = MENTION,
    person: Person = ANN,
    files: Sequence[Link] = (),
    channel: Channel = GENERAL,
) -> Incoming:
    return Incoming(
        id=id,
        thread=Thread(channel, root),
        person=person,
        text=text,
        files=tuple(files),
        at=datetime.now(UTC),
        addressing=addressing,
    )


@dataclass
class Scene:
    """A conversation with a fake chat and fake ports."""

    bench: Bench = field(default_factory=Bench)
    chat: FakeChat = field(default_factory=FakeChat)
    inbox: FakeInbox = field(default_factory=FakeInbox)
    store: FakeStore = field(default_factory=FakeStore)
    gate: ListGate = field(default_factory=ListGate)
    limits: MessageLimits = field(
        default_factory=lambda: MessageLimits(LocalRateLimits(), 1000, 1000)
    )
    mention: str = "threads"
    listen: str = "threads"
    reading_seconds: float = 3.0
    llm: Llm | None = None
    window: int = 20
    keeps_prompts: bool = False
    runner: Runner = field(init=False)
    """The running one."""

    def parts(self) -> tuple[Conversation, Runner]:
        tools = replace(self.bench.tools, results=self.store)
        context = CommandContext(store=self.store, inbox=self.inbox, tools=tools, gate=self.gate)
        receiver = FileReceiver(self.bench.files, self.bench.media, max_bytes=1000)
        thread_log = ThreadLog(
            store=self.store,
            receiver=receiver,
            max_text=500,
            turns=self.window,
            tail=10,
            listen=self.listen,
            reading_seconds=self.reading_seconds,
        )
        intake = Intake(self.store, thread_log, receiver)
        conversation = Conversation(
            intake=intake, context=context, limits=self.limits, mention=self.mention
        )
        runner = Runner(
            intake=intake,
            context=context,
            limits=self.limits,
            summarization=Summarization(self.store, self.llm, self.window),
            listener=conversation,
            first_wait=0.0,
            chats={"fake": self.chat},
            keeps_prompts=self.keeps_prompts,
        )
        return conversation, runner

    def conversation(self) -> Conversation:
        return self.parts()[0]

    async def idle(self) -> None:
        """Wait until all messages are answered."""
        while await self.inbox.list_waiting():  # noqa: ASYNC110 - the port cannot tell
            await asyncio.sleep(0)

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[Conversation]:
        """Run the conversation and its runner; cancelled at the end, as in a killed program."""
        conversation, self.runner = self.parts()
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(self.runner.serve())
            yield conversation
            serving.cancel()


def follow_up(text: str, number: int, **more: object) -> Incoming:
    """A message in the same thread, without a mention."""
    return replace(message(text, id=f"{number:03}", addressing=Addressing()), **more)  # type: ignore[arg-type]
