"""The server."""

import asyncio
import base64
import io
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from PIL import Image

from tests.servers.loopback import listen
from tests.servers.openai.faults import Fault, played

_MAX_BODY = 64 * 1024 * 1024
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
WAV = b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00@\x1f\x00\x00\x80>\x00\x00\x02\x00\x10\x00data\x00\x00\x00\x00"  # noqa: E501


@dataclass(frozen=True)
class Asked:
    """One call: where, with what (JSON, or the fields of a form), under which key, and from which
    port of the client.
    """

    path: str
    body: dict[str, Any]
    key: str = ""
    port: int = 0

    @property
    def texts(self) -> list[str]:
        """What the messages say, in their order."""
        return [_text(message["content"]) for message in self.body.get("messages", [])]

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    @property
    def tokens(self) -> int:
        """A count of the prompt's tokens, the schema included: words in pieces of four characters,
        signs by themselves.
        """
        told = self.text + json.dumps(self.body.get("response_format", ""))
        return len(re.findall(r"\w{1,4}|[^\w\s]", told))

    @property
    def limit(self) -> int:
        """The tokens that the reply may have."""
        limits = (self.body.get(name) for name in ("max_completion_tokens", "max_tokens"))
        return next((limit for limit in limits if limit is not None), 1_000_000)

    @property
    def images(self) -> int:
        return json.dumps(self.body.get("messages", [])).count('"image_url"') // 2


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


Reply = Callable[[Asked], str]
SEES = {"architecture": {"input_modalities": ["text", "image"]}}
"""What is listed of a model that takes pictures, so that none has to be tried."""


