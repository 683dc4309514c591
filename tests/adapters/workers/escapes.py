"""Ways out of the sandbox, tried in a worker."""

import ctypes
import errno
import fcntl
import os
import resource
import signal
import socket
import struct
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_SEIZE = 0x4206
"""ptrace: attach to a process without stopping it."""
_IO_URING_SETUP = 425
_IPC_INFO = 3
_KEYCTL, _SESSION = 250 if os.uname().machine == "x86_64" else 219, -3


@dataclass(frozen=True)
class Targets:
    """What is to be reached: the program, another worker, the program's data, and its port."""

    program: int
    sibling: int
    home: Path
    port: int


def find_escapes(targets: Targets) -> list[str]:
    """The ways that are open. None of them does any harm."""
    ways = {
        **_list_ways_to_network(targets),
        **_list_ways_to_process("program", targets.program),
        **_list_ways_to_process("sibling", targets.sibling),
        **_list_ways_to_files(targets.home),
        "program: processors": lambda: os.sched_setaffinity(
            targets.program, os.sched_getaffinity(targets.program)
        ),
        "own group": os.setsid,
        "keys": lambda: _libc().syscall(_KEYCTL, 0, _SESSION, 1),
        "shared memory": lambda: _libc().shmctl(0, _IPC_INFO, ctypes.create_string_buffer(256)),
    }
    return [name for name, way in ways.items() if _is_open(way)]


Way = Callable[[], object]


def _is_open(way: Way) -> bool:
    """Whether it works: C functions return -1 if not."""
    try:
        return way() != -1
    except (OSError, subprocess.CalledProcessError):
        return False


def _list_ways_to_network(targets: Targets) -> dict[str, Way]:
    here = ("127.0.0.1", targets.port)
    return {
        "tcp": lambda: socket.create_connection(here, 1).close(),
        "udp": lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"", here),
        "unix socket": lambda: socket.socket(socket.AF_UNIX).connect(str(targets.home / "socket")),
        "abstract socket": lambda: socket.socket(socket.AF_UNIX).connect(f"\0{targets.port}"),
        "datagrams": lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM),
        "socket pair": socket.socketpair,
        "netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
        "io_uring": lambda: _libc().syscall(_IO_URING_SETUP, 1, ctypes.create_string_buffer(120)),
    }


def _list_ways_to_process(name: str, pid: int) -> dict[str, Way]:
    libc, memory = _libc(), Path(f"/proc/{pid}")
    ways: dict[str, Way] = {
        "kill": lambda: os.kill(pid, 0),
        "tgkill": lambda: libc.tgkill(pid, pid, 0),
        "sigqueue": lambda: libc.sigqueue(pid, 0, None),
        "pidfd": lambda: signal.pidfd_send_signal(os.pidfd_open(pid), 0),
        "owner of a file": lambda: fcntl.fcntl(0, fcntl.F_SETOWN, pid),
        "priority": lambda: os.setpriority(os.PRIO_PROCESS, pid, 19),
        "name": lambda: (memory / "comm").write_text("x"),
        "memory killer": lambda: (memory / "oom_score_adj").write_text("500"),
        "limits": lambda: resource.prlimit(pid, resource.RLIMIT_CPU),
        "environment": (memory / "environ").read_bytes,
        "memory": lambda: (memory / "mem").open("rb").close(),
        "addresses": (memory / "maps").read_text,
        "descriptors": (memory / "fd" / "0").readlink,
        "folder": (memory / "cwd").readlink,
        "ptrace": lambda: libc.ptrace(_SEIZE, pid, None, None),
        "read": lambda: _read(pid),
    }
    return {f"{name}: {way}": try_it for way, try_it in ways.items()}


def _read(pid: int) -> bool:
    """Read from the memory of a process; that nothing lies at this address does not matter."""
    buffer = ctypes.create_string_buffer(8)
    local = struct.pack("@PN", ctypes.addressof(buffer), 8)
    libc = _libc()
    if libc.process_vm_readv(pid, local, 1, struct.pack("@PN", 8, 8), 1, 0) == -1:
        problem = ctypes.get_errno()
        if problem != errno.EFAULT:
            raise OSError(problem, "refused")
    return True


def _execute(program: Path) -> None:
    program.touch(0o700)
    program.write_bytes(Path("/bin/true").read_bytes())
    subprocess.run([program], check=True)


def _list_ways_to_files(home: Path) -> dict[str, Way]:
    libc, secret, spare = _libc(), home / "secret", home / "spare"
    own = Path(os.environ.get("TMPDIR", str(home)), "program")  # noqa: TID251 - that of a worker
    return {
        "secret": secret.read_bytes,
        "settings": (home / ".env").read_bytes,
        "list": lambda: [*home.iterdir()],
        "append": lambda: secret.open("ab").close(),
        "create": (home / "new").touch,
        "watch": lambda: libc.inotify_add_watch(libc.inotify_init(), bytes(home), 0xFFF),
        "chmod": lambda: secret.chmod(0o600),
        "truncate": lambda: os.truncate(secret, 6),
        "link": lambda: os.link(secret, own.with_name("linked")),
        "rename": lambda: spare.rename(home / "renamed"),
        "delete": (home / "deleted").unlink,
        "execute": lambda: _execute(own),
        "device": lambda: os.mknod(own.with_name("device"), 0o600 | 0x2000, os.makedev(1, 3)),
    }


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
