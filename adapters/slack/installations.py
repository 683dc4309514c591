"""The workspaces in which the app is installed, their tokens, and OAuth to add more."""

import asyncio
import logging
from base64 import urlsafe_b64decode
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from secrets import token_bytes

import structlog
from cachetools import TTLCache
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from slack_bolt.async_app import AsyncApp
from slack_bolt.error import BoltError
from slack_bolt.oauth.async_callback_options import AsyncFailureArgs
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore
from slack_sdk.web.async_client import AsyncWebClient

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.interactions import InteractionQueue
from adapters.chat.retrying import make_retrying
from adapters.slack.client import (
    INSTALL_PATH,
    PLATFORM,
    REDIRECT_PATH,
    BotIdentity,
    Json,
    SlackClient,
    SlackRefused,
)
from adapters.slack.manifest import SCOPES
from adapters.slack.messages import SHARED
from adapters.slack.workspace import SlackWorkspace, build_app
from pipeline.codec import dump, load
from pipeline.domain import LocalizedText
from pipeline.errors import ChatGone, RequestError, SettingsError
from pipeline.ports import Installations, Listener
from pipeline.words import say

log = structlog.get_logger()

AUTHORIZE_URL = "https://slack.com/oauth/v2/authorize"
_LONGEST = timedelta(minutes=10)
"""How long an installation may take, as Bolt's cookie says."""
_MOST_USED = 10_000
"""States that are remembered as used."""
_MAKE_KEY = (
    'python -c "from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())"'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackOAuth:
    """The app's own credentials, and where Slack sends a person back to."""

    client_id: str
    client_secret: str = field(repr=False)
    public_url: str
    secret_key: str = field(repr=False)
    """Fernet keys, separated by commas: the first one encrypts, each one decrypts."""
    installations: Installations
    authorize_url: str = AUTHORIZE_URL

    @property
    def install_url(self) -> str:
        return f"{self.public_url}{INSTALL_PATH}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackInstallation:
    """The app in a workspace or, without a team, in all workspaces of an organisation."""

    team: str
    enterprise: str
    name: str
    bot_token: str = field(repr=False)
    bot_user: str
    bot_id: str

    @property
    def place(self) -> str:
        return self.team or self.enterprise


class SlackInstallations(AsyncInstallationStore):
    """Bolt's store of installations, encrypted at rest. Raises SettingsError for a bad key."""

    def __init__(self, oauth: SlackOAuth) -> None:
        keys = [key for part in oauth.secret_key.split(",") if (key := part.strip())]
        try:
            self.cipher = MultiFernet([Fernet(key) for key in keys])
        except ValueError as error:
            raise SettingsError("slack-secret-key-bad", command=_MAKE_KEY) from error
        self.port = oauth.installations
        self.on_save: Callable[[SlackInstallation], None] = lambda _: None
        self.changing = asyncio.Lock()
        """Held from a change of the table until the workspaces know of it."""

    async def async_save(self, installation: Installation) -> None:
        """Store what Slack returned for a code. Raises BoltError."""
        if installation.bot_refresh_token:
            raise BoltError(say("en", LocalizedText("slack-rotation")))
        is_org_wide = installation.is_enterprise_install
        saved = SlackInstallation(
            team="" if is_org_wide else installation.team_id or "",
            enterprise=installation.enterprise_id or "",
            name=(installation.enterprise_name if is_org_wide else installation.team_name) or "",
            bot_token=installation.bot_token or "",
            bot_user=installation.bot_user_id or "",
            bot_id=installation.bot_id or "",
        )
        if not (saved.place and saved.bot_token):
            raise BoltError("Slack returned no bot token")
        async with self.changing:
            try:
                await self.save(saved)
            except RequestError as error:
                raise BoltError("the installation could not be stored") from error
            log.info("slack app installed", place=saved.place, name=saved.name)
            self.on_save(saved)

    async def load(self) -> Mapping[str, SlackInstallation]:
        """The installations by place. Raises SettingsError if no key decrypts one."""
        bodies = await self.port.load(PLATFORM)
        try:
            texts = {place: self.cipher.decrypt(body) for place, body in bodies.items()}
        except InvalidToken as error:
            raise SettingsError("slack-secret-key-wrong") from error
        return {place: load(SlackInstallation, text.decode()) for place, text in texts.items()}

    async def save(self, installation: SlackInstallation) -> None:
        """Store an installation, encrypted with the newest key."""
        body = self.cipher.encrypt(dump(installation).encode()).decode()
        await self.port.save(PLATFORM, installation.place, body)

    async def remove(self, place: str) -> None:
        await self.port.remove(PLATFORM, place)


@dataclass(frozen=True, slots=True)
class SlackStates(AsyncOAuthStateStore):
    """States of installations that have begun, each for one use, in this run of the program.

    Each holds its time, encrypted, so that none is stored before it is used. Bolt compares them
    with the browser's cookie.
    """

    cipher: MultiFernet
    _text: bytes = field(default_factory=lambda: token_bytes(16), repr=False)
    """What all states say; those of an earlier run, of which some were used, say something else."""
    _used: TTLCache[bytes, None] = field(
        default_factory=lambda: TTLCache(_MOST_USED, _LONGEST.total_seconds()), repr=False
    )

    async def async_issue(self, *_: object, **__: object) -> str:
        return self.cipher.encrypt(self._text).decode().rstrip("=")

    async def async_consume(self, state: str) -> bool:
        padded = f"{state}{'=' * (-len(state) % 4)}".encode()
        try:
            text = self.cipher.decrypt(padded, ttl=int(_LONGEST.total_seconds()))
        except InvalidToken:
            return False
        used = urlsafe_b64decode(padded)  # several spellings are the same state
        if text != self._text or used in self._used:
            return False
        self._used[used] = None
        return True


async def _fail(args: AsyncFailureArgs) -> BoltResponse:
    """Bolt's page, with the sentence that says why nothing was stored."""
    args.reason = str(args.error or args.reason)
    return await args.default.failure(args)


def build_flow(
    oauth: SlackOAuth, store: SlackInstallations, client: AsyncWebClient
) -> AsyncOAuthFlow:
    """Bolt's pages for the installation. Every setting is given: Bolt reads none by itself."""
    logger = logging.getLogger("troupe.slack")
    settings = AsyncOAuthSettings(
        client_id=oauth.client_id,
        client_secret=oauth.client_secret,
        scopes=sorted(SCOPES),
        user_scopes=(),
        redirect_uri=f"{oauth.public_url}{REDIRECT_PATH}",
        install_path=INSTALL_PATH,
        install_page_rendering_enabled=False,
        redirect_uri_path=REDIRECT_PATH,
        authorization_url=oauth.authorize_url,
        installation_store=store,
        state_store=SlackStates(store.cipher),
        state_expiration_seconds=int(_LONGEST.total_seconds()),
        logger=logger,
    )
    flow = AsyncOAuthFlow(client=client, logger=logger, settings=settings)
    flow.failure_handler = _fail
    return flow


class InstalledWorkspaces:
    """Makes a workspace when it is needed, and drops it when its token is lost.

    An organisation's installation has one token for all of its workspaces.
    """

    def __init__(
        self,
        make: Callable[[SlackClient], SlackWorkspace],
        client: SlackClient,
        store: SlackInstallations,
    ) -> None:
        """`client` has no bot token."""
        self.client = client
        self._make, self._store = make, store
        self._served: dict[str, tuple[SlackWorkspace, SlackInstallation]] = {}
        """By workspace."""
        self._listening: tuple[Listener, InteractionQueue, asyncio.TaskGroup] | None = None
        self._background = Dispatcher()
        store.on_save = self._begin

    async def check(self) -> None:
        """Encrypt all with the newest key. Raises SettingsError if one cannot be decrypted."""
        async with self._store.changing:
            for installation in (await self._store.load()).values():
                await self._store.save(installation)

    async def open(
        self, listener: Listener, queue: InteractionQueue, tasks: asyncio.TaskGroup
    ) -> AsyncApp:
        """The app that passes each request to its workspace."""
        self._served.clear()
        self._listening, self._background.tasks = (listener, queue, tasks), tasks
        for installation in (await self._store.load()).values():
            self._begin(installation)
        await queue.resume()  # no requests come yet, which would be resumed, too
        return build_app(self.client, before=self._route)

    def close(self) -> None:
        self._listening = self._background.tasks = None

    def suspend(self) -> None:
        for workspace, _ in self._served.values():
            workspace.events.suspend()

    def catch_up(self) -> None:
        for workspace, _ in self._served.values():
            workspace.events.catch_up()

    async def find(self, team: str, enterprise: str = "") -> SlackWorkspace:
        """A workspace by its id. Raises ChatGone if the app is not installed there, ChatError."""
        if team not in self._served:
            async with self._store.changing:
                installed = await self._store.load()
                found = installed.get(team) or installed.get(enterprise)
                found = found or await self._find_organisation(team, installed.values())
                if found is None:
                    raise ChatGone("slack-not-installed", team=team)
                if team not in self._served:  # by another call meanwhile
                    self._add(team, found)
        return self._served[team][0]

    async def _find_organisation(
        self, team: str, installed: Iterable[SlackInstallation]
    ) -> SlackInstallation | None:
        for each in installed:
            if not each.team and team in await self._list_teams(each):
                return each
        return None

    async def _list_teams(self, organisation: SlackInstallation) -> Sequence[str]:
        client = self.client.with_token(organisation.bot_token, "")
        return [str(each["id"]) async for each in client.read_pages("auth.teams.list", "teams")]

    # --- installations come and go ---

    def _begin(self, installation: SlackInstallation) -> None:
        self._drop(installation.place)  # it may be installed again, with another token
        if installation.team:
            self._add(installation.team, installation)
        else:
            self._background.start(self._persist, partial(self._add_teams, installation))

    async def _add_teams(self, organisation: SlackInstallation) -> None:
        """Add the workspaces of an organisation, which may have missed messages."""
        teams = await self._list_teams(organisation)
        async with self._store.changing:
            if (await self._store.load()).get(organisation.place) != organisation:
                return  # removed or installed again meanwhile
            for team in teams:
                if team not in self._served:
                    self._add(team, organisation)

    def _add(self, team: str, installation: SlackInstallation) -> None:
        place = "" if installation.team else team
        client = self.client.with_token(installation.bot_token, place)
        client.me = BotIdentity(team, installation.bot_user, installation.bot_id)
        workspace = self._make(client)
        self._served[team] = workspace, installation
        if self._listening:
            workspace.open(*self._listening)
            workspace.events.catch_up()

    async def _persist(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do something; after a fault, do it again."""
        await make_retrying(self.client.limits.retry_seconds, _is_fault)(work)

    async def check_tokens(self) -> None:
        """Remove the installations whose tokens are lost."""
        await self._persist(self._check_all)

    async def _check_all(self) -> None:
        async with asyncio.TaskGroup() as group:
            for each in (await self._store.load()).values():
                group.create_task(self._check(each))

    async def _check(self, installation: SlackInstallation) -> None:
        place, client = installation.place, self.client.with_token(installation.bot_token, "")
        if not await client.has_lost_token():
            return
        async with self._store.changing:
            if (await self._store.load()).get(place) == installation:  # else installed again
                log.warning("slack app removed", place=place, name=installation.name)
                self._drop(place)
                await self._store.remove(place)

    def _drop(self, place: str) -> None:
        """Serve the workspaces of an installation no longer."""
        for team, (workspace, installation) in [*self._served.items()]:
            if installation.place == place:
                del self._served[team]
                if self._listening:
                    workspace.events.backfill.leave(team)

    # --- requests ---

    async def _route(
        self, request: AsyncBoltRequest, next_: Callable[[], Awaitable[None]]
    ) -> BoltResponse | None:
        """Pass a request, whose signature is checked, to the app of its workspace."""
        team, enterprise = find_place(request.body)
        if not team:  # a check of the address
            await next_()
            return None
        try:
            workspace = await self.find(team, enterprise)
        except ChatGone as gone:
            log.warning("request of a workspace without the app", team=team)
            is_command = "command" in request.body
            return BoltResponse(status=200, body=say("en", gone.sentence) if is_command else "")
        return await workspace.app.async_dispatch(request)


def _is_fault(error: BaseException) -> bool:
    """Whether the same may work later: no refusal of Slack's, and no cancellation."""
    is_fault = isinstance(error, Exception) and not isinstance(error, SlackRefused)
    if is_fault:
        log.warning("slack workspaces: trying again", exc_info=error)
    return is_fault


def find_place(body: Json) -> tuple[str, str]:
    """The ids of the workspace and of the organisation that a request is for, or "".

    An organisation's installation gets events without a workspace; then the workspace is that of
    the event, unless that is of another organisation, with which the channel is shared.
    """
    context = AsyncBoltRequest(body=body, mode="socket_mode").context
    team, enterprise = context.team_id or "", context.enterprise_id or ""
    sender = body.get("enterprise_id") or (None if body.get(SHARED) else enterprise)
    if not team and sender == enterprise:
        team = str(body.get("team_id") or "")
    return team or enterprise, enterprise
