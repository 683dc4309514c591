"""How the expert server is to run."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

MEBIBYTE = 1 << 20
GIBIBYTE = 1 << 30


@dataclass(frozen=True, slots=True)
class Options:
    """Settings of the expert server.

    `folders` are searched for models in their order: `org/name/` as in a folder of one's own, or the Hub's cache.
    `memory_bytes` bounds what all loaded models together weigh; a worker process may use as much again for its work.
    `grace` is how many seconds a worker has to stop when nobody waits for its answer any more.
    `listening` is the descriptor of a socket that is bound already; else one is bound to `host` and `port`.
    `environment` is all that its processes see of ours.
    `table` names the table of kinds (module:name), so that tests can do without torch.
    """

    folders: tuple[Path, ...]
    host: str = "127.0.0.1"
    port: int = 0
    listening: int = -1
    memory_bytes: int = 8 * GIBIBYTE
    workers: int = 2
    threads: int = 1
    device: str = "auto"
    token: str = field(default="", repr=False)
    max_body: int = 64 * MEBIBYTE
    most_waiting: int = 256
    grace: float = 5.0
    environment: Mapping[str, str] = field(default_factory=dict)
    table: str = "adapters.local.kinds:TABLE"


def packed(options: Options) -> bytes:
    """The options as a line of JSON."""
    fields = {**asdict(options), "folders": [str(folder) for folder in options.folders]}
    return json.dumps(fields).encode() + b"\n"


def unpacked(line: bytes) -> Options:
    fields = json.loads(line)
    return Options(**{**fields, "folders": tuple(map(Path, fields["folders"]))})
