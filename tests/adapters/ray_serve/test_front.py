"""What stands in front of Ray Serve's proxy, around applications that play the proxy."""

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from adapters.ray_serve.front import ClusterFront, Message, Receive, Send
from tests.words import english

MOST = 100
GOOD = (b"authorization", b"Bearer secret")
JSON = (b"content-type", b"application/json")
TEXT = (b"content-type", b"text/plain")


@dataclass
class FakeProxy:
    """Answers with a status and a type; loses the first requests without an answer."""

    status: int = 200
    kind: tuple[bytes, bytes] = JSON
    loses: int = 0
    scopes: list[Message] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        self.scopes.append(scope)
        body, is_whole = b"", False
        while not is_whole:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message["body"]
            is_whole = not message.get("more_body", False)
        self.bodies.append(body)
        if len(self.bodies) > self.loses:
            start = {"type": "http.response.start", "status": self.status, "headers": [self.kind]}
            await send(start)
            await send({"type": "http.response.body", "body": b"Traceback of 10.0.0.7"})


@dataclass
class Caller:
    """Sends a body in pieces, and keeps what comes back."""

    pieces: tuple[bytes, ...] = (b"",)
    leaves: bool = False
    messages: list[Message] = field(default_factory=list)
    sent: int = 0

    async def receive(self) -> Message:
        if self.leaves or self.sent >= len(self.pieces):
            return {"type": "http.disconnect"}
        piece, self.sent = self.pieces[self.sent], self.sent + 1
        more = self.sent < len(self.pieces)
        return {"type": "http.request", "body": piece, "more_body": more}

    async def send(self, message: Message) -> None:
        self.messages.append(message)

    @property
    def status(self) -> int:
        (start,) = (each for each in self.messages if each["type"] == "http.response.start")
        return int(start["status"])

    @property
    def answer(self) -> Any:
        return json.loads(b"".join(each.get("body", b"") for each in self.messages))


async def _ask(
    proxy: FakeProxy, caller: Caller, *headers: tuple[bytes, bytes], path: str = "/models"
) -> Caller:
    front = ClusterFront(proxy, token="secret", max_body=MOST)
    scope: Message = {"type": "http", "path": path, "headers": headers}
    await front(scope, caller.receive, caller.send)
    return caller


@pytest.mark.parametrize("header", [(b"authorization", b"Bearer wrong"), JSON])
async def test_without_the_right_token_nothing_reaches_the_proxy(
    header: tuple[bytes, bytes],
) -> None:
    proxy = FakeProxy()

    caller = await _ask(proxy, Caller(), header)

    assert (caller.status, caller.answer) == (401, {"error": english("local-token-refused")})
    assert proxy.scopes == []
    assert caller.sent == 0


async def test_the_proxys_health_needs_no_token() -> None:
    caller = await _ask(FakeProxy(), Caller(), path="/-/healthz")

    assert caller.status == 200


async def test_callers_cannot_switch_off_the_limit_of_time_or_the_stop() -> None:
    proxy = FakeProxy()
    overrides = [(b"X-Request-Timeout-Seconds", b"0"), (b"x-request-disconnect-disabled", b"?1")]

    await _ask(proxy, Caller(), GOOD, *overrides)

    assert proxy.scopes[0]["headers"] == [GOOD]


@pytest.mark.parametrize(
    ("header", "status", "sentence"),
    [
        ((b"content-length", b"101"), 413, "local-body-too-large"),
        ((b"content-encoding", b"gzip"), 415, "local-body-encoded"),
    ],
)
async def test_a_body_that_is_not_taken_is_refused_before_it_comes(
    header: tuple[bytes, bytes], status: int, sentence: str
) -> None:
    caller = await _ask(FakeProxy(), Caller((b"x",)), GOOD, header)

    assert (caller.status, caller.sent) == (status, 0)
    assert caller.answer == {"error": english(sentence, megabytes="0")}


async def test_a_body_that_grows_too_large_is_cut_off() -> None:
    proxy, caller = FakeProxy(), Caller((b"x" * 60, b"x" * 60, b"x" * 60))

    await _ask(proxy, caller, GOOD)

    assert (caller.status, caller.sent) == (413, 2)
    assert proxy.bodies == []


@pytest.mark.parametrize(
    ("status", "own", "sentence"),
    [
        (404, 503, "cluster-not-deployed"),
        (408, 408, "cluster-too-slow"),
        (429, 429, "local-busy"),
        (500, 500, "cluster-failed"),
        (503, 503, "cluster-unavailable"),
    ],
)
async def test_errors_of_ray_are_told_in_our_words(status: int, own: int, sentence: str) -> None:
    caller = await _ask(FakeProxy(status, TEXT), Caller(), GOOD)

    assert (caller.status, caller.answer) == (own, {"error": english(sentence)})


async def test_our_own_errors_pass_as_they_are() -> None:
    caller = await _ask(FakeProxy(422, JSON), Caller(), GOOD)

    assert caller.status == 422
    assert caller.messages[1]["body"] == b"Traceback of 10.0.0.7"


async def test_a_request_whose_replica_is_lost_is_sent_once_more() -> None:
    proxy, caller = FakeProxy(loses=1), Caller((b"one ", b"two"))

    await _ask(proxy, caller, GOOD)

    assert caller.status == 200
    assert proxy.bodies == [b"one two", b"one two"]


async def test_lost_twice_it_is_an_error() -> None:
    proxy, caller = FakeProxy(loses=2), Caller()

    await _ask(proxy, caller, GOOD)

    assert (caller.status, caller.answer) == (500, {"error": english("cluster-failed")})
    assert len(proxy.scopes) == 2


async def test_for_a_caller_who_left_nothing_is_sent_again() -> None:
    proxy = FakeProxy()

    await _ask(proxy, Caller(leaves=True), GOOD)

    assert len(proxy.scopes) == 1
