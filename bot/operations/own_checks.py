"""The doctor's look at this installation: its data, its rights, its models and its tools."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Collection, Mapping, Sequence

from adapters.embedded.experts.expert import find_unloadable
from adapters.media.ffmpeg import find_ffmpeg
from adapters.store import parse_address
from adapters.workers.sandbox import find_missing
from adapters.workers.sandbox_probe import find_reachable
from bot.app import App
from bot.commands.tasks import INSTALL_EMBEDDED, list_abilities
from bot.embedded import EMBEDDED_MODULES
from bot.endpoints import read_endpoint
from bot.environment import is_traced, name_collector
from bot.home import find_readable, name_mend
from bot.nearby import point_out
from bot.own_server import is_local_installed, is_own_server_wanted, list_model_folders
from bot.places import EMBEDDED, PLACES
from bot.setting_sources import adopt_telemetry_settings
from bot.settings import Settings
from pipeline.domain import (
    Channel,
    HealthCheck,
    LocalizedText,
    Model,
    TaskKind,
    report_bad,
    report_good,
    report_note,
)
from pipeline.planning.prompt import Abilities, stable_block
from pipeline.selection.recommended import CARDS, find_class, recommend
from pipeline.task_kinds import KINDS

_INSTALL_TRACES = '.venv/bin/python -m pip install -e ".[telemetry]"'
_ANYWHERE = Channel("web", "", "")
"""A channel without settings."""
_CANDIDATES = 20
"""Models of one kind that are looked at."""
_SHORT_TOKEN = 20
"""Characters that a token should have: nothing slows guessing down (ADR 0158)."""


async def check_nearby(settings: Settings) -> AsyncIterator[HealthCheck]:
    """Whether a language model on this machine could be used."""
    if text := await point_out(settings):
        yield HealthCheck(text, good=True, is_note=True)


async def check_token(settings: Settings) -> AsyncIterator[HealthCheck]:
    """Whether a token of the page is so short that it could be guessed."""
    for name in ("troupe_web_token", "troupe_owner_token"):
        if 0 < len(getattr(settings, name)) < _SHORT_TOKEN:
            setting = name.upper()
            yield report_bad("doctor-token-short", mend="openssl rand -hex 24", setting=setting)


async def check_data(app: App) -> AsyncIterator[HealthCheck]:
    """Do what /readyz does: read back a value and a file. Raises StoreUnavailable."""
    address = parse_address(app.settings.database_url)
    database = f"{address.host}/{address.database}" if address.host else address.database
    where = f"{database}, {app.settings.files_address}"
    for probe in app.health.probes.values():
        await probe()
    yield report_good("doctor-data", where=where)


async def check_replicas(app: App) -> AsyncIterator[HealthCheck]:
    """The programs at work on the database."""
    if app.settings.may_have_replicas:
        persistence = app.ports.persistence
        now = await persistence.programs.read_clock()
        for each in await persistence.programs.list_alive():
            yield report_note(
                "doctor-replica",
                id=each.id,
                host=each.host,
                version=each.version,
                started=each.started.isoformat(timespec="seconds"),
                seen=round(max(0.0, now - each.seen.timestamp())),
            )


async def check_rights(settings: Settings) -> AsyncIterator[HealthCheck]:
    """What could not be mended at the start."""
    for path in find_readable(settings):
        yield report_bad("doctor-readable", mend=name_mend(path), path=str(path))


async def check_llm(app: App) -> AsyncIterator[HealthCheck]:
    """Whether the language model answers, and whether it plans."""
    kinds = {kind.name: kind for kind in KINDS.values() if await _list_candidates(app, kind)}
    async for finding in check_model(app.settings, kinds):
        yield finding


async def check_model(
    settings: Settings, kinds: Mapping[str, TaskKind]
) -> AsyncIterator[HealthCheck]:
    """The same for these settings and kinds of tasks, whether or not the program has them."""
    endpoint = read_endpoint(settings) if settings.language_model else None
    is_off = settings.troupe_controller == "off"
    if endpoint is None:
        yield report_note("doctor-llm-off" if is_off else "doctor-no-llm")
        return
    from adapters.openai.doctor import examine as examine_llm  # noqa: PLC0415 - only if it is configured

    works, model, key = True, "", "OPENAI_API_KEY" if settings.openai else "HF_TOKEN"
    async for finding in examine_llm(
        endpoint, key, stable_block(Abilities(kinds=kinds), short=True)
    ):
        works = works and finding.good
        model = model or str(finding.what.args.get("model", ""))
        yield finding
    if is_off:
        yield report_note("doctor-llm-off")
    elif works:
        yield report_good("doctor-llm-plans", model=model)


async def check_traces(app: App) -> AsyncIterator[HealthCheck]:
    """Whether traces can be sent, where OpenTelemetry's variables ask for them."""
    environment = adopt_telemetry_settings()
    if not is_traced(environment):
        return
    where = name_collector(environment)
    if app.runner.traces is None:
        yield report_bad("doctor-traces-off", mend=_INSTALL_TRACES, where=where)
    elif await app.runner.traces.check():
        yield report_good("doctor-traces-good", where=where)
    else:
        yield report_bad("doctor-traces-bad", where=where)


