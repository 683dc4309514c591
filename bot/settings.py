"""The settings, and what must not be set together."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote

from pydantic import BaseModel, Field, ModelWrapValidatorHandler, ValidationError, model_validator
from pydantic_core import ErrorDetails

from adapters.files.places import Bucket, FilesPlace, name_place, split_bucket, split_folder
from adapters.network.proxies import Network, read_proxy
from bot.places import HOSTED, PLACES
from bot.setting_types import (
    Address,
    Addresses,
    Base,
    Blanks,
    Certificates,
    Count,
    DatabaseUrl,
    FilesUrl,
    Hosts,
    Places,
    Positive,
    Secret,
    SigningSecret,
    WebsocketAddress,
    Words,
)
from pipeline.fencing import SHARE_ON_ITS_WAY
from pipeline.ports import LEASE_SECONDS, MOST_RUNS

OPENAI = "https://api.openai.com/v1"
"""The endpoint of a key without a base URL."""
AUTO = "auto"
"""As a base URL: that of a server on this machine."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_LONGEST_ON_ITS_WAY = 10.0
"""Seconds within which a post arrives or never: shorter than a call to a platform, after which we
look for the post ourselves."""
_VALID = {
    "bool_parsing": "true or false",
    "int_parsing": "a whole number",
    "float_parsing": "a number",
    "string_type": "text in quotation marks",
}


