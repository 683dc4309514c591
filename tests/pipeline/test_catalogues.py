"""Several catalogues as one."""

from dataclasses import replace

from pipeline.domain import Model, Place
from pipeline.selection import JoinedCatalogue, ListedCatalogue
from pipeline.task_kinds import KINDS

HOSTED = Model("a/summary", "summarization", (Place.HOSTED,))
LOCAL = Model("a/summary", "summarization", (Place.LOCAL,))
EMBEDDED = Model("extract", "summarization", (Place.EMBEDDED,))


def _joined(*places: Place) -> JoinedCatalogue:
    parts = [ListedCatalogue([EMBEDDED]), ListedCatalogue([LOCAL]), ListedCatalogue([HOSTED])]
    return JoinedCatalogue(parts, places=places)


async def test_models_stand_in_the_order_of_the_places() -> None:
    found = await _joined(Place.HOSTED, Place.LOCAL, Place.EMBEDDED).candidates(
        KINDS["summarization"], limit=5
    )

    assert [model.id for model in found] == ["a/summary", "extract"]


async def test_the_same_model_at_two_places_is_one_model() -> None:
    found = await _joined(Place.HOSTED, Place.LOCAL).candidates(KINDS["summarization"], limit=5)

    assert found == [replace(HOSTED, places=(Place.HOSTED, Place.LOCAL))]


async def test_models_that_can_only_run_elsewhere_are_left_out() -> None:
    joined = _joined(Place.EMBEDDED)

    assert await joined.candidates(KINDS["summarization"], limit=5) == [EMBEDDED]
    found = await joined.find("a/summary")
    assert found is not None
    assert found.places == ()
    assert await joined.search("summary") == []
