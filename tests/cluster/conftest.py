"""One cluster for all tests: it takes half a minute to start."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.cluster.nodes import Cluster, two_nodes


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def cluster() -> AsyncIterator[Cluster]:
    """Two nodes with ten played models, four of which fit into a replica, and some others."""
    async with two_nodes() as cluster:
        for number in range(10):
            cluster.add(f"org/m{number}", weight=1 << 20)
        for name in ("crashing", "hanging", "deaf", "waiting", "buggy"):
            cluster.add(f"org/{name}")
        await cluster.deploy(cluster.adapt())
        await cluster.until_running()
        yield cluster
