"""Several catalogues as one."""

from dataclasses import replace

from pipeline.domain import Model, Place, Price
from pipeline.selection.catalogues import JoinedCatalogue, ListedCatalogue
from pipeline.task_kinds import KINDS
from tests.fakes.places import EMBEDDED, HOSTED, LLM, LOCAL

AT_HUB = Model("a/summary", "summarization", (HOSTED,))
HERE = Model("a/summary", "summarization", (LOCAL,))
BUILT_IN = Model("extract", "summarization", (EMBEDDED,))


def _joined(*places: Place) -> JoinedCatalogue:
    parts = [ListedCatalogue([BUILT_IN]), ListedCatalogue([HERE]), ListedCatalogue([AT_HUB])]
    return JoinedCatalogue(parts, places=places)


async def test_models_stand_in_the_order_of_the_places() -> None:
    found = await _joined(HOSTED, LOCAL, EMBEDDED).candidates(KINDS["summarization"], limit=5)

    assert [model.id for model in found] == ["a/summary", "extract"]


async def test_the_same_model_at_two_places_is_one_model() -> None:
    found = await _joined(HOSTED, LOCAL).candidates(KINDS["summarization"], limit=5)

    assert found == [replace(AT_HUB, places=(HOSTED, LOCAL))]


async def test_a_chat_model_that_providers_serve_too_keeps_them() -> None:
    here = Model("a/chat", "conversational", (LLM,), prices={"": Price(1, 2)})
    hosted = Model("a/chat", "conversational", (HOSTED,), providers=("novita:x",))
    joined = JoinedCatalogue(
        [ListedCatalogue([here]), ListedCatalogue([hosted])], places=[HOSTED, LLM]
    )

    (found,) = await joined.candidates(KINDS["conversational"], limit=5)

    assert found.places == (HOSTED, LLM)
    assert (found.providers, found.prices) == (hosted.providers, here.prices)


async def test_the_table_goes_before_the_places_and_unfit_models_come_last() -> None:
    kind = KINDS["text-classification"]
    good = "distilbert/distilbert-base-uncased-finetuned-sst-2-english"
    listed = {"org/reranker": HOSTED, "org/any": HOSTED, good: LOCAL}
    models = [Model(id_, kind.name, (place,)) for id_, place in listed.items()]
    joined = JoinedCatalogue([ListedCatalogue(models)], places=[HOSTED, LOCAL])

    found = await joined.candidates(kind, limit=5)

    assert [model.id for model in found] == [good, "org/any", "org/reranker"]


async def test_models_that_can_only_run_elsewhere_are_left_out() -> None:
    joined = _joined(EMBEDDED)

    assert await joined.candidates(KINDS["summarization"], limit=5) == [BUILT_IN]
    found = await joined.find("a/summary")
    assert found is not None
    assert found.places == ()
    assert await joined.search("summary") == []
