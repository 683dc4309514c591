"""Providers behind the router, each answering in its own words: at once, with a queue, by
addresses, in base64.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from PIL import Image

from tests.servers.experts.answers import File, film, png, sound, text64


def _paint(colour: tuple[int, int, int], size: tuple[int, int] = (40, 30)) -> File:
    return png(Image.new("RGB", size, colour))


def _cut_out() -> File:
    """A dark square whose left half is transparent."""
    image = Image.new("RGBA", (40, 30), (10, 10, 10, 0))
    image.paste((10, 10, 10, 255), (20, 0, 40, 30))
    return png(image)


_RED = (200, 40, 40)


FILES = {
    "cutout.png": _cut_out(),
    "picture.png": _paint(_RED),
    "tone.wav": sound("tone"),
    "film.mp4": film(),
    "words.txt": File(b"Hello\n", "text/plain"),
}


@dataclass(frozen=True)
class Told:
    """One call of a provider, as it came."""

    method: str
    provider: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        return json.loads(self.body)


@dataclass
class Providers:
    """Queues take `looks` looks until a job is done; `refuses` answers with a status instead."""

    looks: int = 2
    ends: str = ""
    """How queued jobs end instead of well, in the provider's word."""
    result_host: str = ""
    refuses: dict[str, int] = field(default_factory=dict)
    hears: str = ""
    """"file": transcripts come as files."""
    is_heard: bool = False
    stumbles: int = 0
    """How many looks at a queue go wrong first."""
    told: list[Told] = field(default_factory=list)

    def routes(self) -> list[web.RouteDef]:
        names = ("fal-ai", "replicate", "together", "wavespeed", "zai-org", "nscale", "deepinfra")
        return [
            web.get("/results/{name}", self._file),
            *(web.route("*", f"/{name}/{{path:.+}}", self._answer) for name in names),
        ]

    async def _file(self, request: web.Request) -> web.Response:
        file = FILES[request.match_info["name"]]
        if size := request.query.get("size"):
            width, height, seed = map(int, size.split("-"))
            file = _paint((seed % 256, 80, 80), (width, height))
        return web.Response(body=file.data, content_type=file.media_type)

    async def _answer(self, request: web.Request) -> web.Response:
        provider = request.path.split("/")[1]
        told = Told(
            method=request.method,
            provider=provider,
            path=str(request.rel_url).removeprefix(f"/{provider}"),
            headers=request.headers,
            body=await request.read(),
        )
        self.told.append(told)
        if provider in self.refuses:
            return web.json_response({"error": "no"}, status=self.refuses[provider])
        if told.method == "POST" and (refusal := self.refusal(told)):
            return refusal
        if request.method == "GET" and self.stumbles:
            self.stumbles -= 1
            return web.json_response({"error": "later"}, status=503)
        base = self.result_host or f"{request.url.origin()}"
        made = _ANSWERS[provider](self, told, base)
        return made if isinstance(made, web.Response) else web.json_response(made)

    def refusal(self, _told: Told) -> web.Response | None:
        """The refusal of what a provider does not serve; None: it serves everything."""
        return None

    def over(self) -> bool:
        """One more look at a queue: whether the job is done by now."""
        self.looks -= 1
        return self.looks < 0


Answer = Mapping[str, Any] | web.Response


def _fal(played: Providers, told: Told, base: str) -> Answer:
    film = "video" in told.path
    shown: Answer = (
        {"video": {"url": f"{base}/results/film.mp4"}}
        if film
        else {"images": [{"url": f"{base}/results/picture.png{_describe(told)}"}]}
    )
    if "rembg" in told.path:
        shown = {"image": {"url": f"{base}/results/cutout.png"}}
    if told.method == "PUT":
        return {"status": "CANCELLATION_REQUESTED"}
    if "/status" in told.path:
        done = played.over()
        word = (played.ends or "COMPLETED") if done else "IN_QUEUE"
        return {"status": word, "queue_position": played.looks + 1}
    if told.method == "POST" and "_subdomain=queue" in told.path:
        model = told.path.partition("?")[0]
        where = f"https://queue.fal.run{model}/requests/r1"
        return {"request_id": "r1", "status": "IN_QUEUE", "response_url": where}
    if "audio_url" in (json.loads(told.body) if told.body else {}):
        return {"text": " Hello there. "}
    if "text" in (json.loads(told.body) if told.body else {}):
        return {"audio": {"url": f"{base}/results/tone.wav"}}
    return shown


def _describe(told: Told) -> str:
    """The size and seed that a picture was asked for with."""
    body = told.document if told.body else {}
    size = body.get("image_size")
    return f"?size={size['width']}-{size['height']}-{body.get('seed', 0)}" if size else ""


def _replicate(played: Providers, told: Told, base: str) -> Answer:
    job = {
        "id": "p1",
        "urls": {
            "get": "https://api.replicate.com/v1/predictions/p1",
            "cancel": "https://api.replicate.com/v1/predictions/p1/cancel",
        },
    }
    if told.path.endswith("/cancel"):
        return {**job, "status": "canceled"}
    if told.method == "POST" and "audio" in json.loads(told.body)["input"]:
        played.is_heard = True
    if played.over():
        picture_url, text_url = f"{base}/results/picture.png", f"{base}/results/words.txt"
        heard = {"file": {"txt_file": text_url}}.get(played.hears, [{"transcription": "Hello"}])
        output = heard if played.is_heard else [picture_url]
        return {**job, "status": "succeeded", "output": output}
    return {**job, "status": "processing", "output": None}


def _together(played: Providers, told: Told, base: str) -> Answer:
    if told.path.endswith("/chat/completions"):
        said = {"role": "assistant", "content": " A red square. "}
        usage = {"prompt_tokens": 1000, "completion_tokens": 500}
        return {"choices": [{"message": said}], "usage": usage}
    if told.path.endswith("/audio/speech"):
        return web.Response(body=FILES["tone.wav"].data, content_type="audio/wav")
    if told.path.endswith("/embeddings"):
        return {"data": [{"embedding": [0.5, 1]}]}
    if told.path.startswith("/v2/videos"):
        if told.method == "GET" and played.over():
            url = f"{base}/results/film.mp4"
            return {"id": "v1", "status": "completed", "outputs": {"video_url": url}}
        return {"id": "v1"} if told.method == "POST" else {"id": "v1", "status": "queued"}
    return {"data": [{"b64_json": text64(FILES["picture.png"])}]}


def _wavespeed(played: Providers, told: Told, base: str) -> Answer:
    job = {"urls": {"get": "https://api.wavespeed.ai/api/v3/predictions/w1/result"}}
    if told.method == "GET" and played.over():
        done = {"status": "completed", "outputs": [f"{base}/results/picture.png"]}
        return {"data": {**job, **done}}
    return {"data": {**job, "status": "created"}}


def _zai(played: Providers, told: Told, base: str) -> Answer:
    if told.method == "GET" and played.over():
        url = f"{base}/results/picture.png"
        return {"id": "z1", "task_status": "SUCCESS", "image_result": [{"url": url}]}
    return {"id": "z1", "task_status": "PROCESSING"}


def _deepinfra(_played: Providers, _told: Told, _base: str) -> Answer:
    return {"text": "Hello there."}


_ANSWERS: Mapping[str, Callable[[Providers, Told, str], Answer]] = {
    "fal-ai": _fal,
    "replicate": _replicate,
    "together": _together,
    "nscale": _together,
    "wavespeed": _wavespeed,
    "zai-org": _zai,
    "deepinfra": _deepinfra,
}
