"""Two nodes of Ray on loopback, until standard input ends.

`ray start` refuses a second node that listens on loopback only, so this starts both as Ray's own
tests do. Prints a line of JSON once they run, and after each line on standard input: `lose` ends
all processes of the second node at once, as a power cut would, `add` starts another node.
"""

import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from ray._private.node import Node
from ray._private.parameter import RayParams

_STORE_BYTES = 80 << 20
"""The least that Ray takes is 75 MiB."""
_PROCESSORS = 2
"""Of a node: what a replica asks for in deploy/ray/experts.yaml."""
_LOOPBACK = "127.0.0.1"


def main(folder: Path, dashboard_port: int) -> None:
    head = _start(
        head=True,
        temp_dir=str(folder),
        dashboard_host=_LOOPBACK,
        dashboard_port=dashboard_port,
        include_dashboard=True,
    )
    nodes = [_start(gcs_address=head.gcs_address)]
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        if line.strip() == "lose":
            _lose(nodes.pop())
        if line.strip() == "add":
            nodes.append(_start(gcs_address=head.gcs_address))
        print(json.dumps({"done": line.strip()}), flush=True)
    for node in (*nodes, head):
        node.kill_all_processes(check_alive=False, allow_graceful=False, wait=True)


def _start(*, head: bool = False, **given: Any) -> Node:
    params = RayParams(
        num_cpus=_PROCESSORS,
        num_gpus=0,
        object_store_memory=_STORE_BYTES,
        node_ip_address=_LOOPBACK,
        min_worker_port=0,
        max_worker_port=0,
        node_manager_port=0,
        **given,
    )
    params.dashboard_agent_listen_port = None  # any
    return Node(params, head=head, shutdown_at_exit=True, spawn_reaper=True)


def _lose(node: Node) -> None:
    (raylet,) = node.all_processes["raylet"]
    lost = [raylet.process.pid]
    for pid in lost:  # grows
        lost += _list_children(pid)
    for pid in lost:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _list_children(pid: int) -> list[int]:
    children: list[int] = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            children += map(int, thread.read_text().split())
    return children


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
