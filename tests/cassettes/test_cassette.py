"""Traffic is taped without secrets, and played back as it was."""

import asyncio
import base64
import gzip
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from aiohttp import ClientError, ClientSession, FormData, MultipartWriter, web

from pipeline.domain import Blob
from tests.cassettes.proxy import FILES, Recording, Replay, open_proxies
from tests.cassettes.secrets import Cleaner
from tests.cassettes.tape import Deck, Head, Tape
from tests.fakes.outside import FakeFetch

SECRET = "corp/key+s3cr3t"  # escaped in URLs
PICTURE = b"\x89PNG" + bytes(range(256))
RESULT = "https://cdn.example.com/files/cat.png?Signature=abc"
_DOCUMENTS = {
    "/v1/result": {"images": [{"url": RESULT}], "text": "see https://a.b c"},
    "/api/whoami-v2": {"name": "ann", "email": "ann@example.com"},
}
_STREAMS = {
    "/v1/stream": ("data: one\n\n", "data: zwölf\n\n"),
    "/v1/torn": ('data: {"id": "Abc0dEf1gHi2', 'jKl3mNo4pQr5"}\n\n'),
    "/v1/broken": ("data: one\n\n", ""),
    "/v1/spelled": tuple(
        f"data: {json.dumps({'delta': token})}\n\n" for token in (SECRET[:6], SECRET[6:])
    ),
}


