"""What stands in front of Ray Serve's proxy, within its process, on every machine of a cluster.

The proxy itself knows no token, bounds no body, lets callers set its time limits, and reports
errors in words of its own.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

from adapters.local.inference import InferenceResponse, error_response
from adapters.local.options import MEBIBYTE
from adapters.local.routes import check_token, list_headers, refuse_body
from pipeline.errors import BadInput, ExpertError, ExpertRefused, ExpertUnavailable

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

_HEALTH = "/-/healthz"
"""The proxy's own health, which a balancer asks for without a token."""
_OVERRIDES = frozenset({b"x-request-timeout-seconds", b"x-request-disconnect-disabled"})
"""Headers by which callers would switch off the limit of time and the stop of what they left."""
_TRIES = 2
"""How often a request is sent whose replica is lost before it answers: it changes nothing."""
_REPEATED = 8 * MEBIBYTE
"""The largest body that is kept for that."""
_DISCONNECT: Message = {"type": "http.disconnect"}
_ERROR = 400
_OWN_TYPE = b"application/json"
"""Of our errors; those of Ray are text."""
_ERRORS: Mapping[int, ExpertError] = {
    404: ExpertUnavailable("cluster-not-deployed"),
    408: ExpertUnavailable("cluster-too-slow"),
    429: ExpertUnavailable("local-busy"),
    503: ExpertUnavailable("cluster-unavailable"),
}
_LOST = ExpertUnavailable("cluster-failed")


@dataclass(frozen=True, slots=True)
class ClusterFront:
    """An ASGI application around Ray Serve's proxy. `max_body` is in bytes."""

    app: Application
    token: str
    max_body: int

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        if scope["type"] != "http" or scope["path"] == _HEALTH:
            await self.app(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope["headers"]}
        if refusal := self._refuse(headers):
            await _respond(refusal, send)
            return
        kept = [pair for pair in scope["headers"] if pair[0].lower() not in _OVERRIDES]
        body, answer = _Body(receive, self.max_body), _OwnWords(send)
        for _ in range(_TRIES):
            await self.app({**scope, "headers": list(kept)}, body.receive, answer.send)
            if answer.is_begun or not body.begin_again():
                break
        if not answer.is_begun:
            lost = error_response(_LOST)
            await _respond(refuse_body(self.max_body) if body.is_too_large else lost, send)

    def _refuse(self, headers: Mapping[bytes, bytes]) -> InferenceResponse | None:
        """The reply to a request that is not let in."""
        try:
            check_token(headers.get(b"authorization", b"").decode("latin-1"), self.token)
        except ExpertRefused as error:
            return error_response(error)
        if headers.get(b"content-encoding", b"identity").strip().lower() != b"identity":
            return error_response(BadInput("local-body-encoded"))
        if int(headers.get(b"content-length", b"0")) > self.max_body:  # the proxy parsed it
            return refuse_body(self.max_body)
        return None


class _Body:
    """The body of a request, cut off where it is too large: as if the caller had left.

    One that is not long is kept, so that the request can be sent again.
    """

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._most = receive, most
        self._size = 0
        self._is_gone = False
        self._kept: list[Message] = []
        self._again = deque[Message]()

    @property
    def is_too_large(self) -> bool:
        return self._size > self._most

    async def receive(self) -> Message:
        if self._again:
            return self._again.popleft()
        if self.is_too_large:
            return _DISCONNECT
        message = await self._receive()
        self._size += len(message.get("body", b""))
        self._is_gone = self._is_gone or message["type"] == _DISCONNECT["type"]
        if self._size <= _REPEATED:
            self._kept.append(message)
        return message if self._size <= self._most else _DISCONNECT

    def begin_again(self) -> bool:
        """Give the body from its beginning once more. False if it is not kept or not wanted."""
        self._again = deque(self._kept)
        return self._size <= _REPEATED and not self._is_gone and not self.is_too_large


class _OwnWords:
    """Passes a response on; of an error that is not ours, it sends our own instead."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_begun = False
        self._is_replaced = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.is_begun = True
            headers = {name.lower(): value for name, value in message.get("headers", ())}
            is_error = message["status"] >= _ERROR
            if is_error and not headers.get(b"content-type", b"").startswith(_OWN_TYPE):
                self._is_replaced = True
                await _respond(_translate(message["status"]), self._send)
        if not self._is_replaced:
            await self._send(message)


def _translate(status: int) -> InferenceResponse:
    """Our response for a status of Ray's."""
    return error_response(_ERRORS.get(status, _LOST))


async def _respond(response: InferenceResponse, send: Send) -> None:
    fields = {"Content-Type": response.media_type, "Content-Length": str(len(response.body))}
    headers = [
        (name.lower().encode(), value.encode())
        for name, value in {**fields, **list_headers(response)}.items()
    ]
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    await send({"type": "http.response.body", "body": response.body})
