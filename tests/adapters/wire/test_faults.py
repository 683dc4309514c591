"""Whatever goes wrong on the wire ends in one of our errors."""

import asyncio
from collections.abc import Iterator
from typing import TypeVar

import aiohttp
import pytest

from adapters.local.client import DIALECT
from adapters.wire.expert import WireExpert, open_wire_expert, parse_refusal
from pipeline.errors import (
    ExpertError,
    ExpertGarbled,
    ExpertRefused,
    ExpertUnavailable,
    InputRefused,
    PlaceRefused,
    PlaceUnreachable,
)
from pipeline.words import say
from tests.adapters.wire.conftest import for_server
from tests.adapters.wire.samples import sample_jobs
from tests.fakes.jobs import job
from tests.servers.experts import ExpertServer, Fault

JOBS = sample_jobs()
_MEANS: dict[Fault, tuple[type[ExpertError], str]] = {
    Fault.LOADING: (ExpertUnavailable, "expert-loading"),
    Fault.TOO_MANY: (ExpertUnavailable, "expert-busy"),
    Fault.BROKEN: (ExpertUnavailable, "expert-broken"),
    Fault.KEY: (PlaceRefused, "expert-key-refused"),
    Fault.CREDIT: (PlaceRefused, "expert-credit-used-up"),
    Fault.GATED: (ExpertRefused, "expert-access-refused"),
    Fault.GONE: (ExpertRefused, "expert-model-gone"),
    Fault.UNFIT: (InputRefused, "expert-input-refused"),
    Fault.GARBAGE: (ExpertGarbled, "expert-garbled"),
    Fault.OTHER_JSON: (ExpertGarbled, "expert-garbled"),
    Fault.DEEP: (ExpertGarbled, "expert-garbled"),
    Fault.NO_NUMBER: (ExpertGarbled, "expert-garbled"),
    Fault.HALF_SIGNS: (ExpertGarbled, "expert-garbled"),
    Fault.PAGE: (ExpertGarbled, "expert-garbled"),
    Fault.DROPPED: (ExpertUnavailable, "expert-unreachable"),
    Fault.HUGE: (ExpertGarbled, "expert-answer-too-large"),
    Fault.HUGE_UNTOLD: (ExpertGarbled, "expert-answer-too-large"),
    Fault.ELSEWHERE: (ExpertUnavailable, "expert-broken"),
}
_ENDLESS = {Fault.HANG, Fault.DRIP}


def test_every_fault_has_a_meaning() -> None:
    assert _MEANS.keys() | _ENDLESS == set(Fault)


@pytest.mark.parametrize("kind", ["text-classification", "text-to-image"])
@pytest.mark.parametrize("fault", _MEANS)
async def test_a_fault_becomes_an_error_with_a_sentence(
    fault: Fault, kind: str, wire: WireExpert, server: ExpertServer
) -> None:
    server.goes_wrong(fault)

    with pytest.raises(ExpertError) as caught:
        await wire.run(for_server(JOBS[kind], server))

    error, sentence = _MEANS[fault]
    assert type(caught.value) is error
    assert caught.value.sentence.id == sentence
    assert f"played/{kind}" in say("en", caught.value.sentence)


async def test_after_a_fault_the_next_call_goes_through(
    wire: WireExpert, server: ExpertServer
) -> None:
    server.goes_wrong(Fault.LOADING)
    one = for_server(JOBS["text-classification"], server)

    with pytest.raises(ExpertUnavailable) as caught:
        await wire.run(one)
    made = await wire.run(one)

    assert caught.value.retry_after == 0.01
    assert "labels" in made.slots


@pytest.mark.parametrize("fault", sorted(_ENDLESS))
async def test_a_call_without_end_is_over_when_its_deadline_is(
    fault: Fault, wire: WireExpert, server: ExpertServer
) -> None:
    server.goes_wrong(fault)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await wire.run(for_server(JOBS["summarization"], server))


async def test_an_address_where_nobody_answers_is_unavailable() -> None:
    async with open_wire_expert("http://127.0.0.1:9", DIALECT) as wire:
        with pytest.raises(PlaceUnreachable):
            await wire.run(job("summarization", text="hello"))


async def test_a_dropped_connection_says_nothing_of_the_place(
    wire: WireExpert, server: ExpertServer
) -> None:
    server.goes_wrong(Fault.DROPPED)

    with pytest.raises(ExpertUnavailable) as caught:
        await wire.run(for_server(JOBS["summarization"], server))

    assert not isinstance(caught.value, PlaceUnreachable)


@pytest.mark.parametrize(
    ("body", "error", "sentence"),
    [
        (
            b"does not have sufficient permissions to call Inference Providers on behalf of ann",
            PlaceRefused,
            "expert-key-refused",
        ),
        (b'{"error":"Access to model x is restricted"}', ExpertRefused, "expert-access-refused"),
    ],
)
def test_a_token_without_permission_is_told_from_a_gated_model(
    body: bytes, error: type[ExpertError], sentence: str
) -> None:
    refusal = parse_refusal("m", 403, {}, body)

    assert type(refusal) is error
    assert refusal.sentence.id == sentence


async def test_a_huge_answer_never_holds_the_loop_up(
    wire: WireExpert, server: ExpertServer
) -> None:
    server.goes_wrong(Fault.HUGE_UNTOLD)
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        ticking = group.create_task(tick())
        with pytest.raises(ExpertGarbled):
            await wire.run(for_server(JOBS["text-to-image"], server))
        ticking.cancel()

    assert ticks > 10


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "-1"}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, None),
        ({}, None),
    ],
)
def test_when_to_come_back_is_read_in_every_form(
    headers: dict[str, str], wait: float | None
) -> None:
    error = parse_refusal("m", 429, headers, b"")

    assert isinstance(error, ExpertUnavailable)
    assert error.retry_after == wait


T = TypeVar("T")


def _below(kind: type[T]) -> Iterator[type[T]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _below(child)


def test_every_error_of_the_http_client_is_one_that_the_wire_expects() -> None:
    """The wire catches ClientError, TimeoutError and OSError; whatever aiohttp's requests raise is
    below them.
    """
    for error in _below(aiohttp.ClientError):
        assert issubclass(error, aiohttp.ClientError | TimeoutError | OSError)
    assert issubclass(aiohttp.ServerTimeoutError, TimeoutError)
