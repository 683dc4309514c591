"""What every catalogue does."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import aiohttp
import pytest

from adapters.local.client import ServedCatalogue
from pipeline.domain import Model
from pipeline.ports import Catalogue
from pipeline.selection.catalogues import JoinedCatalogue, ListedCatalogue
from pipeline.task_kinds import KINDS
from tests.fakes.experts import FakeCatalogue
from tests.fakes.places import LOCAL, PLACES
from tests.samples.acme.catalogue import AcmeCatalogue
from tests.servers.acme import AcmeServer, acme_at_work
from tests.servers.experts import ExpertServer, experts_at_work

BIG = Model("facebook/bart-large", "summarization", (LOCAL,), description="news in English")
SMALL = Model("google/t5-small", "summarization", (LOCAL,), description="small")
OTHER = Model("other/T5-Small", "translation", (LOCAL,), description="small too")
MODELS = (BIG, SMALL, OTHER)


@dataclass(frozen=True, slots=True)
class Subject:
    """A catalogue of the models; a provider of other kinds lists them under two of its own."""

    catalogue: Catalogue
    kind: str = BIG.kind
    other: str = OTHER.kind

    def here(self, *found: Model | None) -> list[Model | None]:
        """The models, as if all ran at the place of this suite, and were of its kinds."""
        kinds = {self.kind: BIG.kind, self.other: OTHER.kind}
        return [
            model and replace(model, places=(LOCAL,), kind=kinds[model.kind]) for model in found
        ]


@pytest.fixture(params=["fake", "listed", "joined", "served", "acme"])
async def subject(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    servers = {"served": served, "acme": served_by_acme}
    if request.param in servers:
        async with servers[request.param]() as catalogue:
            yield Subject(catalogue)
        return
    made: dict[str, Catalogue] = {
        "fake": FakeCatalogue(MODELS),
        "listed": ListedCatalogue(MODELS),
        "joined": JoinedCatalogue([ListedCatalogue(MODELS)], places=PLACES),
    }
    yield Subject(made[request.param])


@asynccontextmanager
async def served() -> AsyncIterator[Catalogue]:
    """A server that lists the models, which are known."""
    server = ExpertServer(kinds={model.id: model.kind for model in MODELS})
    async with experts_at_work(server):
        yield ServedCatalogue(server.base, known=MODELS)


@asynccontextmanager
async def served_by_acme() -> AsyncIterator[Catalogue]:
    models = {model.id: (model.kind,) for model in MODELS}
    about = {model.id: model.description for model in MODELS}
    async with (
        acme_at_work(AcmeServer(models=models, about=about)) as server,
        aiohttp.ClientSession() as session,
    ):
        yield AcmeCatalogue(session, server.base)


async def test_candidates_are_of_the_kind_and_the_best_comes_first(subject: Subject) -> None:
    assert subject.here(*await subject.catalogue.candidates(KINDS[subject.kind], limit=5)) == [
        BIG,
        SMALL,
    ]


async def test_no_more_candidates_come_than_were_asked_for(subject: Subject) -> None:
    assert subject.here(*await subject.catalogue.candidates(KINDS[subject.kind], limit=1)) == [BIG]


async def test_a_kind_that_nothing_can_run_has_no_candidates(subject: Subject) -> None:
    assert list(await subject.catalogue.candidates(KINDS["text-to-video"], limit=5)) == []


async def test_a_model_is_found_in_any_case(subject: Subject) -> None:
    assert subject.here(await subject.catalogue.find("Facebook/BART-large")) == [BIG]


async def test_a_model_is_found_by_the_part_behind_the_slash(subject: Subject) -> None:
    assert subject.here(await subject.catalogue.find("bart-large")) == [BIG]


async def test_a_short_name_that_two_models_have_finds_none(subject: Subject) -> None:
    assert await subject.catalogue.find("t5-small") is None


async def test_an_unknown_model_is_not_found(subject: Subject) -> None:
    assert await subject.catalogue.find("nobody/nothing") is None


async def test_a_search_wants_all_words_in_id_or_description(subject: Subject) -> None:
    assert subject.here(*await subject.catalogue.search("english BART")) == [BIG]
    assert subject.here(*await subject.catalogue.search("small", kind=subject.other)) == [OTHER]
    assert subject.here(*await subject.catalogue.search("small", limit=1)) == [SMALL]
