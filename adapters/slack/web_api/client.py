"""Calls Slack's Web API with the bot's token; idempotent calls are retried."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import aiohttp
import stamina
import structlog
from slack_sdk.errors import SlackClientError
from slack_sdk.web.async_client import AsyncWebClient

from adapters.chat.surface import PostUnsure
from adapters.network.connections import open_session
from adapters.network.proxies import DIRECT, Network
from adapters.slack.web_api.errors import (
    LOST_TOKEN,
    NO_ANSWER,
    WRONG_TOKEN,
    NotNow,
    SlackRefused,
    translate_error,
)
from adapters.slack.web_api.limits import SlackLimits
from adapters.slack.web_api.pauses import LimitPauses, WaitForLimit, find_wait, name_token
from pipeline.domain import Channel, Thread
from pipeline.errors import ChatError, SettingsError
from pipeline.fencing import check_fence

T = TypeVar("T")
Json = dict[str, Any]
PLATFORM = "slack"
APPS = "https://api.slack.com/apps"
GRANTED = "X-OAuth-Scopes"
"""The header, and the field of an answer, with the scopes of the token."""
_TRIES = 6
"""Attempts of an idempotent call: some ten seconds."""
_LONGEST_WAIT = 3.0
"""Seconds between two of them."""
_TIMEOUT = 30
"""Seconds for one call."""
_MOST_WAITS = 50
"""How often one call waits for Slack's rate limit before it fails."""
_PAGE = 200
"""Items of a list that are asked for at once: Slack recommends no more."""
_MOST_PAGES = 20
"""Pages that are read of a list."""
FEWEST_CUT = 14 * _MOST_PAGES
"""A list of fewer items was read to its end.

Some apps get pages of 15, of which one is the root of a thread.
"""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class SlackAccess:
    """Tokens and addresses. HTTP mode needs the signing secret, Socket Mode the app token."""

    bot_token: str = field(repr=False)
    app_token: str = field(default="", repr=False)
    signing_secret: str = field(default="", repr=False)
    api_url: str = "https://slack.com/api/"
    http: bool = False
    ping_interval: float = 10.0
    team: str = ""
    """The workspace, if the bot token is that of a whole organisation."""
    file_hosts: frozenset[str] = frozenset({"files.slack.com"})
    max_download: int = 200_000_000
    max_upload: int = 1_000_000_000
    network: Network = DIRECT


@dataclass(frozen=True, slots=True)
class BotIdentity:
    """The bot's ids and the workspace's address, as auth.test returns them."""

    team: str = ""
    user: str = ""
    bot: str = ""
    url: str = ""

    def wrote(self, message: Json) -> bool:
        """Whether a message of Slack's is the bot's own."""
        return message.get("user") == self.user or message.get("bot_id") == self.bot


