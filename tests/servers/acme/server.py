"""The server."""

import io
import wave
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from PIL import Image

from tests.servers.loopback import listen

_MODELS: Mapping[str, tuple[str, ...]] = {
    "acme/brush": ("text-to-image",),
    "acme/voice": ("text-to-speech",),
}


@dataclass
class AcmeServer:
    """Runs the tasks of its models, and keeps what it was asked."""

    key: str = ""
    models: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: dict(_MODELS))
    """The tasks of each model."""
    about: Mapping[str, str] = field(default_factory=dict)
    """What the list says of a model."""
    failures: list[int] = field(default_factory=list)
    """The statuses of the next calls, before they go well again."""
    asked: list[Mapping[str, Any]] = field(default_factory=list)
    base: str = ""

    def application(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/models", self._list)
        app.router.add_post("/run", self._run)
        return app

    async def _list(self, request: web.Request) -> web.Response:
        self._check_key(request)
        rows = [
            {"id": model, "tasks": [*tasks], "about": self.about.get(model, "")}
            for model, tasks in self.models.items()
        ]
        return web.json_response({"models": rows})

    async def _run(self, request: web.Request) -> web.Response:
        self._check_key(request)
        asked = await request.json()
        self.asked.append(asked)
        if self.failures:
            headers = {"Retry-After": "7"}
            return web.json_response({}, status=self.failures.pop(0), headers=headers)
        if asked["task"] not in self.models.get(asked["model"], ()):
            raise web.HTTPNotFound
        data, content_type = _make(asked["task"])
        return web.Response(body=data, content_type=content_type)

    def _check_key(self, request: web.Request) -> None:
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            raise web.HTTPUnauthorized


def _make(task: str) -> tuple[bytes, str]:
    """A result of a task, and its content type."""
    file = io.BytesIO()
    if task == "text-to-image":
        Image.new("RGB", (40, 30), "red").save(file, "PNG")
        return file.getvalue(), "image/png"
    if task == "text-to-speech":
        with wave.open(file, "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(8000)
            sound.writeframes(bytes(1600))
        return file.getvalue(), "audio/wav"
    return b"Done.", "text/plain"


@asynccontextmanager
async def acme_at_work(
    server: AcmeServer | None = None, *, port: int = 0
) -> AsyncIterator[AcmeServer]:
    """The server at work on loopback, at `base`."""
    server = server or AcmeServer()
    async with listen(server.application(), port) as server.base:
        yield server
