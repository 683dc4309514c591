"""The sandbox of processes that decode hostile files or run models.

Within it there is no network and no signal to others, and the only files are libraries, one folder
to write into, and what is granted. It needs no privileges, and cannot be undone by the process or
its children.

Every ffmpeg waits for the start of `main`, so only what is quick to import is imported: not
pathlib, say.
"""

import ctypes
import os
import resource
import signal
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence

from adapters.workers.landlock import LIST, OVERWRITE, READ, WRITE, find_version, restrict_files
from adapters.workers.seccomp import is_available, restrict_calls

_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store"),
    *("/proc", "/sys"),  # Landlock closes what of other processes is in there
    *("/etc/alternatives", "/etc/fonts", "/etc/group", "/etc/localtime", "/etc/mime.types"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload"),
    *("/etc/nsswitch.conf", "/etc/OpenCL", "/etc/passwd", "/etc/timezone", "/etc/vulkan"),
)
"""Readable by everything in the sandbox. The rest of /etc may hold secrets."""
_THREADS = "/proc/self/task"
"""Where CUDA names its threads, or does not start."""
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
LIBRARY_VARIABLES = ("LD_LIBRARY_PATH", "LD_PRELOAD", "IMAGEIO_FFMPEG_EXE")
_CACHE_VARIABLES = ("CUDA_CACHE_PATH", "TRITON_CACHE_DIR")
"""Folders for compiled kernels; writable if the operator names them."""
_NICENESS = 5

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_NO_NEW_PRIVS = 38
_NO_CAPABILITIES = struct.pack("=Ii", 0x20080522, 0), bytes(24)
"""The arguments of capset(2), version 3, for this thread."""


def hide_from_children() -> None:
    """Close the memory and environment of this process to others of the same user.

    Where the kernel lacks Landlock, only this keeps workers out. It also prevents core dumps, and
    debuggers that do not run as root.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def find_missing() -> Sequence[str]:
    """What this system lacks for the sandbox: "Landlock", "seccomp", both or nothing."""
    if sys.platform != "linux":
        return ("Landlock", "seccomp")
    libc = ctypes.CDLL(None)
    missing = () if find_version(libc) else ("Landlock",)
    return missing if is_available(libc) else (*missing, "seccomp")


def confine(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Enter the sandbox for good, with as much of it as the kernel has.

    `readable` and `writable` are granted beside what every program needs; paths that do not exist
    are skipped. The process now ends with its parent, even in the middle of hostile input. Must run
    while there is only one thread. Does nothing but on Linux.
    """
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    restrict_files(libc, _list_grants(readable, writable))
    libc.capset(*_NO_CAPABILITIES)
    restrict_calls(libc)


def _list_grants(readable: Iterable[str], writable: Iterable[str]) -> Iterator[tuple[str, int]]:
    for path in (*_SYSTEM, *_read_variables(LIBRARY_VARIABLES), *readable):
        yield path, READ
    for path in (*_DEVICES, *_read_variables(_CACHE_VARIABLES), *writable):
        yield path, WRITE
    yield _THREADS, OVERWRITE
    yield from _list_python_paths()


def _read_variables(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield from filter(None, os.environ.get(name, "").split(os.pathsep))  # noqa: TID251 - its own


def _list_python_paths() -> Iterator[tuple[str, int]]:
    """Python and its packages, with the right to read them.

    Of a folder in `sys.path` that is no installation, only the packages are listed: a checkout
    also holds `.env`.
    """
    prefixes = (sys.prefix, sys.base_prefix)
    yield from ((prefix, READ) for prefix in prefixes)
    installed = tuple(os.path.realpath(prefix) + os.sep for prefix in prefixes)
    for entry in map(os.path.realpath, filter(os.path.exists, sys.path)):
        if entry.startswith(installed):
            continue
        if os.path.basename(entry) in {"site-packages", "dist-packages"} or os.path.isfile(entry):
            yield entry, READ
            continue
        yield entry, LIST
        for name in os.listdir(entry) if os.access(entry, os.R_OK) else ():
            path = os.path.join(entry, name)
            if name.endswith(".py") or os.path.exists(os.path.join(path, "__init__.py")):
                yield path, READ


def main() -> None:
    """Enter the sandbox and become a program.

    The arguments are a writable folder, resource limits (`CPU=60`), `--`, and the command.
    """
    split = sys.argv.index("--")
    folder, *limits = sys.argv[1:split]
    command = sys.argv[split + 1 :]
    for name, _, limit in (text.partition("=") for text in limits):
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        most = int(limit) if hard == resource.RLIM_INFINITY else min(int(limit), hard)
        resource.setrlimit(kind, (most, most))
    os.nice(_NICENESS)
    confine(command[:1], [folder])
    os.execv(command[0], command)  # noqa: S606 - our own arguments
