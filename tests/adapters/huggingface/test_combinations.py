"""More keys never make the choice worse."""

from dataclasses import replace
from itertools import combinations

import pytest

from adapters.embedded.experts.expert import embedded_models
from pipeline.domain import Model, Person, Place
from pipeline.prompts.chat_tasks import CHAT_TASKS
from pipeline.selection.candidates import Candidates
from pipeline.selection.catalogues import JoinedCatalogue, ListedCatalogue
from pipeline.selection.curated import complete, find_order, load_known_models
from pipeline.task_kinds import KINDS
from tests.fakes.places import EMBEDDED, HOSTED, LLM, LOCAL, PLACES
from tests.fakes.stages import request

LISTED = {
    HOSTED: load_known_models([HOSTED]),
    LLM: [complete(Model("chat", kind, (LLM,))) for kind in CHAT_TASKS],
    LOCAL: load_known_models([LOCAL]),
    EMBEDDED: tuple(embedded_models().values()),
}
SETS = [places for size in range(1, 5) for places in combinations(PLACES, size)]
LOCALES = ("en", "de", "ja")


async def _choose(kind: str, locale: str, places: tuple[Place, ...]) -> Model | None:
    parts = [ListedCatalogue(LISTED[place]) for place in places]
    candidates = Candidates(JoinedCatalogue(parts, places=places))
    asked = replace(request(), person=Person("ann", "Ann", locale=locale))
    return next(iter(await candidates.shortlist(KINDS[kind], asked)), None)


@pytest.mark.parametrize("kind", sorted({m.kind for known in LISTED.values() for m in known}))
async def test_a_further_place_never_makes_the_choice_worse(kind: str) -> None:
    for locale in LOCALES:
        chosen = {places: await _choose(kind, locale, places) for places in SETS}
        for fewer, more in ((a, b) for a in SETS for b in SETS if {*a} < {*b}):
            before, after = chosen[fewer], chosen[more]
            assert after or not before
            if before and after and locale == "en":
                assert find_order(after) <= find_order(before), (fewer, more)


@pytest.mark.parametrize("kind", ["translation", "summarization", "text-classification"])
async def test_with_every_key_a_chat_model_does_what_is_not_in_english(kind: str) -> None:
    for locale in ("de", "ja", "ko"):
        model = await _choose(kind, locale, PLACES)

        assert model is not None
        assert model.id == "chat"
