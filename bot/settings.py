"""The settings: read once from the environment, `.env` and `troupe.toml`; all problems told at once."""

import difflib
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote

from dotenv import dotenv_values
from pydantic import (
    AnyWebsocketUrl,
    BeforeValidator,
    Field,
    HttpUrl,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from pipeline.domain import LocalizedText
from pipeline.errors import SettingsError

_PASSED_ON = re.compile(
    r"PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|TZ|TMPDIR|TEMP|TMP|XDG_(?:CACHE|DATA)_\w+|VIRTUAL_ENV|PYTHONPATH|PYTHONHOME"
    r"|LD_LIBRARY_PATH|LD_PRELOAD|DYLD_LIBRARY_PATH|HF_HOME|HF_HUB_CACHE|TRITON_CACHE_DIR|IMAGEIO_FFMPEG_EXE"
    r"|(?:LC|CUDA|NVIDIA|PYTORCH|TORCH|ROCR|HIP|HSA|OMP|MKL|KMP|OPENBLAS)_\w+"
)


def _split(value: object) -> object:
    if isinstance(value, str):
        return tuple(word.strip() for word in value.split(",") if word.strip())
    return value


Words = Annotated[tuple[str, ...], BeforeValidator(_split)]
"""A list, in the environment with commas between."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Settings(BaseSettings):
    """Every setting, under the name of its environment variable in lower case. Each is described in docs/operator-guide.md."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_ignore_empty=True,
        toml_file="troupe.toml",
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
        env_parse_none_str="",
        enable_decoding=False,
    )

    # fmt: off
    troupe_home: Path = Field(default=Path("~/.troupe"), description="Folder for the database and the files.")
    troupe_database_url: str = Field(default="", repr=False, description="SQLAlchemy URL of the database; SQLite under TROUPE_HOME by default.")
    troupe_files_url: str = Field(default="", description="Folder for files; under TROUPE_HOME by default.")
    troupe_log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", description="How much is logged.")
    troupe_retention_days: int = Field(default=90, ge=1, description="After how many days turns, runs and files are forgotten.")

    openai_base_url: str = Field(default="", description="Any OpenAI-compatible endpoint for the controller.")
    openai_api_key: str = Field(default="", repr=False, description="Its key.")
    troupe_model: str = Field(default="gpt-4.1-mini", description="The controller's model.")
    troupe_llm_context: int = Field(default=0, ge=0, description="Tokens the controller's context holds; 0 asks the endpoint.")
    troupe_llm_sees_images: bool = Field(default=True, description="Whether the controller takes images.")
    troupe_llm_seconds: float = Field(default=60, gt=0, description="Deadline of one call to the controller, retries included.")

    hf_endpoint: str = Field(default="https://huggingface.co", description="The Hub's API.")
    hf_token: str = Field(default="", repr=False, description="A Hugging Face token; turns the hosted experts on.")
    hf_router_url: str = Field(default="https://router.huggingface.co", description="The router of hosted inference.")
    troupe_catalogue_hours: float = Field(default=6, gt=0, description="After how many hours the Hub is asked again which models are served.")
    troupe_selection: Literal["llm", "thorough", "ranked"] = Field(default="llm", description="llm: the language model picks models by their descriptions while it plans; thorough: in one more call, too, where a kind was not foreseen; ranked: the most used one is taken.")
    troupe_allow_models: Words = Field(default=(), description="Models that may be used (ids, org/* for an organisation); none means all.")
    troupe_deny_models: Words = Field(default=(), description="Models that may not be used.")
    troupe_licence: Literal["any", "commercial"] = Field(default="any", description="commercial: only models whose licence is known to allow commercial use.")
    troupe_providers: Words = Field(default=(), description="Inference providers that may be used (fal-ai, hf-inference …); none means all.")
    troupe_languages: Words = Field(default=(), description="Languages of which a model must know one, where it tells which it knows; none means any.")
    troupe_experts_url: str = Field(default="", description="A local expert server (Hugging Face's inference format).")
    troupe_experts: Literal["auto", "off"] = Field(default="auto", description="auto: without TROUPE_EXPERTS_URL the program runs an expert server of its own, where the extra [local] is installed and models lie there; off: it does not.")
    troupe_experts_token: str = Field(default="", repr=False, description="The secret between the program and its expert server; needed when that listens beyond this machine.")
    troupe_places: Words = Field(default=("hosted", "llm", "local", "embedded"), description="Where models may run, the preferred first.")

    slack_api_base_url: str = Field(default="https://slack.com/api/", description="Slack's Web API.")
    slack_bot_token: str = Field(default="", repr=False, description="xoxb-…; turns Slack on.")
    slack_app_token: str = Field(default="", repr=False, description="xapp-…; needed for Socket Mode.")
    slack_signing_secret: str = Field(default="", repr=False, description="Needed for SLACK_MODE=http.")
    slack_mode: Literal["socket", "http"] = Field(default="socket", description="How Slack's events come in; http is served under /slack/events.")
    slack_ping_interval: float = Field(default=10, gt=0, description="Seconds between pings on Slack's socket.")
    slack_file_hosts: Words = Field(default=("files.slack.com",), description="Hosts that Slack's files, and our token, may be fetched from.")

    discord_token: str = Field(default="", repr=False, description="The bot's token; turns Discord on.")
    discord_api_base_url: str = Field(default="", description="Discord's REST API; the real one by default.")
    discord_gateway_url: str = Field(default="", description="Discord's gateway; the real one by default.")
    discord_cdn_hosts: Words = Field(default=("cdn.discordapp.com", "media.discordapp.net"), description="Hosts that Discord's files may be fetched from.")

    troupe_fetch_hosts: Words = Field(default=(), description="Hosts that files named by URL may be fetched from; none means any public one.")
    troupe_fetch_allow_private: bool = Field(default=False, description="Allow private addresses and http on any port (for development).")

    troupe_web: bool | None = Field(default=None, description="Serve the web page; by default only when no chat platform is configured.")
    troupe_web_host: str = Field(default="127.0.0.1", description="Address the web page listens on.")
    troupe_web_port: int = Field(default=8080, ge=0, le=65535, description="Port of the web page; 0 takes a free one.")
    troupe_web_token: str = Field(default="", repr=False, description="Needed when the host is not loopback.")
    troupe_public_url: str = Field(default="", description="How the web page is reached from outside, for links to files too large for a platform.")

    troupe_learn: Literal["workspace", "channel", "off"] = Field(default="workspace", description="How far a 👍 goes: workspace: similar requests are planned like it, in all channels that everybody in the workspace can read; channel: only where it was given; off: nothing is learned.")
    troupe_mention: Literal["threads", "always"] = Field(default="threads", description="threads: follow-ups need no mention; always: they do.")
    troupe_allow: Words = Field(default=(), description="Ids of persons or channels that may use the bot; none means all.")
    troupe_deny: Words = Field(default=(), description="Ids of persons or channels that may not.")
    troupe_admins: Words = Field(default=(), description="Ids of persons who may change settings and forget channels.")
    troupe_person_per_minute: int = Field(default=20, ge=1, description="Requests a person may make in a minute.")
    troupe_channel_per_minute: int = Field(default=60, ge=1, description="Requests a channel may make in a minute.")
    troupe_max_file_mb: int = Field(default=50, ge=1, description="Largest file taken, in MiB.")
    troupe_max_text: int = Field(default=100_000, ge=1, description="Longest message taken, in characters.")
    troupe_parallel: int = Field(default=32, ge=1, description="Tasks of one request at work at once.")
    troupe_attempt_seconds: float = Field(default=60, gt=0, description="Deadline of one attempt at a task.")
    troupe_task_seconds: float = Field(default=120, gt=0, description="Deadline of a task, with all its attempts.")
    troupe_request_seconds: float = Field(default=600, gt=0, description="Deadline of a request.")
    troupe_patience: int = Field(default=5, ge=1, description="Interrupted attempts that come no step further, after which a message is apologised for.")
    troupe_workers: int = Field(default=2, ge=1, description="Worker processes for heavy work.")
    troupe_worker_mb: int = Field(default=4096, ge=512, description="Memory a worker process may use, in MiB.")
    troupe_context_turns: int = Field(default=20, ge=0, description="Turns of the thread the planner sees.")
    troupe_context_tail: int = Field(default=10, ge=0, description="Turns of the rest of the channel the planner sees.")
    # fmt: on

    @field_validator(
        "openai_base_url", "hf_endpoint", "hf_router_url", "troupe_experts_url", "troupe_public_url"
    )
    @classmethod
    def _web_address(cls, value: str) -> str:
        if value:
            TypeAdapter(HttpUrl).validate_python(value)
        return value.rstrip("/")

    @field_validator("slack_api_base_url", "discord_api_base_url", "discord_gateway_url")
    @classmethod
    def _platform_address(cls, value: str, info: ValidationInfo) -> str:
        kind = AnyWebsocketUrl if info.field_name == "discord_gateway_url" else HttpUrl
        if value:
            TypeAdapter(kind).validate_python(value)
        return value

    @field_validator("troupe_places")
    @classmethod
    def _known_places(cls, value: Words) -> Words:
        if unknown := set(value) - {"hosted", "llm", "local", "embedded"}:
            raise ValueError(
                f"unknown places {', '.join(sorted(unknown))}; there are hosted, llm, local and embedded"
            )
        return value

    @model_validator(mode="after")
    def _together(self) -> "Settings":
        problems = list(_contradictions(self))
        if problems:
            raise ValueError("\n".join(problems))
        return self

    @property
    def home(self) -> Path:
        return self.troupe_home.expanduser()

    @property
    def database_url(self) -> str:
        return (
            self.troupe_database_url or f"sqlite+aiosqlite:///{quote(str(self.home / 'troupe.db'))}"
        )

    @property
    def files_folder(self) -> Path:
        url = self.troupe_files_url.removeprefix("file://")
        return Path(url).expanduser() if url else self.home / "files"

    @property
    def controller(self) -> bool:
        """Whether a language model is configured."""
        return bool(self.openai_api_key or self.openai_base_url)

    @property
    def slack(self) -> bool:
        return bool(self.slack_bot_token)

    @property
    def discord(self) -> bool:
        return bool(self.discord_token)

    @property
    def web(self) -> bool:
        if self.troupe_web is not None:
            return self.troupe_web
        return not (self.slack or self.discord) or (self.slack and self.slack_mode == "http")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        toml = TomlConfigSettingsSource(settings_cls)
        return (init_settings, env_settings, dotenv_settings, toml, file_secret_settings)


