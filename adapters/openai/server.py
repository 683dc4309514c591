"""An OpenAI-compatible server, and what it can do: asked of it or tried once, remembered here."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any

import httpx2
import openai
import structlog
from openai import AsyncOpenAI, AsyncStream, DefaultAioHttpClient
from openai._vendor.httpx_aiohttp.transport import AiohttpTransport

from adapters.model_list import Offer, Row, find_sight, list_offers, parse_price, read_rows
from adapters.network.certificates import load_trust
from adapters.network.connections import open_session
from adapters.network.proxies import DIRECT, Network
from adapters.openai.context_sizes import CAREFUL_SIZE, OLLAMA_SIZE, OPENAI_SIZE, find_sizes
from adapters.openai.errors import CAUGHT, MODEL_GONE, REQUEST_REFUSED, classify
from adapters.openai.models import choose_offer, is_seeing_by_name
from adapters.openai.options import Ladder, choose_options, find_named
from adapters.openai.responses import END, BoundedStream, check_response
from adapters.openai.sight_check import PICTURE_MESSAGE, TRY_SECONDS, read_colours
from pipeline.domain import ModelCall, Price
from pipeline.errors import does_pass
from pipeline.metering import note_call
from pipeline.pictures import PICTURE_TOKENS
from pipeline.ports import Prompt
from pipeline.prompts import OVERESTIMATE, tokens
from pipeline.selection.curated import is_chat_model
from pipeline.selection.known_models import load_known, matches_any

log = structlog.get_logger()
_PAGES = {"/api/ps": "ollama", "/props": "llama.cpp", "/api/v0/models": "lm studio"}
"""Where Ollama, llama.cpp and LM Studio say how they loaded a model."""
_RETRIES = "x-stainless-retry-count"
"""The SDK says with each request how often it tried before."""
_ASK_ONCE: Any = {"timeout": 2.0, "max_retries": 0}
_TRY_AGAIN_SECONDS = 600.0
"""How long no more pictures are tried after `_MAX_TRIALS` that led to nothing."""
_MAX_TRIALS = 3
_KEPT_SECONDS = 60.0
"""For unused connections: the calls of one message are up to a minute apart."""
_SURE_SHARE = 0.95
"""Share of the context that is used: token counts are estimates."""
_SHORTEST_REPLY = 256
"""Tokens that are asked for even if the context seems full."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a language model is reached.

    An empty `base_url` means OpenAI's own. `context` is in tokens; 0 asks the endpoint. `seconds`
    is the deadline of one call including its retries. `sees_images`: None asks or tries.
    """

    model: str
    base_url: str = ""
    _: KW_ONLY
    key: str = field(default="", repr=False)
    seconds: float = 60.0
    context: int = 0
    sees_images: bool | None = None
    alternatives: tuple[str, ...] = ()
    """What a router may use if it does not serve `model`, and for pictures; the best first."""
    is_guess: bool = False
    """Whether nobody chose `model`: it is what a server is asked for that lists none."""
    may_use: Callable[[str], bool] = lambda _model: False
    """Whether another model may be used where none of these is served."""
    providers: tuple[str, ...] = ()
    """The only providers that a router may use; empty means any."""
    network: Network = DIRECT


@asynccontextmanager
async def open_server(endpoint: Endpoint) -> AsyncIterator["Server"]:
    """A server that was asked what it can do, with one client for all calls to it."""
    session = open_session(endpoint.network, seconds=None, keepalive_timeout=_KEPT_SECONDS)
    async with DefaultAioHttpClient(
        # The SDK's transport is not public, but a client without it opens a session of its own.
        transport=AiohttpTransport(
            client=session, verify=load_trust(endpoint.network.certificates), trust_env=False
        ),
        timeout=endpoint.seconds,
        follow_redirects=False,
        event_hooks={"response": [partial(check_response, endpoint.seconds)]},
    ) as http:
        client = AsyncOpenAI(
            api_key=endpoint.key or "none",
            base_url=endpoint.base_url or None,
            timeout=endpoint.seconds,
            http_client=http,
        )
        server = Server(client, endpoint)
        await server.ask()
        yield server


class Server:
    """One endpoint, its client, and what is known of it.

    `model` plans and answers. `seeing_model` gets the prompts with pictures; "" if there is none.
    `models` are the rows of the server's list. `engine`: what kind of server it is, "" if unknown.
    `is_size_told`: whether `context_size` is set or told by the server, or else assumed.
    `thoughtless`: the models that are asked not to think.
    """

    def __init__(self, client: AsyncOpenAI, endpoint: Endpoint) -> None:
        self.client = client
        self.endpoint = endpoint
        self.model = _restrict(endpoint)
        self.seeing_model = self.model if endpoint.sees_images else ""
        self.models: Sequence[Row] = ()
        self.engine = ""
        self._offers: Sequence[Offer] = ()
        self._is_listed = self._is_away = False
        self._failed_model = ""
        self._size = endpoint.context or (0 if endpoint.base_url else OPENAI_SIZE)
        self._size_is_final, self.is_size_told = bool(self._size), True
        self._sight_is_final = endpoint.sees_images is not None
        self._trials, self._tried_at = _MAX_TRIALS, 0.0
        self._refused: dict[str, frozenset[str]] = {}
        self._ending = set[str]()
        self._unopened: dict[str, bool] = {}
        self.thoughtless = set[str]()

    @property
    def context_size(self) -> int:
        """The context size in tokens, as far as it is known."""
        return self._size or CAREFUL_SIZE

    def name_model(self, model: str) -> str:
        """What people are told of a model: of a guess that no list confirms, only the server."""
        is_known = not self.endpoint.is_guess or model != _restrict(self.endpoint)
        if is_known or _find_rows(self.models, model):
            return model
        return self.client.base_url.netloc.decode("ascii")

    def is_unlisted(self, model: str) -> bool:
        """Whether the server has a list of models that lacks this one."""
        return bool(self.models) and not _find_rows(self.models, model)

    def limit_reply(self, prompt: Prompt) -> int:
        """The tokens that a reply may have: servers refuse more than their context has left."""
        if not self._size:
            return prompt.max_tokens
        images = sum(len(message.images) for message in prompt.messages) * PICTURE_TOKENS
        told = sum(tokens(message.text) for message in prompt.messages) / OVERESTIMATE + images
        left = int(self._size * _SURE_SHARE - told)
        return min(prompt.max_tokens, max(left, _SHORTEST_REPLY))

    def find_price(self, model: str) -> Price | None:
        """The price of a model in the server's list."""
        offers = (offer.price for offer in self._offers if offer.id == model)
        rows = (parse_price(row) for row in self.models if row.get("id") == model)
        return next(offers, None) or next(rows, None)

    def avoid(self, model: str) -> bool:
        """After a failure: `ask` will choose another provider. False if this is no router's."""
        is_offer = any(offer.id == model for offer in self._offers)
        if is_offer:
            self._failed_model, self._is_listed = model, False
        return is_offer

    async def ask(self) -> None:
        """Ask the server for its models, its context size and whether it sees, if not known yet."""
        if not self._is_listed:
            rows = await self._list_models()
            if rows is None:
                return
            self.models, self._is_listed = rows, True
            self._choose_models()
            if self._offers:
                log.info("language model chosen", model=self.model, for_pictures=self.seeing_model)
        if not (self._size_is_final and self._sight_is_final):
            await self._look_closer()

    async def is_at(self, base: str) -> bool:
        """Whether another base URL has a list of models."""
        try:
            return bool(read_rows(await self._get(f"{base}/models")))
        except CAUGHT:
            return False

    def _choose_models(self) -> None:
        """Choose from the list: at a router the best offers, elsewhere the model that is set."""
        self._offers = tuple(list_offers(self.models, self.endpoint.providers))
        offer = self._choose_offer(self._offers)
        self.model = offer.id if offer else self._find_listed()
        if offer and offer.context and not self.endpoint.context:
            self._size, self._size_is_final = offer.context, True
        sees = self.endpoint.sees_images
        if sees is None:
            sees = find_sight(_find_rows(self.models, self.model))
        if sees is None and not self.endpoint.base_url:
            sees = is_seeing_by_name(self.model)
        self._set_sight(sees=sees)

    def _find_listed(self) -> str:
        """The configured model; if a self-hosted server lacks it, the first chat model it lists."""
        name, listed = _restrict(self.endpoint), [str(row.get("id", "")) for row in self.models]
        if name in listed or not self.endpoint.base_url or self._offers:
            return name
        return next(
            (each for each in listed if self.endpoint.may_use(each) and is_chat_model(each)), name
        )

    def _choose_offer(self, offers: Sequence[Offer]) -> Offer | None:
        names = (self.endpoint.model, *self.endpoint.alternatives)
        return choose_offer(offers, names, self.endpoint.may_use, self._failed_model)

    def _set_sight(self, *, sees: bool | None) -> None:
        self._sight_is_final = sees is not None
        self.seeing_model = self.model if sees else ""
        if sees is False and self.endpoint.sees_images is None:
            offer = self._choose_offer([offer for offer in self._offers if offer.is_seeing])
            self.seeing_model = offer.id if offer else ""

    async def doubt_sight(self) -> None:
        """After a refusal: find out whether the model takes a picture at all."""
        if await self._try_picture(self.seeing_model) is False:
            self.seeing_model, self._sight_is_final = "", True

    async def _look_closer(self) -> None:
        """Ask other known addresses for what the list does not say; finally, try a picture.

        What could not be asked, because the server is away, is asked again later.
        """
        self._is_away = False
        found = {path: page for path in _PAGES if (page := await self._find_page(path)) is not None}
        self.engine, pages = next((_PAGES[path] for path in found), ""), [*found.values()]
        is_ollama = any(isinstance(page, dict) and "models" in page for page in pages)
        if not self._size_is_final:
            size = min(find_sizes([*self.models, *pages], self.model), default=0)
            self._size = size or (OLLAMA_SIZE if is_ollama else CAREFUL_SIZE)
            self._size_is_final = bool(size) or not (is_ollama or self._is_away)
            self.is_size_told = bool(size)
        if not self._sight_is_final:
            if is_ollama:
                pages.append(await self._find_page("/api/show", {"model": self.model}))
            rows = [row for page in pages for row in read_rows(page)]
            sees = find_sight([*pages, *_find_rows(rows, self.model)])
            if sees is None and not self._is_away:
                sees = await self._try_picture(self.model)
            self._set_sight(sees=sees)

    async def _try_picture(self, model: str) -> bool | None:
        """Whether a model names the colours of a picture; None if that could not be tried.

        That a server takes a picture says little: some leave it out for models that see nothing.
        """
        now = asyncio.get_running_loop().time()
        if self._trials == 0 and now < self._tried_at + _TRY_AGAIN_SECONDS:
            return None
        self._trials, self._tried_at = (self._trials or _MAX_TRIALS) - 1, now
        body = {"model": model, "stream": True, "messages": [PICTURE_MESSAGE]}
        try:
            async with await self._post(body, 0, seconds=TRY_SECONDS) as stream:
                return await read_colours(stream)
        except CAUGHT as error:
            return False if classify(error) in (REQUEST_REFUSED, MODEL_GONE) else None

    async def stream_chat(
        self,
        body: Mapping[str, Any],
        ladders: Sequence[Ladder],
        *,
        retries: int,
        has_images: bool,
    ) -> AsyncStream[object]:
        """Start a chat with the best options that the server takes. Raises one of CAUGHT.

        An option that the model refuses is left out, and stays out once a call without it has
        been answered. If the refusal names none, it is the one that servers lack most often; but a
        model that is not listed counts as the reason, and is told at once.
        """
        model = body["model"]
        refused = self._refused.get(model, frozenset())
        while True:
            options = choose_options(ladders, refused)
            fields = {key: value for option in options.values() for key, value in option.items()}
            try:
                stream = await self._post({**body, **fields}, retries)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if not options or classify(error) is not REQUEST_REFUSED:
                    raise
                named = find_named(options, error.message)
                if not named and self.is_unlisted(model):
                    error.code = "model_not_found"  # what OpenAI's own API calls it
                    raise
                if not named and has_images:  # they are the likeliest reason
                    raise
                refused |= {named or next(iter(options))}
            else:
                self._refused[model] = refused
                return stream

    def check_end(self, model: str, stream: AsyncStream[object], reason: str) -> None:
        """Check that a stream was whole: it gave a reason for its end, or sent the mark of it.

        A model that has never done either is believed. Raises one of CAUGHT.
        """
        body = stream.response.stream
        if reason or (isinstance(body, BoundedStream) and END in body.tail):
            self._ending.add(model)
        elif model in self._ending:
            raise httpx2.RemoteProtocolError("a stream that was cut off")

    def leaves_thoughts_open(self, model: str) -> bool:
        """Whether a reply of the model may begin within a thought, without a mark before it.

        Known from its last reply; before the first one, from its name.
        """
        return self._unopened.get(model, matches_any(model, load_known().unopened))

    def stop_thoughts(self, model: str) -> bool:
        """Ask a model that does nothing but think not to do so. False if it was asked before."""
        is_new = model not in self.thoughtless
        self.thoughtless.add(model)
        return is_new

    def note_thoughts(self, model: str, *, are_unopened: bool, is_text: bool) -> None:
        """Remember whether a reply began within a thought; a schema may prevent thoughts."""
        if are_unopened or is_text:
            self._unopened[model] = are_unopened

    async def _post(
        self, body: Mapping[str, Any], retries: int, *, seconds: float = 0.0
    ) -> AsyncStream[object]:
        # A plain post: building the SDK's typed models costs more than the rest of a call.
        try:
            stream = await self.client.post(
                "/chat/completions",
                cast_to=object,
                body=body,
                options={"max_retries": retries, "timeout": seconds or self.client.timeout},
                stream=True,
                stream_cls=AsyncStream[object],
            )
        except openai.APIError as error:
            _note_retries(body["model"], error.request)
            raise
        _note_retries(body["model"], stream.response.request)
        return stream

    async def _list_models(self) -> Sequence[Row] | None:
        """Empty where the server has no such list; None when it is down."""
        try:
            return read_rows(await self._get("/models"))
        except CAUGHT as error:
            return None if does_pass(classify(error)[0]) else ()

    async def _find_page(self, path: str, body: Mapping[str, Any] | None = None) -> object:
        """A page beside the API; None where there is none. A body is posted to it."""
        url = str(self.client.base_url.copy_with(raw_path=path.encode()))
        try:
            if body is None:
                return await self._get(url)
            return await self.client.post(url, cast_to=object, body=body, options=_ASK_ONCE)
        except CAUGHT as error:
            self._is_away |= does_pass(classify(error)[0])
        return None

    async def _get(self, url: str) -> object:
        return await self.client.get(url, cast_to=object, options=_ASK_ONCE)


def _note_retries(model: str, request: httpx2.Request) -> None:
    """Tell the meter of the calls that failed before this one, which the SDK made again."""
    for _ in range(int(request.headers.get(_RETRIES, 0))):
        note_call(ModelCall(model, error="retried"))


def _restrict(endpoint: Endpoint) -> str:
    """The endpoint's model, at a provider that may be used if the model names none."""
    if not endpoint.providers or ":" in endpoint.model:
        return endpoint.model
    return f"{endpoint.model}:{endpoint.providers[0]}"


def _find_rows(rows: Sequence[Row], model: str) -> list[Row]:
    """The rows of a model, whose name may end in a router's choice of a provider."""
    names = (model, model.partition(":")[0])
    return sorted(
        (row for row in rows if row.get("id") in names), key=lambda row: names.index(row["id"])
    )
