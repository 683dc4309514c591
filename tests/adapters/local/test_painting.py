"""Every row of the extra [diffusion] through the real HTTP surface, on tiny models with random weights."""

import base64
import importlib.util
import io

import pytest
from PIL import Image

from adapters.huggingface import FORMS
from adapters.huggingface.body import Body
from pipeline.domain import Blob, Made
from pipeline.table import KINDS
from tests.adapters.huggingface.samples import sample_jobs
from tests.adapters.local.conftest import Stage
from tests.fakes.jobs import picture
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
    made = FORMS[kind].decode(body, JOBS[kind])

    (slot,) = KINDS[kind].makes
    value = made[slot.name]
    assert isinstance(value, Blob)
    assert str(value.type) == slot.name
    assert violations(officially(JOBS[kind], Made(made)), kind, "output") == []
    if slot.name == "image":
        assert min(Image.open(io.BytesIO(value.data)).size) >= 64


async def test_the_same_seed_makes_the_same_picture(stage: Stage) -> None:
    pictures = []
    for _ in range(2):
        content = {"inputs": "a red cat", "parameters": _QUICK}
        _, made = await stage.post("painter", json=content)
        pictures.append(made)

    assert pictures[0] == pictures[1]


async def test_a_controlnet_does_what_its_name_says_and_nothing_else(stage: Stage) -> None:
    listed = {model["id"]: model["kinds"] for model in await stage.models()}

    assert listed["tiny/controlnet-canny"] == ["canny-text-to-image"]
    assert listed["tiny/painter"] == ["text-to-image", "image-to-image"]
