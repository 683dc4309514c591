"""What is known of models beforehand."""

import pytest

from pipeline.domain import Model, Place
from pipeline.selection.curated import complete, find_order, is_unfit
from pipeline.selection.known_models import UNLISTED, load_known
from pipeline.task_kinds import KINDS
from tests.fakes.places import EMBEDDED, HOSTED, LLM, PLACES

SENTIMENT = "distilbert/distilbert-base-uncased-finetuned-sst-2-english"


def _model(id_: str, kind: str, *tags: str, place: Place = HOSTED) -> Model:
    return Model(id_, kind, (place,), tags=tags)


def test_the_table_names_only_kinds_and_places_that_exist() -> None:
    kinds = {kind for row in load_known().curated for kind in row.kinds}
    places = {place for row in load_known().curated for place in row.places}

    assert kinds <= KINDS.keys()
    assert places <= {*(place.name for place in PLACES), "hf-inference"}


def test_no_row_has_the_order_of_models_that_the_table_does_not_name() -> None:
    assert UNLISTED not in {row.order for row in load_known().curated}


@pytest.mark.parametrize("kind", ["translation", "summarization", "conversational"])
def test_a_chat_model_goes_before_every_small_model_for_language(kind: str) -> None:
    small = [
        row.order for row in load_known().curated if kind in row.kinds and "llm" not in row.places
    ]

    assert find_order(_model("any-model", kind, place=LLM)) < min(small)


def test_a_pattern_is_meant_for_its_own_place_only() -> None:
    assert find_order(_model("gpt-image-1", "text-to-image", place=LLM)) == 1
    assert find_order(_model("gpt-image-1", "text-to-image")) == UNLISTED


@pytest.mark.parametrize(
    ("id_", "kind", "tags"),
    [
        ("Falconsai/nsfw_image_detection", "image-classification", ()),
        ("BAAI/bge-reranker-v2-m3", "text-classification", ()),
        ("org/some-model", "text-classification", ("text-ranking",)),
        ("cross-encoder/ms-marco-MiniLM-L6-v2", "text-classification", ()),
        ("openai/privacy-filter", "token-classification", ()),
        ("OpenMed/OpenMed-NER-DiseaseDetect", "token-classification", ()),
        ("meta-llama/Llama-Prompt-Guard-2-86M", "text-classification", ()),
        ("FacebookAI/roberta-large-mnli", "text-classification", ()),
        ("briaai/RMBG-2.0", "image-segmentation", ()),
        ("openai/gpt-oss-safeguard-20b", "conversational", ()),
        ("ByteDance/Face-Swap", "image-to-image", ()),
        ("org/any", "text-to-image", ("not-for-all-audiences",)),
        ("org/pretty-style", "text-to-image", ("lora", "flux")),
    ],
)
def test_what_is_made_for_something_else_is_unfit(
    id_: str, kind: str, tags: tuple[str, ...]
) -> None:
    assert is_unfit(_model(id_, kind, *tags))


@pytest.mark.parametrize(
    ("id_", "kind", "tags"),
    [
        (SENTIMENT, "text-classification", ("onnx", "rust")),
        ("org/guardian-news-topics", "text-classification", ()),
        ("FacebookAI/roberta-large-mnli", "zero-shot-classification", ()),
        ("google/gemma-4-31B-it", "image-to-text", ("image-text-to-text",)),
        ("microsoft/git-base-coco", "image-to-text", ()),
        ("cardiffnlp/twitter-roberta-base-sentiment-latest", "text-classification", ("safety",)),
    ],
)
def test_other_models_are_fit(id_: str, kind: str, tags: tuple[str, ...]) -> None:
    assert not is_unfit(_model(id_, kind, *tags))


def test_the_built_in_experts_and_the_chat_model_are_always_fit() -> None:
    assert not is_unfit(_model("org/nsfw", "image-classification", place=EMBEDDED))
    assert not is_unfit(_model("router-nsfw", "conversational", place=LLM))


def test_every_model_of_the_table_is_described_for_the_planner() -> None:
    known = [row for row in load_known().curated if row.places != ("embedded",)]

    assert [row.id for row in known if len(row.description) < 120] == []


def test_the_table_corrects_the_languages_of_a_card_but_not_its_licence() -> None:
    t5 = Model(
        "google-t5/t5-small",
        "translation",
        (HOSTED,),
        languages=("en", "multilingual"),
        licence="mit",
    )

    known = complete(t5)

    assert (known.languages, known.writes) == (("en", "de", "fr", "ro"), ("de", "fr", "ro"))
    assert known.licence == "mit"
    assert complete(_model("org/any", "translation")) == _model("org/any", "translation")


def test_the_chat_model_knows_every_language_whatever_its_name() -> None:
    assert complete(_model("any", "translation", place=LLM)).languages == ("multilingual",)
