"""Two nodes of Ray on loopback with our experts deployed: see `make test-cluster`."""

import asyncio
import json
import os
import secrets
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import pytest
import yaml

from tests.adapters.local.conftest import PLAYED
from tests.engines.servers import find_port
from tests.house.source import ROOT

BIN = ROOT / ".venv-cluster" / "bin"
FILES = ROOT / "deploy" / "ray"
TOKEN = "experts-d2VsY29tZQ-81"
LIMIT_MB = 4
"""What the models of one replica may weigh together."""
_NODES = 2
_STARTING = 120.0
"""Seconds."""
_LISTEN = "0A"
_LOOPBACK = (
    "0100007F",
    "00000000000000000000000001000000",
    "0000000000000000FFFF00000100007F",
)
"""127.0.0.1, ::1 and ::ffff:127.0.0.1 as the kernel writes them."""
_MARK = "TROUPE_TEST_CLUSTER"
"""A variable by which all processes of a cluster are known, whoever started them."""


@dataclass
class Cluster:
    """A cluster. `proxies` are the addresses of the head's proxy and of the second node's."""

    folder: Path
    program: Process
    dashboard: str
    proxies: tuple[str, str]
    environment: Mapping[str, str]
    models: Path = field(init=False)

    def __post_init__(self) -> None:
        self.models = self.folder / "models"

    def add(self, model: str, weight: int = 1000, cls: str = "T5ForConditionalGeneration") -> Path:
        """Put a played model where every node finds it."""
        path = self.models / model
        path.mkdir(parents=True)
        (path / "config.json").write_text(json.dumps({"architectures": [cls]}))
        (path / "model.safetensors").write_bytes(b"\0" * weight)
        return path

    def processes(self) -> list[int]:
        return _find_processes(self.environment[_MARK], self.folder)

    async def tell(self, order: str) -> None:
        """`lose` the second node, or `add` another one."""
        assert self.program.stdin is not None
        self.program.stdin.write(f"{order}\n".encode())
        await self._hear()

    async def deploy(self, config: Mapping[str, Any]) -> None:
        """Deploy a Serve configuration, as an operator does."""
        file = self.folder / "experts.yaml"
        file.write_text(yaml.safe_dump(dict(config)))
        serve = await asyncio.create_subprocess_exec(
            *(str(BIN / "python"), "-m", "ray.serve.scripts", "deploy", "-a", self.dashboard),
            str(file),
            cwd=ROOT,
            env=self.environment,
            stdout=DEVNULL,
            stderr=PIPE,
        )
        _, problems = await serve.communicate()
        assert serve.returncode == 0, problems.decode()

    def adapt(self) -> dict[str, Any]:
        """The configuration in deploy/ray, for played models on loopback."""
        config: dict[str, Any] = yaml.safe_load((FILES / "experts.yaml").read_text())
        port = int(self.proxies[0].rpartition(":")[2])
        config["http_options"].update(host="127.0.0.1", port=port)
        given = {"models": [str(self.models)], "memory_mb": LIMIT_MB, "table": PLAYED}
        config["applications"][0]["args"].update(given)
        return config

    async def until_running(self, name: str = "experts") -> None:
        """Wait until an application's replicas run on both nodes, and both proxies answer."""
        async with asyncio.timeout(_STARTING):
            while not _is_running(await self.status(), name):  # noqa: ASYNC110 - Ray's to know
                await asyncio.sleep(0.3)

    async def status(self) -> Any:
        """What Ray says of its applications."""
        key = {"Authorization": f"Bearer {self.environment['RAY_AUTH_TOKEN']}"}
        async with (
            aiohttp.ClientSession(headers=key) as session,
            session.get(f"{self.dashboard}/api/serve/applications/") as response,
        ):
            return await response.json()

    async def _hear(self) -> None:
        assert self.program.stdout is not None
        async with asyncio.timeout(_STARTING):
            while not (line := await self.program.stdout.readline()).startswith(b"{"):
                assert line, "the nodes ended"


def _is_running(status: Mapping[str, Any], name: str) -> bool:
    application = status.get("applications", {}).get(name, {})
    assert application.get("status") != "DEPLOY_FAILED", application["message"]
    deployments = application.get("deployments", {}).values()
    replicas = [each["state"] for deployment in deployments for each in deployment["replicas"]]
    proxies = [each["status"] for each in status.get("proxies", {}).values()]
    return replicas.count("RUNNING") == _NODES and proxies.count("HEALTHY") == _NODES


