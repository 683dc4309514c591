"""Work for the worker processes of tests."""

import ctypes
import errno
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from pipeline.errors import MediaError


def add(left: int, right: int) -> int:
    return left + right


def measure(left: bytes, right: bytes) -> tuple[int, int]:
    return len(left), len(right)


def fail() -> None:
    raise MediaError("media-broken", name="cat.png")


def fill() -> None:
    raise OSError(errno.ENOSPC, "no room for a temporary file")


def whoami() -> int:
    return os.getpid()


def crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def hoard() -> int:
    return len(bytearray(8 << 30))


def babble() -> str:
    """Writes to standard output as native libraries and child processes do."""
    libc = ctypes.CDLL(None)
    libc.printf(b"noise of a native library\n")
    libc.fflush(None)
    os.write(1, b"RETURN 5\nnoise")
    sys.stdout.write("noise of Python\n")
    subprocess.run([sys.executable, "-c", "print('noise of a child')"], check=True)
    return "clear"


def read_standard_input() -> bytes:
    return os.read(0, 100)


def environment() -> set[str]:
    return set(os.environ)  # noqa: TID251 - that of a worker


def folder() -> str:
    """The folder into which a worker may write."""
    return tempfile.gettempdir()


def read(path: Path) -> str:
    return path.read_text()


def write(name: str, text: str) -> Path:
    """Write a file, by default into the folder of the worker."""
    path = Path(tempfile.gettempdir(), name)
    path.write_text(text)
    return path


def start_like_cuda() -> list[str]:
    """Listens on a socket without a file, and names threads, one of them at its start and again."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind(f"\0cuda-uvmfd-{os.getpid()}")
        listening.listen()
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    name = Path(f"/proc/{os.getpid()}/task/{thread.native_id}/comm")
    names = []
    for _ in range(2):
        name.write_text("cuda-EvtHandlr")
        names.append(name.read_text().strip())
    stop.set()
    thread.join()
    return names


def hang(note: Path) -> None:
    """Waits for another program, which holds the note open, too."""
    with note.open("w") as opened:
        opened.write(f"{os.getpid()}\n")
        opened.flush()
        subprocess.run(["/bin/sleep", "60"], stdout=opened, check=True)


def divide(left: int, right: int) -> float:
    return left / right


def leave(note: Path) -> int:
    """Ends the process soon; a child of it holds the note open."""
    with note.open("w") as opened:
        subprocess.Popen(["/bin/sleep", "60"], stdout=opened)
    threading.Timer(0.1, os._exit, [0]).start()
    return os.getpid()


def reach_log() -> None:
    """Writes to standard error as native libraries do, and empties the file that it may be."""
    with suppress(OSError):
        os.ftruncate(2, 0)
    os.write(2, b"noise of a native library\n")
    subprocess.run(["/bin/sh", "-c", "echo noise of a child >&2"], check=True)
