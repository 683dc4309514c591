"""The settings of the expert server."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path

MEBIBYTE = 1 << 20
GIBIBYTE = 1 << 30


@dataclass(frozen=True, slots=True)
class ExpertServerOptions:
    """Settings of the expert server.

    `folders` are searched for models in this order: `org/name/` folders, or the Hub's cache.
    `memory_bytes` limits the weights of all loaded models together; a worker process may use as
    much again to run them. `grace` is how many seconds a worker has to stop once its client has
    disconnected. `environment` holds the only variables that the worker processes see. `table`
    names the table of kinds (module:name), so that tests can run without torch.
    """

    folders: tuple[Path, ...]
    _: KW_ONLY
    host: str = "127.0.0.1"
    port: int = 0
    memory_bytes: int = 8 * GIBIBYTE
    workers: int = 2
    threads: int = 1
    device: str = "auto"
    token: str = field(default="", repr=False)
    max_body: int = 64 * MEBIBYTE
    body_seconds: float = 300.0
    max_waiting: int = 256
    grace: float = 5.0
    environment: Mapping[str, str] = field(default_factory=dict, hash=False)
    table: str = "adapters.local.kinds:TABLE"
