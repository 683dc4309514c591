"""The program in its own process with a token: Hub, router and providers are simulated."""

from pathlib import Path
from typing import Any

from aiohttp import ClientSession

from tests.e2e.program import Program, at_work
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


async def _details(program: Program, run: str) -> str:
    url = f"{program.address}/api/runs/{run}/details"
    async with ClientSession() as session, session.post(url) as response:
        told: dict[str, Any] = await response.json()
        return str(told["text"])


async def _picture(program: Program, answer: dict[str, Any]) -> bytes:
    (file,) = answer["files"]
    async with ClientSession() as session, session.get(program.address + file["url"]) as response:
        assert response.content_type.startswith("image/")
        return await response.read()


async def test_a_picture_is_painted_by_a_provider_and_the_next_one_steps_in(tmp_path: Path) -> None:
    async with (
        hub_at_work(HubServer(list(_ROWS))) as server,
        at_work(tmp_path, **_settings(server)) as program,
    ):
        await program.wait_for("lively/painter")

        first = await program.ask("draw a picture of a cat on a skateboard")
        server.providers.refuses["fal-ai"] = 402
        second = await program.ask("draw a picture of a dog in a boat")

        assert (await _picture(program, first))[:4] == b"\x89PNG"
        assert (await _picture(program, second))[:4] == b"\x89PNG"
        told_first = await _details(program, first["run"])
        told_second = await _details(program, second["run"])

    (painted,), (repainted,) = first["outcomes"], second["outcomes"]
    assert (painted["model"], painted["place"]) == ("lively/painter", "hosted")
    assert painted["tried"][0]["error"] == ""
    assert "credit" in repainted["tried"][0]["error"]
    assert ("lively/painter" in told_first, "fal-ai" in told_first) == (True, True)
    assert "no credit left for lively/painter" in told_second
    assert "nscale" in told_second
    assert server.tokens == {"Bearer hf_secret"}
    assert {told.provider for told in server.providers.told} == {"fal-ai", "nscale"}
