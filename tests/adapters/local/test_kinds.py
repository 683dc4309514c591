"""Every row of the table through the real HTTP surface, on tiny models with random weights."""

import importlib.util
import io
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from adapters.local.options import ExpertServerOptions
from adapters.local.server import run_server
from adapters.openai.llm import OpenAiLlm
from adapters.openai.server import Endpoint, open_server
from adapters.wire.formats import encode
from pipeline.domain import (
    Blob,
    Boxes,
    ExpertValue,
    Labels,
    Masks,
    Model,
    Number,
    Spans,
    Text,
    Type,
    Vector,
)
from pipeline.errors import LlmCutShort, LlmGarbled, LlmRefused
from pipeline.ports import Job, Message, Prompt, Usage
from pipeline.task_kinds import KINDS
from tests.adapters.embedded.experts.drawn_files import page
from tests.adapters.local.conftest import Stage
from tests.adapters.local.encoding import encoded
from tests.adapters.wire.samples import sample_jobs
from tests.fakes.jobs import tone
from tests.fakes.places import LOCAL
from tests.schemas import officially, violations
from tests.words import english

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.limit(180),
    pytest.mark.skipif(
        importlib.util.find_spec("torch") is None, reason="the extra [local] is not installed"
    ),
]
MODELS = {  # built by tests.adapters.local.tiny
    "text-classification": ["classifier"],
    "zero-shot-classification": ["entailment"],
    "token-classification": ["tagger"],
    "fill-mask": ["gap-filler"],
    "feature-extraction": ["embedder"],
    "sentence-similarity": ["embedder"],
    "text-generation": ["writer", "talker"],
    "conversational": ["talker"],
    "text2text-generation": ["rewriter"],
    "summarization": ["summarizer", "rewriter"],
    "translation": ["translator", "translator-of-a-pair", "translator-of-a-hundred"],
    "question-answering": ["finder"],
    "image-to-text": ["captioner", "seeing-talker"],
    "optical-character-recognition": ["line-reader", "seeing-talker"],
    "visual-question-answering": ["questioned", "seeing-talker"],
    "document-question-answering": ["seeing-talker"],
    "image-classification": ["picture-classifier"],
    "zero-shot-image-classification": ["any-picture-classifier"],
    "object-detection": ["detector"],
    "zero-shot-object-detection": ["any-detector"],
    "image-segmentation": ["segmenter"],
    "depth-estimation": ["depth-guesser"],
    "depth-control": ["depth-guesser"],
    "automatic-speech-recognition": ["listener", "timed-listener"],
    "audio-classification": ["sound-classifier"],
    "text-to-speech": ["speaker"],
    "video-classification": ["film-classifier"],
}
_DATA = {
    "labels": Labels,
    "boxes": Boxes,
    "masks": Masks,
    "spans": Spans,
    "vector": Vector,
    "number": Number,
    "text": Text,
}
JOBS = sample_jobs()
PAGE = page(*["The total is 42."] * 6)


def _for(sample: Job, model: str) -> Job:
    args = {name: tuple(_larger(piece) for piece in pieces) for name, pieces in sample.args.items()}
    known = Model(f"tiny/{model}", sample.kind.name, (LOCAL,))
    return replace(sample, args=args, model=known)


def _larger(piece: ExpertValue) -> ExpertValue:
    """The samples' pictures are smaller than some models can see, and nothing stands in them."""
    if isinstance(piece, Blob) and piece.type is Type.IMAGE:
        return PAGE
    return piece


@pytest.mark.parametrize(
    ("kind", "model"), [(kind, model) for kind, models in MODELS.items() for model in models]
)
async def test_a_kind_makes_what_its_row_says(kind: str, model: str, stage: Stage) -> None:
    made = await stage.wire.run(_for(JOBS[kind], model))

    drawn_elsewhere = {"image"} if {"boxes", "masks"} & made.slots.keys() else set()
    assert made.slots.keys() | drawn_elsewhere == {slot.name for slot in KINDS[kind].makes}
    for name, value in made.slots.items():
        assert isinstance(value, _DATA.get(name, Blob))
        assert not isinstance(value, Blob) or str(value.type) == name
    assert violations(officially(JOBS[kind], made), kind, "output") == []


@pytest.mark.parametrize(
    ("kind", "model"), [(kind, model) for kind, models in MODELS.items() for model in models]
)
async def test_answers_follow_the_schemas(kind: str, model: str, stage: Stage) -> None:
    sample = _for(JOBS[kind], model)
    body = encode(sample)

    status, answer = await stage.post(
        f"{model}/pipeline/{kind}",
        data=body.data,
        headers={"Content-Type": body.media_type},
    )

    assert status == 200
    if not isinstance(answer, bytes):
        assert violations(answer, kind, "output") == []


@pytest.mark.parametrize(
    ("model", "inputs", "said"),
    [
        ("picture-classifier", "https://example.org/cat.png", english("local-needs-file")),
        ("picture-classifier", "/etc/passwd", english("local-needs-file")),
        ("picture-classifier", "bm8gcGljdHVyZQ==", english("local-picture-unreadable")),
        ("listener", "http://127.0.0.1/a.wav", english("local-needs-file")),
        ("listener", "bm8gc291bmQ=", english("local-sound-unreadable")),
        ("film-classifier", "file:///etc/passwd", english("local-needs-file")),
        ("film-classifier", "bm8gZmlsbQ==", english("local-film-unreadable")),
        (
            "questioned",
            {"image": "http://a.b/c.png", "question": "?"},
            english("local-needs-file"),
        ),
        ("gap-filler", "no gap", english("local-no-gap", gap="[MASK]")),
        ("finder", {"question": "who"}, english("local-needs-text", name="context")),
        ("any-picture-classifier", "aGk=", english("local-picture-unreadable")),
        (
            "entailment/pipeline/zero-shot-classification",
            "x",
            english("local-needs-texts", name="candidate_labels"),
        ),
        ("translator", "x", "Model translator does not know the language"),
    ],
)
async def test_bad_input_is_told_and_nothing_is_ever_fetched(
    model: str, inputs: Any, said: str, stage: Stage
) -> None:
    content = {"inputs": inputs, "parameters": {"tgt_lang": "Klingon"}}

    status, answer = await stage.post(model, json=content)

    assert (status, answer["error"][: len(said)]) == (422, said)


