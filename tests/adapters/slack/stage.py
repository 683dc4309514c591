"""The adapter on a stage: Slack's server before it, a listener and fakes behind it."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urljoin, urlsplit

import aiohttp
from aiolimiter import AsyncLimiter

from adapters.chat.ports import ChatPorts
from adapters.chat.presenter import Rhythm
from adapters.slack import SlackAccess, SlackChat
from adapters.slack.web_api.limits import SlackLimits
from pipeline.domain import Attachment, Blob, Command, Option, Person, RunId, Thread, Turn
from pipeline.errors import FetchError
from pipeline.outage import Outage
from pipeline.ports import ThreadOverview
from tests.fakes.chat import FakeListener
from tests.fakes.persistence import FakeCache, FakeFiles, FakeInteractions, FakeLedger
from tests.fakes.replicas import FakeReplicas
from tests.fakes.stages import FakeMedia
from tests.fakes.store import FakeStore
from tests.servers.slack import SlackServer
from tests.servers.slack.workspace import BOT_USER

BOT = f"<@{BOT_USER}>"
QUICK = Rhythm(gather=0.01, first=0.0, silent=0.2, between=0.02)
COMMANDS = (
    Command("ask", (Option("text", required=True),), private=False),
    Command("models", (Option("kind"), Option("search"))),
    Command("help"),
    Command("stop", threaded=("",)),
    Command(
        "forget",
        (Option("what", required=True),),
        threaded=("thread",),
        erasing=("me", "thread", "channel"),
    ),
)


class PlainFetch:
    """Follows redirects by hand and gives headers to trusted hosts only, as the port says."""

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        trusted: frozenset[str] = frozenset(),
        max_bytes: int,
    ) -> Blob:
        async with aiohttp.ClientSession() as session:
            for _ in range(4):
                mine = headers if urlsplit(url).hostname in trusted else {}
                try:
                    async with session.get(url, headers=mine, allow_redirects=False) as answer:
                        if answer.status in (301, 302, 303, 307, 308):
                            url = urljoin(url, answer.headers["Location"])
                            continue
                        return await _read(answer, url, max_bytes)
                except aiohttp.ClientError as error:
                    raise FetchError("fetch-status", host=url, status=0) from error
        raise FetchError("fetch-status", host=url, status=302)


async def _read(answer: aiohttp.ClientResponse, url: str, max_bytes: int) -> Blob:
    if answer.status != 200:
        raise FetchError("fetch-status", host=url, status=answer.status)
    if (answer.content_length or 0) > max_bytes:
        raise FetchError("fetch-too-large", host=url, limit=max_bytes)
    return Blob(await answer.read(), answer.content_type)


_SOMEBODY = Person("U0", "somebody")


class _KnownThreads(FakeStore):
    """A chat log in which these threads are active, and these are listed before its own."""

    def __init__(
        self, threads: Sequence[tuple[Thread, str]], overviews: Sequence[ThreadOverview]
    ) -> None:
        super().__init__()
        self._threads, self._overviews = threads, overviews
        for thread, last in threads:
            key = f"{thread.channel.key}:{last}"
            self.turns[key] = (
                thread,
                Turn(key=key, person=_SOMEBODY, text="", files=(), at=datetime.now(UTC)),
            )

    async def threads(
        self, platform: str, workspace: str, *, limit: int
    ) -> Sequence[ThreadOverview]:
        return [
            *self._overviews,
            *await FakeStore.threads(self, platform, workspace, limit=limit),
        ]

    async def active_threads(
        self, platform: str, *, since: datetime, workspace: str = "", noted: bool = True
    ) -> Sequence[tuple[Thread, str]]:
        return self._threads


@dataclass
class Stage:
    """One run of the program's Slack side; `again` starts it anew on the same store."""

    slack: SlackServer
    listener: FakeListener = field(default_factory=lambda: FakeListener(commands=COMMANDS))
    ledger: FakeLedger = field(default_factory=FakeLedger)
    files: FakeFiles = field(default_factory=FakeFiles)
    threads: list[tuple[Thread, str]] = field(default_factory=list)
    overviews: list[ThreadOverview] = field(default_factory=list, kw_only=True)
    max_upload: int = 10_000_000
    http: bool = False
    ping: float = 0.1
    links: dict[str, str] = field(default_factory=dict)
    rhythm: Rhythm = QUICK
    limits: SlackLimits = field(default_factory=lambda: generous_limits())  # noqa: PLW0108 - below
    interactions: FakeInteractions = field(default_factory=FakeInteractions)
    cache: FakeCache = field(default_factory=FakeCache)
    outage: Outage = field(default_factory=Outage)
    replicas: FakeReplicas = field(default_factory=lambda: FakeReplicas(alone=True))

    def __post_init__(self) -> None:
        self.store = _KnownThreads(self.threads, self.overviews)
        access = SlackAccess(
            bot_token=self.slack.bot_token,
            app_token=self.slack.app_token,
            signing_secret=self.slack.signing_secret,
            api_url=self.slack.api,
            http=self.http,
            ping_interval=self.ping,
            file_hosts=frozenset({"127.0.0.1"}),
            max_upload=self.max_upload,
        )
        self.ports = ChatPorts(
            ledger=self.ledger,
            files=self.files,
            media=FakeMedia(),
            sign=lambda attachment, _run: self.links.get(attachment.name, ""),
            fetch=PlainFetch(),
            chat_log=self.store,
            cache=self.cache,
            interactions=self.interactions,
            leases=self.replicas.leases(),
            rate_limits=self.replicas.rate_limits,
            notifications=self.replicas.notifications(),
            outage=self.outage,
        )
        self.chat = SlackChat(access, self.ports, rhythm=self.rhythm, limits=self.limits)

    def again(self) -> "Stage":
        return Stage(
            slack=self.slack,
            listener=self.listener,
            ledger=self.ledger,
            files=self.files,
            threads=self.threads,
            max_upload=self.max_upload,
            ping=self.ping,
            rhythm=self.rhythm,
            limits=self.limits,
            interactions=self.interactions,
            cache=self.cache,
            outage=self.outage,
            replicas=self.replicas,
        )

    async def mention(self, text: str, **how: str) -> RunId:
        """Somebody mentions the bot; the run of it."""
        heard = len(self.listener.received)
        self.slack.people.say(f"{BOT} {text}", **how)  # type: ignore[arg-type]
        _, run = await self.listener.next(heard + 1)
        return run

    async def keep(self, data: bytes, name: str, media_type: str) -> Attachment:
        return Attachment(
            hash=await self.files.put(data), media_type=media_type, name=name, size=len(data)
        )


def generous_limits() -> SlackLimits:
    limits = SlackLimits(most_edits=10_000, post_seconds=0.001, retry_seconds=0.005)
    limits.streams = limits.appends = limits.reads = AsyncLimiter(10_000, 60.0)
    return limits


@asynccontextmanager
async def listening(stage: Stage) -> AsyncIterator[Stage]:
    """The stage while its chat listens."""
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(stage.chat.listen(stage.listener))
        try:
            if not stage.http:
                await stage.slack.until(lambda: stage.slack.socket.lines or task.done())
            yield stage
        finally:
            task.cancel()
