"""A provider needs a package and a line of wiring, and nothing else."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import aiohttp
import pytest

from bot.app import open_app
from bot.ask import answer_alone, create_message
from bot.providers import PROVIDERS
from bot.setting_sources import read_settings
from pipeline.domain import Answered, Channel, Done, Person, Thread
from pipeline.errors import (
    ExpertError,
    ExpertGarbled,
    ExpertRefused,
    ExpertUnavailable,
    InputRefused,
    PlaceRefused,
    PlaceUnreachable,
)
from tests.fakes.jobs import job
from tests.fakes.outside import FakeWorkers
from tests.fakes.places import EMBEDDED
from tests.samples.acme.expert import AcmeExpert
from tests.samples.acme.place import ACME
from tests.samples.acme.wiring import open_acme
from tests.servers.acme import AcmeServer, acme_at_work

SPEAK = job("text-to-speech", text="hello", model="acme/voice")
ANN = Person("ann", "Ann")
THREAD = Thread(Channel("console", "local", "ask"), "1")


@pytest.fixture
async def server() -> AsyncIterator[AcmeServer]:
    async with acme_at_work(AcmeServer()) as server:
        yield server


@pytest.fixture
async def expert(server: AcmeServer) -> AsyncIterator[AcmeExpert]:
    async with aiohttp.ClientSession() as session:
        yield AcmeExpert(session, server.base)


async def test_a_request_runs_at_the_place_and_its_record_names_it(
    tmp_path: Path, server: AcmeServer
) -> None:
    settings = read_settings({"TROUPE_HOME": str(tmp_path), "TROUPE_EXPERTS": "off"})
    settings = settings.model_copy(update={"troupe_places": (ACME, EMBEDDED)})
    server.key = "sesame"
    open_it = partial(open_acme, base=server.base, key="sesame")

    async with open_app(settings, FakeWorkers(), providers=[*PROVIDERS, open_it]) as app:
        message = create_message("1", THREAD, ANN, "draw a picture of a red fox", ())
        run, events = await answer_alone(app.runner, message)
        record = await app.ports.persistence.store.load(run)

    assert isinstance(events[-1], Answered)
    assert [file.model for file in events[-1].answer.files] == ["acme/brush"]
    assert record is not None
    (outcome,) = record.outcomes.values()
    assert isinstance(outcome, Done)
    assert outcome.place is ACME
    assert [asked["task"] for asked in server.asked] == ["text-to-image"]


@pytest.mark.parametrize(
    ("status", "error", "sentence"),
    [
        (401, PlaceRefused, "expert-key-refused"),
        (402, PlaceRefused, "expert-credit-used-up"),
        (404, ExpertRefused, "expert-model-gone"),
        (422, InputRefused, "expert-input-refused"),
        (429, ExpertUnavailable, "expert-busy"),
        (500, ExpertUnavailable, "expert-broken"),
    ],
)
async def test_every_refusal_is_an_error_of_ours(
    status: int,
    error: type[ExpertError],
    sentence: str,
    server: AcmeServer,
    expert: AcmeExpert,
) -> None:
    server.failures.append(status)

    with pytest.raises(error) as raised:
        await expert.run(SPEAK)

    assert type(raised.value) is error
    assert raised.value.sentence.id == sentence
    assert getattr(raised.value, "retry_after", None) in (None, 7.0)


async def test_parameters_are_passed_on_and_named_as_used(
    server: AcmeServer, expert: AcmeExpert
) -> None:
    made = await expert.run(
        job("text-to-image", text="a fox", size="512x512", seed=7.0, model="acme/brush")
    )

    assert made.used >= {"size", "seed"}
    assert server.asked[0]["input"] == {"text": "a fox", "size": "512x512", "seed": 7}
    assert isinstance(server.asked[0]["input"]["seed"], int)


async def test_a_result_of_another_type_is_garbled(server: AcmeServer, expert: AcmeExpert) -> None:
    server.models = {"acme/voice": ("image-classification",)}

    with pytest.raises(ExpertGarbled):
        await expert.run(job("image-classification", image="x", model="acme/voice"))


async def test_a_server_that_is_not_there_closes_the_place(expert: AcmeExpert) -> None:
    async with aiohttp.ClientSession() as session:
        with pytest.raises(PlaceUnreachable):
            await AcmeExpert(session, "http://127.0.0.1:9").run(SPEAK)
