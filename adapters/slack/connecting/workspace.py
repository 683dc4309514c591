"""One workspace: its client, its people, its posts, and what its Bolt app listens to."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import structlog

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.interactions import InteractionQueue
from adapters.chat.ports import ChatPorts
from adapters.chat.presenter import Presenter, Rhythm
from adapters.chat.rendering import BoardRenderer
from adapters.slack.acting.home import SlackHome
from adapters.slack.acting.interactions import SlackInteractions
from adapters.slack.acting.listener import SlackListener
from adapters.slack.acting.replies import SlackReplies, ask_author
from adapters.slack.acting.settings import SlackSettings
from adapters.slack.connecting.app import build_app
from adapters.slack.reading.directory import Directory
from adapters.slack.reading.messages import SPOKEN, read_message
from adapters.slack.showing.reactions import Reactions
from adapters.slack.showing.splitting import LAYOUT
from adapters.slack.showing.surface import SlackSurface
from adapters.slack.web_api.client import SlackClient
from adapters.slack.web_api.errors import SlackGone
from pipeline.domain import (
    Answer,
    Answered,
    Apologised,
    Event,
    Incoming,
    LocalizedText,
    Reply,
    RunId,
    Thread,
)
from pipeline.ports import Listener
from pipeline.words import say

log = structlog.get_logger()


class SlackWorkspace:
    """A workspace with its own token. Once it is open, `app` answers its requests."""

    def __init__(self, client: SlackClient, ports: ChatPorts, rhythm: Rhythm) -> None:
        self.client = client
        self._ports, self._rhythm = ports, rhythm
        self._reactions, self._directory = Reactions(client), Directory(client)
        self._replies = SlackReplies(client, ports.ledger)

    def open(self, listener: Listener, queue: InteractionQueue, tasks: asyncio.TaskGroup) -> None:
        client, directory, ports = self.client, self._directory, self._ports
        dispatcher = Dispatcher(tasks, ports.outage)
        self.events = SlackListener(
            listener=listener,
            client=client,
            directory=directory,
            reactions=self._reactions,
            replies=self._replies,
            ports=ports,
            dispatcher=dispatcher,
        )
        self.interactions = SlackInteractions(
            listener=listener,
            client=client,
            directory=directory,
            replies=self._replies,
            ports=ports,
            dispatcher=dispatcher,
            queue=queue,
        )
        home = SlackHome(
            listener=listener,
            client=client,
            directory=directory,
            ports=ports,
            dispatcher=dispatcher,
        )
        settings = SlackSettings(listener, client, directory, home)
        self.app = build_app(client)
        for each in (self.events, self.interactions, home, settings):
            each.register(self.app)
        log.info("listening on slack", team=client.me.team, http=client.access.http)

    async def history(self, thread: Thread, *, before: str, most: int) -> Sequence[Incoming]:
        if thread.root and await self._ports.ledger.find_run(thread.root):
            return ()  # begun by what we posted, so all of it was heard
        return await self._read(thread, before, most)

    async def _read(self, thread: Thread, before: str, most: int) -> Sequence[Incoming]:
        client, directory, channel = self.client, self._directory, thread.channel.id
        if not client.me.user:
            await client.identify()
        if thread.root:
            messages = [message async for message in client.read_thread(thread)]
        else:
            messages = await client.read_channel(channel, before=before, most=most)
        earlier = [
            message
            for message in messages
            if str(message["ts"]) < before
            and message.get("subtype") in SPOKEN
            and not client.me.wrote(message)
        ]
        async with asyncio.TaskGroup() as tasks:
            reading = [
                tasks.create_task(read_message(directory, channel, message))
                for message in earlier[-most:]
            ]
        return [task.result() for task in reading]

    async def reread(self, message: Incoming) -> Incoming | None:
        if message.is_command:
            return message
        try:
            thread = await self._read(message.thread, f"{message.id}~", 1)
        except SlackGone as gone:
            return None if gone.code == "thread_not_found" else message
        return next((each for each in thread if each.id == message.id), None)

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        if message.beside and not message.addressing.direct:
            await self._reply_privately(message, run, events)
            return
        renderer = BoardRenderer(LAYOUT, message.person.locale)
        surface = SlackSurface(
            client=self.client,
            ledger=self._ports.ledger,
            thread=message.thread,
            run=run,
            locale=renderer.locale,
            person=message.person,
            team=await self._directory.find_team(message.person.id),
        )
        presenter = Presenter(
            run=run,
            surface=surface,
            renderer=renderer,
            ports=self._ports,
            rhythm=self._rhythm,
            may_be_silent=message.addressing.is_overheard,
        )
        try:
            await presenter.follow(events)
        except SlackGone:
            await self._reactions.react("reactions.add", message, "warning")  # the last resort
            await self._reactions.withdraw(message)
            raise
        finally:
            match presenter.board.end:
                case Answer(is_silent=True):
                    await self._reactions.withdraw(message)
                case _:
                    await self._reactions.clear(message)

    async def notify(self, message: Incoming, run: RunId, sentence: LocalizedText) -> None:
        asker = ask_author(run, replace(message, person=message.asker))
        await self._replies.notify(asker, sentence)

    async def _reply_privately(
        self, message: Incoming, run: RunId, events: AsyncIterator[Event]
    ) -> None:
        """Show the reply to a command in a message to its author only."""
        try:
            async for event in events:
                match event:
                    case Answered(answer):
                        text = answer.text
                    case Apologised(reason):
                        text = say(message.person.locale, reason)
                    case _:
                        continue
                await self._replies.send(ask_author(run, message), Reply(text))
        finally:
            await self._reactions.withdraw(message)
