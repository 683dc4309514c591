"""The server's surface: what is answered, and how refusals look."""

import io
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from adapters.local.client import DIALECT
from adapters.local.models_on_disk import find_files
from adapters.wire.expert import open_wire_expert
from pipeline.domain import Text
from pipeline.parameters import list_unused
from tests.adapters.local.conftest import Begin, Client, serve_played
from tests.fakes.jobs import job
from tests.words import english

shared = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    """One server for all tests that leave nothing behind, with a model that echoes."""
    async with serve_played(tmp_path_factory.mktemp("models"), workers=1) as server:
        server.add("org/echo")
        yield server


@shared
async def test_a_model_answers_json(server: Client) -> None:
    status, answer = await server.ask("org/echo", "good day")

    assert status == 200
    assert answer[0]["generated_text"] == "good day"


@shared
async def test_a_model_takes_and_gives_the_bytes_of_a_file(server: Client) -> None:
    status, answer = await server.post(
        "org/echo", data=b"\x89PNG...", headers={"Content-Type": "image/png"}
    )

    assert (status, answer) == (200, b"\x89PNG...")


@shared
async def test_a_large_input_comes_over_the_wire(server: Client) -> None:
    text = "x" * 3_000_000

    async with open_wire_expert(server.base, DIALECT) as wire:
        made = await wire.run(job("text2text-generation", model="org/echo", text=text))

    assert made.slots["text"] == Text(text)


async def test_a_parameter_that_the_model_does_not_take_is_told(client: Client) -> None:
    client.add("org/speaker", cls="VitsModel")
    asked = job("text-to-speech", model="org/speaker", text="hello", voice="nova")

    async with open_wire_expert(client.base, DIALECT) as wire:
        made = await wire.run(asked)

    assert list_unused(asked.kind, asked.args, made.used) == ("voice",)


async def test_the_address_may_name_the_kind(client: Client) -> None:
    client.add("org/echo", cls="BertForTokenClassification")

    status, _ = await client.ask("org/echo/pipeline/text2text-generation")

    assert status == 200


@shared
@pytest.mark.parametrize(
    "model", ["no/such", "../secret", "a/b/c", "..", "org/..", "org/%2e%2e/echo", "/etc"]
)
async def test_an_unknown_model_is_404(model: str, server: Client) -> None:
    status, answer = await server.ask(model)

    assert status == 404
    assert answer["error"]


@shared
@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/"), ("POST", "/health"), ("GET", "/models/org/echo")]
)
async def test_what_is_no_route_is_404(method: str, path: str, server: Client) -> None:
    async with server.session.request(method, server.base + path) as response:
        answer = await response.json()

    assert response.status == 404
    assert answer == {"error": english("local-route-unknown", path=path)}


@shared
@pytest.mark.parametrize("kind", ["juggling", "fill-mask"])
async def test_a_kind_that_the_model_cannot_do_is_400(kind: str, server: Client) -> None:
    status, answer = await server.ask(f"org/echo/pipeline/{kind}")

    words = f"Model org/echo can't do {kind}; it can do text2text-generation, "
    assert status == 400
    assert answer["error"].startswith(words)


@shared
@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"{", 400, english("local-not-json")),
        (b"[" * 100_000, 400, english("local-not-json")),
        (rb'{"inputs": "\ud83d"}', 400, english("local-not-json")),
        (b"[]", 400, english("local-not-json")),
        (b'{"inputs": "x", "parameters": 3}', 400, english("local-not-json")),
        (b'{"inputs": 3}', 422, english("local-needs-text", name="inputs")),
        (b'{"inputs": " "}', 422, english("local-needs-text", name="inputs")),
    ],
)
async def test_bad_input_is_told_plainly(
    body: bytes, status: int, said: str, server: Client
) -> None:
    got = await server.post("org/echo", data=body, headers={"Content-Type": "application/json"})

    assert got == (status, {"error": said})


async def test_a_body_that_is_too_large_is_413(begin: Begin) -> None:
    client = await begin(workers=1, max_body=1 << 20)
    client.add("echo")

    got = await client.post(
        "echo", data=io.BytesIO(b"x" * (1 << 20) + b"y"), headers={"Content-Type": "image/png"}
    )

    assert got == (413, {"error": english("local-body-too-large", megabytes="1")})


@shared
async def test_a_bug_in_a_library_is_500_without_its_words(server: Client) -> None:
    got = await server.ask("org/echo/pipeline/question-answering")

    assert got == (
        500,
        {"error": english("local-failed", model="org/echo", task="question-answering")},
    )


async def test_a_model_that_cannot_be_loaded_is_500_and_takes_no_memory(client: Client) -> None:
    (client.add("org/broken") / "broken").touch()

    got = await client.ask("org/broken")

    assert got == (500, {"error": english("local-not-loaded", model="org/broken")})
    assert (await client.get("/health"))["held_bytes"] == 0


async def test_the_models_are_listed_with_what_they_do(client: Client) -> None:
    path = client.add("org/echo", weight=1234)
    (path / "README.md").write_text("---\nlicense: mit\nlanguage: [en, de]\n---\nEchoes.")
    client.add("gap", cls="BertForMaskedLM")
    await client.ask("org/echo")

    gap, echo = await client.get("/models")

    assert (gap["id"], gap["kinds"], gap["loaded"]) == ("gap", ["fill-mask"], False)
    assert (echo["id"], echo["pipeline_tag"]) == ("org/echo", "text2text-generation")
    assert (echo["bytes"], echo["loaded"]) == (1234, True)
    assert (echo["license"], echo["languages"]) == ("mit", ["en", "de"])


async def test_models_of_the_hubs_cache_are_found(client: Client, tmp_path: Path) -> None:
    cached = tmp_path / "models--org--cached"
    client.add("models--org--cached/snapshots/abc")
    (cached / "refs").mkdir()
    (cached / "refs" / "main").write_text("abc")

    status, _ = await client.ask("org/cached")
    models = await client.get("/models")

    assert status == 200
    assert [(model["id"], model["revision"]) for model in models] == [("org/cached", "abc")]


async def test_health_tells_of_workers_and_memory(client: Client) -> None:
    client.add("echo", weight=5000)
    await client.ask("echo")

    health = await client.get("/health")

    assert health["status"] == "ok"
    assert health["held_bytes"] == 5000
    assert [worker["waiting"] for worker in health["workers"]] == [0]


async def test_with_a_token_only_those_who_have_it_are_answered(begin: Begin) -> None:
    client = await begin(workers=1, token="secret")
    client.add("echo")

    without = await client.ask("echo")
    with_it = await client.ask("echo", Authorization="Bearer secret")

    assert without == (401, {"error": english("local-token-refused")})
    assert with_it[0] == 200


async def test_a_model_without_a_kind_is_listed_and_refused(client: Client) -> None:
    path = client.add("odd")
    (path / "config.json").write_text(json.dumps({"architectures": ["Strange"]}))

    status, _ = await client.ask("odd")

    assert status == 400
    assert (await client.get("/models"))[0]["kinds"] == []


def test_workers_may_read_what_links_in_the_folders_of_models_lead_to(tmp_path: Path) -> None:
    served, disk, cached = tmp_path / "served", tmp_path / "disk", tmp_path / "served" / "blob"
    for folder in (served / "plain", disk, cached):
        folder.mkdir(parents=True)
    (served / "linked").symlink_to(disk)
    (served / "plain" / "model.safetensors").symlink_to(cached)

    assert find_files([served, tmp_path / "missing"]) == sorted(
        map(str, (served, disk, tmp_path / "missing"))
    )
