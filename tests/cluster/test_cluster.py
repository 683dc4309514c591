"""A cluster of two nodes: the wire, the limit, crashes, hangs, lost nodes, and who may come in."""

import asyncio
import io
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from adapters.local.client import DIALECT, MODEL_HEADER, ServedCatalogue
from adapters.local.doctor import examine
from adapters.network.proxies import DIRECT
from adapters.wire.expert import WireExpert, open_wire_expert
from pipeline.domain import Text
from tests.adapters.local.conftest import until
from tests.cluster.nodes import LIMIT_MB, TOKEN, Cluster, list_listening_beyond
from tests.fakes.jobs import job
from tests.words import english

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.limit(240)]
MODELS = [f"org/m{number}" for number in range(10)]


@pytest_asyncio.fixture(loop_scope="session")
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    key, many = {"Authorization": f"Bearer {TOKEN}"}, aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(headers=key, connector=many) as session:
        yield session


@pytest_asyncio.fixture(loop_scope="session")
async def wire(cluster: Cluster) -> AsyncIterator[WireExpert]:
    """The bot's own client, at the head's proxy."""
    async with open_wire_expert(cluster.proxies[0], DIALECT, token=TOKEN) as wire:
        yield wire


async def _post(session: aiohttp.ClientSession, url: str, **content: Any) -> tuple[int, Any]:
    async with session.post(url, **(content or {"json": {"inputs": "hello"}})) as response:
        if response.content_type == "application/json":
            return response.status, await response.json()
        return response.status, await response.read()


async def _get(session: aiohttp.ClientSession, url: str) -> tuple[int, Any]:
    async with session.get(url) as response:
        return response.status, await response.json()


async def _ask(wire: WireExpert, model: str, text: str = "hello") -> str:
    made = await wire.run(job("text2text-generation", model=model, text=text))
    answer = made.slots["text"]
    assert isinstance(answer, Text)
    return answer.text


async def test_the_bots_client_is_answered_through_every_proxy(
    cluster: Cluster, session: aiohttp.ClientSession
) -> None:
    for proxy in cluster.proxies:
        async with open_wire_expert(proxy, DIALECT, token=TOKEN) as wire:
            assert await _ask(wire, "org/m0", "good day") == "good day"

        catalogue = ServedCatalogue(proxy, token=TOKEN)
        await catalogue.renew()
        status, models = await _get(session, f"{proxy}/models")

        assert await catalogue.find("org/m0") is not None
        assert (status, len(models)) == (200, 15)
        assert all("loaded" not in model for model in models)


async def test_bytes_come_and_go(cluster: Cluster, session: aiohttp.ClientSession) -> None:
    picture, url = b"\x89PNG" * 300_000, f"{cluster.proxies[1]}/models/org/m1"

    got = await _post(session, url, data=io.BytesIO(picture), headers={"Content-Type": "image/png"})

    assert got == (200, picture)


@pytest.mark.parametrize("path", ["/health", "/models", "/models/org/m0", "/-/routes", "/"])
async def test_without_the_token_nobody_is_answered(path: str, cluster: Cluster) -> None:
    async with aiohttp.ClientSession() as stranger:
        for proxy in cluster.proxies:
            assert await _get(stranger, proxy + path) == (
                401,
                {"error": english("local-token-refused")},
            )


async def test_a_balancer_may_ask_for_the_health_of_a_proxy(cluster: Cluster) -> None:
    async with (
        aiohttp.ClientSession() as balancer,
        balancer.get(f"{cluster.proxies[1]}/-/healthz") as response,
    ):
        assert response.status == 200


@pytest.mark.parametrize("is_announced", [True, False])
async def test_a_body_that_is_too_large_is_413(
    cluster: Cluster, session: aiohttp.ClientSession, *, is_announced: bool
) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(65):
            yield b"x" * (1 << 20)

    body: Any = io.BytesIO(b"x" * (65 << 20)) if is_announced else pieces()
    url, headers = f"{cluster.proxies[0]}/models/org/m0", {"Content-Type": "image/png"}

    with suppress(aiohttp.ClientConnectionError):  # refused before all is sent
        got = await _post(session, url, data=body, headers=headers)
        assert got == (413, {"error": english("local-body-too-large", megabytes="64")})


