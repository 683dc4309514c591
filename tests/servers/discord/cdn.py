"""The file host: attachments at signed addresses, and what can go wrong there."""

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from aiohttp import web

from tests.servers.discord.faults import File
from tests.servers.discord.values import Upload
from tests.servers.discord.world import World

HUGE = 2 << 30
SIGNED = "cafe"
PIECE = b"\0" * (64 << 10)


@dataclass(slots=True)
class Cdn:
    """Serves what people attached."""

    world: World
    asked: list[int] = field(default_factory=list)

    def add_to(self, app: web.Application) -> None:
        app.router.add_get("/attachments/{channel}/{upload}/{name}", self.serve)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        number = int(request.match_info["upload"])
        self.asked.append(number)
        if "Authorization" in request.headers:
            self.world.blame("GET attachment", "the bot's token was sent to the file host")
        upload = self._find(int(request.match_info["channel"]), number)
        if upload is None or _unsigned(request):
            return web.Response(status=404, text="This content is no longer available.")
        fault = self.world.faults.of_file(number)
        if fault is not None:
            return await self._misbehave(request, fault)
        return web.Response(body=upload.body, content_type=upload.media_type)

    def _find(self, place: int, number: int) -> Upload | None:
        channel = self.world.channels.get(place)
        said = channel.messages.values() if channel else ()
        every = (
            u for m in said for u in [*m.uploads, *(s for n in m.snapshots for s in n.uploads)]
        )
        return next((upload for upload in every if upload.id == number), None)

    async def _misbehave(self, request: web.Request, fault: File) -> web.StreamResponse:
        if fault is File.HTML:
            return web.Response(
                text="<!doctype html><title>Sign in</title>", content_type="text/html"
            )
        if fault is File.REDIRECT:
            raise web.HTTPFound(self.world.faults.elsewhere)
        if fault is File.GONE:
            return web.Response(status=404)
        headers = {"Content-Length": str(HUGE), "Content-Type": "image/png"}
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        async for piece in _endless():
            await response.write(piece)
        return response


def _unsigned(request: web.Request) -> bool:
    """Whether the address is not signed, or was not signed for so late a moment."""
    until = int(request.query.get("ex", "0"), 16)
    return request.query.get("hm") != SIGNED or until < time.time()


async def _endless() -> AsyncIterator[bytes]:
    for _ in range(HUGE // len(PIECE)):
        yield PIECE
