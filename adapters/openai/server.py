"""An OpenAI-compatible server, and what it can do: asked of it or tried once, remembered here."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import httpx2
import openai
from openai import AsyncOpenAI, AsyncStream

from adapters.openai.errors import CAUGHT, NO_CREDIT, REQUEST_REFUSED, classify, parse_retry_after
from pipeline.errors import LlmUnavailable

Row = Mapping[str, Any]
Ladder = Mapping[str, Mapping[str, Any]]
"""Options of which one is sent, the best first: their names, and the fields of the request."""

CAREFUL_SIZE = 16_384
_OPENAI_SIZE = 128_000
"""What each of OpenAI's current models holds at least. Its API does not say."""
_OLLAMA_SIZE = 4_096
"""What Ollama gives a model on most machines. It cuts a longer prompt at the top, silently."""
_SIZE_FIELDS = (
    *("context_length", "context_window"),  # routers; Ollama
    *("n_ctx", "n_ctx_train"),  # llama.cpp
    *("loaded_context_length", "max_context_length"),  # LM Studio
    "max_model_len",  # vLLM
)
_SIZE_PAGES = ("/api/ps", "/props", "/api/v0/models")
"""Where Ollama, llama.cpp and LM Studio say with how much context they loaded a model."""
_ASK_SECONDS = 2.0
_CONNECT_SECONDS = 5.0
_MAX_BYTES = 64 << 20
_load_certificates = cache(httpx2.create_ssl_context)
"""Reading them takes a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a language model is reached.

    An empty `base_url` means OpenAI's own. `context` is in tokens; 0 asks the endpoint. `seconds`
    is the deadline of one call including its retries.
    """

    model: str
    base_url: str = ""
    key: str = field(default="", repr=False)
    seconds: float = 60.0
    context: int = 0
    sees_images: bool = True


@asynccontextmanager
async def open_server(endpoint: Endpoint) -> AsyncIterator["Server"]:
    """A server that was asked what it can do, with one client for all calls to it."""
    timeout = httpx2.Timeout(endpoint.seconds, connect=min(_CONNECT_SECONDS, endpoint.seconds))
    async with httpx2.AsyncClient(
        timeout=timeout,
        verify=_load_certificates(),
        event_hooks={"response": [partial(_check, endpoint.seconds)]},
    ) as http:
        client = AsyncOpenAI(
            api_key=endpoint.key or "none",
            base_url=endpoint.base_url or None,
            timeout=timeout,
            http_client=http,
        )
        server = Server(client, endpoint)
        await server.ask()
        yield server


class Server:
    """One endpoint, its client, and what is known of it.

    `models` are the rows of its list of models, None until it has answered.
    """

    def __init__(self, client: AsyncOpenAI, endpoint: Endpoint) -> None:
        self.client = client
        self.endpoint = endpoint
        self.models: Sequence[Row] | None = None
        self._size = endpoint.context or (0 if endpoint.base_url else _OPENAI_SIZE)
        self._size_is_final = bool(self._size)
        self._refused: frozenset[str] = frozenset()

    @property
    def context_size(self) -> int:
        """In tokens, as far as it is known."""
        return self._size or CAREFUL_SIZE

    async def ask(self) -> None:
        """Ask it for what is not known yet: its models, and the size of the context."""
        if self.models is None:
            self.models = await self._list_models()
        if self.models is not None and not self._size_is_final:
            await self._find_size(self.models)

    async def stream_chat(
        self, body: Mapping[str, Any], ladders: Sequence[Ladder], *, retries: int
    ) -> AsyncStream[object]:
        """Start a chat with the best options that the server takes. Raises one of CAUGHT.

        A refused option is left out, and stays out once a call without it has been answered.
        """
        refused = self._refused
        while True:
            options = _choose(ladders, refused)
            fields = {key: value for option in options.values() for key, value in option.items()}
            try:
                stream = await self._post({**body, **fields}, retries)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if not options or classify(error) is not REQUEST_REFUSED:
                    raise
                refused |= {_find_refused(options, error.message)}
            else:
                self._refused = refused
                return stream

    async def _post(self, body: Mapping[str, Any], retries: int) -> AsyncStream[object]:
        # A plain post: building the SDK's typed models costs more than the rest of a call.
        return await self.client.post(
            "/chat/completions",
            cast_to=object,
            body=body,
            options={"max_retries": retries},
            stream=True,
            stream_cls=AsyncStream[object],
        )

    async def _list_models(self) -> Sequence[Row] | None:
        """Empty where the server has no such list; None when it is down."""
        try:
            page = await self._get("/models")
        except CAUGHT as error:
            return None if classify(error)[0] is LlmUnavailable else ()
        rows = page.get("data") if isinstance(page, dict) else None
        return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else ()

    async def _find_size(self, models: Sequence[Row]) -> None:
        """The smallest size that the server names. Ollama names it once the model is loaded."""
        pages = []
        for path in _SIZE_PAGES:
            with suppress(*CAUGHT):
                url = self.client.base_url.copy_with(raw_path=path.encode())
                pages.append(await self._get(str(url)))
        size = min(_find_sizes([*models, *pages], self.endpoint.model), default=0)
        is_ollama = any(isinstance(page, dict) and "models" in page for page in pages)
        self._size = size or (_OLLAMA_SIZE if is_ollama else CAREFUL_SIZE)
        self._size_is_final = bool(size) or not is_ollama

    async def _get(self, url: str) -> object:
        response = await self.client.get(
            url,
            cast_to=httpx2.Response,
            options={"timeout": _ASK_SECONDS, "max_retries": 0},
        )
        page: object = response.json()
        return page


def _choose(ladders: Sequence[Ladder], refused: frozenset[str]) -> dict[str, Mapping[str, Any]]:
    """Of each ladder the first option that was not refused."""
    options = {}
    for ladder in ladders:
        if name := next((name for name in ladder if name not in refused), ""):
            options[name] = ladder[name]
    return options


def _find_refused(options: Mapping[str, Mapping[str, Any]], message: str) -> str:
    """The option that a refusal names, else the first, which servers lack most often."""
    named = (name for name in options if any(word in message for word in (name, *options[name])))
    return next(named, next(iter(options)))


def _find_sizes(pages: Sequence[object], model: str) -> Iterator[int]:
    """All sizes that the pages state of a model, however deep."""
    left = list(pages)
    while left:
        value = left.pop()
        if isinstance(value, list):
            left += value
        elif isinstance(value, dict) and _is_about(value, model):
            sizes = (value.get(name) for name in _SIZE_FIELDS)
            yield from (size for size in sizes if type(size) is int and size > 0)
            left += value.values()


def _is_about(row: Row, model: str) -> bool:
    """Whether a row is not another model's, by id or, at Ollama, by name."""
    name = row.get("id", row.get("name"))
    return not isinstance(name, str) or name in (model, f"{model}:latest")


async def _check(seconds: float, response: httpx2.Response) -> None:
    """Bound the body, which the SDK does not, and stop retries that cannot help."""
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _BoundedStream(response.stream)
    if response.status_code == httpx2.codes.TOO_MANY_REQUESTS:
        is_too_long = (parse_retry_after(response.headers) or 0) >= seconds
        if is_too_long or NO_CREDIT.encode() in await response.aread():
            response.headers["x-should-retry"] = "false"


class _BoundedStream(httpx2.AsyncByteStream):
    """The bytes of a response. Raises ValueError for more than any model sends."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = _MAX_BYTES
        async for chunk in self._stream:
            left -= len(chunk)
            if left < 0:
                raise ValueError("a response without end")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
