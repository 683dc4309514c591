"""Moods, summaries and likeness of texts."""

import pytest

from adapters.embedded.experts.document_questions import parse_lines
from adapters.embedded.experts.expert import EmbeddedExpert
from adapters.embedded.experts.summaries import split_units
from pipeline.domain import Label, Labels, LocalizedText, Text
from pipeline.errors import BadInput, ExpertRefused
from pipeline.words import say
from tests.fakes.jobs import job


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("I love this, it is wonderful!", "POSITIVE"),
        ("What a terrible, horrible day.", "NEGATIVE"),
        ("The train leaves at eight.", "NEUTRAL"),
    ],
)
async def test_the_mood_of_an_english_text_is_told(
    text: str, label: str, expert: EmbeddedExpert
) -> None:
    made = await expert.run(job("text-classification", text=text))

    labels = made.slots["labels"]
    assert isinstance(labels, Labels)
    assert labels.items[0].label == label
    assert sum(item.score for item in labels.items) == pytest.approx(1, abs=0.01)
    assert "mood of the English words" in made.source


@pytest.mark.parametrize(
    "text", ["Das ist nicht gut und auch nicht schön.", "这个很好", "Очень плохо"]
)
async def test_the_mood_of_other_languages_is_not_guessed(
    text: str, expert: EmbeddedExpert
) -> None:
    with pytest.raises(ExpertRefused):
        await expert.run(job("text-classification", text=text))


ARTICLE = (
    "The river rose by two metres on Monday. The river has not risen so fast since 1954. "
    "Mayor Brown likes tea. People in the lower town left their houses because the river rose. "
    "Schools stay closed. Fire crews filled sand bags all night. "
    "The weather service expects the river to fall on Friday. "
    "A cat was found on a roof. Damage is put at two million. Trains run late."
)


async def test_a_summary_is_made_of_the_most_telling_sentences(expert: EmbeddedExpert) -> None:
    made = await expert.run(job("summarization", text=ARTICLE))

    text = made.slots["text"]
    assert isinstance(text, Text)
    kept = split_units(text.text)
    assert len(kept) == 2
    assert all(sentence in ARTICLE for sentence in kept)
    assert all("river" in sentence for sentence in kept)
    assert "word for word" in made.note


async def test_a_summary_has_no_heading_and_says_nothing_twice(expert: EmbeddedExpert) -> None:
    made = await expert.run(job("summarization", text=f"River report\n{ARTICLE}\n{ARTICLE}"))

    text = made.slots["text"]
    assert isinstance(text, Text)
    kept = split_units(text.text)
    assert len(kept) == len(set(kept)) == 2
    assert all(sentence in ARTICLE for sentence in kept)


async def test_a_short_text_stays_as_it_is_and_that_is_said(expert: EmbeddedExpert) -> None:
    made = await expert.run(job("summarization", text="Only this."))

    assert made.slots["text"] == Text("Only this.")
    assert made.source == say("en", LocalizedText("embedded-summary-whole"))


async def test_chinese_sentences_are_told_apart(expert: EmbeddedExpert) -> None:
    made = await expert.run(
        job("summarization", text="河水上涨了。" * 3 + "市长喝茶。" + "河水很快。" * 2)
    )

    text = made.slots["text"]
    assert isinstance(text, Text)
    assert "河水" in text.text


async def test_each_text_is_compared_with_the_first(expert: EmbeddedExpert) -> None:
    made = await expert.run(
        job(
            "sentence-similarity",
            sentences=("a cat on a sofa", "a dog in a park", "the cat on the red sofa"),
        )
    )

    labels = made.slots["labels"]
    assert isinstance(labels, Labels)
    dog, cat = labels.items
    assert (dog.label, cat.label) == ("a dog in a park", "the cat on the red sofa")
    assert dog.score < 0.5 < cat.score < 1
    assert made.source == say("en", LocalizedText("embedded-alike"))


async def test_the_same_text_is_wholly_alike(expert: EmbeddedExpert) -> None:
    made = await expert.run(job("sentence-similarity", sentences=("one cat", "one cat")))

    assert made.slots["labels"] == Labels((Label("one cat", 1.0),))


async def test_likeness_is_scikit_learns_of_tf_idf(expert: EmbeddedExpert) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 - slow to import

    texts = ["grey cat sleeps sofa", "cat sofa sofa red", "grey dog barks cat"]
    vectors = TfidfVectorizer().fit_transform(texts)
    scores = (vectors[1:] @ vectors[0].T).toarray()[:, 0]

    made = await expert.run(job("sentence-similarity", sentences=tuple(texts)))

    labels = made.slots["labels"]
    assert isinstance(labels, Labels)
    assert [item.score for item in labels.items] == [round(float(score), 3) for score in scores]


async def test_one_text_alone_cannot_be_compared(expert: EmbeddedExpert) -> None:
    with pytest.raises(BadInput):
        await expert.run(job("sentence-similarity", sentences="one"))


async def test_a_hundred_thousand_characters_are_summed_up(expert: EmbeddedExpert) -> None:
    made = await expert.run(job("summarization", text="The river rose again today. " * 4000))

    assert made.slots["text"] != Text("")


def test_the_day_of_a_date_does_not_end_a_sentence() -> None:
    text = "Die Miete steigt ab dem 1. August auf 740 Euro. Fragen beantwortet Herr Lang."

    assert split_units(text)[0] == "Die Miete steigt ab dem 1. August auf 740 Euro."


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("The log is in C:\\ProgramData\\svc.log on Windows.", ""),
        ("The form is at https://forms.example.net/x", ""),
        ("Log: C:\\svc.log", "C:\\svc.log"),
        ("名前:花子", "花子"),
    ],
)
def test_a_colon_within_a_path_or_an_address_ends_no_label(line: str, value: str) -> None:
    assert [one.value for one in parse_lines(line)] == [value]
