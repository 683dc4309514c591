"""What experts on Ray Serve cost: two nodes on loopback. Needs `make test-cluster` once.

    python -m benchmarks.cluster [seconds for each measurement]

Prints requests a second and latencies of a played model that answers at once, of the least that
can be deployed on Ray Serve, by turns, and what is ours of it.
"""

import argparse
import asyncio
import time
from collections import defaultdict
from statistics import median, quantiles
from typing import Any

import aiohttp

from adapters.local.client import MODEL_HEADER
from tests.cluster.nodes import TOKEN, Cluster, two_nodes

MODEL = "org/m0"
PATHS = {"ours": f"/models/{MODEL}", "bare": "/bare"}
ROUNDS = 3


async def _load(url: str, clients: int, seconds: float) -> tuple[float, list[float]]:
    taken: list[float] = []
    headers = {"Authorization": f"Bearer {TOKEN}", MODEL_HEADER: MODEL}
    begun = time.perf_counter()

    async def client(session: aiohttp.ClientSession) -> None:
        while time.perf_counter() < begun + seconds:
            asked = time.perf_counter()
            async with session.post(url, json={"inputs": "hello"}) as response:
                await response.read()
                assert response.status == 200, await response.text()
            taken.append((time.perf_counter() - asked) * 1000)

    async with aiohttp.ClientSession(headers=headers) as session, asyncio.TaskGroup() as group:
        for _ in range(clients):
            group.create_task(client(session))
    return len(taken) / (time.perf_counter() - begun), taken


async def _deploy_both(cluster: Cluster) -> None:
    config = cluster.adapt()
    (experts,) = config["applications"]
    experts["deployments"][0]["ray_actor_options"]["num_cpus"] = 1
    deployment: dict[str, Any] = {"name": "Bare", "num_replicas": 2, "max_replicas_per_node": 1}
    deployment["ray_actor_options"] = {"num_cpus": 1}
    bare = {"name": "bare", "route_prefix": "/bare", "import_path": "benchmarks.ray_bare:build"}
    config["applications"].append(bare | {"deployments": [deployment]})
    await cluster.deploy(config)
    for name in ("experts", "bare"):
        await cluster.until_running(name)


async def measure(seconds: float) -> None:
    begun = time.perf_counter()
    async with two_nodes() as cluster:
        cluster.add(MODEL)
        await _deploy_both(cluster)
        print(f"two nodes, both applications: ready after {time.perf_counter() - begun:.0f} s")
        for path in PATHS.values():
            await _load(cluster.proxies[0] + path, 8, 2)
        for clients in (1, 8):
            taken: dict[str, list[float]] = defaultdict(list)
            rates: dict[str, list[float]] = defaultdict(list)
            for _ in range(ROUNDS):  # by turns: the machine is not always alike
                for name, path in PATHS.items():
                    rate, some = await _load(cluster.proxies[0] + path, clients, seconds)
                    taken[name] += some
                    rates[name].append(rate)
            for name in PATHS:
                p95 = quantiles(taken[name], n=20)[-1]
                print(
                    f"{clients} clients, {name}: {median(rates[name]):.0f} requests/s, "
                    f"p50 {median(taken[name]):.1f} ms, p95 {p95:.1f} ms"
                )
            ours = median(taken["ours"]) - median(taken["bare"])
            print(f"{clients} clients: {ours:.1f} ms of the median are ours")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("seconds", type=float, nargs="?", default=5)
    asyncio.run(measure(options.parse_args().seconds))
