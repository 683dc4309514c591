"""What every expert does."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import aiohttp
import pytest

from adapters.embedded.experts.expert import EmbeddedExpert
from adapters.local.client import DIALECT
from adapters.openai.expert import OpenAiExpert
from adapters.openai.server import Endpoint, open_server
from adapters.wire.expert import open_wire_expert
from pipeline.domain import Blob, ExpertOutput, Place, Type, type_of
from pipeline.errors import BadInput, ExpertError
from pipeline.ports import Expert, Job
from tests.fakes.experts import FakeExpert
from tests.fakes.jobs import job, tone
from tests.fakes.outside import FakeWorkers
from tests.samples.acme.expert import AcmeExpert
from tests.servers.acme import AcmeServer, acme_at_work
from tests.servers.experts import ExpertServer, experts_at_work
from tests.servers.openai import openai_at_work


def _fake() -> Expert:
    return FakeExpert(
        answers={
            "text-to-speech": ExpertOutput({"audio": tone()}),
            "optical-character-recognition": BadInput("embedded-no-file", slot="image"),
            "media-conversion": BadInput("embedded-no-file", slot="file"),
        }
    )


WHOLE = job("text-to-speech", text="hello", model="m")
LACKING = job("optical-character-recognition", model="o")


@dataclass(frozen=True, slots=True)
class Subject:
    """An expert, and jobs of kinds that it can do; a provider of other kinds gives others."""

    expert: Expert
    whole: Job = WHOLE
    lacking: Job = LACKING
    """A job without its input."""


@pytest.fixture(params=["fake", "embedded", "wire", "openai", "acme"])
async def subject(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    match request.param:
        case "fake":
            yield Subject(_fake())
        case "embedded":
            yield Subject(EmbeddedExpert(FakeWorkers()))
        case "openai":
            async with openai_at_work() as played:
                endpoint = Endpoint("played", played.base)
                async with open_server(endpoint) as opened:
                    yield Subject(OpenAiExpert(opened))
        case "acme":
            models = {"m": ("text-to-speech",), "o": ("optical-character-recognition",)}
            async with (
                acme_at_work(AcmeServer(models=models)) as acme,
                aiohttp.ClientSession() as session,
            ):
                yield Subject(AcmeExpert(session, acme.base))
        case _:
            server = ExpertServer(
                kinds={"m": "text-to-speech", "o": "optical-character-recognition"}
            )
            async with (
                experts_at_work(server),
                open_wire_expert(server.base, DIALECT) as wire,
            ):
                yield Subject(wire)


async def test_an_expert_has_a_place(subject: Subject) -> None:
    assert isinstance(subject.expert.place, Place)


async def test_an_expert_makes_what_the_kind_promises(subject: Subject) -> None:
    made = await subject.expert.run(subject.whole)

    for slot in subject.whole.kind.makes:
        value = made.slots[slot.name]
        name = type_of(value.media_type) if isinstance(value, Blob) else type(value).__name__
        assert Type(name.lower()) is slot.type
        if slot.type is Type.AUDIO:
            assert isinstance(value, Blob)
            assert value.data.startswith(b"RIFF")
            assert value.media_type == "audio/wav"


async def test_several_jobs_run_at_once(subject: Subject) -> None:
    async with asyncio.TaskGroup() as group:
        jobs = [group.create_task(subject.expert.run(subject.whole)) for _ in range(4)]

    assert all(one.result().slots for one in jobs)


async def test_a_missing_input_is_bad_input(subject: Subject) -> None:
    with pytest.raises(BadInput):
        await subject.expert.run(subject.lacking)


async def test_whatever_it_cannot_do_is_an_error_of_ours(subject: Subject) -> None:
    with pytest.raises(ExpertError):
        await subject.expert.run(job("media-conversion", text="rotate", model="nobody"))
