"""The memory of this machine and of its graphics card."""

import importlib.util
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

_CONTAINER_LIMIT = Path("/sys/fs/cgroup/memory.max")
_ASK_NVIDIA = ("nvidia-smi", "--query-gpu=memory.total", "--format=csv,noheader,nounits")
"""Answers with a line for each card, in MiB."""
_ANSWER_SECONDS = 10
_MEBIBYTE = 1 << 20
_CARDS = ("kfd", "nvidia0", "dxg")
"""Devices in /dev that torch may know more of than nvidia-smi, such as AMD's."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Bytes of memory, and of that of the largest graphics card; 0 for none."""

    memory: int
    card: int


def find_machine() -> Machine:
    """Ask the system, nvidia-smi and, where there is another card, torch. Blocks for seconds."""
    return Machine(_find_memory(), _ask_nvidia() or _ask_torch())


def _find_memory() -> int:
    """Of the machine, or of the container that this runs in."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(memory, int(_CONTAINER_LIMIT.read_text()))
    except (OSError, ValueError):  # no container, or one without a limit: "max"
        return memory


def _ask_nvidia() -> int:
    try:
        answer = subprocess.run(  # noqa: S603 - no text of anybody
            _ASK_NVIDIA, capture_output=True, check=True, text=True, timeout=_ANSWER_SECONDS
        )
        return max(int(line) for line in answer.stdout.split()) * _MEBIBYTE
    except (OSError, ValueError, subprocess.SubprocessError):
        return 0


def _ask_torch() -> int:
    if not any((Path("/dev") / name).exists() for name in _CARDS):
        return 0
    if importlib.util.find_spec("torch") is None:
        return 0
    import torch  # noqa: PLC0415 - seconds

    counts = range(torch.cuda.device_count())
    return max(
        (torch.cuda.get_device_properties(index).total_memory for index in counts), default=0
    )
