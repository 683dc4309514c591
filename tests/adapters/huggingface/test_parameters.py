"""Parameters on the wire: each provider gets what its model knows, in its own words."""

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from adapters.fetch import HttpFetch, Policy
from adapters.huggingface.hosted import HostedExpert, open_hosted_expert
from adapters.huggingface.parameters import find_known
from adapters.local.client import DIALECT
from adapters.wire.formats import encode
from adapters.wire.parameters import list_parameters, write_parameters
from pipeline.parameters import list_unused
from pipeline.ports import Job
from tests.fakes.jobs import job, picture
from tests.fakes.places import HOSTED
from tests.schemas import violations_as_published
from tests.servers.hub import HubServer, hub_at_work

ASKED: Mapping[str, Any] = {
    "aspect_ratio": "16:9",
    "seed": 42,
    "negative_prompt": "blurry",
    "guidance_scale": 3.5,
}
PAINT = job("text-to-image", text="a cat", **ASKED)
FILM = job("text-to-video", text="a bear dances", duration=5, **ASKED)
MOVE = job("image-to-video", image=picture(), text="waves", duration=3, **ASKED)
COMBINE = job("image-text-to-image", image=(picture(), picture()), text="both", **ASKED)
SPEAK = job("text-to-speech", text="hello", voice="bm_george")
_WIDE = {"width": 1280, "height": 720}


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


def by(provider: str, model: str, asked: Job) -> Job:
    """The job for a model at this provider, under a name of the provider's own."""
    known_as = (f"{provider}:maker/{model.lower()}/{asked.kind.name}",)
    places = (HOSTED,)
    return replace(asked, model=replace(asked.model, id=model, places=places, providers=known_as))


def told_unused(asked: Job, used: frozenset[str]) -> set[str]:
    return {*list_unused(asked.kind, asked.args, used)}


@pytest.mark.parametrize(
    ("place", "asked", "sent", "unused"),
    [
        (
            "fal-ai FLUX.1-dev",
            PAINT,
            {"image_size": _WIDE, "seed": 42, "guidance_scale": 3.5},
            {"negative_prompt"},
        ),
        (
            "fal-ai Z-Image-Turbo",
            PAINT,
            {"image_size": _WIDE, "seed": 42},
            {"negative_prompt", "guidance_scale"},
        ),
        (
            "fal-ai Qwen-Image",
            PAINT,
            {"image_size": _WIDE, "seed": 42, "guidance_scale": 3.5, "negative_prompt": "blurry"},
            set(),
        ),
        (
            "together FLUX.1-schnell",
            PAINT,
            {**_WIDE, "seed": 42, "guidance_scale": 3.5, "negative_prompt": "blurry"},
            set(),
        ),
        (
            "nscale FLUX.1-schnell",
            PAINT,
            {"size": "1280x720"},
            {"seed", "negative_prompt", "guidance_scale"},
        ),
        (
            "zai-org CogView",
            PAINT,
            {"size": "1280x720"},
            {"seed", "negative_prompt", "guidance_scale"},
        ),
        (
            "wavespeed FLUX.1-schnell",
            PAINT,
            {"size": "1280*720", "seed": 42},
            {"negative_prompt", "guidance_scale"},
        ),
        (
            "fal-ai Wan2.2-T2V-A14B",
            FILM,
            {
                "num_frames": 81,
                "aspect_ratio": "16:9",
                "seed": 42,
                "guidance_scale": 3.5,
                "negative_prompt": "blurry",
            },
            set(),
        ),
        (
            "together Wan2.2-T2V-A14B",
            FILM,
            {
                "seconds": "5",
                "width": 832,
                "height": 480,
                "seed": 42,
                "guidance_scale": 3.5,
                "negative_prompt": "blurry",
            },
            set(),
        ),
        (
            "fal-ai Wan2.2-TI2V-5B",
            MOVE,
            {"num_frames": 73, "seed": 42, "guidance_scale": 3.5, "negative_prompt": "blurry"},
            set(),
        ),
        ("fal-ai Kokoro-82M", SPEAK, {"voice": "bm_george"}, set()),
        ("fal-ai Dia-1.6B", SPEAK, {}, {"voice"}),
        ("together Kokoro-82M", SPEAK, {"voice": "bm_george"}, set()),
        ("together Kokoro-82M", job("text-to-speech", text="hi"), {"voice": "af_alloy"}, set()),
    ],
)
async def test_a_provider_gets_what_its_model_knows(
    expert: HostedExpert,
    server: HubServer,
    place: str,
    asked: Job,
    sent: Mapping[str, Any],
    unused: set[str],
) -> None:
    provider, model = place.split()

    made = await expert.run(by(provider, model, asked))

    body = server.providers.told[0].document
    kept = {"prompt", "text", "input", "inputs", "model", "response_format", "image_url"}
    assert {name: value for name, value in body.items() if name not in kept} == sent
    assert told_unused(asked, made.used) == unused


async def test_replicate_gets_a_ratio_and_guidance_by_its_own_name(
    expert: HostedExpert, server: HubServer
) -> None:
    await expert.run(by("replicate", "FLUX.1-dev", PAINT))

    asked = server.providers.told[0].document["input"]
    assert asked == {"prompt": "a cat", "aspect_ratio": "16:9", "seed": 42, "guidance": 3.5}


@pytest.mark.parametrize(
    ("provider", "model", "field"),
    [
        ("fal-ai", "FLUX.2-klein-9B", "image_urls"),
        ("together", "FLUX.2-dev", "reference_images"),
        ("wavespeed", "Qwen-Image-Edit-2511", "images"),
    ],
)
async def test_several_pictures_go_to_models_that_combine_them(
    expert: HostedExpert, server: HubServer, provider: str, model: str, field: str
) -> None:
    made = await expert.run(by(provider, model, COMBINE))

    sent = server.providers.told[0].document[field]
    assert [url.partition(",")[0] for url in sent] == ["data:image/png;base64"] * 2
    assert "image" not in told_unused(COMBINE, made.used)


async def test_a_model_for_one_picture_gets_the_first(
    expert: HostedExpert, server: HubServer
) -> None:
    made = await expert.run(by("together", "FLUX.1-Kontext-dev", COMBINE))

    assert "reference_images" not in server.providers.told[0].document
    assert "image" in told_unused(COMBINE, made.used)


@pytest.mark.parametrize("asked", [PAINT, job("image-to-image", image=picture(), **ASKED)])
def test_the_hubs_own_inference_gets_them_as_its_schema_says(asked: Job) -> None:
    known = find_known(asked, "hf-inference")
    body = json.loads(encode(asked, write_parameters(asked, known)).data)

    assert violations_as_published(body, asked.kind.name, "input") == []
    unused = {"seed"} if asked is not PAINT else set()
    assert told_unused(asked, list_parameters(known)) == unused


def test_our_server_gets_everything() -> None:
    for asked in (PAINT, FILM, MOVE, SPEAK):
        assert told_unused(asked, list_parameters(DIALECT.find_known(asked))) == set()
    assert write_parameters(FILM, DIALECT.find_known(FILM))["duration"] == 5


def test_without_parameters_nothing_is_added() -> None:
    plain = job("text-to-image", text="a cat")

    assert write_parameters(plain, find_known(plain, "fal-ai")) == {}
