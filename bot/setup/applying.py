"""Carries out a step of the set-up: check live, write, or say what keeps it from being written."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import structlog

from bot.operations.doctor import run_check
from bot.setting_sources import find_stronger, read_changed_settings
from bot.settings import Settings
from bot.setup.env_file import Changes
from bot.setup.history import SettingsHistory
from bot.setup.steps import ACCEPTABLE, ProposedSettings, propose_settings
from pipeline.domain import HealthCheck, LocalizedText, SetupRequest, SetupResult
from pipeline.errors import SettingsError

log = structlog.get_logger()

_BLIND: Mapping[str, Changes] = {"doctor-llm-sees-bad": {"TROUPE_LLM_SEES_IMAGES": "false"}}
"""Problems that a further setting solves."""
_ADVICE: Mapping[str, str] = {
    "OPENAI_API_KEY": "setup-mend-key",
    "HF_TOKEN": "setup-mend-key",
    "OPENAI_BASE_URL": "setup-mend-address",
    "TROUPE_MODEL": "setup-mend-model",
    "TROUPE_LLM_SEES_IMAGES": "setup-mend-blind",
}
"""What somebody who enters a setting here does, instead of writing a line into `.env`."""
_OPEN = "…"
"""Stands in a line for a value that only the person knows."""


async def apply(request: SetupRequest, now: Settings, history: SettingsHistory) -> SetupResult:
    """Check what was entered, where the settings are `now` so, and write it."""
    try:
        proposed = propose_settings(request.step, request.fields, now)
        settings = await asyncio.to_thread(_read_settings, proposed, now)
    except SettingsError as error:
        return SetupResult(is_good=False, problem=error.sentence)
    findings: list[HealthCheck] = []
    for check in proposed.list_checks(settings):
        findings += map(_advise, await run_check(check))
    is_good = all(finding.good or finding.what.id in ACCEPTABLE for finding in findings)
    result = SetupResult(is_good=is_good, findings=tuple(findings))
    if not is_good or request.only_check or not proposed.is_whole:
        return result
    changes = {**proposed.changes}
    for finding in findings:
        changes |= {} if finding.good else _BLIND.get(finding.what.id, {})
    return await _write(request.step, changes, findings, history)


def _advise(finding: HealthCheck) -> HealthCheck:
    """The finding with what to enter, if a line for `.env` would mend it."""
    name, _, value = finding.mend.partition("=")
    if name not in _ADVICE:
        return finding
    facts = {"value": "" if value == _OPEN else value, "named": str(value != _OPEN).lower()}
    return replace(finding, advice=LocalizedText(_ADVICE[name], facts))


def _read_settings(proposed: ProposedSettings, now: Settings) -> Settings:
    """The settings with what was entered. Raises SettingsError."""
    if not proposed.is_whole:
        return now.model_copy(update={name.lower(): v for name, v in proposed.changes.items()})
    in_environment, in_toml = find_stronger(proposed.changes)
    if in_environment:
        raise SettingsError("setup-in-environment", names=", ".join(in_environment))
    if in_toml:
        raise SettingsError("setup-in-toml", names=", ".join(in_toml))
    return read_changed_settings(proposed.changes)


async def _write(
    step: str, changes: Changes, findings: Sequence[HealthCheck], history: SettingsHistory
) -> SetupResult:
    try:
        names = await asyncio.to_thread(history.change, step, changes)
    except SettingsError as error:
        facts = {"file": str(history.env.absolute()), "lines": _name_lines(changes)}
        problem = LocalizedText("setup-unwritten", {**facts, "problem": error.sentence})
        return SetupResult(is_good=True, findings=tuple(findings), problem=problem)
    log.info("settings changed", names=sorted(names))
    return SetupResult(is_good=True, findings=tuple(findings), written=tuple(names), renews=True)


def _name_lines(changes: Changes) -> str:
    """The lines to write by hand, without what is secret."""
    secrets = {name.upper() for name, field in Settings.model_fields.items() if not field.repr}
    return " ".join(
        f"{name}={'…' if name in secrets else value}" for name, value in changes.items() if value
    )


async def undo(history: SettingsHistory) -> SetupResult:
    """Take the last change back."""
    try:
        change = await asyncio.to_thread(history.undo)
    except SettingsError as error:
        return SetupResult(is_good=False, problem=error.sentence)
    if change is None:
        return SetupResult(is_good=False, problem=LocalizedText("setup-nothing-to-undo"))
    log.info("settings put back", names=sorted(change.values))
    return SetupResult(is_good=True, written=tuple(change.values), renews=True)
