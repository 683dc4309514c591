"""The adapter with OAuth on a stage: one app, several workspaces, a database file."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import aiohttp
from aiohttp import web
from cryptography.fernet import Fernet

from adapters.slack import SlackAccess, SlackChat, SlackOAuth
from adapters.slack.web_api.limits import SlackLimits
from adapters.store import open_persistence
from pipeline.domain import Incoming, RunId
from pipeline.ports import Installations, Interactions
from tests.adapters.slack.runs import whole
from tests.adapters.slack.stage import COMMANDS, QUICK, Stage
from tests.fakes.chat import FakeListener
from tests.fakes.events import one_by_one
from tests.servers.slack import SlackServer
from tests.servers.slack.installing import CLIENT_ID, CLIENT_SECRET, SlackApp

KEY = Fernet.generate_key().decode()


@dataclass
class Run:
    """The program's Slack side while it listens."""

    app: SlackApp
    chat: SlackChat
    listener: FakeListener
    oauth: SlackOAuth
    interactions: Interactions

    async def install(self, place: str) -> None:
        status, text = await self.app.install(self.oauth.install_url, place)
        assert status == 200, text

    async def until_gone(self, place: str) -> None:
        async with asyncio.timeout(10):
            while place in await self.oauth.installations.load("slack"):  # noqa: ASYNC110 - the table
                await asyncio.sleep(0.01)

    async def until_finished(self, interaction: str) -> None:
        async def is_pending() -> bool:
            return interaction in {p.id for p in await self.interactions.list_pending("slack")}

        async with asyncio.timeout(10):
            while await is_pending():  # noqa: ASYNC110 - the table
                await asyncio.sleep(0.01)

    async def hear(self, server: SlackServer, text: str, number: int) -> tuple[Incoming, RunId]:
        """Somebody mentions the bot; the message that the conversation gets as the nth."""
        server.people.say(f"{server.space.mention} {text}")
        return await self.listener.next(number)

    async def answer(self, message: Incoming, run: RunId, text: str) -> None:
        await self.chat.follow(message, run, one_by_one(*whole(run, text)))


@dataclass
class Program:
    """Starts the program's Slack side on one database file, as often as needed."""

    app: SlackApp
    file: Path
    http: bool = False
    secret_key: str = KEY
    client_secret: str = CLIENT_SECRET
    redirect_known: bool = True
    token_seconds: float = 60.0
    interactions_of: Callable[[Interactions], Interactions] = lambda interactions: interactions
    installations_of: Callable[[Installations], Installations] = lambda installations: installations
    listener: FakeListener = field(default_factory=lambda: FakeListener(commands=COMMANDS))

    def _access(self) -> SlackAccess:
        return SlackAccess(
            "",
            app_token=self.app.app_token,
            signing_secret=self.app.signing_secret,
            api_url=self.app.api,
            http=self.http,
            ping_interval=0.1,
            file_hosts=frozenset({"127.0.0.1"}),
        )

    def _limits(self) -> SlackLimits:
        return SlackLimits(
            most_edits=10_000,
            post_seconds=0.001,
            retry_seconds=0.005,
            token_seconds=self.token_seconds,
        )

    @asynccontextmanager
    async def run(self) -> AsyncIterator[Run]:
        async with AsyncExitStack() as stack:
            store = await stack.enter_async_context(open_persistence(f"sqlite:///{self.file}"))
            listening = stack.enter_context(socket.socket())
            listening.bind(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{listening.getsockname()[1]}"
            if self.redirect_known:
                self.app.redirect_urls.add(f"{address}/slack/oauth_redirect")
            oauth = SlackOAuth(
                client_id=CLIENT_ID,
                client_secret=self.client_secret,
                public_url=address,
                secret_key=self.secret_key,
                installations=self.installations_of(store.installations),
                authorize_url=self.app.authorize_url,
            )
            any_server = next(iter(self.app.workspaces.values()))
            ports = replace(
                Stage(any_server).ports,
                ledger=store.ledger,
                interactions=self.interactions_of(store.interactions),
                chat_log=store.store,
            )
            chat = SlackChat(self._access(), ports, QUICK, self._limits(), oauth)
            await stack.enter_async_context(_serve(chat, listening))
            for server in self.app.workspaces.values():
                server.delivery.target = f"{address}/slack/events" if self.http else ""
            tasks = await stack.enter_async_context(asyncio.TaskGroup())
            task = tasks.create_task(chat.listen(self.listener))
            try:
                if self.http:
                    await _wait_for(task, f"{address}/slack/events")
                else:
                    await any_server.until(lambda: self.app.socket.lines or task.done())
                yield Run(self.app, chat, self.listener, oauth, store.interactions)
            finally:
                task.cancel()


async def _wait_for(listening: asyncio.Task[None], address: str) -> None:
    async with aiohttp.ClientSession() as session:
        while not listening.done():
            async with session.post(address) as page:
                if page.status != 503:
                    return


@asynccontextmanager
async def _serve(chat: SlackChat, listening: socket.socket) -> AsyncIterator[None]:
    app = web.Application()
    app.add_routes(chat.routes())
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.SockSite(runner, listening).start()
    try:
        yield
    finally:
        await runner.cleanup()
