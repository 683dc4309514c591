"""Reads the settings from the environment, `.env` and `troupe.toml`; reports misspelt ones."""

import difflib
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from dotenv import dotenv_values
from pydantic import ValidationError

from bot.settings import Settings
from pipeline.domain import LocalizedText
from pipeline.errors import SettingsError

_RETIRED = frozenset({"troupe_streamed_planning"})
"""Settings of earlier versions that no longer have an effect."""
_TELEMETRY = "OTEL_"
"""How OpenTelemetry's settings begin."""
_MIN_SIMILARITY = 0.75
"""Of a misspelt name to the one that is suggested, as difflib counts."""


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    """Read the settings. `environment` replaces the real one, `.env` and `troupe.toml`.

    Raises SettingsError with all problems in one message.
    """
    toml, variables = _read_sources(environment)
    return _validate({**toml, **variables})


def read_changed_settings(changes: Mapping[str, str]) -> Settings:
    """The settings as they would be with these lines in `.env`; "" stands for none of a name.

    Raises SettingsError.
    """
    toml, own = _read_files()
    kept = {name: value for name, value in own.items() if name.upper() not in changes}
    return _validate({**toml, **kept, **_lower(changes), **_lower(os.environ)})


def find_stronger(changes: Mapping[str, str]) -> tuple[Sequence[str], Sequence[str]]:
    """Of settings that are to be changed in `.env`, what elsewhere would keep that from working.

    The names that the environment sets otherwise, and those that are to be taken out but are set in
    `troupe.toml`, which counts where `.env` has nothing. Raises SettingsError.
    """
    toml, _ = _read_files()
    around = _lower(os.environ)
    in_environment = [
        name for name in changes if around.get(name.lower(), changes[name]) != changes[name]
    ]
    in_toml = [name for name, value in changes.items() if not value and name.lower() in toml]
    return in_environment, in_toml


def _validate(values: Mapping[str, object]) -> Settings:
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        problems = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise SettingsError("settings-wrong", problems=problems) from error


def _read_sources(
    environment: Mapping[str, str] | None,
) -> tuple[Mapping[str, object], Mapping[str, str]]:
    """What `troupe.toml` sets, and what `.env` and the environment do. Raises SettingsError."""
    if environment is not None:
        return {}, _lower(environment)
    toml, own = _read_files()
    return toml, {**own, **_lower(os.environ)}


def _read_files() -> tuple[Mapping[str, object], Mapping[str, str]]:
    """What `troupe.toml` and `.env` set. Raises SettingsError."""
    file = Path("troupe.toml")
    try:
        toml = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        return toml, _lower(dotenv_values(".env"))
    except ValueError as error:
        raise SettingsError("settings-unreadable", problem=str(error)) from error


def _lower(variables: Mapping[str, str | None]) -> Mapping[str, str]:
    """Those that are not empty, by name in lower case; "https_proxy" beats "HTTPS_PROXY"."""
    by_case = sorted(variables.items(), key=lambda variable: variable[0].islower())
    return {name.lower(): text for name, text in by_case if text}


def find_secret_files() -> Sequence[Path]:
    """Those of `.env` and `troupe.toml` that set a secret. Raises SettingsError."""
    secrets = {name for name, field in Settings.model_fields.items() if not field.repr}
    toml, variables = _read_files()
    set_in = {Path(".env"): variables, Path("troupe.toml"): toml}
    return [path for path, values in set_in.items() if any(map(values.get, secrets))]


def adopt_telemetry_settings() -> Mapping[str, str]:
    """OpenTelemetry's settings. Its SDK reads the environment only: those of `.env` are put there.

    Raises SettingsError.
    """
    _, own = _read_files()
    for name, value in own.items():
        if name.startswith(_TELEMETRY.lower()):
            os.environ.setdefault(name.upper(), value)
    return {name: text for name, text in os.environ.items() if name.startswith(_TELEMETRY)}


def find_odd_settings(environment: Mapping[str, str] | None = None) -> Sequence[LocalizedText]:
    """Report settings that do not exist, with the closest match, or that are retired.

    All names in `troupe.toml` are ours; elsewhere those with TROUPE_. `environment`
    replaces the real one, `.env` and `troupe.toml`. Raises SettingsError.
    """
    toml, variables = _read_sources(environment)
    ours = {name for name in variables if name.startswith("troupe_")}
    ours |= {name.lower() for name in toml}
    unknown = {name for name in ours - Settings.model_fields.keys() if "troupe_test_" not in name}
    return [_explain_odd(name) for name in sorted(unknown)]


def _explain_odd(name: str) -> LocalizedText:
    args = {"name": name.upper()}
    if name in _RETIRED:
        return LocalizedText("setting-retired", args)
    for nearest in difflib.get_close_matches(
        name, Settings.model_fields, n=1, cutoff=_MIN_SIMILARITY
    ):
        return LocalizedText("setting-unknown", {**args, "nearest": nearest.upper()})
    return LocalizedText("setting-unknown-plain", args)