class SlackClient:
    """Calls with the bot's token. Only idempotent calls are retried."""

    def __init__(
        self, access: SlackAccess, limits: SlackLimits, pauses: LimitPauses | None = None
    ) -> None:
        self.access = access
        self.pauses = pauses or LimitPauses()
        self.limits = limits
        self.me = BotIdentity()
        """Set by `identify`."""
        self.token_lost = asyncio.Event()
        """Set when Slack rejects a token, which need not be this bot's."""
        self.no_streams_until = 0.0
        """On the event loop's clock: Slack refused streams, so none is begun before."""
        self.streaming = set[str]()
        """The messages that runs of this program are streaming."""
        self.has_stop = False
        """Whether Slack is known to show its own Stop button while a session is processing."""
        make = partial(
            AsyncWebClient,
            access.bot_token,
            base_url=access.api_url,
            timeout=_TIMEOUT,
            team_id=access.team or None,
        )
        self._place = name_token(f"{access.bot_token}{access.team}")
        waiting = WaitForLimit(_MOST_WAITS, partial(self.pauses.tell, self._place))
        self.web, self._impatient = make(retry_handlers=[waiting]), make(retry_handlers=[])

    def find_thread(self, channel: object, root: object = "") -> Thread:
        """A thread of this workspace; without a root, a channel."""
        return Thread(Channel(PLATFORM, self.me.team, str(channel)), str(root))

    def with_token(self, token: str, team: str) -> "SlackClient":
        """A client with another token and its own limits, but with the same connections."""
        access = replace(self.access, bot_token=token, team=team)
        limits = replace(self.limits).for_token(f"{token}{team}")
        client = SlackClient(access, limits, self.pauses)
        client.token_lost = self.token_lost
        client.web.session = client._impatient.session = self.web.session
        return client

    @property
    def is_connected(self) -> bool:
        return self.web.session is not None and not self.web.session.closed

    @asynccontextmanager
    async def keep_connections(self) -> AsyncIterator[None]:
        """Meanwhile, calls use open connections; else each call makes one of its own."""
        async with self.open_session() as session:
            self.web.session = self._impatient.session = session
            yield

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[aiohttp.ClientSession]:
        """The connections that are kept; else new ones."""
        if self.web.session is not None and not self.web.session.closed:
            yield self.web.session
            return
        async with self.open_session() as session:
            yield session

    def open_session(self) -> aiohttp.ClientSession:
        return open_session(self.access.network, seconds=_TIMEOUT)

    async def identify(self) -> Json:
        """Ask who the bot is: the answer of auth.test. Raises ChatError."""
        card = await self.call("auth.test")
        bot, url = str(card.get("bot_id")), str(card.get("url") or "")
        self.me = BotIdentity(card["team_id"], card["user_id"], bot, url)
        return card

    async def check_bot_token(self) -> Json:
        """Ask who the bot is. Raises SettingsError for a wrong token, ChatError."""
        with _blame_setting("slack-bot-token-wrong"):
            return await self.identify()

    async def has_lost_token(self) -> bool:
        """Whether Slack rejects the bot's token, as far as it answers at once."""
        try:
            await self.call("auth.test", tries=1)
        except ChatError as error:
            return isinstance(error, SlackRefused) and error.code in LOST_TOKEN
        return False

    async def open_socket(self) -> str:
        """An address for Socket Mode. Raises SettingsError for a wrong token, ChatError."""
        with _blame_setting("slack-app-token-wrong"):
            opened = await self.call("apps.connections.open", app_token=self.access.app_token)
            return str(opened["url"])

    async def call(self, method: str, *, tries: int = _TRIES, **args: Any) -> Json:  # noqa: ANN401 - Slack's own
        """Make an idempotent call, with retries. Raises ChatError."""
        return await self.retry(partial(self.call_once, method, **args), tries)

    async def retry(self, call: Callable[[], Awaitable[T]], tries: int = _TRIES) -> T:
        """Retry a call that raises PostUnsure. Raises what the last attempt raised."""
        wait = self.limits.retry_seconds
        retrying = stamina.AsyncRetryingCaller(
            attempts=tries,
            timeout=None,
            wait_initial=wait,
            wait_max=_LONGEST_WAIT,
            wait_jitter=wait,
        )
        return await retrying(PostUnsure, call)

    async def call_once(self, method: str, **args: Any) -> Json:  # noqa: ANN401 - Slack's own
        """Make a call once, or again while Slack rate-limits it. Raises PostUnsure, ChatError."""
        return await self._request(self.web, method, args)

    async def call_now(self, method: str, **args: Any) -> Json:  # noqa: ANN401 - Slack's own
        """Make a call once, without any wait. Raises NotNow, PostUnsure, ChatError."""
        return await self._request(self._impatient, method, args)

    async def try_call(self, method: str, **args: Any) -> Json | None:  # noqa: ANN401 - Slack's own
        """Make an optional call; return None unless it works at once."""
        try:
            return await self.call_now(method, **args)
        except ChatError as error:
            log.info("optional slack call failed", method=method, error=str(error))
            return None

    async def _request(self, web: AsyncWebClient, method: str, args: Json) -> Json:
        args = {name: value for name, value in args.items() if value is not None}
        pause = self.pauses.find(self._place, method)
        if pause and web is self._impatient:
            raise NotNow("slack-unreachable", method=method)
        await asyncio.sleep(pause)
        await check_fence()
        try:
            async with self.connect() as session:
                if session is not web.session:  # the SDK would open one that knows no proxy
                    web = copy(web)
                    web.session = session
                response = await getattr(web, method.replace(".", "_"))(**args)
        except (SlackClientError, *NO_ANSWER) as error:
            problem = translate_error(method, error)
            if isinstance(problem, NotNow):
                await self.pauses.tell(self._place, method, find_wait(error))
            if isinstance(problem, SlackRefused) and problem.code in LOST_TOKEN:
                self.token_lost.set()
            raise problem from error
        except RuntimeError as error:
            if web.session is None or not web.session.closed:
                raise
            raise PostUnsure("slack-unreachable", method=method) from error  # closed meanwhile
        return {**response.data, GRANTED: response.headers.get(GRANTED, "")}

    async def read_pages(
        self,
        method: str,
        part: str,
        pages: int = _MOST_PAGES,
        **args: Any,  # noqa: ANN401 - Slack's own
    ) -> AsyncIterator[Json]:
        """The items in the field `part` of at most so many pages. Raises ChatError."""
        for _ in range(pages):
            page = await self.call(method, limit=_PAGE, **args)
            for each in page.get(part) or ():
                yield each
            args["cursor"] = (page.get("response_metadata") or {}).get("next_cursor")
            if not args["cursor"]:
                return

    async def read_channel(self, channel: str, *, before: str, most: int) -> list[Json]:
        """The last messages outside of threads, oldest first, if Slack tells them at once.

        Those that begin a thread are without their files, which belong to it. Raises ChatError.
        """
        latest = before if before[:1].isdigit() else None
        page = await self.call_now(
            "conversations.history", channel=channel, latest=latest, limit=most
        )
        messages: list[Json] = page.get("messages") or []
        return [{**m, "files": ()} if m.get("reply_count") else m for m in reversed(messages)]

    async def read_thread(self, thread: Thread, *, oldest: str = "") -> AsyncIterator[Json]:
        """The messages of a thread, oldest first. Raises ChatError."""
        place: Json = {"channel": thread.channel.id, "ts": thread.root, "oldest": oldest or None}
        seen = set[str]()
        async for message in self.read_pages(
            "conversations.replies", "messages", include_all_metadata=True, **place
        ):
            if message["ts"] not in seen:  # the root comes with every page
                seen.add(message["ts"])
                yield message


@contextmanager
def _blame_setting(sentence: str) -> Iterator[None]:
    """Turn a rejected token into a SettingsError; what else Slack says may pass."""
    try:
        yield
    except SlackRefused as refused:
        if refused.code not in WRONG_TOKEN:
            raise
        raise SettingsError(sentence, code=refused.code, link=APPS) from refused
