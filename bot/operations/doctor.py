"""`troupe doctor`: test everything that is configured with a real call; say how to fix it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass

import structlog
import typer

from adapters.network.connections import explain_failure
from bot.app import App, open_app
from bot.chats import read_slack_access, read_slack_oauth
from bot.nearby import report_choice
from bot.operations.network_checks import check_network
from bot.operations.own_checks import (
    check_data,
    check_embedded,
    check_ffmpeg,
    check_kinds,
    check_llm,
    check_nearby,
    check_own_server,
    check_replicas,
    check_rights,
    check_sandbox,
    check_token,
    check_traces,
)
from bot.places import EMBEDDED, HOSTED, LLM, LOCAL
from bot.setting_sources import find_odd_settings
from bot.settings import Settings
from pipeline.domain import HealthCheck, LocalizedText, Place, report_bad, report_note
from pipeline.errors import cause
from pipeline.words import say

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Check:
    """A check of one system, its timeout, and the place that depends on it."""

    name: str
    findings: AsyncIterator[HealthCheck]
    seconds: float = 30.0
    place: Place | None = None


async def examine(settings: Settings, channel: str = "") -> int:
    """Run all checks and print the findings. Returns 1 if something is wrong."""
    findings = [HealthCheck(note, good=False) for note in find_odd_settings()]
    for finding in findings:
        _print(finding)
    async with open_app(settings) as app:
        if text := report_choice(settings, app.settings, app.llm.name if app.llm else ""):
            is_found = not app.settings.seeks_model
            findings.append(HealthCheck(text, is_found, "" if is_found else "ollama serve"))
            _print(findings[-1])
        findings += await find_all(app, channel, _print)
    wrong = sum(not finding.good for finding in findings)
    typer.echo(say("en", LocalizedText("doctor-done", {"wrong": wrong})))
    return min(wrong, 1)


async def find_all(
    app: App, channel: str = "", tell: Callable[[HealthCheck], None] = lambda _: None
) -> Sequence[HealthCheck]:
    """What every check of an open program finds; `tell` hears of each as soon as it is known.

    With a channel, it is written to.
    """
    dead, findings = set[Place](), list[HealthCheck]()

    def take(found: Sequence[HealthCheck]) -> None:
        findings.extend(found)
        for each in found:
            tell(each)

    async with asyncio.TaskGroup() as group:
        running = [
            (check, group.create_task(run_check(check))) for check in _list_checks(app, channel)
        ]
        for check, task in running:
            found = await task
            take(found)
            if check.place and not all(each.good for each in found):
                dead.add(check.place)
    if not (app.settings.slack or app.settings.discord):
        take([report_note("doctor-no-platform")])
    app.tools.health.dead = dead
    take(await run_check(Check("tasks", check_kinds(app), seconds=60)))
    return findings


def _print(finding: HealthCheck) -> None:
    typer.echo(f"{finding.sign:<4}{say('en', finding.what)}")
    for line in filter(None, (finding.why, finding.mend)):
        typer.echo(f"      {line}")


def _list_checks(app: App, channel: str) -> Iterable[Check]:
    settings = app.settings
    yield Check("network", check_network(settings))
    yield Check("nearby models", check_nearby(settings))
    yield Check("rights", check_rights(settings))
    yield Check("token", check_token(settings))
    yield Check("database", check_data(app))
    yield Check("replicas", check_replicas(app))
    yield Check("language model", check_llm(app), 2 * settings.troupe_llm_seconds + 15, LLM)
    if settings.hf_token:
        from adapters.huggingface.doctor import examine as examine_hub  # noqa: PLC0415 - slow

        hub = examine_hub(settings.hf_endpoint, settings.hf_token, settings.network)
        yield Check("Hugging Face", hub, place=HOSTED)
    if settings.troupe_experts_url:
        from adapters.local.doctor import examine as examine_server  # noqa: PLC0415 - slow

        base, token = settings.troupe_experts_url, settings.troupe_experts_token
        server = examine_server(base, token, settings.network)
        yield Check("expert server", server, place=LOCAL)
    else:
        yield Check("expert server", check_own_server(app), 60, LOCAL)
    yield Check("workers", check_sandbox(app))
    if EMBEDDED in settings.troupe_places:
        yield Check("built-in experts", check_embedded(app), 120, EMBEDDED)
    yield Check("ffmpeg", check_ffmpeg())
    yield Check("traces", check_traces(app))
    if settings.slack:
        yield Check("Slack", _check_slack(app, channel), 60)
    if settings.discord:
        from adapters.discord import Addresses  # noqa: PLC0415 - only if it is configured
        from adapters.discord.connecting.doctor import examine as examine_discord  # noqa: PLC0415

        addresses = Addresses(*settings.discord_addresses)
        discord = examine_discord(
            settings.discord_token, addresses, channel=channel, network=settings.network
        )
        yield Check("Discord", discord, 90)


async def run_check(check: Check) -> Sequence[HealthCheck]:
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