class Settings(BaseModel, frozen=True, hide_input_in_errors=True):
    """Every setting, named like its environment variable in lower case.

    docs/operator-guide.md says what each is for.
    """

    troupe_home: Path = Path("~/.troupe")
    troupe_database_url: DatabaseUrl = ""
    troupe_files_url: FilesUrl = ""
    troupe_files_old_url: FilesUrl = ""
    troupe_files_public_url: Base = ""
    aws_access_key_id: Secret = ""
    aws_secret_access_key: Secret = ""
    aws_session_token: Secret = ""
    aws_region: str = ""
    aws_default_region: str = ""
    aws_endpoint_url_s3: str = ""
    aws_endpoint_url: str = ""
    troupe_log_level: Literal["debug", "info", "warning", "error"] = "info"
    troupe_retention_days: Count = 90
    troupe_keep_prompts: Literal["off", "on"] = "off"
    troupe_secret: SigningSecret = ""
    troupe_secret_key: Secret = ""

    openai_base_url: Base | Literal["auto"] = ""
    openai_api_key: Secret = ""
    troupe_controller: Literal["auto", "off"] = "auto"
    troupe_model: str = ""
    troupe_judge_model: str = ""
    troupe_llm_context: int = Field(default=0, ge=0)
    troupe_llm_sees_images: bool | Literal["auto"] = "auto"
    troupe_llm_seconds: Positive = 60
    troupe_llm_nearby: Addresses = (
        "http://127.0.0.1:11434/v1",
        "http://127.0.0.1:1234/v1",
        "http://127.0.0.1:8080/v1",
        "http://127.0.0.1:8000/v1",
    )

    hf_endpoint: Base = "https://huggingface.co"
    hf_token: Secret = ""
    hf_router_url: Base = "https://router.huggingface.co"
    troupe_catalogue_hours: Positive = 6
    troupe_selection: Literal["llm", "thorough", "ranked"] = "llm"
    troupe_allow_models: Words = ()
    troupe_deny_models: Words = ()
    troupe_licence: Literal["any", "commercial"] = "any"
    troupe_providers: Words = ()
    troupe_languages: Words = ()
    troupe_experts_url: Base = ""
    troupe_experts: Literal["auto", "off"] = "auto"
    troupe_experts_token: Secret = ""
    troupe_places: Places = PLACES

    slack_api_base_url: Address = "https://slack.com/api/"
    slack_bot_token: Secret = ""
    slack_app_token: Secret = ""
    slack_signing_secret: Secret = ""
    slack_client_id: str = ""
    slack_client_secret: Secret = ""
    slack_authorize_url: Address = "https://slack.com/oauth/v2/authorize"
    slack_mode: Literal["socket", "http"] = "socket"
    slack_ping_interval: Positive = 10
    slack_file_hosts: Hosts = ("files.slack.com",)

    discord_token: Secret = ""
    discord_api_base_url: Address = "https://discord.com/api/v10"
    discord_gateway_url: WebsocketAddress = "wss://gateway.discord.gg/"
    discord_cdn_hosts: Hosts = (
        "cdn.discordapp.com",
        "media.discordapp.net",
        "images-ext-1.discordapp.net",
        "images-ext-2.discordapp.net",
    )

    https_proxy: Secret = ""
    http_proxy: Secret = ""
    all_proxy: Secret = ""
    no_proxy: Blanks = ()
    ssl_cert_file: Certificates = ""
    ssl_cert_dir: Certificates = ""
    requests_ca_bundle: Certificates = ""

    troupe_fetch_hosts: Hosts = ()
    troupe_fetch_allow_private: bool = False

    troupe_web: bool | None = None
    troupe_web_host: str = "127.0.0.1"
    troupe_web_port: int = Field(default=8080, ge=0, le=65535)
    troupe_web_token: Secret = ""
    troupe_owner_token: Secret = ""
    troupe_public_url: Base = ""
    troupe_sharing: Literal["on", "off"] = "off"

    troupe_health_port: Annotated[int, Field(ge=0, le=65535)] | Literal["off"] = 8081

    troupe_learn: Literal["workspace", "channel", "off"] = "workspace"
    troupe_mention: Literal["threads", "always"] = "threads"
    troupe_listen: Literal["threads", "all"] = "threads"
    troupe_allow: Words = ()
    troupe_deny: Words = ()
    troupe_admins: Words = ()
    troupe_person_per_minute: Count = 20
    troupe_channel_per_minute: Count = 60
    troupe_max_file_mb: Count = 50
    troupe_max_text: Count = 100_000
    troupe_parallel: Count = 32
    troupe_attempt_seconds: Positive = 60
    troupe_task_seconds: Positive = 120
    troupe_request_seconds: Positive = 600
    troupe_max_replans: int = Field(default=1, ge=0, le=3)
    troupe_patience: Count = 5
    troupe_lease_seconds: float = Field(default=LEASE_SECONDS, ge=2, le=300)
    troupe_runs: Count = MOST_RUNS
    troupe_workers: Count = 2
    troupe_worker_mb: int = Field(default=4096, ge=512)
    troupe_context_turns: int = Field(default=20, ge=0)
    troupe_context_tail: int = Field(default=10, ge=0)

    @model_validator(mode="wrap")
    @classmethod
    def _report_all_problems(
        cls, values: Mapping[str, object], validate: ModelWrapValidatorHandler["Settings"]
    ) -> "Settings":
        """Report all invalid settings, and contradictions among the valid ones, at once."""
        problems: list[str] = []
        try:
            settings = validate(values)
        except ValidationError as error:
            invalid = dict[str, list[str]]()
            for problem in error.errors():
                invalid.setdefault(str(problem["loc"][0]), []).append(_name_valid(problem))
            for name, choices in invalid.items():
                problems.append(f"{name.upper()} must be {' or '.join(dict.fromkeys(choices))}.")
            valid = {name: value for name, value in values.items() if name not in invalid}
            settings = validate(valid)
        problems += _find_contradictions(settings)
        if problems:
            raise ValueError("\n".join(problems))
        return settings

    @property
    def home(self) -> Path:
        return self.troupe_home.expanduser()

    @property
    def database_url(self) -> str:
        return self.troupe_database_url or f"sqlite:///{quote(str(self.home / 'troupe.db'))}"

    @property
    def may_have_replicas(self) -> bool:
        """Whether several programs may be at work on the database."""
        return not self.database_url.startswith("sqlite")

    @property
    def files_place(self) -> FilesPlace:
        return self.find_files_place(self.troupe_files_url)

    @property
    def files_old_place(self) -> FilesPlace | None:
        """Where some files still are; None if they are all in one place."""
        url = self.troupe_files_old_url
        return self.find_files_place(url) if url else None

    def find_files_place(self, url: str) -> FilesPlace:
        """The folder or bucket at an address; that of the home folder for "".

        Raises ValueError if it is the address of neither.
        """
        if not url.startswith("s3://"):
            path = split_folder(url)
            return Path(path).expanduser() if path else self.home / "files"
        name, prefix = split_bucket(url)
        return Bucket(
            name=name,
            prefix=prefix,
            endpoint=(self.aws_endpoint_url_s3 or self.aws_endpoint_url).rstrip("/"),
            region=self.aws_region or self.aws_default_region,
            key=self.aws_access_key_id,
            secret=self.aws_secret_access_key,
            token=self.aws_session_token,
            public=self.troupe_files_public_url,
            network=self.network,
        )

    @property
    def files_folder(self) -> Path | None:
        """The folder of the files; None if they are in a bucket."""
        place = self.files_place
        return None if isinstance(place, Bucket) else place

    @property
    def files_address(self) -> str:
        """Where the files are, to be shown."""
        return name_place(self.files_place)

    @property
    def max_file(self) -> int:
        """The size of the largest file that a message may bring, in bytes."""
        return self.troupe_max_file_mb << 20

    @property
    def network(self) -> Network:
        """How everything outside is reached. Raises ValueError for a proxy that can't be used."""
        https, http = self.find_proxy_setting("https"), self.find_proxy_setting("http")
        trusted = (self.ssl_cert_file, self.ssl_cert_dir, self.requests_ca_bundle)
        return Network(
            https=read_proxy(*https) if https else None,
            http=read_proxy(*http) if http else None,
            exceptions=self.no_proxy,
            certificates=tuple(dict.fromkeys(path for path in trusted if path)),
        )

    @property
    def chat_network(self) -> Network:
        """How chat platforms are reached: a post arrives before it may be sent again, or never."""
        seconds = _LONGEST_ON_ITS_WAY
        if self.may_have_replicas:
            seconds = min(self.troupe_lease_seconds * SHARE_ON_ITS_WAY, seconds)
        return replace(self.network, arrival_seconds=seconds)

    def find_proxy_setting(self, scheme: Literal["https", "http"]) -> tuple[str, str] | None:
        """The value and the name of the setting that decides for a scheme, if one is set."""
        for name in (f"{scheme}_proxy", "all_proxy"):
            if value := getattr(self, name):
                return value, name.upper()
        return None

    @property
    def seeks_model(self) -> bool:
        """Whether a language model on this machine is to be used, and none has been found yet."""
        return self.openai_base_url == AUTO

    @property
    def openai(self) -> bool:
        return bool(self.openai_api_key or self.openai_base_url) and not self.seeks_model

    @property
    def language_model(self) -> bool:
        """Whether a language model is configured: an endpoint of its own, or the Hub's router.

        Nobody who wants the one on this machine has messages sent elsewhere when there is none.
        """
        is_router = self.troupe_controller == "auto" and HOSTED in self.troupe_places
        return self.openai or (bool(self.hf_token) and is_router and not self.seeks_model)

    @property
    def spare_model(self) -> bool:
        """Whether the Hub's router stands in for an endpoint whose account has no credit left."""
        return self.openai and bool(self.hf_token) and HOSTED in self.troupe_places

    @property
    def slack(self) -> bool:
        return bool(self.slack_bot_token) or self.slack_oauth

    @property
    def slack_oauth(self) -> bool:
        """Whether workspaces install the app themselves. A bot token takes precedence."""
        return bool(self.slack_client_id and self.slack_client_secret and not self.slack_bot_token)

    @property
    def discord(self) -> bool:
        return bool(self.discord_token)

    @property
    def discord_addresses(self) -> tuple[str, str, tuple[str, ...]]:
        return self.discord_api_base_url, self.discord_gateway_url, self.discord_cdn_hosts

    @property
    def web(self) -> bool:
        if self.troupe_web is not None:
            return self.troupe_web
        is_http = self.slack and self.slack_mode == "http"
        return not (self.slack or self.discord) or is_http or self.slack_oauth