@dataclass
class OpenAiServer:
    """Answers what it is told to, after `latency` seconds and at `pace` tokens a second (0: at
    once).

    `replies` are given one after the other, then `reply` is asked. What stands in `refuses` is
    answered with 400: json_schema, json_object, stream_options, max_tokens, max_completion_tokens,
    images. `lacks` are paths with 404.
    """

    latency: float = 0.0
    pace: float = 0.0
    replies: list[str] = field(default_factory=list)
    reply: Reply = lambda _asked: "Hello!"
    refuses: set[str] = field(default_factory=set)
    lacks: set[str] = field(default_factory=set)
    models: list[dict[str, Any]] = field(
        default_factory=lambda: [{"id": name, **SEES} for name in ("played", "gpt-4.1-mini")]
    )
    sees: bool = True
    """Whether it looks at pictures, or leaves them out without a word."""
    holds: int = 0
    """The tokens of its context, 0 for any: a longer prompt is refused."""
    streams: bool = True
    delta: Callable[[str], dict[str, Any]] = lambda piece: {"content": piece}
    """How it writes a piece of a streamed reply."""
    thinks: int = 0
    """How many tokens it thinks before it says a word."""
    only_thinks: bool = False
    """Whether it sends everything as a thought, unless it is told not to think."""
    end: str = "stop"
    """Why its replies end."""
    pages: dict[str, Any] = field(default_factory=dict)
    """What else it tells, beside its API, by path."""
    down: bool = False
    """Whether it cannot list its models just now."""
    pages_down: bool = False
    """Whether it cannot show its other pages just now."""
    before_piece: Callable[[str], Awaitable[None]] | None = None
    """Awaited before each piece of a streamed reply, with the text that was sent before it."""
    counts: Callable[[str], int] | None = None
    """How it counts the tokens of a prompt."""
    asked: list[Asked] = field(default_factory=list)
    listed: int = 0
    painted: int = 0
    paints: str = "PNG"
    base: str = ""
    _faults: list[Fault] = field(default_factory=list)

    def goes_wrong(self, fault: Fault, *, times: int = 1) -> None:
        self._faults += [fault] * times

    def mended(self) -> None:
        """Nothing goes wrong any more."""
        self._faults.clear()

    @property
    def chats(self) -> list[Asked]:
        return [asked for asked in self.asked if asked.path.endswith("/chat/completions")]

    @property
    def prompt_tokens(self) -> int:
        return sum(asked.tokens for asked in self.chats)

    def application(self) -> web.Application:
        app = web.Application(client_max_size=_MAX_BODY)
        app.router.add_get("/v1/models", self.list_models)
        app.router.add_get("/{path:.+}", self._page)
        app.router.add_post("/v1/{path:.+}", self.answer)
        app.router.add_post("/{path:.+}", self._page)
        return app

    async def list_models(self, _request: web.Request) -> web.Response:
        if self.down:
            return web.json_response({}, status=503)
        self.listed += 1
        return web.json_response({"object": "list", "data": self.models})

    def _usage(self, asked: Asked, said: str) -> dict[str, int]:
        counted = self.counts(asked.text) if self.counts else asked.tokens
        return {"prompt_tokens": counted, "completion_tokens": len(said) // 4, "total_tokens": 0}

    async def _page(self, request: web.Request) -> web.Response:
        if self.pages_down:
            raise web.HTTPServiceUnavailable
        if request.path not in self.pages:
            raise web.HTTPNotFound
        return web.json_response(self.pages[request.path])

    async def answer(self, request: web.Request) -> web.StreamResponse:
        asked = await _asked(request)
        self.asked.append(asked)
        await asyncio.sleep(self.latency)
        if self._faults:
            return await played(self._faults.pop(0), request)
        path = request.path.removeprefix("/v1/")
        if path in self.lacks:
            return await played(Fault.GONE, request)
        if refusal := self.refusal(asked):
            return refusal
        return await self.make(path, asked, request)

    def refusal(self, asked: Asked) -> web.Response | None:
        """The refusal of what this server does not take."""
        if 0 < self.holds < asked.tokens:
            message = f"This model's maximum context length is {self.holds} tokens"
            return web.json_response({"error": {"message": message}}, status=400)
        if refused := self._refused(asked):
            message = f"Unsupported parameter: {refused}"
            return web.json_response({"error": {"message": message}}, status=400)
        return None

    async def make(self, path: str, asked: Asked, request: web.Request) -> web.StreamResponse:
        match path:
            case "images/generations" | "images/edits":
                if refused := _refused_size(asked.body):
                    return web.json_response({"error": {"message": refused}}, status=400)
                painted = self._paint(str(asked.body.get("size", "")))
                made = {"b64_json": base64.b64encode(painted).decode()}
                return web.json_response({"created": 1, "data": [made]})
            case "audio/speech":
                return web.Response(body=WAV, content_type="audio/wav")
            case "audio/transcriptions":
                return web.json_response({"text": self._said(asked)})
            case _ if asked.body.get("stream") and self.streams:
                return await self._stream(self._said(asked), asked, request)
            case _:
                message = {"role": "assistant", "content": self._said(asked)}
                choice = {"index": 0, "message": message, "finish_reason": "stop"}
                return web.json_response({"choices": [choice], "usage": self._usage(asked, "")})

    def _paint(self, size: str) -> bytes:
        """A picture of the size, each in another colour."""
        if not size:
            return PICTURE
        width, _, height = size.partition("x")
        sheet = io.BytesIO()
        self.painted += 1
        colour = (self.painted % 256, 80, 80)
        Image.new("RGB", (int(width), int(height)), colour).save(sheet, self.paints)
        return sheet.getvalue()

    def _said(self, asked: Asked) -> str:
        if self.sees and asked.images and asked.text.startswith("Two squares"):
            return _name_colours(asked)
        return self.replies.pop(0) if self.replies else self.reply(asked)

    def _refused(self, asked: Asked) -> str:
        body = asked.body
        form = body.get("response_format", "")
        sent = {
            form.get("type", "") if isinstance(form, dict) else form: "response_format",
            **{name: name for name in body},
            **({"images": "image_url"} if asked.images else {}),
        }
        return next((said for name, said in sent.items() if name in self.refuses), "")

    async def _stream(self, said: str, asked: Asked, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        pieces, end = written(said), self.end
        if not self.pace:
            pieces = [said[at : at + 200] for at in range(0, len(said), 200)]
        if self.thinks:
            thought: dict[str, Any] = {"choices": [{"delta": {"reasoning": "Hm."}}]}
            await response.write(f"data: {json.dumps(thought)}\n\n".encode())
            if self.thinks >= asked.limit:
                pieces, end = [], "length"
        began = asyncio.get_running_loop().time()
        for number, piece in enumerate(pieces, 1):
            if self.pace:
                due = began + number / self.pace
                await asyncio.sleep(due - asyncio.get_running_loop().time())
            if self.before_piece:
                await self.before_piece("".join(pieces[: number - 1]))
            is_thought = self.only_thinks and asked.body.get("reasoning_effort") != "none"
            delta = {"content": "", "reasoning": piece} if is_thought else self.delta(piece)
            chunk = {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
            await response.write(f"data: {json.dumps(chunk)}\n\n".encode())
        last: dict[str, Any] = {"choices": [{"index": 0, "delta": {}, "finish_reason": end}]}
        await response.write(f"data: {json.dumps(last)}\n\n".encode())
        if asked.body.get("stream_options"):
            usage = {"choices": [], "usage": self._usage(asked, said)}
            await response.write(f"data: {json.dumps(usage)}\n\n".encode())
        await response.write(b"data: [DONE]\n\n")
        return response


def _name_colours(asked: Asked) -> str:
    """The colours of the left and of the right half of the picture."""
    encoded = re.findall(r"base64,([A-Za-z0-9+/=]+)", json.dumps(asked.body["messages"]))[-1]
    picture = Image.open(io.BytesIO(base64.b64decode(encoded))).convert("RGB")
    names = {(255, 0, 0): "red", (0, 0, 255): "blue"}
    middle = picture.height // 2
    points = (picture.getpixel((picture.width * part // 4, middle)) for part in (1, 3))
    return ", ".join(names.get(point, "grey") for point in points)  # type: ignore[arg-type]


def _refused_size(body: dict[str, Any]) -> str:
    """Models of the first generation make three sizes."""
    sizes = ("1024x1024", "1536x1024", "1024x1536", "auto")
    is_first = str(body.get("model")).startswith("gpt-image-1")
    return "invalid size" if is_first and body.get("size", "auto") not in sizes else ""


def written(text: str) -> list[str]:
    """A text in pieces about as large as a language model's tokens."""
    return re.findall(r" ?[^\W\d_]{1,9}|\d{1,3}|[^\w\s]{1,3}|_|\s+", text)


async def _asked(request: web.Request) -> Asked:
    key = request.headers.get("Authorization", "").removeprefix("Bearer ")
    assert request.transport is not None
    port = request.transport.get_extra_info("peername")[1]
    if request.content_type == "application/json":
        return Asked(request.path, await request.json(), key, port)
    form = await request.post()
    fields = {
        name: value.filename if isinstance(value, web.FileField) else str(value)
        for name, value in form.items()
    }
    fields |= {name: f"{len(form.getall(name))} files" for name in fields if name.endswith("[]")}
    return Asked(request.path, fields, key)


@asynccontextmanager
async def openai_at_work(
    server: OpenAiServer | None = None, *, port: int = 0
) -> AsyncIterator[OpenAiServer]:
    """The server at work on loopback, at `base`."""
    server = server or OpenAiServer()
    async with listen(server.application(), port) as address:
        server.base = f"{address}/v1"
        yield server
