"""From the live Hub to the result: the next provider, the next model, the next place."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from adapters.fetch import HttpFetch, Policy
from adapters.huggingface.catalogue import HubCatalogue
from adapters.huggingface.hosted import open_hosted_expert
from adapters.huggingface.hub import open_hub
from pipeline.domain import Choice, Done, ExpertOutput, Failed, LocalizedText, Model
from pipeline.errors import ExpertRefused
from pipeline.execution.execute import attempt
from pipeline.ports import Expert, Job
from pipeline.selection.catalogues import JoinedCatalogue, ListedCatalogue
from pipeline.task_kinds import KINDS
from tests.fakes.jobs import job, picture
from tests.fakes.persistence import FakeCache
from tests.fakes.places import HOSTED, LOCAL
from tests.fakes.stages import ActingExpert, Bench, task
from tests.servers.experts import Fault
from tests.servers.hub import HubServer, hub_at_work, row

PAINT = KINDS["text-to-image"]
ROWS = [
    row("first/painter", "text-to-image", "fal-ai", "nscale", downloads=900),
    row("second/painter", "text-to-image", "hf-inference", downloads=300),
]
OWN = Model("own-painter", "text-to-image", (LOCAL,))


@dataclass
class Chain:
    """A Hub with two models, and a painter at another place."""

    server: HubServer
    bench: Bench
    choice: Choice

    async def run(self) -> Done | Failed:
        one = task(0, "text-to-image", text="a cat")
        tools, events = self.bench.tools, self.bench.events
        return await attempt(
            one, self.choice, job("text-to-image", text="a cat"), tools, events.append
        )


async def _paints(_job: Job) -> ExpertOutput:
    return ExpertOutput({"image": picture()})


@pytest.fixture
async def chain() -> AsyncIterator[Chain]:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(hub_at_work(HubServer(list(ROWS))))
        server.experts.kinds["second/painter"] = "text-to-image"
        fetch = await stack.enter_async_context(HttpFetch(Policy(allow_private=True)))
        hosted = open_hosted_expert(server.base, fetch, token="hf_secret", pause=0.001)
        pages = await stack.enter_async_context(open_hub(server.base))
        live = HubCatalogue(
            pages, FakeCache(), known=(), clock=lambda: datetime.now(UTC), keep=timedelta(hours=1)
        )
        await live.refresh()
        both = JoinedCatalogue([live, ListedCatalogue([OWN])], places=[HOSTED, LOCAL])
        first, *others = await both.candidates(PAINT, limit=8)
        experts: list[Expert] = [
            await stack.enter_async_context(hosted),
            ActingExpert(_paints, LOCAL),
        ]
        choice = Choice(first, LocalizedText("chosen-ranked"), tuple(others))
        yield Chain(server, Bench(experts=experts), choice)


def _tried(outcome: Done | Failed) -> list[tuple[str, str]]:
    return [(one.model, one.provider or one.place.name) for one in outcome.tried]


async def test_the_first_provider_of_the_most_downloaded_model_does_it(chain: Chain) -> None:
    done = await chain.run()

    assert isinstance(done, Done)
    assert _tried(done) == [("first/painter", "fal-ai")]


async def test_the_next_provider_takes_over_when_credit_is_used_up(chain: Chain) -> None:
    chain.server.providers.refuses["fal-ai"] = 402

    done = await chain.run()

    assert isinstance(done, Done)
    assert _tried(done) == [("first/painter", "fal-ai"), ("first/painter", "nscale")]
    assert done.tried[0].error == LocalizedText("expert-credit-used-up", {"model": "first/painter"})


async def test_then_the_next_model_and_then_the_next_place(chain: Chain) -> None:
    chain.server.providers.refuses |= {"fal-ai": 401, "nscale": 404}
    chain.server.experts.goes_wrong(Fault.PAGE)

    done = await chain.run()

    assert isinstance(done, Done)
    assert _tried(done) == [
        ("first/painter", "fal-ai"),
        ("first/painter", "nscale"),
        ("second/painter", "hf-inference"),
        ("own-painter", "local"),
    ]


async def test_what_is_loading_is_waited_for(chain: Chain) -> None:
    chain.server.providers.refuses |= {"fal-ai": 401, "nscale": 401}
    chain.server.experts.goes_wrong(Fault.LOADING)

    done = await chain.run()

    assert isinstance(done, Done)
    assert _tried(done)[2:] == [("second/painter", "hf-inference")] * 2


async def test_when_nobody_can_the_first_reason_is_told(chain: Chain) -> None:
    chain.server.providers.refuses |= {"fal-ai": 402, "nscale": 402}
    chain.server.experts.goes_wrong(Fault.GARBAGE)

    async def broken(_job: Job) -> ExpertOutput:
        raise ExpertRefused("task-bug")

    chain.bench.experts = [chain.bench.experts[0], ActingExpert(broken, LOCAL)]

    failed = await chain.run()

    assert isinstance(failed, Failed)
    assert failed.reason.id == "expert-credit-used-up"