async def check_own_server(app: App) -> AsyncIterator[HealthCheck]:
    """The expert server that the program runs itself."""
    if app.own_server:
        yield report_good("doctor-experts-good", address=app.own_server)
    elif app.settings.troupe_experts != "off" and is_local_installed():
        folders = ", ".join(map(str, list_model_folders(app.settings)))
        yield report_note("doctor-experts-none", folders=folders)


async def check_sandbox(app: App) -> AsyncIterator[HealthCheck]:
    """Let a worker try to reach the network, this process and its data."""
    if sys.platform != "linux":
        yield report_note("doctor-sandbox-none")
        return
    home, database = app.settings.home, parse_address(app.settings.database_url).database
    paths = (home, home / "secret", app.settings.files_folder, database, ".env")
    known = [str(path) for path in paths if path is not None]
    reached = await app.ports.workers.run(find_reachable, os.getpid(), known)
    if reached:
        lacking = ", ".join(find_missing()) or "nothing"
        yield report_bad("doctor-sandbox-bad", reached=", ".join(reached), lacking=lacking)
    else:
        yield report_good("doctor-sandbox-good")


async def check_embedded(app: App) -> AsyncIterator[HealthCheck]:
    """Import each library in a worker: an installed one may lack a system library."""
    if broken := await app.ports.workers.run(find_unloadable, EMBEDDED_MODULES):
        yield report_bad("doctor-embedded-bad", missing=", ".join(broken), mend=INSTALL_EMBEDDED)
    else:
        yield report_good("doctor-embedded-good")


async def check_ffmpeg() -> AsyncIterator[HealthCheck]:
    """Whether ffmpeg runs."""
    command = [find_ffmpeg() or "ffmpeg", "-version"]
    try:
        await asyncio.to_thread(
            subprocess.run, command, capture_output=True, check=True, timeout=20
        )
    except (OSError, subprocess.SubprocessError):
        yield report_bad("doctor-ffmpeg-bad", mend=INSTALL_EMBEDDED)
    else:
        yield report_good("doctor-ffmpeg-good")


async def check_kinds(app: App) -> AsyncIterator[HealthCheck]:
    """Count the kinds that have a model at a working place."""
    abilities = await list_abilities(app.conversation.context, _ANYWHERE)
    runnable = sum(each.model is not None for each in abilities)
    finding = LocalizedText("doctor-kinds", {"can": runnable, "all": len(KINDS)})
    is_off = EMBEDDED not in app.settings.troupe_places
    mend = f"TROUPE_PLACES={','.join(map(str, PLACES))}" if is_off else INSTALL_EMBEDDED
    yield HealthCheck(finding, good=bool(runnable), mend="" if runnable else mend)
    missing = [each.kind.name for each in abilities if each.model is None]
    if is_own_server_wanted(app.settings) and (
        more := await asyncio.to_thread(_find_models_to_pull, missing)
    ):
        yield more


def _find_models_to_pull(kinds: Collection[str]) -> HealthCheck | None:
    """Which of the kinds that nothing can run, a model that suits this machine would do."""
    from adapters.local.machine import find_machine  # noqa: PLC0415 - only for this

    card = CARDS[find_class(find_machine().card)]
    if not (possible := recommend(kinds, card)):
        return None
    what = LocalizedText("doctor-kinds-missing", {"count": len(possible)})
    command = f"troupe experts pull {' '.join(possible)}"
    mend = command if is_local_installed() else f"make local && {command}"
    return HealthCheck(what, good=True, mend=mend, is_note=True)


async def _list_candidates(app: App, kind: TaskKind) -> Sequence[Model]:
    return await app.tools.candidates.catalogue.candidates(kind, limit=_CANDIDATES)
