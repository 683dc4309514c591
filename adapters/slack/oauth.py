"""OAuth: the app installs itself in workspaces and organisations; their tokens are encrypted."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

import structlog
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from slack_bolt.error import BoltError
from slack_bolt.oauth.async_callback_options import AsyncFailureArgs
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.response import BoltResponse
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.client import INSTALL_PATH, PLATFORM, REDIRECT_PATH
from adapters.slack.manifest import SCOPES
from pipeline.codec import dump, load
from pipeline.domain import LocalizedText
from pipeline.errors import RequestError, SettingsError
from pipeline.ports import Installations
from pipeline.words import say

AUTHORIZE_URL = "https://slack.com/oauth/v2/authorize"
_LONGEST = timedelta(minutes=10)
"""How long an installation may take, as Bolt's cookie says."""
_STATE = b"installation"

_MAKE_KEY = (
    'python -c "from cryptography.fernet import Fernet; print(Fernet.generate_key().decode())"'
)

log = structlog.get_logger()


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
            ciphers = [Fernet(key) for key in keys]
            self.cipher, self._newest = MultiFernet(ciphers), ciphers[0]
        except (ValueError, IndexError) as error:
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
                await self._store(saved)
            except RequestError as error:
                raise BoltError("the installation could not be stored") from error
            log.info("slack app installed", place=saved.place, name=saved.name)
            self.on_save(saved)

    async def load(self) -> Mapping[str, SlackInstallation]:
        """The installations by place. Raises SettingsError if no key decrypts one."""
        bodies = await self.port.load(PLATFORM)
        return {place: await self._decrypt(body) for place, body in bodies.items()}

    async def remove(self, place: str) -> None:
        await self.port.remove(PLATFORM, place)

    async def _store(self, installation: SlackInstallation) -> None:
        body = self._newest.encrypt(dump(installation).encode()).decode()
        await self.port.save(PLATFORM, installation.place, body)

    async def _decrypt(self, body: str) -> SlackInstallation:
        """Decrypt an installation; one with an older key is stored again with the newest."""
        try:
            text = self.cipher.decrypt(body)
        except InvalidToken as error:
            raise SettingsError("slack-secret-key-wrong") from error
        installation: SlackInstallation = load(SlackInstallation, text.decode())
        try:
            self._newest.decrypt(body)
        except InvalidToken:
            await self._store(installation)
        return installation


@dataclass(frozen=True, slots=True)
class SlackStates(AsyncOAuthStateStore):
    """States of installations that have begun. Each holds its time, encrypted: none is stored.

    Bolt compares them with the browser's cookie; Slack accepts each code once.
    """

    cipher: MultiFernet

    async def async_issue(self, *_: object, **__: object) -> str:
        return self.cipher.encrypt(_STATE).decode().rstrip("=")

    async def async_consume(self, state: str) -> bool:
        padded = f"{state}{'=' * (-len(state) % 4)}".encode()
        try:
            return self.cipher.decrypt(padded, ttl=int(_LONGEST.total_seconds())) == _STATE
        except InvalidToken:
            return False


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
