"""The installations of the app and their tokens, encrypted at rest."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import structlog
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from slack_bolt.error import BoltError
from slack_sdk.oauth.installation_store import Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore

from adapters.slack.connecting.manifest import INSTALL_PATH
from adapters.slack.web_api.client import PLATFORM
from pipeline.codec import dump, load
from pipeline.domain import LocalizedText
from pipeline.errors import RequestError, SettingsError
from pipeline.ports import Installations
from pipeline.words import say

AUTHORIZE_URL = "https://slack.com/oauth/v2/authorize"
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


async def _tell_nobody(_: str) -> None:
    pass


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
        self.tell: Callable[[str], Awaitable[None]] = _tell_nobody
        """Tells the other replicas of the place of a change."""
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
        await self.tell(saved.place)

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
