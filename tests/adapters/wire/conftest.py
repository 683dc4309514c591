"""The played experts, and the wire to them."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from adapters.local.client import DIALECT
from adapters.wire.expert import WireExpert, open_wire_expert
from pipeline.domain import Model
from pipeline.ports import Job
from tests.fakes.known_experts import known_experts
from tests.fakes.places import LOCAL
from tests.servers.experts import ExpertServer, experts_at_work


@pytest.fixture
async def server() -> AsyncIterator[ExpertServer]:
    async with experts_at_work(known_experts()) as server:
        yield server


@pytest.fixture
async def wire(server: ExpertServer) -> AsyncIterator[WireExpert]:
    async with open_wire_expert(
        server.base, DIALECT, token="hf_secret", max_bytes=2_000_000
    ) as wire:
        yield wire


def for_server(job: Job, server: ExpertServer) -> Job:
    """The job, with a model that the server plays."""
    model = f"played/{job.kind.name}"
    server.kinds[model] = job.kind.name
    return replace(job, model=Model(model, job.kind.name, (LOCAL,)))
