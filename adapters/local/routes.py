"""The routes of an expert server, in Hugging Face's format, whatever serves them.

`POST /models/{id}`, `GET /models`, `GET /health`, and for models that talk, in OpenAI's format,
`GET /v1/models` and `POST /v1/chat/completions`: the small server and Ray Serve answer by these.
"""

import asyncio
import hmac
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from adapters.bounds import Memory, Spool
from adapters.local.chat import Chats
from adapters.local.inference import (
    InferenceResponse,
    error_response,
    import_table,
    json_response,
)
from adapters.local.loaded_models import InferenceCall
from adapters.local.models_on_disk import ModelFolders, ModelOnDisk
from adapters.local.options import MEBIBYTE, ExpertServerOptions
from adapters.local.pool import ModelPool
from adapters.wire.expert import UNUSED_HEADER
from pipeline.errors import BadInput, ExpertError, ExpertRefused

_BUSY = 429
_BODIES_IN_MEMORY = 8 * MEBIBYTE
"""Of calls together, unless a single one is larger; each is copied for its worker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WireRequest:
    """A request as it came: its path without escapes, and the header `Authorization`.

    `body` receives the whole body when it is entered. `trust` is called once the token is right.
    """

    method: str
    path: str
    authorization: str
    media_type: str
    body: AbstractAsyncContextManager[Spool]
    trust: Callable[[], None] = lambda: None


class ExpertRoutes:
    """Answers requests with the models of a pool.

    `is_alone`: nobody else serves the same address, so that the list can tell which models are
    loaded.
    """

    def __init__(
        self, options: ExpertServerOptions, pool: ModelPool, *, is_alone: bool = True
    ) -> None:
        self.pool = pool
        self._options = options
        self._is_alone = is_alone
        self._memory = Memory(_BODIES_IN_MEMORY)
        self._folders = ModelFolders(options.folders)
        self._table = import_table(options.table)
        self._chats = Chats(self._folders, self._table, pool)

    async def answer(self, request: WireRequest) -> InferenceResponse:
        """Answer a request; errors of ours become responses. Cancelling stops the model.

        Raises whatever `request.body` raises.
        """
        try:
            check_token(request.authorization, self._options.token)
            request.trust()
            return await self._dispatch(request)
        except ExpertError as error:
            return error_response(error)

    async def _dispatch(self, request: WireRequest) -> InferenceResponse:
        method = "GET" if request.method == "HEAD" else request.method
        match method, request.path:
            case "GET", "/health":
                return self._describe_health()
            case "GET", "/models":
                return await self._list_models()
            case "GET", "/v1/models":
                return await self._chats.list_models()
            case "POST", "/v1/chat/completions":
                with self.pool.admit():
                    async with request.body as content, self._memory.hold(content) as body:
                        return await self._chats.complete(body)
            case "POST", path if path.startswith("/models/"):
                return await self._run_model(path.removeprefix("/models/"), request)
            case _:
                raise ExpertRefused("local-route-unknown", path=request.path[:200])

    async def _run_model(self, path: str, request: WireRequest) -> InferenceResponse:
        name, _, kind = path.partition("/pipeline/")
        model = await asyncio.to_thread(self._folders.find, name)
        if model is None:
            raise ExpertRefused("local-model-unknown", model=name)
        kinds = self._table.list_kinds(model.kind)
        kind = kind or next(iter(kinds), "?")
        if kind not in kinds:
            names = ", ".join(kinds) or "?"
            raise BadInput("local-kind-unfit", model=model.id, task=kind, kinds=names)
        with self.pool.admit():  # before the body is read: there may be too many
            async with request.body as content, self._memory.hold(content) as body:
                call = InferenceCall(
                    model=model, kind=kind, media_type=request.media_type, body=body
                )
                return await self.pool.run(call)

    async def _list_models(self) -> InferenceResponse:
        models = await asyncio.to_thread(self._folders.list_models)
        return json_response([self._describe(model) for model in models])

    def _describe(self, model: ModelOnDisk) -> dict[str, object]:
        loaded = {"loaded": self.pool.is_loaded(model.id)} if self._is_alone else {}
        return {
            "id": model.id,
            "pipeline_tag": model.kind,
            "kinds": self._table.list_kinds(model.kind),
            "bytes": model.weight_bytes,
            **loaded,
            "revision": model.revision,
            "license": model.licence,
            "languages": list(model.languages),
        }

    def _describe_health(self) -> InferenceResponse:
        workers = [
            {"pid": worker.pid, "waiting": self.pool.count_users(worker)}
            for worker in self.pool.workers
        ]
        memory = {"held_bytes": self.pool.held_bytes, "memory_bytes": self._options.memory_bytes}
        return json_response({"status": "ok", "workers": workers, **memory})


def check_token(authorization: str, expected: str) -> None:
    """Raises ExpertRefused if a token is expected and the header does not hold it."""
    received = authorization.removeprefix("Bearer ").encode(errors="replace")
    if expected and not hmac.compare_digest(received, expected.encode()):
        raise ExpertRefused("local-token-refused")


def refuse_body(max_body: int) -> InferenceResponse:
    """The reply to a body that is too large."""
    megabytes = str(max_body // MEBIBYTE)
    return error_response(BadInput("local-body-too-large", megabytes=megabytes))


def list_headers(response: InferenceResponse) -> Mapping[str, str]:
    """The headers of a response, besides its type."""
    headers = {"Retry-After": "1"} if response.status == _BUSY else {}
    if response.unused:
        headers[UNUSED_HEADER] = " ".join(sorted(response.unused))
    return headers
