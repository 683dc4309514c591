"""No way leads out of the sandbox, and its workers still work."""

import asyncio
import errno
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from adapters.workers import sandbox, seccomp
from adapters.workers.pool import Worker
from adapters.workers.process import WorkFailed
from adapters.workers.programs import start_program
from tests.adapters.workers import work
from tests.adapters.workers.old_kernel import LANDLOCK, SECCOMP
from tests.house.source import ROOT

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has the sandbox")
WITHOUT_LANDLOCK = {
    *("secret", "settings", "list", "append", "create", "link", "rename", "delete", "execute"),
}
OF_SIBLING = {
    f"sibling: {way}"
    for way in (
        *("environment", "memory", "addresses", "descriptors", "folder", "ptrace", "read"),
        "memory killer",
    )
}
AS_ROOT = {"program: memory killer"}
"""A file of root's, which a worker of root's may write without any privilege."""
_ALLOWED = 0x7FFF0000


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A program's data."""
    for name in ("secret", ".env", "spare", "deleted"):
        (tmp_path / name).write_text("secret")
    return tmp_path


async def _run_parent(home: Path, *options: str) -> Any:
    """What the workers of a program reach, and what the doctor finds of it."""
    command = (sys.executable, "-m", "tests.adapters.workers.parent", str(home), *options)
    program = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await program.communicate()
    return json.loads(printed)


@pytest.mark.skipif(bool(sandbox.find_missing()), reason="this kernel lacks a part of the sandbox")
@pytest.mark.parametrize("options", [(), ("unprivileged",)])
async def test_a_worker_reaches_nothing(home: Path, options: Sequence[str]) -> None:
    seen = await _run_parent(home, *options)

    assert seen == {"escapes": [], "reachable": []}


@pytest.mark.skipif(bool(sandbox.find_missing()), reason="this kernel lacks a part of the sandbox")
@pytest.mark.parametrize("options", [(), ("unprivileged",)])
async def test_without_landlock_files_and_workers_are_reached_and_that_is_found(
    home: Path, options: Sequence[str]
) -> None:
    seen = await _run_parent(home, str(LANDLOCK), *options)

    assert set(seen["escapes"]) - AS_ROOT == WITHOUT_LANDLOCK | OF_SIBLING
    assert seen["reachable"] == ["files"]


async def test_without_seccomp_the_network_is_reached_and_that_is_found(home: Path) -> None:
    seen = await _run_parent(home, str(SECCOMP))

    assert {"tcp", "program: kill"} <= set(seen["escapes"])
    assert {"network", "signals"} <= set(seen["reachable"])
    assert not {"program: environment", "program: memory", "sibling: memory"} & set(seen["escapes"])


async def test_outside_of_the_sandbox_the_ways_are_open(home: Path) -> None:
    seen = await _run_parent(home, "free")

    ways = set(seen["escapes"])
    assert {"tcp", "udp", "unix socket", "socket pair", "own group", "chmod", "truncate"} <= ways
    assert {f"program: {way}" for way in ("kill", "limits", "environment", "memory")} <= ways
    assert WITHOUT_LANDLOCK - {"link"} | {"watch", "program: owner of a file"} <= ways
    assert seen["reachable"] == ["network", "signals", "memory", "files"]


async def test_a_program_reaches_nothing_but_its_folder(home: Path) -> None:
    folder, secret = home / "folder", home / "secret"
    folder.mkdir()
    script = f"""
    echo kept > {folder}/own
    read word < {secret} && echo read >&2
    echo word > {secret} && echo written >&2
    read word < /proc/$PPID/environ && echo seen >&2
    kill -0 $PPID && echo signalled >&2
    ulimit -t >&2
    """

    program = await start_program(("/bin/sh", "-c", script), str(folder), CPU=7)
    _, said = await program.communicate()

    words = said.decode().split()
    assert not {"read", "written", "seen", "signalled"} & {*words}
    assert words[-1] == "7"
    assert (folder / "own").read_text() == "kept\n"


async def test_a_worker_reads_what_it_is_granted_and_writes_into_a_folder_that_goes_with_it(
    tmp_path: Path,
) -> None:
    granted = tmp_path / "granted"
    granted.mkdir()
    (granted / "model").write_text("weights")
    worker = Worker({}, readable=[str(granted)])

    read = await worker.run(work.read, granted / "model")
    own = await worker.run(work.write, "note", "kept")
    kept = own.read_text()
    with pytest.raises(WorkFailed, match="PermissionError"):
        await worker.run(work.write, str(granted / "new"), "")
    await worker.end()

    assert (read, kept) == ("weights", "kept")
    assert not own.parent.exists()


async def test_a_worker_may_do_what_graphics_drivers_do_to_start() -> None:
    worker = Worker({})

    names = await worker.run(work.start_like_cuda)
    await worker.end()

    assert names == ["cuda-EvtHandlr"] * 2


@pytest.mark.parametrize("processor", range(len(seccomp.PROCESSORS)))
def test_the_filter_judges_by_call_architecture_and_arguments(processor: int) -> None:
    lines = seccomp.build_filter(processor, own=70, parent=60)
    wide, narrow = seccomp.WIDE[processor], seccomp.NARROW[processor]

    def judge(call: tuple[int, int], *arguments: int) -> int:
        return _judge(lines, wide, call[processor], *arguments)

    assert judge(seccomp.CONNECT) == errno.ECONNREFUSED
    assert judge(seccomp.SOCKET, 2, 1) == errno.EPERM  # TCP
    assert judge(seccomp.SOCKET, 1, 2) == errno.EPERM  # datagrams need no connection
    assert judge(seccomp.SOCKET, 1, 5 | 1 << 19) == 0
    assert all(judge(call) == errno.EPERM for call in seccomp.REFUSED.values())
    assert all(judge(call, pid) == 0 for call in seccomp.OWN.values() for pid in (0, 70))
    assert all(judge(call, 60) == errno.EPERM for call in seccomp.OWN.values())
    assert all(judge(call, 60) == errno.EPERM for call in seccomp.SCHEDULING.values())
    assert all(judge(call, 71) == 0 for call in seccomp.SCHEDULING.values())
    for name, call in seccomp.OWNING.items():
        assert all(judge(call, 1, each) == errno.EPERM for each in seccomp.OWNING_COMMANDS[name])
        assert judge(call, 1, 1) == 0
    assert judge((0, 63)) == 0  # read
    assert _judge(lines, wide, 1 << 30) == errno.EPERM
    assert _judge(lines, narrow, 3) == errno.EPERM


def _judge(lines: Sequence[tuple[int, int, int, int]], architecture: int, *words: int) -> int:
    """Run the filter as the kernel does on a call's number and arguments. 0: it is allowed."""
    number, first, second = (*words, 0, 0)[:3]
    data = {0: number, 4: architecture, 16: first, 24: second}
    position = loaded = 0
    while True:
        code, if_true, if_false, value = lines[position]
        position += 1
        match code:
            case 0x20:
                loaded = data[value]
            case 0x54:
                loaded &= value
            case 0x15:
                position += if_true if loaded == value else if_false
            case 0x35:
                position += if_true if loaded >= value else if_false
            case _:
                return 0 if value == _ALLOWED else value & 0xFFFF
