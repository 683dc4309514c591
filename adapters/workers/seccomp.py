"""Refuses system calls that reach beyond a process and its children, by seccomp.

A filter is a program in the instructions of BPF, which the kernel runs on each call.
"""

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Sequence

_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _SECOND_ARGUMENT = 0, 4, 16, 24
"""Offsets in the input."""
_ALLOW = _RETURN, 0, 0, 0x7FFF0000
_REFUSE = _RETURN, 0, 0, 0x00050000 | errno.EPERM
_NOBODY_THERE = _RETURN, 0, 0, 0x00050000 | errno.ECONNREFUSED
_X32 = 0x40000000
"""Numbers from here on are the same calls with 32-bit addresses."""
_SET_FILTER, _IS_AVAILABLE, _KEEP_SPECULATION = 1, 2, 4

PROCESSORS = ("x86_64", "aarch64")
WIDE, NARROW = (0xC000003E, 0xC00000B7), (0x40000003, 0x40000028)
"""By processor, the architecture of its system calls: with 64 bits, and, refused, with 32."""
_SECCOMP = (317, 277)
SOCKET, CONNECT = (41, 198), (42, 203)
AF_UNIX, STREAM, SEQPACKET = 1, 1, 5
"""CUDA makes a socket of its own to start, and libraries ask daemons that need not be there."""
REFUSED = {
    "socketpair": (53, 199),
    "accept": (43, 202),
    "accept4": (288, 242),
    "io_uring_setup": (425, 425),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "setpgid": (109, 154),  # a worker is killed with its group
    "setsid": (112, 157),
    "truncate": (76, 45),  # the first versions of Landlock allow this one, all versions the rest
    "chmod": (90, 53),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "inotify_add_watch": (254, 27),
    "add_key": (248, 217),  # the keys that the kernel keeps for the user
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "shmget": (29, 194),  # memory, queues and semaphores of System V know only the user, too
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "msgctl": (71, 187),
    "semget": (64, 190),
    "semctl": (66, 191),
}
"""Calls with their numbers by processor."""
OWN = {"kill": (62, 129), "tgkill": (234, 131), "prlimit64": (302, 261)}
"""Allowed if their first argument is the process itself or 0, which means it or its group."""
SCHEDULING = {
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
}
"""Allowed for threads, whose numbers nobody knows beforehand, but not for the parent."""
OWNING = {"fcntl": (72, 25), "ioctl": (16, 29)}
OWNING_COMMANDS = {"fcntl": (8, 15), "ioctl": (0x8901, 0x8902)}
"""What has signals sent to any process when there is something to read."""


def is_available(libc: ctypes.CDLL) -> bool:
    if (processor := _find_processor()) is None:
        return False
    action = struct.pack("=I", _REFUSE[-1] & ~0xFFFF)
    return not libc.syscall(_SECCOMP[processor], _IS_AVAILABLE, 0, action)


def restrict_calls(libc: ctypes.CDLL) -> None:
    """Refuse them from now on, if the kernel can."""
    if (processor := _find_processor()) is None:
        return
    program = build_filter(processor, os.getpid(), os.getppid())
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in program))
    header = struct.pack("@HP", len(program), ctypes.addressof(code))
    libc.syscall(_SECCOMP[processor], _SET_FILTER, _KEEP_SPECULATION, header)


def _find_processor() -> int | None:
    """The place of this processor in the tables; None if it is in none."""
    machine = os.uname().machine
    is_known = machine in PROCESSORS and sys.maxsize > 1 << 32
    return PROCESSORS.index(machine) if is_known else None


def build_filter(processor: int, own: int, parent: int) -> Sequence[tuple[int, int, int, int]]:
    """The filter as lines: instruction, lines to skip if true, lines to skip if false, value.

    A call of another architecture than the two can only come from an emulator, and is allowed.
    """
    lines = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 0, 1, NARROW[processor]),
        _REFUSE,
        (_IF_EQUAL, 1, 0, WIDE[processor]),
        _ALLOW,
        (_LOAD, 0, 0, _NUMBER),
        (_IF_AT_LEAST, 0, 1, _X32),
        _REFUSE,
    ]
    lines += [(_IF_EQUAL, 0, 1, CONNECT[processor]), _NOBODY_THERE]
    lines += [
        (_IF_EQUAL, 0, 8, SOCKET[processor]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_IF_EQUAL, 0, 4, AF_UNIX),
        (_LOAD, 0, 0, _SECOND_ARGUMENT),
        (_AND, 0, 0, 0xF),  # without flags
        (_IF_EQUAL, 2, 0, STREAM),
        (_IF_EQUAL, 1, 0, SEQPACKET),
        _REFUSE,
        _ALLOW,
    ]
    for numbers in REFUSED.values():
        lines += [(_IF_EQUAL, 0, 1, numbers[processor]), _REFUSE]
    for numbers in OWN.values():
        lines += [
            (_IF_EQUAL, 0, 5, numbers[processor]),
            (_LOAD, 0, 0, _FIRST_ARGUMENT),
            (_IF_EQUAL, 2, 0, own),
            (_IF_EQUAL, 1, 0, 0),
            _REFUSE,
            _ALLOW,
        ]
    unwanted = [(numbers, _FIRST_ARGUMENT, parent) for numbers in SCHEDULING.values()]
    for name, numbers in OWNING.items():
        unwanted += [(numbers, _SECOND_ARGUMENT, command) for command in OWNING_COMMANDS[name]]
    for numbers, argument, value in unwanted:
        lines += [
            (_IF_EQUAL, 0, 4, numbers[processor]),
            (_LOAD, 0, 0, argument),
            (_IF_EQUAL, 0, 1, value),
            _REFUSE,
            (_LOAD, 0, 0, _NUMBER),
        ]
    return [*lines, _ALLOW]
