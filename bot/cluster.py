"""What Ray Serve calls on the machines of a cluster: see deploy/ray.

`bot.cluster:build` is the import path in the Serve configuration, `bot.cluster:list_middleware`
the value of RAY_SERVE_HTTP_PROXY_CALLBACK_IMPORT_PATH.
"""

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from adapters.local.options import MEBIBYTE, ExpertServerOptions
from bot.environment import child_environment, list_missing, read_environment
from bot.own_server import is_local_installed, list_model_folders
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline.errors import SettingsError
from pipeline.words import say

_REQUIRED = {
    "RAY_AUTH_MODE": "token",  # who reaches a port of Ray without it can run anything
    "RAY_SERVE_HTTP_PROXY_CALLBACK_IMPORT_PATH": "bot.cluster:list_middleware",
}
"""Variables without which a replica does not start."""
_DEFAULTS = ExpertServerOptions(())


class ExpertArguments(BaseModel, frozen=True, extra="forbid"):
    """`args` of the Serve configuration: the options of `troupe experts`, for each replica."""

    models: tuple[Path, ...] = ()
    memory_mb: int = Field(default=8192, ge=1)
    workers: int = Field(default=2, ge=1)
    threads: int = Field(default=0, ge=0)
    """Of a worker; 0: they share the machine's processors."""
    device: str = "auto"
    table: str = _DEFAULTS.table


def build(arguments: Mapping[str, object]) -> Any:  # noqa: ANN401 - Ray's application
    """The application. Raises RuntimeError with a sentence if it must not start."""
    from adapters.ray_serve.deployment import bind_experts  # noqa: PLC0415 - ray is an extra

    with _explain():
        known = _parse(arguments)
        _read_options(known, None)
    return bind_experts(partial(read_options, known), workers=known.workers)


def read_options(
    arguments: ExpertArguments, environment: Mapping[str, str] | None = None
) -> ExpertServerOptions:
    """The options of a replica on this machine. Raises RuntimeError with a sentence.

    `environment` replaces the real one.
    """
    with _explain():
        return _read_options(arguments, environment)


def list_middleware() -> list[Any]:
    """What stands in front of the proxy on this machine.

    Without a token it lets nobody in. It raises nothing: then no proxy would start, Ray would wait
    for one, and not come to ask `build`, which says what is wrong.
    """
    from starlette.middleware import Middleware  # noqa: PLC0415 - comes with ray

    from adapters.ray_serve.front import ClusterFront  # noqa: PLC0415 - as above

    token = secrets.token_urlsafe()
    with suppress(SettingsError):
        token = _require_token(read_settings())
    return [Middleware(ClusterFront, token=token, max_body=_DEFAULTS.max_body)]


def _read_options(
    arguments: ExpertArguments, environment: Mapping[str, str] | None
) -> ExpertServerOptions:
    around = read_environment() if environment is None else environment
    settings = read_settings(environment)
    token = _require_token(settings)
    if missing := list_missing(_REQUIRED, around):
        raise SettingsError("cluster-environment", variables=" ".join(missing))
    if arguments.table == _DEFAULTS.table and not is_local_installed():
        raise SettingsError("local-extra-missing", extra="local")
    processors = os.cpu_count() or 1
    return ExpertServerOptions(
        arguments.models or list_model_folders(settings),
        memory_bytes=arguments.memory_mb * MEBIBYTE,
        workers=arguments.workers,
        threads=arguments.threads or max(1, processors // arguments.workers),
        device=arguments.device,
        token=token,
        environment=child_environment(around),
        table=arguments.table,
    )


def _require_token(settings: Settings) -> str:
    if not settings.troupe_experts_token:
        raise SettingsError("cluster-token-missing")
    return settings.troupe_experts_token


def _parse(arguments: Mapping[str, object]) -> ExpertArguments:
    try:
        return ExpertArguments.model_validate(arguments)
    except ValidationError as error:
        problems = "; ".join(f"{each['loc'][0]}: {each['msg']}" for each in error.errors())
        raise SettingsError("cluster-arguments", problems=problems) from error


@contextmanager
def _explain() -> Iterator[None]:
    """Raise errors of settings as a sentence: Ray shows what `str` makes of them."""
    try:
        yield
    except SettingsError as error:
        raise RuntimeError(say("en", error.sentence)) from None
