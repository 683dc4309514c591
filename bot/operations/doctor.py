"""`troupe doctor`: test everything that is configured with a real call; say how to fix it."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp
import structlog
import typer
from yarl import URL

from adapters.embedded.experts.expert import find_unloadable
from adapters.media.ffmpeg import find_ffmpeg
from adapters.network.connections import explain_failure, open_session
from adapters.network.rule import is_exception_readable
from adapters.store import parse_address
from adapters.workers.probe import find_reachable
from adapters.workers.sandbox import find_missing
from bot.app import App, open_app
from bot.chats import read_slack_access, read_slack_oauth
from bot.home import find_readable, name_mend
from bot.nearby import point_out, report_choice
from bot.places import EMBEDDED, HOSTED, LLM, LOCAL, PLACES
from bot.providers import EMBEDDED_MODULES, is_local_installed, list_model_folders, read_endpoint
from bot.setting_sources import find_odd_settings
from bot.settings import OPENAI, Settings, hide_login
from pipeline.domain import (
    HealthCheck,
    LocalizedText,
    Model,
    Place,
    TaskKind,
    report_bad,
    report_good,
)
from pipeline.errors import cause
from pipeline.planning.prompt import Abilities, stable_block
from pipeline.task_kinds import KINDS
from pipeline.words import say

log = structlog.get_logger()

_TOKENS = "https://huggingface.co/settings/tokens"
_INSTALL = '.venv/bin/python -m pip install ".[embedded]"'
_CANDIDATES = 20
_LISTED_TASK = "text-to-image"
_LONGEST_QUOTE = 300
_SHORT_TOKEN = 20
"""Characters."""
_UNAUTHORIZED = frozenset({401, 403})
_OK = 200
_FETCH_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class _Check:
    """A check of one system, its timeout, and the place that depends on it."""

    name: str
    findings: AsyncIterator[HealthCheck]
    seconds: float = 30.0
    place: Place | None = None


async def examine(settings: Settings, channel: str = "") -> int:
    """Run all checks and print the findings. Returns 1 if something is wrong."""
    wrong = sum([_print(HealthCheck(note, good=False)) for note in find_odd_settings()])
    dead: set[Place] = set()
    async with open_app(settings) as app, asyncio.TaskGroup() as group:
        if text := report_choice(settings, app.settings, app.llm.name if app.llm else ""):
            is_found = not app.settings.seeks_model
            wrong += _print(HealthCheck(text, is_found, "" if is_found else "ollama serve"))
        running = [(check, group.create_task(_run(check))) for check in _list_checks(app, channel)]
        for check, task in running:
            findings = await task
            wrong += sum(_print(finding) for finding in findings)
            if check.place and not all(finding.good for finding in findings):
                dead.add(check.place)
        if not (settings.slack or settings.discord):
            _print(report_good("doctor-no-platform"))
        kinds = _Check("tasks", _check_kinds(app, dead), seconds=60)
        wrong += sum([_print(finding) for finding in await _run(kinds)])
    typer.echo(say("en", LocalizedText("doctor-done", {"wrong": wrong})))
    return min(wrong, 1)


def _print(finding: HealthCheck) -> int:
    """Print a finding. Returns 1 if it is a problem, else 0."""
    typer.echo(("ok  " if finding.good else "FIX ") + say("en", finding.what))
    for line in filter(None, (finding.why, finding.mend)):
        typer.echo(f"      {line}")
    return int(not finding.good)


def _list_checks(app: App, channel: str) -> Iterable[_Check]:
    settings = app.settings
    yield _Check("network", _check_network(settings))
    yield _Check("nearby models", _check_nearby(settings))
    yield _Check("rights", _check_rights(settings))
    yield _Check("token", _check_token(settings))
    yield _Check("database", _check_data(app))
    yield _Check("language model", _check_llm(app), 2 * settings.troupe_llm_seconds + 15, LLM)
    if settings.hf_token:
        yield _Check("Hugging Face", _check_hub(settings), place=HOSTED)
    if settings.troupe_experts_url:
        yield _Check("expert server", _check_expert_server(settings), place=LOCAL)
    else:
        yield _Check("expert server", _check_own_server(app), 60, LOCAL)
    yield _Check("workers", _check_sandbox(app))
    if EMBEDDED in settings.troupe_places:
        yield _Check("built-in experts", _check_embedded(app), 120, EMBEDDED)
    yield _Check("ffmpeg", _check_ffmpeg())
    if settings.slack:
        yield _Check("Slack", _check_slack(app, channel), 60)
    if settings.discord:
        from adapters.discord import Addresses  # noqa: PLC0415 - only if it is configured
        from adapters.discord.connecting.doctor import examine as examine_discord  # noqa: PLC0415

        addresses = Addresses(*settings.discord_addresses)
        discord = examine_discord(
            settings.discord_token, addresses, channel=channel, network=settings.network
        )
        yield _Check("Discord", discord, 90)


async def _run(check: _Check) -> Sequence[HealthCheck]:
    """The findings of a check before its timeout. An exception becomes a finding, too."""
    findings: list[HealthCheck] = []
    try:
        async with asyncio.timeout(check.seconds):
            async for finding in check.findings:
                findings.append(finding)  # noqa: PERF401 - keeps the findings before an error
    except TimeoutError:
        findings.append(report_bad("doctor-timeout", name=check.name, seconds=check.seconds))
    except Exception as error:  # boundary: one broken check must not stop the others
        known = cause(error)
        if known is None:
            log.debug("check broke", check=check.name, exc_info=True)
        broke = LocalizedText("doctor-broke", {"name": check.name, "problem": repr(error)})
        reason = explain_failure(error) or (known.sentence if known else broke)
        findings.append(HealthCheck(reason, good=False))
    return findings


def _check_slack(app: App, channel: str) -> AsyncIterator[HealthCheck]:
    from adapters.slack import examine, examine_installations  # noqa: PLC0415 - only if it is on

    access, oauth = read_slack_access(app.settings), read_slack_oauth(app)
    if oauth is not None:
        return examine_installations(access, oauth)
    return examine(access, channel=channel)


async def _check_network(settings: Settings) -> AsyncIterator[HealthCheck]:
    """Which proxies and certificates count, and who is reached through a proxy."""
    network = settings.network
    for scheme, proxy in (("https", network.https), ("http", network.http)):
        if proxy:
            facts = {"proxy": str(proxy.address), "setting": proxy.setting}
            yield report_good("network-proxy", scheme=scheme, **facts)
    if network.https or network.http:
        for finding in _divide_clients(settings):
            yield finding
    else:
        yield report_good("network-no-proxy")
    if network.certificates:
        yield report_good("network-certificates", files=", ".join(network.certificates))


def _divide_clients(settings: Settings) -> Iterable[HealthCheck]:
    network = settings.network
    if entries := network.exceptions:
        yield report_good("network-exceptions", entries=", ".join(entries))
    for entry in entries:
        if not is_exception_readable(entry):
            yield report_bad("network-exception-odd", entry=entry)
    through, past = dict[str, list[str]](), dict[str, list[str]]()
    for name, address in _list_clients(settings):
        group = through if network.find_proxy(address) else past
        group.setdefault(name, []).append(address.host or "")
    if through:
        yield report_good("network-through", clients=_join_clients(through))
    if past:
        yield report_good("network-past", clients=_join_clients(past))


def _list_clients(settings: Settings) -> Iterable[tuple[str, URL]]:
    """Whom the program calls: names and addresses. "*" stands for the hosts of links."""
    if settings.slack:
        files = (f"https://{host}" for host in settings.slack_file_hosts)
        yield from (("Slack", URL(each)) for each in (settings.slack_api_base_url, *files))
    if settings.discord:
        api, gateway, hosts = settings.discord_addresses
        files = (f"https://{host}" for host in hosts)
        yield from (("Discord", URL(each)) for each in (api, gateway, *files))
    if settings.language_model:
        default = OPENAI if settings.openai else settings.hf_router_url
        yield "language model", URL(settings.openai_base_url or default)
    if settings.hf_token:
        yield "Hugging Face", URL(settings.hf_endpoint)
        yield "Hugging Face", URL(settings.hf_router_url)
    if settings.troupe_experts_url:
        yield "expert server", URL(settings.troupe_experts_url)
    yield "links", URL("https://*")


def _join_clients(clients: Mapping[str, Sequence[str]]) -> str:
    return ", ".join(f"{name} ({', '.join(dict.fromkeys(clients[name]))})" for name in clients)


async def _check_nearby(settings: Settings) -> AsyncIterator[HealthCheck]:
    """Whether a language model on this machine could be used."""
    if text := await point_out(settings):
        yield HealthCheck(text, good=True)


async def _check_token(settings: Settings) -> AsyncIterator[HealthCheck]:
    """Nothing slows guessing down: see ADR 0158."""
    if 0 < len(settings.troupe_web_token) < _SHORT_TOKEN:
        yield report_bad("doctor-token-short", mend="openssl rand -hex 24")


async def _check_data(app: App) -> AsyncIterator[HealthCheck]:
    """Do what /readyz does: read back a value and a file. Raises StoreUnavailable."""
    address = parse_address(app.settings.database_url)
    database = f"{address.host}/{address.database}" if address.host else address.database
    where = f"{database}, {app.settings.files_folder}"
    for probe in app.health.probes.values():
        await probe()
    yield report_good("doctor-data", where=where)


async def _check_rights(settings: Settings) -> AsyncIterator[HealthCheck]:
    """What could not be mended at the start."""
    for path in find_readable(settings):
        yield report_bad("doctor-readable", mend=name_mend(path), path=str(path))


async def _check_llm(app: App) -> AsyncIterator[HealthCheck]:
    endpoint = read_endpoint(app.settings) if app.settings.language_model else None
    is_off = app.settings.troupe_controller == "off"
    if endpoint is None:
        yield report_good("doctor-llm-off" if is_off else "doctor-no-llm")
        return
    from adapters.openai.doctor import examine as examine_llm  # noqa: PLC0415 - only if it is configured

    works, key = True, "OPENAI_API_KEY" if app.settings.openai else "HF_TOKEN"
    kinds = {kind.name: kind for kind in KINDS.values() if await _list_candidates(app, kind)}
    block = stable_block(Abilities(kinds=kinds), short=True)
    async for finding in examine_llm(endpoint, key, block):
        works = works and finding.good
        yield finding
    if app.llm is None:
        yield report_good("doctor-llm-off")
    elif works:
        yield report_good("doctor-llm-plans", model=app.llm.name)


async def _check_hub(settings: Settings) -> AsyncIterator[HealthCheck]:
    address = hide_login(settings.hf_endpoint)
    whoami = f"{settings.hf_endpoint}/api/whoami-v2"
    status, body = await _fetch(settings, whoami, settings.hf_token)
    if status == _OK:
        yield report_good("doctor-hub-good", name=str(json.loads(body).get("name", "?")))
        yield await _check_hub_list(settings)
    elif status in _UNAUTHORIZED:
        yield report_bad("doctor-hub-refused", f"HF_TOKEN=hf_…  # {_TOKENS}", why=_quote(body))
    else:
        yield _report_unreached(address, "/api/whoami-v2", status, "HF_ENDPOINT", body)


async def _check_hub_list(settings: Settings) -> HealthCheck:
    """Whether the list of served models can be read, for one task."""
    from adapters.huggingface.hub import HubUnavailable, open_hub  # noqa: PLC0415 - half a second

    hub = open_hub(settings.hf_endpoint, token=settings.hf_token, network=settings.network)
    try:
        async with hub as opened:
            found = await opened.list_served(_LISTED_TASK, limit=_CANDIDATES)
    except HubUnavailable as error:
        mend = f"curl -sS {hide_login(settings.hf_endpoint)}/api/models?limit=1"
        return report_bad("doctor-hub-list-bad", mend, problem=str(error))
    count, dropped = len(found.models), found.dropped
    return report_good("doctor-hub-list", task=_LISTED_TASK, count=count, dropped=dropped)


def _report_unreached(
    address: str, page: str, status: int, setting: str, body: bytes
) -> HealthCheck:
    facts: dict[str, Any] = {"address": address, "status": status, "setting": setting}
    mend = f"curl -sS {address}{page}"
    return report_bad("doctor-unreached", mend, why=_quote(body), **facts)


def _quote(body: bytes) -> str:
    """What a server says in a refusal, if that is JSON as servers write it; else ""."""
    try:
        document = json.loads(body)
    except ValueError:
        return ""
    match document:
        case {"error": str(words)} | {"message": str(words)} | {"detail": str(words)}:
            return say("en", LocalizedText("doctor-says", {"words": words[:_LONGEST_QUOTE]}))
        case _:
            return ""


async def _check_expert_server(settings: Settings) -> AsyncIterator[HealthCheck]:
    base, setting = settings.troupe_experts_url, "TROUPE_EXPERTS_URL"
    address = hide_login(base)
    status, body = await _fetch(settings, f"{base}/models", settings.troupe_experts_token)
    if status == _OK:
        yield report_good("doctor-server-good", address=address, count=len(json.loads(body)))
    elif status in _UNAUTHORIZED:
        why = _quote(body)
        yield report_bad(
            "doctor-server-refused", "TROUPE_EXPERTS_TOKEN=…", why=why, address=address
        )
    else:
        yield _report_unreached(address, "/models", status, setting, body)


async def _fetch(settings: Settings, address: str, token: str) -> tuple[int, bytes]:
    """Status and body; status 0 if there was no response, and nobody knows why.

    Raises aiohttp's errors for which there is an explanation.
    """
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        async with (
            open_session(settings.network, seconds=_FETCH_SECONDS, headers=headers) as session,
            session.get(address, allow_redirects=False) as response,
        ):
            return response.status, await response.content.read(1 << 20)
    except (aiohttp.ClientError, OSError) as error:
        if explain_failure(error):
            raise
        return 0, b""


async def _check_own_server(app: App) -> AsyncIterator[HealthCheck]:
    """The expert server that the program runs itself."""
    if app.own_server:
        yield report_good("doctor-experts-good", address=app.own_server)
    elif app.settings.troupe_experts != "off" and is_local_installed():
        folders = ", ".join(map(str, list_model_folders(app.settings)))
        yield report_good("doctor-experts-none", folders=folders)


async def _check_sandbox(app: App) -> AsyncIterator[HealthCheck]:
    """Let a worker try to reach the network, this process and its data."""
    if sys.platform != "linux":
        yield report_good("doctor-sandbox-none")
        return
    home, database = app.settings.home, parse_address(app.settings.database_url).database
    paths = (home, home / "secret", app.settings.files_folder, database, ".env")
    reached = await app.ports.workers.run(find_reachable, os.getpid(), [*map(str, paths)])
    if reached:
        lacking = ", ".join(find_missing()) or "nothing"
        yield report_bad("doctor-sandbox-bad", reached=", ".join(reached), lacking=lacking)
    else:
        yield report_good("doctor-sandbox-good")


async def _check_embedded(app: App) -> AsyncIterator[HealthCheck]:
    """Import each library in a worker: an installed one may lack a system library."""
    if broken := await app.ports.workers.run(find_unloadable, EMBEDDED_MODULES):
        yield report_bad("doctor-embedded-bad", missing=", ".join(broken), mend=_INSTALL)
    else:
        yield report_good("doctor-embedded-good")


async def _check_ffmpeg() -> AsyncIterator[HealthCheck]:
    command = [find_ffmpeg() or "ffmpeg", "-version"]
    try:
        await asyncio.to_thread(
            subprocess.run, command, capture_output=True, check=True, timeout=20
        )
    except (OSError, subprocess.SubprocessError):
        yield report_bad("doctor-ffmpeg-bad", mend=_INSTALL)
    else:
        yield report_good("doctor-ffmpeg-good")


async def _check_kinds(app: App, dead: set[Place]) -> AsyncIterator[HealthCheck]:
    """Count the kinds that have a model at a working place."""
    runnable = 0
    for kind in KINDS.values():
        models = await _list_candidates(app, kind)
        runnable += any(place not in dead for model in models for place in model.places)
    finding = LocalizedText("doctor-kinds", {"can": runnable, "all": len(KINDS)})
    is_off = EMBEDDED not in app.settings.troupe_places
    mend = f"TROUPE_PLACES={','.join(map(str, PLACES))}" if is_off else _INSTALL
    yield HealthCheck(finding, good=bool(runnable), mend="" if runnable else mend)


async def _list_candidates(app: App, kind: TaskKind) -> Sequence[Model]:
    return await app.tools.candidates.catalogue.candidates(kind, limit=_CANDIDATES)