async def test_refusals_are_those_of_the_small_server(
    cluster: Cluster, session: aiohttp.ClientSession
) -> None:
    base = cluster.proxies[0]

    unknown = await _post(session, f"{base}/models/no/such")
    unfit = await _post(session, f"{base}/models/org/m0/pipeline/juggling")
    no_json = await _post(
        session, f"{base}/models/org/m0", data=b"{", headers={"Content-Type": "application/json"}
    )
    buggy = await _post(session, f"{base}/models/org/buggy/pipeline/question-answering")

    assert unknown == (404, {"error": english("local-model-unknown", model="no/such")})
    assert unfit[0] == 400
    assert no_json == (400, {"error": english("local-not-json")})
    assert buggy == (
        500,
        {"error": english("local-failed", model="org/buggy", task="question-answering")},
    )


async def test_when_the_client_leaves_the_model_is_stopped(
    cluster: Cluster, session: aiohttp.ClientSession
) -> None:
    path, kind = cluster.models / "org/hanging", "text-classification"
    url = f"{cluster.proxies[0]}/models/org/hanging/pipeline/{kind}"

    async with asyncio.TaskGroup() as group:
        leaving = group.create_task(_post(session, url))
        await until(path / "begun")
        leaving.cancel()

    await until(path / "stopped")


async def test_too_many_at_once_are_told_that_it_is_busy(
    cluster: Cluster, session: aiohttp.ClientSession
) -> None:
    path = cluster.models / "org/waiting"
    url = f"{cluster.proxies[0]}/models/org/waiting/pipeline/text-classification"
    retry_after = []

    async def ask() -> int:
        async with session.post(url, json={"inputs": "x"}) as response:
            if response.status == 429:
                assert await response.json() == {"error": english("local-busy")}
                retry_after.append(response.headers["Retry-After"])
                (path / "go").touch()  # the others may go on
            return response.status

    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(ask()) for _ in range(400)]

    statuses = [task.result() for task in asked]
    assert set(statuses) == {200, 429}
    assert set(retry_after) == {"1"}
    assert statuses.count(200) > 256


async def test_others_are_answered_while_one_model_crashes_and_another_hangs(
    cluster: Cluster, session: aiohttp.ClientSession, wire: WireExpert
) -> None:
    held, answered = [], []
    deaf = f"{cluster.proxies[1]}/models/org/deaf/pipeline/token-classification"
    crashing = f"{cluster.proxies[1]}/models/org/crashing/pipeline/summarization"

    async def client(number: int) -> None:
        for turn in range(20):
            answered.append(await _ask(wire, MODELS[(number * 7 + turn * 3) % 10], f"{turn}"))
            _, health = await _get(session, f"{cluster.proxies[turn % 2]}/health")
            held.append(health["held_bytes"])

    async def crash() -> None:
        for _ in range(5):
            lost = english("local-worker-lost", model="org/crashing")
            assert await _post(session, crashing) == (500, {"error": lost})

    async with asyncio.TaskGroup() as group:
        hanging = group.create_task(_post(session, deaf))
        await until(cluster.models / "org/deaf/begun")
        clients = [group.create_task(client(number)) for number in range(8)]
        group.create_task(crash())
        await until_done(clients[:1], seconds=5)
        hanging.cancel()  # as the bot does after its time; the model does not hear it

    assert answered.count("0") == 8
    assert len(answered) == 160
    assert 0 < max(held) <= LIMIT_MB << 20


async def until_done(tasks: list["asyncio.Task[None]"], *, seconds: float) -> None:
    await asyncio.wait(tasks, timeout=seconds)


