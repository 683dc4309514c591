"""Hosted experts: every provider in its own words, over real HTTP; queues are waited for, told of
and left politely.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from adapters.fetch import HttpFetch, Policy
from adapters.huggingface.hosted import HostedExpert, open_hosted_expert
from pipeline.domain import Blob, Masks, Text, Vector
from pipeline.errors import (
    ExpertGarbled,
    ExpertRefused,
    ExpertUnavailable,
)
from pipeline.ports import Job
from tests.fakes.jobs import job, picture, tone
from tests.fakes.places import HOSTED
from tests.schemas import officially, violations, violations_as_published
from tests.servers.hub import HubServer, hub_at_work
from tests.servers.hub.providers import FILES

PAINT = job("text-to-image", text="a cat")
FILM = job("text-to-video", text="a bear dances")


@pytest.fixture
async def server() -> AsyncIterator[HubServer]:
    async with hub_at_work() as server:
        yield server


@pytest.fixture
async def expert(server: HubServer) -> AsyncIterator[HostedExpert]:
    async with (
        HttpFetch(Policy(allow_private=True)) as fetch,
        open_hosted_expert(server.base, fetch, token="hf_secret", pause=0.001) as expert,
    ):
        yield expert


def by(provider: str, one: Job) -> Job:
    """The job for a model at this provider."""
    known_as = f"{provider}:maker/{one.kind.name}-1"
    return replace(one, model=replace(one.model, places=(HOSTED,), providers=(known_as,)))


@pytest.mark.parametrize(
    ("provider", "one"),
    [
        ("fal-ai", PAINT),
        ("replicate", PAINT),
        ("together", PAINT),
        ("nscale", PAINT),
        ("wavespeed", PAINT),
        ("zai-org", PAINT),
        ("fal-ai", job("image-text-to-image", image=picture(), text="make it blue")),
        ("together", job("image-to-image", image=picture(), text="a sketch")),
        ("fal-ai", FILM),
        ("together", FILM),
        ("fal-ai", job("image-to-video", image=picture(), text="waves")),
        ("fal-ai", job("text-to-speech", text="hello")),
        ("together", job("text-to-speech", text="hello")),
    ],
    ids=lambda value: value if isinstance(value, str) else value.kind.name,
)
async def test_files_come_from_every_provider_in_its_own_way(
    expert: HostedExpert, provider: str, one: Job
) -> None:
    made = await expert.run(by(provider, one))

    slot = one.kind.makes[0]
    value = made.slots[slot.name]
    assert isinstance(value, Blob)
    assert value.type is slot.type
    assert violations(officially(one, made), one.kind.name, "output") == []


@pytest.mark.parametrize(
    ("provider", "one", "words"),
    [
        ("together", job("text-generation", text="a poem"), "A red square."),
        ("together", job("image-to-text", image=picture()), "A red square."),
        (
            "together",
            job("visual-question-answering", image=picture(), question="what?"),
            "A red square.",
        ),
        ("fal-ai", job("automatic-speech-recognition", audio=tone()), "Hello there."),
        ("deepinfra", job("automatic-speech-recognition", audio=tone()), "Hello there."),
    ],
    ids=lambda value: value if isinstance(value, str) else value.kind.name,
)
async def test_words_come_from_every_provider(
    expert: HostedExpert, provider: str, one: Job, words: str
) -> None:
    made = await expert.run(by(provider, one))

    assert made.slots == {"text": Text(words)}
    assert violations(officially(one, made), one.kind.name, "output") == []


@pytest.mark.parametrize("form", ["", "file"])
async def test_a_transcript_stands_in_a_list_or_in_a_file(
    expert: HostedExpert, server: HubServer, form: str
) -> None:
    server.providers.hears = form

    made = await expert.run(by("replicate", job("automatic-speech-recognition", audio=tone())))

    assert made.slots == {"text": Text("Hello")}


@pytest.mark.parametrize(
    "one",
    [
        job("conversational", text="hello"),
        job("text-generation", text="a poem"),
        job("text2text-generation", text="rephrase: hello"),
        job("image-to-text", image=picture()),
        job("optical-character-recognition", image=picture()),
        job("visual-question-answering", image=picture(), question="what?"),
        job("document-question-answering", document=picture(), question="the total?"),
    ],
    ids=lambda one: one.kind.name,
)
async def test_chat_models_are_asked_in_the_official_schema(
    expert: HostedExpert, server: HubServer, one: Job
) -> None:
    made = await expert.run(by("together", one))

    asked = server.providers.told[0].document
    assert violations_as_published(asked, "chat-completion", "input") == []
    assert violations(officially(one, made), one.kind.name, "output") == []


async def test_vectors_and_masks_come_as_values(expert: HostedExpert) -> None:
    embedding = job("feature-extraction", text="hello")
    regions = job("image-segmentation", image=picture())

    vector = await expert.run(by("together", embedding))
    masks = await expert.run(by("fal-ai", regions))

    assert vector.slots == {"vector": Vector((0.5, 1.0))}
    assert isinstance(masks.slots["masks"], Masks)
    for one, made in ((embedding, vector), (regions, masks)):
        assert violations(officially(one, made), one.kind.name, "output") == []


async def test_a_cut_out_is_handed_on_as_an_unnamed_mask(expert: HostedExpert) -> None:
    regions = job("image-segmentation", image=picture())
    known_as = ("fal-ai:fal-ai/rembg",)
    places = (HOSTED,)

    made = await expert.run(
        replace(regions, model=replace(regions.model, places=places, providers=known_as))
    )

    masks = made.slots["masks"]
    assert isinstance(masks, Masks)
    (mask,) = masks.items
    assert isinstance(mask.image, Blob)
    assert (mask.label, mask.image.data) == ("", FILES["cutout.png"].data)


async def test_files_are_sent_as_bytes_never_as_addresses(
    expert: HostedExpert, server: HubServer
) -> None:
    await expert.run(by("fal-ai", job("image-to-video", image=picture(), text="waves")))

    assert server.providers.told[0].document["image_url"].startswith("data:image/png;base64,")


async def test_the_token_goes_to_the_router_and_nowhere_else(
    expert: HostedExpert, server: HubServer
) -> None:
    await expert.run(by("replicate", PAINT))

    tokens = {told.headers.get("Authorization") for told in server.providers.told}
    assert tokens == {"Bearer hf_secret"}
    assert [told.path for told in server.providers.told][1] == "/v1/predictions/p1"


async def test_the_hubs_own_inference_goes_over_the_wire(
    expert: HostedExpert, server: HubServer
) -> None:
    made = await expert.run(replace(PAINT, model=replace(PAINT.model, id="played/text-to-image")))

    assert isinstance(made.slots["image"], Blob)
    assert server.experts.asked[0].token == "hf_secret"


async def test_the_place_in_the_queue_is_told(expert: HostedExpert, server: HubServer) -> None:
    server.providers.looks = 3
    told: list[tuple[float, str]] = []
    one = job("text-to-video", text="a bear", report=lambda *news: told.append(news))

    await expert.run(by("fal-ai", one))

    assert [note for _, note in told] == ["", "#3", "#2", "#1"]


@pytest.mark.parametrize(
    ("provider", "one", "last"),
    [("fal-ai", FILM, "/cancel?_subdomain=queue"), ("replicate", PAINT, "/cancel")],
)
async def test_whoever_stops_waiting_cancels_the_job_over_there(
    expert: HostedExpert, server: HubServer, provider: str, one: Job, last: str
) -> None:
    server.providers.looks = 1_000_000

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await expert.run(by(provider, one))

    assert server.providers.told[-1].path.endswith(last)
    assert server.providers.told[-1].method in ("PUT", "POST")


async def test_a_queue_that_stumbles_is_asked_again_without_a_second_job(
    expert: HostedExpert, server: HubServer
) -> None:
    server.providers.stumbles = 3

    await expert.run(by("fal-ai", FILM))

    assert [told.method for told in server.providers.told].count("POST") == 1


@pytest.mark.parametrize("word", ["FAILED", "error", "canceled"])
async def test_a_job_that_fails_over_there_is_refused(
    expert: HostedExpert, server: HubServer, word: str
) -> None:
    server.providers.ends = word

    with pytest.raises(ExpertRefused) as refused:
        await expert.run(by("fal-ai", FILM))

    assert refused.value.sentence.id == "expert-job-failed"


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (401, ExpertRefused),
        (402, ExpertRefused),
        (404, ExpertRefused),
        (422, ExpertRefused),
        (429, ExpertUnavailable),
        (500, ExpertUnavailable),
        (503, ExpertUnavailable),
    ],
)
async def test_what_a_provider_refuses_becomes_one_of_our_errors(
    expert: HostedExpert, server: HubServer, status: int, error: type[Exception]
) -> None:
    server.providers.refuses["together"] = status

    with pytest.raises(error):
        await expert.run(by("together", PAINT))


async def test_a_result_at_a_private_address_is_not_fetched(server: HubServer) -> None:
    server.providers.result_host = "http://169.254.169.254"
    async with (
        HttpFetch(Policy()) as fetch,
        open_hosted_expert(server.base, fetch, token="hf_secret", pause=0.001) as expert,
    ):
        with pytest.raises(ExpertGarbled) as refused:
            await expert.run(by("fal-ai", PAINT))

    assert refused.value.sentence.id == "expert-result"


async def test_a_task_the_provider_does_not_do_is_refused_before_anything_is_sent(
    expert: HostedExpert, server: HubServer
) -> None:
    with pytest.raises(ExpertRefused):
        await expert.run(by("nscale", FILM))

    assert server.providers.told == []
