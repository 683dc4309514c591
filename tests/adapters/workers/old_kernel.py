"""Plays a kernel that lacks system calls.

As a program with the arguments `NUMBER… -- COMMAND…`, it runs a command on such a kernel.
"""

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Sequence

LANDLOCK, SECCOMP = 444, 317 if os.uname().machine == "x86_64" else 277
_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER = 38, 22, 2


def lack(calls: Sequence[int]) -> None:
    """Let this process and its children be told that there are no such calls."""
    lines = [(0x20, 0, 0, 0)]
    for call in calls:
        lines += [(0x15, 0, 1, call), (0x06, 0, 0, 0x00050000 | errno.ENOSYS)]
    lines.append((0x06, 0, 0, 0x7FFF0000))
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in lines))
    header = struct.pack("@HP", len(lines), ctypes.addressof(code))
    libc = ctypes.CDLL(None)
    libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0)
    assert libc.prctl(_SET_SECCOMP, _FILTER, header) == 0


if __name__ == "__main__":
    split = sys.argv.index("--")
    lack([int(call) for call in sys.argv[1:split]])
    os.execvp(sys.argv[split + 1], sys.argv[split + 1 :])