def require_ray() -> None:
    """Skip a test if Ray is not installed, or where each of several processes would start it."""
    if "PYTEST_XDIST_WORKER" in os.environ:  # noqa: TID251
        pytest.skip("one cluster is enough for one machine: make test-cluster")
    if not (BIN / "ray").exists():
        pytest.skip("Ray is not installed: make test-cluster")


@asynccontextmanager
async def two_nodes() -> AsyncIterator[Cluster]:
    """Two nodes without experts."""
    require_ray()
    with TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as name:  # short: sockets
        folder = Path(name)
        (folder / "home").mkdir()
        (folder / "models").mkdir()
        ports = [find_port() for _ in range(3)]
        environment = _make_environment(folder, worker_port=ports[1])
        program = await asyncio.create_subprocess_exec(
            *(str(BIN / "python"), "-m", "tests.cluster.programs.two_nodes"),
            *(str(folder / "ray"), f"{ports[2]}"),
            cwd=ROOT,
            env=environment,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
        )
        proxies = (f"http://127.0.0.1:{ports[0]}", f"http://127.0.0.1:{ports[1]}")
        dashboard = f"http://127.0.0.1:{ports[2]}"
        cluster = Cluster(folder, program, dashboard, proxies, environment)
        try:
            await cluster._hear()  # noqa: SLF001 - the first line
            yield cluster
        finally:
            await _end_all(environment[_MARK], folder)
            await program.wait()


def _make_environment(folder: Path, *, worker_port: int) -> dict[str, str]:
    """That of deploy/ray, and what is secret or differs by machine."""
    return {
        **read_variables(FILES / "node.env"),
        **read_variables(FILES / "loopback.env"),
        "RAY_AUTH_TOKEN": secrets.token_hex(24),
        "RAY_SERVE_WORKER_PROXY_HTTP_PORT": f"{worker_port}",  # both nodes have one address
        "TROUPE_EXPERTS_TOKEN": TOKEN,
        "TROUPE_HOME": str(folder / "home"),
        "TRITON_CACHE_DIR": str(folder / "models"),  # played models leave notes
        "TMPDIR": str(folder),
        "HOME": str(folder / "home"),
        "PATH": os.environ["PATH"],  # noqa: TID251
        "PYTHONPATH": str(ROOT),
        _MARK: secrets.token_hex(8),
    }


def read_variables(file: Path) -> dict[str, str]:
    lines = [line for line in file.read_text().splitlines() if line and line[0] != "#"]
    return dict(line.split("=", 1) for line in lines)


def _find_processes(mark: str, folder: Path) -> list[int]:
    """The processes of a cluster: by the mark, or, where a new title took its place, by a file."""
    line, found = f"{_MARK}={mark}".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            is_marked = line in (process / "environ").read_bytes().split(b"\0")
            files = () if is_marked else (process / "fd").iterdir()
            if is_marked or any(file.readlink().is_relative_to(folder) for file in files):
                found.append(int(process.name))
    return [pid for pid in found if pid != os.getpid()]


async def _end_all(mark: str, folder: Path) -> None:
    """Kill every process of a cluster: some of Ray's leave its group, and outlive it by minutes."""
    async with asyncio.timeout(_STARTING):
        while left := _find_processes(mark, folder):  # some may just be starting others
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            await asyncio.sleep(0.05)


def list_listening_beyond(pids: Sequence[int]) -> list[str]:
    """The processes that listen on more than loopback, by what they call themselves."""
    listening: set[str] = set()
    for table in ("tcp", "tcp6"):
        for row in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            _, local, _, state = row.split()[:4]
            if state == _LISTEN and local.rpartition(":")[0] not in _LOOPBACK:
                listening.add(f"socket:[{row.split()[9]}]")
    found = []
    for pid in pids:
        with suppress(OSError):
            open_files = {str(file.readlink()) for file in Path(f"/proc/{pid}/fd").iterdir()}
            if open_files & listening:
                found.append(Path(f"/proc/{pid}/cmdline").read_text().strip("\0 "))
    return found