def _contradictions(settings: Settings) -> Iterable[str]:
    if (
        settings.slack_bot_token
        and settings.slack_mode == "socket"
        and not settings.slack_app_token
    ):
        yield "SLACK_APP_TOKEN is missing: Socket Mode needs an xapp-… token (or set SLACK_MODE=http)."
    if (
        settings.slack_bot_token
        and settings.slack_mode == "http"
        and not settings.slack_signing_secret
    ):
        yield "SLACK_SIGNING_SECRET is missing: SLACK_MODE=http needs it to know Slack's requests."
    if settings.slack_app_token and not settings.slack_bot_token:
        yield "SLACK_BOT_TOKEN is missing: SLACK_APP_TOKEN alone does nothing."
    if settings.slack_bot_token and not settings.slack_bot_token.startswith("xox"):
        yield "SLACK_BOT_TOKEN does not look like a bot token (xoxb-…)."
    if settings.slack_app_token and not settings.slack_app_token.startswith("xapp-"):
        yield "SLACK_APP_TOKEN does not look like an app token (xapp-…)."
    if settings.web and settings.troupe_web_host not in LOOPBACK and not settings.troupe_web_token:
        yield "TROUPE_WEB_TOKEN is missing: it is needed when TROUPE_WEB_HOST is not loopback."