@pytest.mark.parametrize(
    ("model", "inputs"),
    [
        ("classifier", "good day " * 500),
        ("tagger", "ada met grace in london . " * 100),
        ("gap-filler", "the sky is <mask> " + "good " * 500),
        ("writer", "good " * 600),
        ("embedder", "a cat " * 500),
        ("finder", {"question": "who won ?", "context": "ada won . grace lost . " * 100}),
        ("summarizer/pipeline/summarization", "a long text . " * 500),
        ("translator/pipeline/translation", "good day " * 500),
        ("entailment/pipeline/zero-shot-classification", "good " * 500),
    ],
)
async def test_texts_longer_than_the_model_can_read_are_no_trouble(
    model: str, inputs: Any, stage: Stage
) -> None:
    more = {"candidate_labels": ["good", "long"], "tgt_lang": "de"}
    taken = more if "/" in model else {}

    status, answer = await stage.post(model, json={"inputs": inputs, "parameters": taken})

    assert status == 200, answer


async def test_a_model_that_talks_answers_as_openai_does(stage: Stage) -> None:
    endpoint = Endpoint("tiny/talker", f"{stage.server.base}/v1")
    async with open_server(endpoint) as server:
        llm = OpenAiLlm(server)
        room = await llm.room()
        prompt = Prompt((Message("user", "good day"),), max_tokens=8, effort="low")
        cut = [piece async for piece in _until_cut(llm.stream(prompt))]
        long = Prompt((Message("user", "good day . " * 200),), max_tokens=8)
        with pytest.raises(LlmRefused) as caught:
            _ = [piece async for piece in llm.stream(long)]

    assert (room, llm.sees_images) == (512, False)
    assert all(isinstance(piece, str | Usage) for piece in cut)
    assert caught.value.sentence.id == "llm-too-long"


async def _until_cut(pieces: AsyncIterator[str | Usage]) -> AsyncIterator[str | Usage]:
    """A model with random weights seldom comes to an end."""
    with suppress(LlmCutShort, LlmGarbled):
        async for piece in pieces:
            yield piece


async def test_an_answer_is_a_stretch_of_the_text(stage: Stage) -> None:
    context = "ada won . grace lost . " * 40
    asked = {"question": "who won ?", "context": context}

    _, answers = await stage.post("finder", json={"inputs": asked, "parameters": {"top_k": 3}})

    assert len(answers) == 3
    for answer in answers:
        assert answer["answer"] == context[answer["start"] : answer["end"]] != ""
        assert 0 < answer["score"] <= 1


async def test_a_sentence_is_most_like_itself(stage: Stage) -> None:
    asked = {"source_sentence": "a red cat", "sentences": ["the sky is blue .", "a red cat"]}

    _, scores = await stage.post("embedder/pipeline/sentence-similarity", json={"inputs": asked})

    assert scores[1] == pytest.approx(1, abs=1e-5)
    assert scores[0] < scores[1]


@pytest.mark.parametrize("codec", ["flac", "mp3", "vorbis", "aac"])
async def test_sounds_are_heard_in_every_usual_format(codec: str, stage: Stage) -> None:
    sent = encoded(tone(1.0).data, codec)

    status, answer = await stage.post("listener", data=sent, headers={"Content-Type": "audio/x"})

    assert (status, list(answer)) == (200, ["text"])


@pytest.mark.parametrize("seconds", [1.0, 40.0])
async def test_whisper_tells_the_times_of_short_and_long_sounds(
    seconds: float, stage: Stage
) -> None:
    headers = {"Content-Type": "audio/wav"}

    _, answer = await stage.post(
        "timed-listener", data=io.BytesIO(tone(seconds).data), headers=headers
    )

    assert violations(answer, "automatic-speech-recognition", "output") == []
    assert answer["chunks"]


async def test_models_tell_what_they_are_for(stage: Stage) -> None:
    listed = {model["id"].removeprefix("tiny/"): model for model in await stage.models()}

    for kind, models in MODELS.items():
        for model in models:
            assert kind in listed[model]["kinds"], (kind, model)
    assert "zero-shot-classification" not in listed["classifier"]["kinds"]
    assert all(model["bytes"] > 10_000 for model in listed.values())


async def test_the_limit_holds_for_real_models_too(stage: Stage, models: Path) -> None:
    texts = ["classifier", "tagger", "embedder", "finder", "entailment", "writer", "talker"]
    heavier = ["rewriter", "summarizer", "translator"]
    asked: Any = {"question": "a", "context": "a cat"}
    options = ExpertServerOptions((models,), memory_bytes=300_000, workers=1)
    held = []

    async with run_server(options) as server, aiohttp.ClientSession() as session:
        for name in (*texts, *heavier, *texts[::2]):
            url = f"{server.base}/models/tiny/{name}"
            inputs = asked if name == "finder" else "a cat"
            async with session.post(url, json={"inputs": inputs}) as response:
                assert response.status in (200, 422), await response.text()
            held.append(server.pool.held_bytes)

    assert max(held) <= 300_000
    assert min(held) > 50_000
