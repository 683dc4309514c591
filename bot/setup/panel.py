"""The set-up of a running program: the port behind the page's panel."""

import asyncio
from collections.abc import Mapping

import structlog

from adapters.nearby import NearbyServer, list_nearby
from adapters.network.proxies import hide_login
from bot.app import App
from bot.commands.table import COMMANDS
from bot.commands.tasks import list_abilities
from bot.nearby import is_used
from bot.own_server import is_local_installed, list_model_folders
from bot.places import HOSTED, LLM
from bot.settings import Settings
from bot.setup.applying import apply, undo
from bot.setup.examples import list_examples
from bot.setup.history import SettingsHistory
from bot.setup.providers import PROVIDERS
from bot.setup.renewal import Renewal
from pipeline.domain import (
    Ability,
    Channel,
    LocalizedText,
    LocalServer,
    MissingAbility,
    SetupRequest,
    SetupResult,
    SetupState,
    SetupStatus,
    StartExample,
)
from pipeline.words import say, say_whole

log = structlog.get_logger()

_HERE = Channel("web", "setup", "setup")
"""A channel without settings of its own."""
_PORTS: Mapping[int, str] = {
    11434: "Ollama",
    1234: "LM Studio",
    8080: "llama.cpp",
    8000: "vLLM",
}
_NEEDS: Mapping[str, str] = {
    "OPENAI_API_KEY=": "setup-needs-key",
    "HF_TOKEN=": "setup-needs-hub",
    "TROUPE_EXPERTS_URL=": "setup-needs-local",
}
"""Setting → what it stands for; the first that turns something on counts."""
_MOST_MODELS = 100
"""Of a server, or on this machine, that are named."""


class SetupPanel:
    """The `Setup` of one running program, which the page shows as a panel."""

    def __init__(self, app: App, renewal: Renewal, history: SettingsHistory) -> None:
        self._app, self._renewal, self._history = app, renewal, history
        self._one_at_a_time = asyncio.Lock()

    async def describe(self) -> SetupStatus:
        app, settings = self._app, self._app.settings
        servers = await list_nearby(settings.troupe_llm_nearby, settings.network)
        abilities = await list_abilities(app.conversation.context, _HERE)
        missing: dict[str, MissingAbility] = {}
        for each in abilities:
            if each.model is None:
                needs = _word_need(each)
                known = missing.get(say("en", needs), MissingAbility(needs=needs))
                kinds = (*known.kinds, each.kind.name)
                missing[say("en", needs)] = MissingAbility(needs=needs, kinds=kinds)
        folders, models = await asyncio.to_thread(_find_local, settings)
        last = await asyncio.to_thread(lambda: self._history.last)
        return SetupStatus(
            generation=app.monitor.instance,
            states=(*self._list_places(), *self._list_chats(), self._describe_sharing()),
            can=sum(each.model is not None for each in abilities),
            of=len(abilities),
            missing=tuple(missing.values()),
            providers=PROVIDERS,
            servers=tuple(_describe_server(settings, server) for server in servers),
            folders=folders,
            models=models,
            manifest_url=await asyncio.to_thread(_link_manifest),
            file=str(self._history.env.absolute()),
            undo=tuple(last.values) if last else (),
            undo_step=last.step if last else "",
            problem=self._renewal.problem,
        )

    async def list_examples(self) -> tuple[StartExample, ...]:
        return tuple(await list_examples(self._app.tools, has_llm=self._app.llm is not None))

    async def apply(self, request: SetupRequest) -> SetupResult:
        if refusal := self._refuse():
            return refusal
        async with self._one_at_a_time:
            return await apply(request, self._app.settings, self._history)

    async def undo(self) -> SetupResult:
        if refusal := self._refuse():
            return refusal
        async with self._one_at_a_time:
            return await undo(self._history)

    def _refuse(self) -> SetupResult | None:
        """Why nothing is written: other programs would not read the file of this machine."""
        if not self._app.replicas.are_there():
            return None
        return SetupResult(is_good=False, problem=LocalizedText("setup-replicas"))

    def renew(self) -> None:
        self._renewal.ask()

    def _list_places(self) -> tuple[SetupState, ...]:
        app, settings = self._app, self._app.settings
        llm = _state("llm", "off")
        if app.llm is not None:
            sees = "yes" if app.llm.sees_images else "no"
            why = app.tools.health.explain(LLM)
            facts = {"model": app.llm.name, "sees": sees}
            llm = _state("llm", "on", why, **facts)
        elif settings.troupe_controller == "off":
            llm = _state("llm", "closed")
        hosted = _state("hosted", "off")
        if HOSTED in app.tools.experts:
            hosted = _state("hosted", "on", app.tools.health.explain(HOSTED))
        local = _state("local", "none" if is_local_installed() else "off")
        if app.own_server or settings.troupe_experts_url:
            address = app.own_server or hide_login(settings.troupe_experts_url)
            local = _state("local", "on", address=address)
        return llm, hosted, local

    def _list_chats(self) -> tuple[SetupState, ...]:
        settings, down = self._app.settings, self._app.health.down
        chats = {"slack": settings.slack, "discord": settings.discord}
        return tuple(
            _state(name, "on", down.get(name)) if is_on else _state(name, "off")
            for name, is_on in chats.items()
        )

    def _describe_sharing(self) -> SetupState:
        return _state("sharing", self._app.settings.troupe_sharing)


def _word_need(ability: Ability) -> LocalizedText:
    """What a person who can set it up would get for it; else why it is not possible."""
    settings = str(ability.problem.args.get("what", "")) if ability.problem else ""
    for setting, need in _NEEDS.items():
        if setting in settings:
            return LocalizedText(need)
    return ability.problem or LocalizedText("tasks-nobody")


def _state(id_: str, state: str, problem: LocalizedText | None = None, **facts: str) -> SetupState:
    text = LocalizedText(f"setup-{id_}-{state}", facts)
    why = say_whole("en", problem) if problem else ""
    return SetupState(id=id_, is_on=state == "on", text=text, problem=why)


def _describe_server(settings: Settings, server: NearbyServer) -> LocalServer:
    port = next((port for port in _PORTS if f":{port}/" in f"{server.address}/"), 0)
    return LocalServer(
        name=_PORTS.get(port, ""),
        address=server.address,
        models=server.models[:_MOST_MODELS],
        is_used=is_used(settings, server),
    )


def _find_local(settings: Settings) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The folders with models, and the models in them."""
    from adapters.local.models_on_disk import ModelFolders  # noqa: PLC0415 - half a second

    folders = list_model_folders(settings)
    models = ModelFolders(folders).list_models()
    return tuple(map(str, folders)), tuple(model.id for model in models[:_MOST_MODELS])


def _link_manifest() -> str:
    from adapters.slack import create_link  # noqa: PLC0415 - slow

    return create_link(COMMANDS)
