"""What every expert does."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest

from adapters.embedded.experts.expert import EmbeddedExpert
from adapters.local.client import DIALECT
from adapters.openai.expert import OpenAiExpert
from adapters.openai.server import Endpoint, open_server
from adapters.wire.expert import open_wire_expert
from pipeline.domain import Blob, ExpertOutput, Place
from pipeline.errors import BadInput, ExpertError
from pipeline.ports import Expert
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


@pytest.fixture(params=["fake", "embedded", "wire", "openai", "acme"])
async def expert(request: pytest.FixtureRequest) -> AsyncIterator[Expert]:
    match request.param:
        case "fake":
            yield _fake()
        case "embedded":
            yield EmbeddedExpert(FakeWorkers())
        case "openai":
            async with openai_at_work() as played:
                endpoint = Endpoint("played", played.base)
                async with open_server(endpoint) as opened:
                    yield OpenAiExpert(opened)
        case "acme":
            models = {"m": ("text-to-speech",), "o": ("optical-character-recognition",)}
            async with (
                acme_at_work(AcmeServer(models=models)) as acme,
                aiohttp.ClientSession() as session,
            ):
                yield AcmeExpert(session, acme.base)
        case _:
            server = ExpertServer(
                kinds={"m": "text-to-speech", "o": "optical-character-recognition"}
            )
            async with (
                experts_at_work(server),
                open_wire_expert(server.base, DIALECT) as wire,
            ):
                yield wire


async def test_an_expert_has_a_place(expert: Expert) -> None:
    assert isinstance(expert.place, Place)


async def test_an_expert_makes_what_the_kind_promises(expert: Expert) -> None:
    made = await expert.run(job("text-to-speech", text="hello", model="m"))

    audio = made.slots["audio"]
    assert isinstance(audio, Blob)
    assert audio.data.startswith(b"RIFF")
    assert audio.media_type == "audio/wav"


async def test_several_jobs_run_at_once(expert: Expert) -> None:
    async with asyncio.TaskGroup() as group:
        jobs = [
            group.create_task(expert.run(job("text-to-speech", text=f"number {n}", model="m")))
            for n in range(4)
        ]

    assert all(one.result().slots for one in jobs)


async def test_a_missing_file_is_bad_input(expert: Expert) -> None:
    with pytest.raises(BadInput):
        await expert.run(job("optical-character-recognition", model="o"))


async def test_whatever_it_cannot_do_is_an_error_of_ours(expert: Expert) -> None:
    with pytest.raises(ExpertError):
        await expert.run(job("media-conversion", text="rotate", model="nobody"))