def _name_valid(problem: ErrorDetails) -> str:
    """What a setting must be, instead of the value that it has."""
    words = problem["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    return _VALID.get(problem["type"], words)


def _find_contradictions(settings: Settings) -> Iterable[str]:
    bot, app = settings.slack_bot_token, settings.slack_app_token
    is_socket = settings.slack_mode == "socket"
    yield from _find_gaps_of_oauth(settings)
    yield from _find_unusable_proxies(settings)
    yield from _find_gaps_of_bucket(settings)
    if settings.slack and is_socket and not app:
        yield (
            "SLACK_APP_TOKEN is missing: Socket Mode needs an xapp-… token "
            "(or set SLACK_MODE=http)."
        )
    if settings.slack and not is_socket and not settings.slack_signing_secret:
        yield (
            "SLACK_SIGNING_SECRET is missing: SLACK_MODE=http needs it to verify requests. "
            "See docs/slack.md."
        )
    if app and not settings.slack:
        yield "SLACK_BOT_TOKEN is missing: SLACK_APP_TOKEN alone does nothing."
    if bot and not bot.startswith("xox"):
        yield "SLACK_BOT_TOKEN does not look like a bot token (xoxb-…)."
    if app and not app.startswith("xapp-"):
        yield "SLACK_APP_TOKEN does not look like an app token (xapp-…)."
    if settings.web and settings.troupe_web_host not in LOOPBACK and not settings.troupe_web_token:
        yield "TROUPE_WEB_TOKEN is missing: it is needed when TROUPE_WEB_HOST is not loopback."
    if settings.troupe_owner_token and settings.troupe_owner_token == settings.troupe_web_token:
        yield "TROUPE_OWNER_TOKEN must not be the same as TROUPE_WEB_TOKEN, which others know."


def _find_unusable_proxies(settings: Settings) -> Iterable[str]:
    https, http = settings.find_proxy_setting("https"), settings.find_proxy_setting("http")
    for address, name in dict.fromkeys(setting for setting in (https, http) if setting):
        try:
            read_proxy(address, name)
        except ValueError:
            yield (
                f"{name} must be the address of an HTTP proxy like "
                "http://proxy.example.com:3128 (SOCKS is not supported; special characters of a "
                "password are written as %XX)."
            )


def _find_gaps_of_bucket(settings: Settings) -> Iterable[str]:
    """What AWS_… settings lack, where a bucket is used: elsewhere they are none of our business."""
    urls = (settings.troupe_files_url, settings.troupe_files_old_url)
    if not any(url.startswith("s3://") for url in urls):
        return
    key, secret = settings.aws_access_key_id, settings.aws_secret_access_key
    if bool(key) is not bool(secret):
        missing = "AWS_SECRET_ACCESS_KEY" if key else "AWS_ACCESS_KEY_ID"
        yield f"{missing} is missing: the bucket needs both parts of a key, or neither."
    for name in ("aws_endpoint_url_s3", "aws_endpoint_url"):
        if (url := getattr(settings, name)) and not url.startswith(("http://", "https://")):
            yield f"{name.upper()} must be an address like https://s3.example.com."


def _find_gaps_of_oauth(settings: Settings) -> Iterable[str]:
    if settings.slack_bot_token:
        return
    if settings.slack_client_id and not settings.slack_client_secret:
        yield "SLACK_CLIENT_SECRET is missing: SLACK_CLIENT_ID needs it."
    if settings.slack_client_secret and not settings.slack_client_id:
        yield "SLACK_CLIENT_ID is missing: SLACK_CLIENT_SECRET needs it."
    if not settings.slack_oauth:
        return
    if not settings.troupe_secret_key:
        yield (
            "TROUPE_SECRET_KEY is missing: it encrypts the tokens of the Slack workspaces that "
            "install the app. See docs/slack.md."
        )
    if not settings.troupe_public_url:
        yield "TROUPE_PUBLIC_URL is missing: Slack sends people there after they install the app."
    if settings.troupe_web is False:
        yield "TROUPE_WEB is false: with SLACK_CLIENT_ID the app is installed over the web server."
