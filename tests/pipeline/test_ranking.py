"""Experience moves the catalogue's order."""

import pytest

from pipeline.domain import Model
from pipeline.ports import TrackRecord
from pipeline.selection.ranking import rank_models
from pipeline.task_kinds import KINDS
from tests.fakes.places import HOSTED, LOCAL

PAINT, SUM = KINDS["text-to-image"], KINDS["summarization"]
FIRST, SECOND = (Model(name, "text-to-image", (HOSTED,)) for name in ("first", "second"))


def order(records: dict[str, TrackRecord]) -> list[str]:
    by_kind = {(model, PAINT.name): record for model, record in records.items()}
    return [model.id for model in rank_models((FIRST, SECOND), by_kind, PAINT)]


def test_without_experience_the_catalogues_order_stays() -> None:
    assert order({}) == ["first", "second"]


@pytest.mark.parametrize(
    "record",
    [
        TrackRecord(attempts=4, failures=3),
        TrackRecord(attempts=9, median_took=90.0),
        TrackRecord(attempts=9, ups=1, downs=4, liking=-3.0),
    ],
    ids=["failing", "slow", "disliked"],
)
def test_a_model_that_fails_is_slow_or_disliked_comes_later(record: TrackRecord) -> None:
    assert order(
        {"first": record, "second": TrackRecord(attempts=9, failures=0, median_took=1.0)}
    ) == ["second", "first"]


def test_a_model_that_the_team_likes_comes_first() -> None:
    assert order({"second": TrackRecord(ups=2, liking=2.0)}) == ["second", "first"]


def test_votes_that_other_models_share_count_for_less() -> None:
    assert order({"second": TrackRecord(ups=3, liking=1.0)}) == ["first", "second"]


def test_experience_with_one_kind_of_task_says_nothing_of_another() -> None:
    failing = {("first", SUM.name): TrackRecord(attempts=9, failures=9)}

    assert rank_models((FIRST, SECOND), failing, PAINT) == [FIRST, SECOND]


def test_two_failures_prove_nothing() -> None:
    assert order({"first": TrackRecord(attempts=2, failures=2)}) == ["first", "second"]


def test_a_model_that_does_not_speak_the_persons_language_comes_later() -> None:
    english = Model("english", SUM.name, (HOSTED,), languages=("en",))
    many = Model("many", SUM.name, (HOSTED,), languages=("en", "de"))

    assert rank_models((english, many), {}, SUM, "de-AT") == [many, english]
    assert rank_models((english, many), {}, SUM, "en") == [english, many]


@pytest.mark.parametrize("kind", ["image-to-text", "optical-character-recognition"])
def test_a_text_from_a_picture_is_written_by_a_model_that_knows_the_language(kind: str) -> None:
    english = Model("english", kind, (LOCAL,), languages=("en",))
    many = Model("many", kind, (LOCAL,), languages=("multilingual",))

    assert rank_models((english, many), {}, KINDS[kind], "ru") == [many, english]
    assert rank_models((english, many), {}, KINDS[kind], "en") == [english, many]


def test_a_picture_is_drawn_by_the_best_model_whatever_the_language() -> None:
    english = Model("english", PAINT.name, (LOCAL,), languages=("en",))
    many = Model("many", PAINT.name, (LOCAL,), languages=("multilingual",))

    assert rank_models((english, many), {}, PAINT, "ru") == [english, many]


def test_who_asks_in_another_language_gets_a_model_that_is_said_to_speak_it() -> None:
    silent, german, english = (
        Model(name, SUM.name, (HOSTED,), languages=languages)
        for name, languages in (("silent", ()), ("german", ("de",)), ("english", ("en",)))
    )

    def spoken(locale: str) -> list[str]:
        return [model.id for model in rank_models([silent, english, german], {}, SUM, locale)]

    assert spoken("de-AT") == ["german", "silent", "english"]
    assert spoken("en") == ["silent", "english", "german"]
    assert spoken("") == ["silent", "english", "german"]
