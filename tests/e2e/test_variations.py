"""Four variations, 16:9, seed 42: from the plan to four pictures, at each kind of place."""

import io
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.e2e.visitor import Visitor, program
from tests.fakes.jobs import picture
from tests.servers.experts import ExpertServer, experts_at_work
from tests.servers.hub import HubServer, hub_at_work, row
from tests.servers.openai import Asked, OpenAiServer, openai_at_work

_FOUR = {"text": "a cat", "count": "4", "aspect_ratio": "16:9", "seed": "42"}


def _planning(kind: str, args: Sequence[tuple[str, str]]) -> Callable[[Asked], str]:
    """Plans one task, then answers."""
    named = [{"name": name, "value": value} for name, value in args]
    task = {"id": 1, "task": kind, "dep": [], "args": named, "model": ""}
    fields = {"thought": "", "action": "tasks", "say": "", "tasks": [task], "continue": False}
    plan = json.dumps(fields)
    return lambda asked: plan if "response_format" in asked.body else "Here they are."


@dataclass
class _Place:
    """A place for models at work: its settings, and the seeds that it was asked for."""

    settings: dict[str, str]
    model: str
    seeds: Callable[[], Sequence[int]]
    unused: str = ""


@asynccontextmanager
async def _open_fal(_llm: OpenAiServer) -> AsyncIterator[_Place]:
    async with hub_at_work(HubServer([row("lively/flux", "text-to-image", "fal-ai")])) as hub:
        settings = {
            "HF_TOKEN": "hf_secret",
            "HF_ENDPOINT": hub.base,
            "HF_ROUTER_URL": hub.base,
            "TROUPE_FETCH_ALLOW_PRIVATE": "true",
            "TROUPE_PLACES": "hosted",
        }
        calls = hub.providers.told

        def seeds() -> list[int]:
            return [told.document["seed"] for told in calls if told.body]

        yield _Place(settings, "lively/flux", seeds)


@asynccontextmanager
async def _open_experts(_llm: OpenAiServer) -> AsyncIterator[_Place]:
    server = ExpertServer(kinds={"black-forest-labs/FLUX.1-schnell": "text-to-image"})
    async with experts_at_work(server):
        settings = {"TROUPE_EXPERTS_URL": server.base, "TROUPE_PLACES": "local"}

        def seeds() -> list[int]:
            return [asked.parameters["seed"] for asked in server.asked]

        yield _Place(settings, "black-forest-labs/FLUX.1-schnell", seeds)


@asynccontextmanager
async def _open_openai(llm: OpenAiServer) -> AsyncIterator[_Place]:
    llm.models.append({"id": "gpt-image-2"})
    yield _Place(
        {"TROUPE_PLACES": "llm"},
        "gpt-image-2",
        list,
        unused="Not supported by gpt-image-2, so left out: seed.",
    )


async def _load(visitor: Visitor, shown: Mapping[str, Any]) -> Image.Image:
    return Image.open(io.BytesIO(await visitor.file(shown))).convert("RGB")


@pytest.mark.parametrize("open_place", [_open_fal, _open_experts, _open_openai])
async def test_four_variations_of_a_ratio_with_a_seed(open_place: Any, tmp_path: Path) -> None:
    llm = OpenAiServer(reply=_planning("text-to-image", [*_FOUR.items()]))
    async with openai_at_work(llm), open_place(llm) as place:
        settings = {"OPENAI_API_KEY": "sk-x", "OPENAI_BASE_URL": llm.base, **place.settings}
        async with program(tmp_path, **settings) as visitor:
            await visitor.wait_for(place.model)
            answer = await visitor.ask("four variations of a cat, 16:9, seed 42", anew=True)
            pictures = [await _load(visitor, file) for file in answer["files"]]

    assert [image.size for image in pictures] == [(1280, 720)] * 4
    assert len({image.getpixel((0, 0)) for image in pictures}) == 4
    assert sorted(place.seeds()) == ([] if place.unused else [42, 43, 44, 45])
    assert [place.unused in notice for notice in answer["notices"]] == [True] * bool(place.unused)


async def test_two_pictures_are_combined_into_one(tmp_path: Path) -> None:
    args = [("image", "image 1"), ("image", "image 2"), ("text", "the cat on the sofa")]
    llm = OpenAiServer(reply=_planning("image-text-to-image", args))
    llm.models.append({"id": "gpt-image-2"})
    files = [
        replace(picture(colour), name=f"{name}.png")
        for name, colour in (("cat", (9, 9, 9)), ("sofa", (99, 9, 9)))
    ]
    async with openai_at_work(llm):
        settings = {"OPENAI_API_KEY": "sk-x", "OPENAI_BASE_URL": llm.base, "TROUPE_PLACES": "llm"}
        async with program(tmp_path, **settings) as visitor:
            answer = await visitor.ask("combine image 1 and image 2", *files)

    edits = [asked.body for asked in llm.asked if asked.path.endswith("/images/edits")]
    assert [edit["image[]"] for edit in edits] == ["2 files"]
    assert len(answer["files"]) == 1
    assert answer["notices"] == []