def find_locale(environment: Mapping[str, str] = os.environ) -> str:
    """The language of whoever sits at the terminal ("de-DE"), even where the system has not installed it."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    said = next((found for name in names if (found := environment.get(name))), "")
    locale = said.partition(".")[0].partition("@")[0].replace("_", "-")
    return "en" if locale in ("", "C", "POSIX") else locale


def child_environment(environment: Mapping[str, str] = os.environ) -> Mapping[str, str]:
    """What a child process needs of our environment: where programs, libraries, fonts, models and graphics cards are. No settings of ours, no tokens."""
    return {name: value for name, value in environment.items() if _PASSED_ON.fullmatch(name)}


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings. `environment` stands in for the real one and for files. Raises SettingsError with all problems."""
    try:
        return _settings(environment)
    except ValidationError as error:
        problems = [*_list_problems(error), *_list_contradictions(error, environment)]
        raise SettingsError("settings-wrong", problems="\n".join(problems)) from error
    except ValueError as error:  # a troupe.toml or .env that cannot be read
        raise SettingsError("settings-unreadable", problem=str(error)) from error


_RETIRED = frozenset({"troupe_streamed_planning"})
"""Settings of earlier versions that have no effect any more."""
_ALIKE = 0.75


def odd_settings(environment: Mapping[str, str] | None = None) -> Sequence[LocalizedText]:
    """Settings of ours that do not exist (with the nearest that does), or have no effect any more.

    They are looked for in `environment`, which stands in for the real one, `.env` and `troupe.toml`.
    """
    given: Collection[str] = environment or ()
    if environment is None:
        toml = TomlConfigSettingsSource(Settings).toml_data
        given = {*toml, *dotenv_values(".env"), *os.environ}
    ours = {name.lower() for name in given if name.lower().startswith("troupe_")}
    unknown = {name for name in ours - Settings.model_fields.keys() if "troupe_test_" not in name}
    return [_odd(name) for name in sorted(unknown)]


