"""The server: `POST /models/{id}`, as Hugging Face's inference has it, at the root and where the
Hub's router has it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from tests.servers.experts.answers import ANSWERS, Asked, File, Play
from tests.servers.experts.faults import Fault, played
from tests.servers.loopback import listen

_MAX_BODY = 64 * 1024 * 1024
EVER = 1_000_000


@dataclass
class ExpertServer:
    """Answers as its rows say after `latency` seconds, goes wrong when told to, and keeps what it
    was asked.

    `kinds` says which model does what; by default there is one model of each kind, such as
    "played/summarization".
    """

    latency: float = 0.0
    kinds: dict[str, str] = field(
        default_factory=lambda: {f"played/{kind}": kind for kind in ANSWERS}
    )
    answers: dict[str, Play] = field(default_factory=lambda: dict(ANSWERS))
    asked: list[Asked] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    base: str = ""
    quiet: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while no call is under way."""
    _faults: list[tuple[str, Fault, int]] = field(default_factory=list)

    def goes_wrong(self, fault: Fault, *, on: str = "", times: int = 1) -> None:
        """The next `times` calls go wrong; `on` a model or a kind, "" on any."""
        self._faults.append((on, fault, times))

    def mended(self) -> None:
        """Nothing goes wrong any more."""
        self._faults.clear()

    def calls(self, kind: str) -> list[Asked]:
        return [asked for asked in self.asked if asked.kind == kind]

    def application(self) -> web.Application:
        app = web.Application(client_max_size=_MAX_BODY)
        app.router.add_get("/health", self._health)
        app.router.add_get("/models", self._models)
        app.router.add_post("/models/{model:.+}", self._answer)
        app.router.add_post("/hf-inference/models/{model:.+}", self._answer)
        return app

    async def _health(self, _request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def _models(self, _request: web.Request) -> web.Response:
        rows = [{"id": model, "pipeline_tag": kind} for model, kind in self.kinds.items()]
        return web.json_response(rows)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        model, _, named = request.match_info["model"].partition("/pipeline/")
        kind = named or self.kinds.get(model, "")
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        body = await request.read()
        may_repeat = request.headers.get("X-Use-Cache") != "false"
        asked = Asked(
            model=model,
            kind=kind,
            media_type=request.content_type,
            body=body,
            token=token,
            may_repeat=may_repeat,
            model_in_header=request.headers.get("serve-multiplexed-model-id", ""),
        )
        self.asked.append(asked)
        self.at_once += 1
        self.quiet.clear()
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self._played(asked, request)
        finally:
            self.at_once -= 1
            if not self.at_once:
                self.quiet.set()

    async def _played(self, asked: Asked, request: web.Request) -> web.StreamResponse:
        if fault := self._fault(asked):
            return await played(fault, request)
        if asked.kind not in self.answers:
            return await played(Fault.GONE, request)
        await asyncio.sleep(self.latency)
        made = self.answers[asked.kind](asked)
        if isinstance(made, File):
            return web.Response(body=made.data, content_type=made.media_type)
        return web.json_response(made)

    def _fault(self, asked: Asked) -> Fault | None:
        for place, (on, fault, times) in enumerate(self._faults):
            if times and on in ("", asked.model, asked.kind):
                self._faults[place] = (on, fault, times - 1)
                return fault
        return None


@asynccontextmanager
async def experts_at_work(
    server: ExpertServer | None = None, *, port: int = 0
) -> AsyncIterator[ExpertServer]:
    """The server at work on loopback, at `base`."""
    server = server or ExpertServer()
    async with listen(server.application(), port, handler_cancellation=True) as server.base:
        yield server
