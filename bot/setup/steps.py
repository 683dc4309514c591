"""The steps of the set-up: what each would write, and the doctor's checks that come before."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from bot.chats import read_slack_access
from bot.operations.doctor import Check
from bot.operations.own_checks import check_model
from bot.settings import OPENAI, Settings
from bot.setup.env_file import Changes
from bot.setup.providers import HUGGING_FACE, OTHER, find_provider, is_key
from pipeline.domain import SetupFields, SetupStep, TaskKind
from pipeline.errors import SettingsError
from pipeline.task_kinds import KINDS

ACCEPTABLE = frozenset(
    {
        "doctor-discord-no-server",
        "doctor-discord-permission",
        "doctor-llm-sees-bad",
    }
)
"""Problems with which settings are saved all the same: they say what to do next."""
_CHAT_SECONDS = 60.0
_LOOPBACK = ("localhost", "127.0.0.1")
_MOST_FIELD = 2000
"""Characters of what is entered."""


@dataclass(frozen=True, slots=True)
class ProposedSettings:
    """What a step would write, and the checks of the settings that this makes.

    `is_whole`: whether everything was entered; else the checks are all that can be done.
    """

    changes: Changes
    list_checks: Callable[[Settings], Iterable[Check]]
    is_whole: bool = True


def propose_settings(step: SetupStep, fields: SetupFields, now: Settings) -> ProposedSettings:
    """What a person's entries would write, where the settings are `now` so.

    Raises SettingsError if the entries can't be used.
    """
    entered = {name: value.strip() for name, value in fields.items()}
    if any(len(value) > _MOST_FIELD for value in entered.values()):
        raise SettingsError("setup-too-long")
    return _PROPOSALS[step](entered, now)


def _propose_key(entered: SetupFields, now: Settings) -> ProposedSettings:
    key, chosen = entered.get("key", ""), entered.get("provider", "")
    address, model = _complete(entered.get("address", "")), entered.get("model", "")
    _check_key(key)
    provider = find_provider(key, chosen)
    if chosen == OTHER or (address and not chosen):
        if not address:
            raise SettingsError("setup-address-missing")
    elif provider is None:
        raise SettingsError("setup-whose-key")
    elif provider.id == HUGGING_FACE:
        named = {} if now.openai else {"TROUPE_MODEL": model}
        return ProposedSettings({"HF_TOKEN": key, **named}, _list_hub_checks)
    else:
        address = provider.address
    return ProposedSettings(_write_endpoint(address, key, model), _list_model_checks)


def _propose_server(entered: SetupFields, _now: Settings) -> ProposedSettings:
    address = _complete(entered.get("address", ""))
    if not address:
        raise SettingsError("setup-address-missing")
    return ProposedSettings(
        _write_endpoint(address, "", entered.get("model", "")), _list_model_checks
    )


def _propose_slack(entered: SetupFields, now: Settings) -> ProposedSettings:
    bot, app = entered.get("bot_token", ""), entered.get("app_token", "")
    for token in filter(None, (bot, app)):
        _check_key(token)
    if not bot.startswith("xox"):
        raise SettingsError("setup-slack-bot-token")
    if not app:
        return ProposedSettings({"SLACK_BOT_TOKEN": bot}, _list_bot_token_checks, is_whole=False)
    if not app.startswith("xapp-"):
        raise SettingsError("setup-slack-app-token")
    mode = {"SLACK_MODE": "socket"} if now.slack_mode == "http" else {}
    tokens = {"SLACK_BOT_TOKEN": bot, "SLACK_APP_TOKEN": app}
    return ProposedSettings({**tokens, **mode, **_keep_page(now)}, _list_slack_checks)


def _propose_discord(entered: SetupFields, now: Settings) -> ProposedSettings:
    token = entered.get("token", "")
    _check_key(token)
    return ProposedSettings({"DISCORD_TOKEN": token, **_keep_page(now)}, _list_discord_checks)


def _propose_sharing(_entered: SetupFields, _now: Settings) -> ProposedSettings:
    return ProposedSettings({"TROUPE_SHARING": "on"}, lambda _: ())


_PROPOSALS: Mapping[SetupStep, Callable[[SetupFields, Settings], ProposedSettings]] = {
    SetupStep.KEY: _propose_key,
    SetupStep.SERVER: _propose_server,
    SetupStep.SLACK: _propose_slack,
    SetupStep.DISCORD: _propose_discord,
    SetupStep.SHARING: _propose_sharing,
}


def _check_key(key: str) -> None:
    if not is_key(key):
        raise SettingsError("setup-odd-key" if key else "setup-key-missing")


def _complete(address: str) -> str:
    """An address with its scheme; "" for what is none. Other machines are asked with encryption.

    >>> _complete("localhost:11434/v1"), _complete("example.com/v1"), _complete("nowhere")
    ('http://localhost:11434/v1', 'https://example.com/v1', '')
    """
    if "://" in address:
        return address
    host = address.partition("/")[0].partition(":")[0]
    if host in _LOOPBACK:
        return f"http://{address}"
    return f"https://{address}" if "." in host else ""


def _write_endpoint(address: str, key: str, model: str) -> Changes:
    """A model that was set for another endpoint is taken out, unless a new one is named."""
    base = "" if address.rstrip("/") == OPENAI else address
    return {"OPENAI_BASE_URL": base, "OPENAI_API_KEY": key, "TROUPE_MODEL": model}


def _keep_page(now: Settings) -> Changes:
    """With a chat platform, the page would be served no longer unless that is said."""
    return {"TROUPE_WEB": "true"} if now.web and now.troupe_web is None else {}


def _list_model_checks(settings: Settings) -> Iterable[Check]:
    seconds = 2 * settings.troupe_llm_seconds + 15
    yield Check("language model", check_model(settings, _find_kinds(settings)), seconds)


def _list_hub_checks(settings: Settings) -> Iterable[Check]:
    from adapters.huggingface.doctor import examine  # noqa: PLC0415 - slow

    hub = examine(settings.hf_endpoint, settings.hf_token, settings.network)
    yield Check("Hugging Face", hub)
    if settings.language_model and not settings.openai:
        yield from _list_model_checks(settings)


def _list_bot_token_checks(settings: Settings) -> Iterable[Check]:
    from adapters.slack import examine_bot_token  # noqa: PLC0415 - only if it is wanted

    yield Check("Slack", examine_bot_token(read_slack_access(settings)), _CHAT_SECONDS)


def _list_slack_checks(settings: Settings) -> Iterable[Check]:
    from adapters.slack import examine  # noqa: PLC0415 - only if it is wanted

    yield Check("Slack", examine(read_slack_access(settings)), _CHAT_SECONDS)


def _list_discord_checks(settings: Settings) -> Iterable[Check]:
    from adapters.discord import Addresses  # noqa: PLC0415 - only if it is wanted
    from adapters.discord.connecting.doctor import examine  # noqa: PLC0415

    addresses = Addresses(*settings.discord_addresses)
    found = examine(settings.discord_token, addresses, network=settings.network)
    yield Check("Discord", found, _CHAT_SECONDS)


def _find_kinds(settings: Settings) -> Mapping[str, TaskKind]:
    """The kinds that a language model has to know: what runs built in, and by what is set."""
    names = [name for name in ("HF_TOKEN",) if getattr(settings, name.lower())]
    ways = {"OPENAI_API_KEY", *names}

    def can(kind: TaskKind) -> bool:
        return any(way in ways or way.startswith("[embedded]") for way in kind.enabled_by)

    return {kind.name: kind for kind in KINDS.values() if can(kind)}