def _odd(name: str) -> LocalizedText:
    if name in _RETIRED:
        return LocalizedText("setting-retired", {"name": name.upper()})
    nearest = difflib.get_close_matches(name, Settings.model_fields, n=1, cutoff=_ALIKE)
    if not nearest:
        return LocalizedText("setting-unknown-plain", {"name": name.upper()})
    return LocalizedText("setting-unknown", {"name": name.upper(), "nearest": nearest[0].upper()})


def _settings(environment: Mapping[str, str] | None, **instead: object) -> Settings:
    if environment is None:
        return Settings(**instead)  # type: ignore[arg-type]
    given = {key.lower(): value for key, value in environment.items()}
    return Settings.model_validate({**given, **instead})


def _list_contradictions(
    error: ValidationError, environment: Mapping[str, str] | None
) -> Iterable[str]:
    """What does not fit together is only looked at when each setting is right; so once more with the wrong ones left out."""
    wrong = {str(problem["loc"][0]) for problem in error.errors() if problem["loc"]}
    if not wrong:
        return
    try:
        _settings(environment, **{name: Settings.model_fields[name].default for name in wrong})
    except ValidationError as rest:
        yield from _list_problems(rest)


def _list_problems(error: ValidationError) -> Iterable[str]:
    for problem in error.errors():
        message = problem["msg"].removeprefix("Value error, ")
        if not problem["loc"]:
            yield from message.splitlines()
            continue
        name = str(problem["loc"][0])
        yield f"{name.upper()}: {message}. It is for: {Settings.model_fields[name].description}"
