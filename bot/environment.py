"""What the program's own environment says, and what child processes get of it."""

import os
import re
from collections.abc import Mapping, MutableMapping
from urllib.parse import urlsplit

_CHILD_VARIABLES = re.compile(
    r"PATH|USER|LOGNAME|LANG|LANGUAGE|TZ|VIRTUAL_ENV|PYTHONPATH|PYTHONHOME"
    r"|LD_LIBRARY_PATH|LD_PRELOAD|DYLD_LIBRARY_PATH|TRITON_CACHE_DIR|IMAGEIO_FFMPEG_EXE"
    r"|(?:LC|CUDA|NVIDIA|PYTORCH|TORCH|ROCR|HIP|HSA|OMP|GOMP|MKL|KMP|OPENBLAS|NUMEXPR)_\w+"
    r"|(?:ORT|OPENCV|TRANSFORMERS|TOKENIZERS|DIFFUSERS|HF_HUB)_\w+"
)
_COLLECTORS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_SECRET = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD)(?:_|$)")
"""Names such as NVIDIA_API_KEY."""


def refuse_plugins(environment: MutableMapping[str, str] = os.environ) -> None:
    """Let no other package change how data is checked, before pydantic is imported.

    Looking for such packages among all that are installed takes a twentieth of the start.
    """
    environment["PYDANTIC_DISABLE_PLUGINS"] = "__all__"


def find_locale(environment: Mapping[str, str] = os.environ) -> str:
    """The terminal user's locale ("de-DE"), whether or not it is installed."""
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    value = next((value for name in names if (value := environment.get(name))), "")
    locale = value.partition(".")[0].partition("@")[0].replace("_", "-")
    return "en" if locale in ("", "C", "POSIX") else locale


def child_environment(environment: Mapping[str, str] = os.environ) -> Mapping[str, str]:
    """The environment for child processes: paths, locale, switches of libraries; no secrets."""
    return {
        name: value
        for name, value in environment.items()
        if _CHILD_VARIABLES.fullmatch(name) and not _SECRET.search(name)
    }


def is_traced(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether OpenTelemetry's own variables ask for traces: an exporter or an endpoint is set."""
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return False
    if exporter := environment.get("OTEL_TRACES_EXPORTER", "").strip().lower():
        return exporter != "none"
    return any(map(environment.get, _COLLECTORS))


def name_collector(environment: Mapping[str, str]) -> str:
    """Where traces go, as it may be shown: without a password in the address."""
    address = next(filter(None, map(environment.get, _COLLECTORS)), "")
    parts = urlsplit(address)
    shown = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()
    return shown or environment.get("OTEL_TRACES_EXPORTER", "")


def read_environment() -> Mapping[str, str]:
    """The program's own."""
    return os.environ


def list_missing(required: Mapping[str, str], environment: Mapping[str, str]) -> list[str]:
    """The variables ("NAME=value") that are not set as required."""
    return [f"{name}={value}" for name, value in required.items() if environment.get(name) != value]