@dataclass
class Vendor:
    """A service that answers in every way; `go_on` lets a stream end."""

    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[web.BaseRequest] = field(default_factory=list)
    looks: int = 0

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request)
        if request.path in _STREAMS:
            return await self._stream(request, _STREAMS[request.path])
        if request.path == "/v1/echo":
            headers = {"Set-Cookie": f"s={SECRET}", "X-Request-Id": "req-1", "Retry-After": "3"}
            sent = (await request.read()).decode("utf-8", "replace")
            text = f"{sent} for {request.headers['Authorization']}"
            return web.json_response({"error": text}, status=429, headers=headers)
        if request.path == "/v1/queue":
            self.looks += 1
            return web.json_response({"looks": self.looks})
        if request.path == "/v1/moved":
            there = f"http://{request.host}/v1/result?Signature=abc"
            return web.Response(status=307, headers={"Location": there})
        if request.path in _DOCUMENTS:
            response = web.json_response(_DOCUMENTS[request.path])
            response.enable_compression(web.ContentCoding.gzip)  # although nobody asked for it
            return response
        mark = SECRET.encode() if request.path == "/v1/marked" else b""
        return web.Response(body=PICTURE + mark, content_type="image/png")

    async def _stream(self, request: web.Request, pieces: Sequence[str]) -> web.StreamResponse:
        """An empty piece breaks the connection."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(pieces[0].encode())
        await self.go_on.wait()
        for piece in pieces[1:]:
            if not piece and request.transport is not None:
                request.transport.abort()
                return response
            await response.write(piece.encode())
        return response


@dataclass
class Scene:
    """A vendor whose traffic is recorded into `path`."""

    path: Path
    vendor: Vendor = field(default_factory=Vendor)
    tape: Tape | None = None
    base: str = ""
    stop: Callable[[], Awaitable[None]] = field(init=False)

    @asynccontextmanager
    async def recorded(self) -> AsyncIterator[dict[str, str]]:
        """The URLs to use for the services `llm` and `router`, which are the same vendor."""
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self.vendor.answer)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        self.stop = runner.cleanup
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.base = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        services = {"llm": self.base, "router": self.base}
        head = Head(recorded="", program="0", command=("ask", SECRET), services=services)
        fetch = FakeFetch({RESULT: Blob(PICTURE, "image/png")})
        try:
            self.tape = Tape(self.path, head, Cleaner([SECRET, "ollama", ""]))
            async with open_proxies(Recording(self.tape, services, fetch)) as bases:
                yield dict(bases)
        finally:
            await self.stop()

    @asynccontextmanager
    async def replayed(self) -> AsyncIterator[tuple[dict[str, str], Deck]]:
        deck = Deck(self.path)
        async with open_proxies(Replay(deck, deck.head.services)) as bases:
            yield dict(bases), deck

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_text().splitlines()]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path / "evening.jsonl")


@pytest.fixture
async def client() -> AsyncIterator[ClientSession]:
    async with ClientSession(headers={"Authorization": f"Bearer {SECRET}"}) as session:
        yield session


async def _get(client: ClientSession, url: str, **more: Any) -> tuple[int, bytes]:
    async with client.get(url, allow_redirects=False, **more) as response:
        return response.status, await response.read()


async def _post(client: ClientSession, url: str, **body: Any) -> tuple[int, Any]:
    async with client.post(url, json=body) as response:
        return response.status, await response.json()


async def test_no_secret_is_in_the_file_wherever_it_was_sent(
    scene: Scene, client: ClientSession
) -> None:
    form = FormData({"words": SECRET})
    form.add_field("image", PICTURE + SECRET.encode(), filename="cat.png")
    async with scene.recorded() as bases:
        status, answer = await _post(client, f"{bases['llm']}/echo", **{SECRET: [f"my {SECRET}"]})
        await _get(client, f"{bases['llm']}/queue", params={"key": SECRET})
        await client.post(f"{bases['llm']}/echo", data=form)
        await _post(client, f"{bases['llm']}/echo", key="sk-proj-abc_DEF0123456789", who="ollama")
        await _get(client, f"{bases['llm']}/marked")

    text = scene.path.read_text()
    kept = scene.lines[1]["answer"]["headers"]
    assert (status, SECRET in answer["error"]) == (429, True)
    assert scene.tape is not None
    assert (scene.tape.count, scene.tape.refused) == (5, 0)
    assert scene.vendor.asked[0].headers["Authorization"] == f"Bearer {SECRET}"
    assert not [part for part in ("s3cr3t", "sk-proj") if part in text]
    assert ("ollama" in text, "req-1" in text, "Bearer" in text) == (True, False, True)
    assert kept == {"content-type": "application/json; charset=utf-8", "retry-after": "3"}
    assert scene.lines[0]["command"] == ["ask", "(secret)"]
    assert scene.lines[3]["request"]["base64"].startswith("sha256:")
    assert SECRET.encode() not in base64.b64decode(scene.lines[5]["answer"]["base64"])


@pytest.mark.parametrize(
    "text",
    [
        "my corp/key+s3cr3t",
        "?key=corp%2fkey%2Bs3cr3t",
        "?key=corp/key%2Bs3cr3t",
        r'data: {"delta": "corp\/key\u002bs3cr3t"}',
        r'data: {"delta": "\nhf_abcdefghijklmnopq"}',
        '"sk-proj-abc_DEF0123456789"',
    ],
)
def test_a_secret_is_removed_in_every_spelling(text: str) -> None:
    clean = Cleaner([SECRET]).clean(text)

    assert clean.count("(secret)") == 1
    assert len(clean) < len(text)
    assert not [part for part in ("s3cr3t", "hf_", "sk-") if part in clean]


_BODY = "Abc0dEf1gHi2jKl3mNo4pQr5sTu6vWx7yZ89"
KEYS = (
    SECRET,
    f"sk-proj-{_BODY}",
    f"sk-ant-api03-{_BODY}",
    f"ghp_{_BODY}",
    f"github_pat_11ABCDEFG0_{_BODY}",
    f"glpat-{_BODY[:20]}",
    f"xoxb-123456789012-{_BODY[:24]}",
    f"xapp-1-A012-{_BODY}",
    f"hf_{'abcdefgh' * 4}",
    f"AIzaSy{_BODY[:33]}",
    "AKIA" + "IOSFODNN7EXAMPLQ",
    f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.{_BODY}",
    f"MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.{_BODY[:27]}",
    f"110201543:{_BODY[:35]}",
    f"0123abcd-4567-89ef-0123-456789abcdef:{'0123456789abcdef' * 2}",
    "dapi" + "0123456789abcdef" * 2,
    "SK" + "0123456789abcdef" * 2,
    "AGE-SECRET-KEY-1" + "GFPYYSJZ" * 7,
    "https://hooks.slack.com/services/T0000/B0000/" + "x" * 24,
    f"https://discord.com/api/webhooks/123456789012345678/{_BODY}",
    f"unheard-of_{_BODY}",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIB\nabc\n-----END RSA PRIVATE KEY-----",
    "https://ann:swordfish@llm.example.com/v1",
    f"Authorization: Bearer {_BODY}",
    "Set-Cookie: session=swordfish; Path=/",
    '{"client_secret": "swordfish"}',
    "clientSecret=swordfish&a=b",
)


def _encode64(data: bytes) -> str:
    return base64.b64encode(data).decode()


ENCODINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "base64": lambda key: _encode64(key.encode()),
    "base64 in addresses": lambda key: base64.urlsafe_b64encode(key.encode()).decode().rstrip("="),
    "base64 with a user": lambda key: _encode64(f"ann:{key}".encode()),
    "base64 of base64": lambda key: _encode64(_encode64(key.encode()).encode()),
    "base64 of JSON": lambda key: _encode64(json.dumps({"a": 1, "it": key}).encode()),
    "base64 of gzip": lambda key: _encode64(gzip.compress(f"it is {key}".encode())),
    "base64 of much": lambda key: _encode64(f"{'x ' * 400}{key}{' y' * 400}".encode()),
    "base64 of UTF-16": lambda key: _encode64(key.encode("utf-16-le")),
    "base32": lambda key: base64.b32encode(key.encode()).decode(),
    "hexadecimal": lambda key: key.encode().hex(),
    "percent": lambda key: quote(key, safe=""),
    "percent twice": lambda key: quote(quote(key, safe=""), safe=""),
    "JSON": json.dumps,
    "JSON twice": lambda key: json.dumps(json.dumps(key)),
    "escapes": lambda key: "".join(f"\\u{ord(char):04x}" for char in key),
    "HTML": lambda key: "".join(f"&#{ord(char)};" for char in key),
}


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_key_of_any_vendor_is_removed_or_found_in_any_encoding(encoding: str) -> None:
    cleaner, encode = Cleaner([SECRET]), ENCODINGS[encoding]
    texts = [f'{{"words": "see {encode(key)} here"}}' for key in KEYS]

    cleaned = map(cleaner.clean, texts)

    kept = [text for text, clean in zip(texts, cleaned, strict=True) if text == clean]
    assert [text for text in kept if not cleaner.finds(text)] == []


def test_a_field_that_is_named_so_is_a_secret_whatever_it_looks_like() -> None:
    fields = {"api_key": "x", "X-Auth-Token": "y", "name": "z", "max_tokens": 5, "cookies": ["w"]}

    cleaned = Cleaner([]).clean_json(fields)

    kept = {"name": "z", "max_tokens": 5, "cookies": ["w"]}
    assert cleaned == {"api_key": "(secret)", "X-Auth-Token": "(secret)", **kept}


def test_a_url_is_kept_without_its_password_and_signature() -> None:
    clean = Cleaner([]).clean("https://ann:swordfish@llm.example.com:8443/v1/a%2Fb?Signature=abc")

    assert clean == "https://llm.example.com:8443/v1/a%2Fb"


@pytest.mark.parametrize(
    "text",
    [
        "task mask-generation-everything",
        "https://a.b/risk-of-anything",
        "Qwen/Qwen2.5-Coder-32B-Instruct-GGUF and stabilityai/stable-diffusion-xl-base-1.0",
        "chat.completion.chunk of gpt-4o-2024-08-06 at 2026-11-29T12:00:00.000000Z",
        "550e8400-e29b-41d4-a716-446655440000",
        '{"max_tokens": 4096, "token": "Hello", "logprob": -0.12345678901234567}',
        "Donaudampfschifffahrtsgesellschaft, Wav2Vec2ForCTC, 1234567890123456789",
        "send it as `Authorization: Bearer …`",
        _encode64(PICTURE),
    ],
)
def test_ordinary_words_and_files_are_no_secrets(text: str) -> None:
    cleaner = Cleaner(["ollama", "", "none"])

    assert cleaner.clean(text) == text
    assert not cleaner.finds(text)


async def test_a_form_is_replayed_whatever_its_boundary(
    scene: Scene, client: ClientSession
) -> None:
    forms = []
    for boundary in ("a1b2c3", "d4e5f6"):
        writer = MultipartWriter("form-data", boundary=boundary)
        writer.append(PICTURE)
        forms.append(writer)
    async with scene.recorded() as bases:
        await client.post(f"{bases['llm']}/queue", data=forms[0])

    async with scene.replayed() as (bases, deck):
        await client.post(f"{bases['llm']}/queue", data=forms[1])

    assert (deck.unused, deck.unmatched) == ([], [])


async def test_a_secret_spelled_in_tokens_is_not_recorded(
    scene: Scene, client: ClientSession
) -> None:
    scene.vendor.go_on.set()
    async with scene.recorded() as bases:
        await _get(client, f"{bases['llm']}/spelled")

    assert scene.tape is not None
    assert (scene.tape.count, scene.tape.refused) == (0, 1)
    assert len(scene.lines) == 1


async def test_a_key_in_two_pieces_of_a_stream_is_removed(
    scene: Scene, client: ClientSession
) -> None:
    scene.vendor.go_on.set()
    async with scene.recorded() as bases:
        await _get(client, f"{bases['llm']}/torn")

    chunks = [text for _, text in scene.lines[1]["answer"]["chunks"]]
    assert chunks == ['data: {"id": "(secret)"}\n\n']


async def test_the_person_behind_a_token_is_not_recorded(
    scene: Scene, client: ClientSession
) -> None:
    async with scene.recorded() as bases:
        origin = bases["llm"].removesuffix("/v1")
        _, answer = await _get(client, f"{origin}/api/whoami-v2")

    assert json.loads(answer)["name"] == "ann"
    assert "ann" not in scene.path.read_text()


async def test_a_stream_passes_piece_by_piece_and_is_played_in_the_same_pieces(
    scene: Scene, client: ClientSession
) -> None:
    async with scene.recorded() as bases, client.get(f"{bases['llm']}/stream") as response:
        first = await response.content.readany()
        scene.vendor.go_on.set()
        rest = await response.content.read()

    async with scene.replayed() as (bases, _):
        status, played = await _get(client, f"{bases['llm']}/stream")

    assert (first, rest.decode()) == (b"data: one\n\n", "data: zwölf\n\n")
    assert (status, played) == (200, first + rest)
    assert [text for _, text in scene.lines[1]["answer"]["chunks"]] == [
        "data: one\n\n",
        "data: zwölf\n\n",
    ]


async def test_a_broken_stream_breaks_off_again(scene: Scene, client: ClientSession) -> None:
    scene.vendor.go_on.set()
    async with scene.recorded() as bases:
        with pytest.raises(ClientError):
            await _get(client, f"{bases['llm']}/broken")

    async with scene.replayed() as (bases, _), client.get(f"{bases['llm']}/broken") as response:
        with pytest.raises(ClientError):
            await response.read()
    assert scene.lines[1]["answer"]["chunks"][0][1] == "data: one\n\n"


async def test_a_vendor_that_is_away_is_away_again(scene: Scene, client: ClientSession) -> None:
    async with scene.recorded() as bases:
        await scene.stop()
        with pytest.raises(ClientError):
            await _get(client, f"{bases['llm']}/x")

    async with scene.replayed() as (bases, _):
        with pytest.raises(ClientError):
            await _get(client, f"{bases['llm']}/x")


async def test_equal_requests_get_their_answers_in_order_the_last_one_again(
    scene: Scene, client: ClientSession
) -> None:
    async with scene.recorded() as bases:
        for _ in range(2):
            await _get(client, f"{bases['llm']}/queue")
        await _post(client, f"{bases['llm']}/queue", text="once")

    async with scene.replayed() as (bases, deck):
        looks = [json.loads((await _get(client, f"{bases['llm']}/queue"))[1]) for _ in range(3)]
        posts = [await _post(client, f"{bases['llm']}/queue", text="once") for _ in range(2)]

    assert [look["looks"] for look in looks] == [1, 2, 2]
    assert [status for status, _ in posts] == [200, 404]
    assert [report.partition(";")[0] for report in deck.unmatched] == ["llm POST /v1/queue"]
    assert deck.unmatched[0].endswith("all its answers are used")


async def test_a_changed_request_is_reported_and_answered_as_the_most_similar(
    scene: Scene, client: ClientSession
) -> None:
    async with scene.recorded() as bases:
        await _post(client, f"{bases['llm']}/queue", text="a plan for this request")
        await _post(client, f"{bases['llm']}/queue", text="an answer from these results")
        await _post(client, f"{bases['llm']}/queue", text="a score for this reply")

    changed = "an answer from these new results"
    async with scene.replayed() as (bases, deck):
        _, nearest = await _post(client, f"{bases['llm']}/queue", text=changed)
        elsewhere, _ = await _post(client, f"{bases['llm']}/result", text=changed)

    assert (nearest, elsewhere) == ({"looks": 2}, 404)
    assert (len(deck.unmatched), len(deck.unused)) == (2, 2)


async def test_an_unmatched_request_is_reported_with_the_nearest_one(
    scene: Scene, client: ClientSession
) -> None:
    async with scene.recorded() as bases:
        await _post(client, f"{bases['llm']}/queue", text="draw a cat")

    async with scene.replayed() as (bases, deck):
        await _post(client, f"{bases['llm']}/queue", text="draw a dog")

    (report,) = deck.unmatched
    assert report.startswith("llm POST /v1/queue; the nearest is llm POST /v1/queue: 'dog")
    assert "instead of 'cat" in report


async def test_files_that_a_provider_names_come_through_the_proxy(
    scene: Scene, client: ClientSession
) -> None:
    async with scene.recorded() as bases:
        _, answer = await _get(client, f"{bases['router']}/result")
        link = json.loads(answer)["images"][0]["url"]
        recorded = await _get(client, link)
        unnamed, _ = await _get(client, f"{bases[FILES]}/elsewhere.png")

    async with scene.replayed() as (bases, _):
        _, answer = await _get(client, f"{bases['router']}/result")
        played_link = json.loads(answer)["images"][0]["url"]
        played = await _get(client, played_link)

    assert link.startswith(bases[FILES].rpartition(":")[0])
    assert link.endswith("/files/cat.png?Signature=abc")
    assert json.loads(answer)["text"] == "see https://a.b c"
    assert recorded == played == (200, PICTURE)
    assert unnamed == 404
    assert "Signature" not in scene.path.read_text()


def _get_moved(client: ClientSession, bases: dict[str, str]) -> Any:
    return client.get(f"{bases['llm']}/moved", allow_redirects=False)


async def test_redirects_within_a_service_stay_within_its_proxy(
    scene: Scene, client: ClientSession
) -> None:
    async with scene.recorded() as bases, _get_moved(client, bases) as response:
        recorded = response.headers["Location"]
    async with scene.replayed() as (bases, _), _get_moved(client, bases) as response:
        played = response.headers["Location"]

    assert recorded == played == "/v1/result"
    assert "Signature" not in scene.path.read_text()


async def test_a_cassette_is_never_overwritten(scene: Scene) -> None:
    scene.path.write_text("precious")

    with pytest.raises(FileExistsError):
        async with scene.recorded():
            pass

    assert scene.path.read_text() == "precious"


@pytest.mark.parametrize("text", ["", "hello", '{"cassette": 2}', '{"some": "json"}'])
def test_what_is_no_cassette_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(text)

    with pytest.raises(ValueError, match=r"."):
        Deck(path)