async def test_a_lost_node_costs_no_more_than_one_request(
    cluster: Cluster, session: aiohttp.ClientSession, wire: WireExpert
) -> None:
    waiting = [cluster.add(f"org/w{number}", weight=1 << 20) for number in range(8)]

    async def wait_for(path: Path) -> int:
        url = f"{cluster.proxies[0]}/models/org/{path.name}/pipeline/text-classification"
        headers = {MODEL_HEADER: f"org/{path.name}"}
        async with session.post(url, json={"inputs": "x"}, headers=headers) as response:
            return response.status

    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(wait_for(path)) for path in waiting]
        await _until_begun(waiting, 4)  # all four workers are at work
        await cluster.tell("lose")
        for path in waiting:
            (path / "go").touch()
    afterwards = [await _ask(wire, model) for model in MODELS * 2]
    await cluster.tell("add")
    await cluster.until_running()

    assert [task.result() for task in asked].count(200) >= 7
    assert afterwards == ["hello"] * 20
    for proxy in cluster.proxies:
        await _until_healthy(session, proxy)


async def _until_healthy(session: aiohttp.ClientSession, proxy: str) -> None:
    """The proxy of a node that was added begins some seconds after its replicas."""
    for _ in range(120):
        with suppress(aiohttp.ClientConnectionError):
            if (await _get(session, f"{proxy}/health"))[0] == 200:
                return
        await asyncio.sleep(0.5)
    raise AssertionError(f"{proxy} is not healthy")


async def _until_begun(paths: list[Path], count: int) -> None:
    async with asyncio.timeout(60):
        while sum((path / "begun").exists() for path in paths) < count:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_only_replicas_listen_beyond_loopback(cluster: Cluster) -> None:
    """Ray binds one port of each to all interfaces, whatever is set; its token guards it."""
    beyond = list_listening_beyond(cluster.processes())

    assert beyond
    assert all(name.startswith("ray::ServeReplica") for name in beyond), beyond


async def test_ray_itself_lets_nobody_in_without_its_token(cluster: Cluster) -> None:
    url = f"{cluster.dashboard}/api/serve/applications/"
    async with aiohttp.ClientSession() as stranger, stranger.get(url) as response:
        assert response.status == 401


async def test_the_doctor_says_whether_the_cluster_takes_the_token(cluster: Cluster) -> None:
    good = [check async for check in examine(cluster.proxies[0], TOKEN, DIRECT)]
    bad = [check async for check in examine(cluster.proxies[0], "other", DIRECT)]

    assert [check.what.id for check in good] == ["doctor-server-good"]
    assert [check.what.id for check in bad] == ["doctor-server-refused"]


async def test_without_experts_it_says_what_to_do_and_leaves_nothing(
    cluster: Cluster, session: aiohttp.ClientSession, wire: WireExpert
) -> None:
    """The last test: nothing is deployed any more."""
    for model in MODELS:
        await _ask(wire, model)
    folders = await _list_worker_folders(cluster, session)
    await cluster.deploy(cluster.adapt() | {"applications": []})
    status, answer = 200, None

    async with asyncio.timeout(60):
        while status == 200 or any(folder.exists() for folder in folders):
            status, answer = await _get(session, f"{cluster.proxies[0]}/models")
            await asyncio.sleep(0.2)

    assert folders
    assert (status, answer) == (503, {"error": english("cluster-not-deployed")})


async def _list_worker_folders(cluster: Cluster, session: aiohttp.ClientSession) -> set[Path]:
    """The temporary folders of the workers of whichever replicas are asked."""
    folders = set()
    for turn in range(8):
        _, health = await _get(session, f"{cluster.proxies[turn % 2]}/health")
        for pid in (worker["pid"] for worker in health["workers"] if worker["pid"]):
            words = Path(f"/proc/{pid}/cmdline").read_text()  # noqa: ASYNC240 - of the kernel
            folders |= {cluster.folder / name for name in re.findall(r"troupe-worker-\w+", words)}
    return {folder for folder in folders if folder.exists()}
