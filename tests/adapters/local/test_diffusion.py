"""Every kind of the extra [diffusion] over real HTTP, on tiny models with random weights."""

import base64
import importlib.util
import io
from dataclasses import replace

import pytest
from PIL import Image

from adapters.local.client import DIALECT
from adapters.wire.decode import decode
from adapters.wire.expert import open_wire_expert
from adapters.wire.formats import Body
from pipeline.domain import Blob, ExpertOutput
from pipeline.parameters import list_unused
from pipeline.ports import Job
from pipeline.task_kinds import KINDS
from tests.adapters.local.conftest import Stage
from tests.adapters.wire.samples import sample_jobs
from tests.fakes.jobs import job, picture
from tests.schemas import officially, violations

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.limit(180),
    pytest.mark.skipif(
        not all(importlib.util.find_spec(name) for name in ("torch", "diffusers")),
        reason="the extras [local] and [diffusion] are not installed",
    ),
]
GUIDES = ("canny", "hed", "mlsd", "normal", "openpose", "scribble", "depth", "seg")
PAINTED = {  # built by tests.adapters.local.tiny
    "text-to-image": "painter",
    "image-to-image": "painter",
    "image-text-to-image": "editor",
    **{f"{guide}-text-to-image": f"controlnet-{guide}" for guide in GUIDES},
    "text-to-video": "film-maker",
    "image-to-video": "animator",
}
_INPAINTED = {"num_inference_steps": 2, "seed": 1}
_QUICK = {"num_inference_steps": 2, "height": 64, "width": 64, "num_frames": 5, "seed": 1}
JOBS = sample_jobs()


@pytest.mark.parametrize(("kind", "model"), PAINTED.items())
async def test_a_kind_makes_what_its_row_says(kind: str, model: str, stage: Stage) -> None:
    inputs = base64.b64encode(picture(size=(96, 64)).data).decode()
    if kind.startswith("text-to"):
        inputs = "a red cat"
    content = {"inputs": inputs, "parameters": {"prompt": "a red cat", **_QUICK}}
    assert violations(content, kind, "input") == []
    url = f"{stage.server.base}/models/tiny/{model}/pipeline/{kind}"

    async with stage.session.post(url, json=content) as response:
        assert response.status == 200, await response.text()
        body = Body(await response.read(), response.content_type)
    made = decode(body, JOBS[kind])

    (slot,) = KINDS[kind].makes
    value = made.slots[slot.name]
    assert isinstance(value, Blob)
    assert str(value.type) == slot.name
    assert violations(officially(JOBS[kind], made), kind, "output") == []
    if slot.name == "image":
        assert min(Image.open(io.BytesIO(value.data)).size) >= 64


async def test_the_same_seed_makes_the_same_picture(stage: Stage) -> None:
    pictures = []
    for _ in range(2):
        content = {"inputs": "a red cat", "parameters": _QUICK}
        _, made = await stage.post("painter", json=content)
        pictures.append(made)

    assert pictures[0] == pictures[1]


async def _ask(stage: Stage, model: str, asked: Job) -> ExpertOutput:
    """What a job gets from the server, through the client."""
    asked = replace(asked, model=replace(asked.model, id=f"tiny/{model}"))
    async with open_wire_expert(stage.server.base, DIALECT) as expert:
        return await expert.run(asked)


async def test_a_picture_has_the_ratio_asked_for_and_seeds_tell_copies_apart(stage: Stage) -> None:
    pictures: list[bytes] = []
    for seed in (42, 43, 42):
        asked = job("text-to-image", text="a cat", size="130x70", seed=seed, guidance_scale=2)
        made = await _ask(stage, "painter", asked)
        image = made.slots["image"]
        assert isinstance(image, Blob)
        assert Image.open(io.BytesIO(image.data)).size == (128, 64)
        assert list_unused(asked.kind, asked.args, made.used) == ()
        pictures.append(image.data)

    assert pictures[0] == pictures[2] != pictures[1]


async def test_what_a_pipeline_does_not_take_is_told(stage: Stage) -> None:
    inputs = base64.b64encode(picture(size=(64, 64)).data).decode()
    content = {"inputs": inputs, "parameters": {"prompt": "x", "images": [inputs] * 2, **_QUICK}}
    url = f"{stage.server.base}/models/tiny/editor/pipeline/image-text-to-image"

    async with stage.session.post(url, json=content) as response:
        assert response.headers["X-Unused-Parameters"] == "aspect_ratio image size"


async def test_a_controlnet_does_what_its_name_says_and_nothing_else(stage: Stage) -> None:
    listed = {model["id"]: model["kinds"] for model in await stage.models()}

    assert listed["tiny/controlnet-canny"] == ["canny-text-to-image"]
    assert listed["tiny/painter"] == ["text-to-image", "image-to-image"]


def _edged(size: tuple[int, int] = (96, 64)) -> tuple[Image.Image, str]:
    """A picture, and a mask of its left half in base64."""
    image = Image.open(io.BytesIO(picture(size=size).data)).convert("RGB")
    mask = Image.new("L", size)
    mask.paste(255, (0, 0, size[0] // 2, size[1]))
    sheet = io.BytesIO()
    mask.save(sheet, "PNG")
    return image, base64.b64encode(sheet.getvalue()).decode()


async def _inpainted(stage: Stage, image: Image.Image, **parameters: object) -> Image.Image:
    sheet = io.BytesIO()
    image.save(sheet, "PNG")
    inputs = base64.b64encode(sheet.getvalue()).decode()
    content = {"inputs": inputs, "parameters": {**_INPAINTED, **parameters}}
    assert violations(content, "image-text-to-image", "input") == []

    status, made = await stage.post("inpainter", json=content)

    assert status == 200, made
    return Image.open(io.BytesIO(made)).convert("RGB")


async def test_only_what_is_under_the_mask_is_painted_anew(stage: Stage) -> None:
    image, mask = _edged()

    made = await _inpainted(stage, image, prompt="a red cat", mask_image=mask)

    right = (image.width // 2, 0, image.width, image.height)
    left = (0, 0, image.width // 2, image.height)
    assert made.size == image.size
    assert made.crop(right).tobytes() == image.crop(right).tobytes()
    assert made.crop(left).tobytes() != image.crop(left).tobytes()


async def test_several_masks_are_one(stage: Stage) -> None:
    image, mask = _edged()

    both = await _inpainted(stage, image, prompt="a red cat", mask_image=[mask, mask])

    assert (
        both.tobytes()
        == (await _inpainted(stage, image, prompt="a red cat", mask_image=mask)).tobytes()
    )


async def test_without_a_mask_it_is_told_what_is_missing(stage: Stage) -> None:
    content = {
        "inputs": base64.b64encode(picture().data).decode(),
        "parameters": {"prompt": "replace the cat"},
    }

    status, answer = await stage.post("inpainter", json=content)

    assert status == 422
    assert "mask_image" in answer["error"]
