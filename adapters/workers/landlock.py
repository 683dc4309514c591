"""Refuses files that are not granted, and the memory of processes outside, by Landlock.

See https://docs.kernel.org/userspace-api/landlock.html.
"""

import ctypes
import os
import struct
from collections.abc import Iterable

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
_MAKE_DEVICE_OR_SOCKET = 1 << 6 | 1 << 9 | 1 << 11
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
"""The rights that a file can have; all others are rights of folders."""
_KNOWN_RIGHTS, _FIRST_RIGHTS = 15, 12
"""Version 1 has 13 of these rights, and each of the next two one more."""
READ = _EXECUTE | _READ_FILE | _READ_DIR
LIST = _READ_DIR
OVERWRITE = _WRITE_FILE | _TRUNCATE
WRITE = (1 << _KNOWN_RIGHTS) - 1 & ~(_EXECUTE | _MAKE_DEVICE_OR_SOCKET)
"""Reading included."""

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_GET_VERSION, _PATH_BENEATH = 1, 1


def find_version(libc: ctypes.CDLL) -> int:
    """The version of Landlock; 0 if the kernel has none."""
    return max(0, int(libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _GET_VERSION)))


def restrict_files(libc: ctypes.CDLL, grants: Iterable[tuple[str, int]]) -> None:
    """Refuse all other files from now on, if the kernel can.

    A grant is a path, which need not exist, and the rights to it and to what is in it.
    """
    if not (version := find_version(libc)):
        return
    handled = (1 << min(_FIRST_RIGHTS + version, _KNOWN_RIGHTS)) - 1
    attributes = struct.pack("=Q", handled)
    rules = libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    for path, rights in grants:
        _grant(libc, rules, path, rights & handled)
    libc.syscall(_RESTRICT_SELF, rules, 0)
    os.close(rules)


def _grant(libc: ctypes.CDLL, rules: int, path: str, rights: int) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        rights &= _OF_FILES
    libc.syscall(_ADD_RULE, rules, _PATH_BENEATH, struct.pack("=Qi", rights, opened), 0)
    if not path.startswith("/proc/"):  # a rule ends when procfs forgets a folder that nobody holds
        os.close(opened)
