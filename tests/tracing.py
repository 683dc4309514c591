"""What programs send over the network, also from C code: their system calls, told by strace."""

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

_CALLS = "connect,sendto,sendmsg,sendmmsg"
_ADDRESS = re.compile(r'inet_(?:addr|pton)\((?:AF_INET6, )?"([^"]+)"')
_LOOPBACK = re.compile(r"127\.|::1$|::ffff:127\.")

needs_strace = pytest.mark.skipif(
    shutil.which("strace") is None and "CI" not in os.environ,  # noqa: TID251 - where it must run
    reason="strace is not installed",
)


def trace(log: Path) -> Sequence[str]:
    """What to put before a command, so that it and its children leave their calls in `log`."""
    return ("strace", "-f", "-qq", "--seccomp-bpf", "-e", f"trace={_CALLS}", "-o", str(log))


def list_strangers(log: Path) -> list[str]:
    """The addresses beyond loopback to which anything was sent."""
    addresses = _ADDRESS.findall(log.read_text(errors="replace"))
    return [address for address in addresses if not _LOOPBACK.match(address)]
