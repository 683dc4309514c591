"""The program in its own process with a token: Hub, router and providers are simulated."""

from pathlib import Path
from typing import Any

from tests.e2e.visitor import Visitor, program
from tests.servers.hub import HubServer, hub_at_work, row

_ROWS = [
    row("lively/painter", "text-to-image", "fal-ai", "nscale", downloads=900),
    row("slower/painter", "text-to-image", "together", downloads=300),
]


def _settings(server: HubServer) -> dict[str, str]:
    return {
        "HF_TOKEN": "hf_secret",
        "HF_ENDPOINT": server.base,
        "HF_ROUTER_URL": server.base,
        "TROUPE_CONTROLLER": "off",
        "TROUPE_FETCH_ALLOW_PRIVATE": "true",
    }


async def _details(visitor: Visitor, run: str) -> str:
    url = f"{visitor.address}/api/runs/{run}/details"
    async with visitor.session.post(url) as response:
        told: dict[str, Any] = await response.json()
        return str(told["text"])


async def _picture(visitor: Visitor, answer: dict[str, Any]) -> bytes:
    (file,) = answer["files"]
    async with visitor.session.get(visitor.address + file["url"]) as response:
        assert response.content_type.startswith("image/")
        return await response.read()


async def test_a_picture_is_painted_by_a_provider_and_the_next_one_steps_in(tmp_path: Path) -> None:
    async with (
        hub_at_work(HubServer(list(_ROWS))) as server,
        program(tmp_path, **_settings(server)) as visitor,
    ):
        await visitor.wait_for("lively/painter")

        first = await visitor.ask("draw a picture of a cat on a skateboard", anew=True)
        server.providers.refuses["fal-ai"] = 402
        second = await visitor.ask("draw a picture of a dog in a boat", anew=True)

        assert (await _picture(visitor, first))[:4] == b"\x89PNG"
        assert (await _picture(visitor, second))[:4] == b"\x89PNG"
        told_first = await _details(visitor, first["run"])
        told_second = await _details(visitor, second["run"])

    (painted,), (repainted,) = first["outcomes"], second["outcomes"]
    assert (painted["model"], painted["place"]) == ("lively/painter", "hosted")
    assert painted["tried"][0]["error"] == ""
    assert "credit" in repainted["tried"][0]["error"]
    assert ("lively/painter" in told_first, "fal-ai" in told_first) == (True, True)
    assert "no credit left for lively/painter" in told_second
    assert "nscale" in told_second
    assert server.tokens == {"Bearer hf_secret"}
    assert {told.provider for told in server.providers.told} == {"fal-ai", "nscale"}
