"""Ways to ask for a model by name, in six languages: each is understood or declined."""

# ruff: noqa: RUF001 - what people type, in many scripts

import time

import pytest

from pipeline.domain import Attachment, FileHash, LocalizedText, Model, NamedFile
from pipeline.model_mentions import explain_unused, find_mentioned, find_mentions, strip_mentions
from pipeline.selection.candidates import Candidates
from pipeline.selection.policy import Rules
from pipeline.task_kinds import KINDS
from tests.fakes.experts import FakeCatalogue
from tests.fakes.places import HOSTED
from tests.fakes.stages import request

HEAR, PAINT, SPEAK = "automatic-speech-recognition", "text-to-image", "text-to-speech"
MODELS = [
    Model(id_, kind, (HOSTED,))
    for id_, kind in (
        ("org/first-ears", HEAR),
        ("openai/whisper-large-v3", HEAR),
        ("openai/whisper-large-v3-turbo", HEAR),
        ("openai/whisper-small", HEAR),
        ("org/first-brush", PAINT),
        ("black-forest-labs/FLUX.1-dev", PAINT),
        ("black-forest-labs/FLUX.1-schnell", PAINT),
        ("stabilityai/stable-diffusion-xl-base-1.0", PAINT),
        ("org/first-voice", SPEAK),
        ("suno/bark", SPEAK),
        ("hexgrad/Kokoro-82M", SPEAK),
        ("Qwen/Qwen3-TTS", SPEAK),
    )
]
SHELF = Candidates(FakeCatalogue(MODELS))
NAMES = (
    ("whisper-large", HEAR, 1),
    ("Whisper large v3", HEAR, 1),
    ("openai/whisper-large-v3", HEAR, 1),
    ("whisper-large-v3-turbo", HEAR, 2),
    ("FLUX.1-dev", PAINT, 5),
    ("flux.1 schnell", PAINT, 6),
    ("stable diffusion xl", PAINT, 7),
    ("whisper-small", HEAR, 3),
    ("`Whisper`", HEAR, 1),
    ("“bark”", SPEAK, 9),
    ("suno/bark", SPEAK, 9),
    ("kokoro-82m", SPEAK, 10),
    ("Qwen3", SPEAK, 11),
)
WAYS = {
    "en": "{do} with {m}|{do} using {m}|use {m} to {do}|{do} via "
    "{m}|{do}, model {m}|{do} ({m})|with {m}: {do}|let {m} {do}|"
    "{do} by means of {m}|I want {m} to {do}|{do} and "
    "take {m} for it|{do}: use the model {m}|try {m}: {do}|"
    "run {m} on this: {do}|ask {m} to {do}|{do} on {m}|{do} with "
    "the {m} model|{m}: {do}|{do} with `{m}`|{do} with OpenAI's {m}",
    "de": "{do} mit {m}|nimm {m} und {do}|benutze {m}: {do}|"
    "verwende {m}, {do}|{do} mit dem Modell {m}|{do} per {m}|"
    "lass {m} das machen: {do}|{do} über {m}|{do} mittels {m}|"
    "mit {m} bitte {do}|{do} anhand von {m}|probier {m}: {do}",
    "es": "{do} con {m}|usa {m} para esto: {do}|{do} usando {m}|"
    "utiliza {m} y {do}|{do} con el modelo {m}|{do} mediante {m}|"
    "{do} por medio de {m}|emplea {m}: {do}|{do} a través de {m}|prueba {m}: {do}",
    "fr": "{do} avec {m}|utilise {m} : {do}|{do} en utilisant "
    "{m}|{do} avec le modèle {m}|{do} au moyen de {m}|"
    "emploie {m} : {do}|sers-toi de {m} : {do}|{do} "
    "à l'aide de {m}|{do} grâce à {m}|essaie {m} : {do}",
    "zh": "用{m}{do}|使用 {m} {do}|请用 {m} 模型{do}|{do}，用{m}|通过{m}{do}|"
    "{do}（模型：{m}）|让{m}{do}|借助{m}{do}|以{m}{do}|采用{m}{do}",
    "ja": "{m}で{do}|{m} を使って{do}|{m}を用いて{do}|モデル{m}で{do}|"
    "{do}（{m}で）|{m}モデルで{do}|{m}に{do}|{m}を利用して{do}",
}
DOES = {
    "en": {HEAR: "transcribe this", PAINT: "draw a cat", SPEAK: "read it aloud"},
    "de": {HEAR: "schreib das ab", PAINT: "male eine Katze", SPEAK: "lies das vor"},
    "es": {HEAR: "transcribe esto", PAINT: "dibuja un gato", SPEAK: "léelo en voz alta"},
    "fr": {HEAR: "transcris ça", PAINT: "dessine un chat", SPEAK: "lis-le à voix haute"},
    "zh": {HEAR: "转成文字", PAINT: "画一只猫", SPEAK: "朗读这段话"},
    "ja": {HEAR: "文字起こしして", PAINT: "猫を描いて", SPEAK: "読み上げて"},
}


async def _taken(
    text: str, kind: str, shelf: Candidates = SHELF
) -> tuple[str, list[LocalizedText]]:
    asked = request(text)
    names = find_mentions(asked)
    model = await find_mentioned(names, KINDS[kind], asked, shelf)
    return model.id if model else "", await explain_unused(names, [KINDS[kind]], asked, shelf)


@pytest.mark.parametrize("language", WAYS)
async def test_a_model_that_is_named_is_taken_however_it_is_said(language: str) -> None:
    missed = []
    for way in WAYS[language].split("|"):
        for name, kind, which in NAMES:
            text = way.format(do=DOES[language][kind], m=name)
            if await _taken(text, kind) != (MODELS[which].id, []):
                missed.append(text)

    assert missed == []


@pytest.mark.parametrize("language", WAYS)
async def test_one_that_may_not_be_used_is_told_with_the_reason(language: str) -> None:
    strict = Candidates(SHELF.catalogue, Rules(deny=("openai/*",)))
    missed = []
    for way in WAYS[language].split("|"):
        text = way.format(do=DOES[language][HEAR], m="whisper-large-v3")
        model, told = await _taken(text, HEAR, strict)
        if (model, [sentence.id for sentence in told]) != ("", ["named-unused"]):
            missed.append(text)

    assert missed == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("read aloud: dogs bark at night", SPEAK),
        ("say in a whisper that flux is a word", SPEAK),
        ("transcribe this, first ears then eyes", HEAR),
        ("transcribe it in 2 parts, 1-2 pages, by 12/05/2026", HEAR),
        ("draw a stable with horses", PAINT),
        ("写一段关于 flux 的话", PAINT),
    ],
)
async def test_words_that_only_sound_like_models_are_left_alone(text: str, kind: str) -> None:
    assert await _taken(text, kind) == ("", [])


@pytest.mark.parametrize(
    "text", ["transcribe with whisper-large-v9", "用whisper-large-v9转写", "whisper large v9 で"]
)
async def test_a_longer_name_is_not_the_shorter_model(text: str) -> None:
    model, _ = await _taken(text, HEAR)

    assert model == ""


def test_the_built_in_planner_reads_requests_without_the_names() -> None:
    assert strip_mentions(request("draw a cat, FLUX.1-dev")).strip() == "draw a cat,"
    assert strip_mentions(request("用openai/whisper-large-v3转写")) == "用 转写"
    assert strip_mentions(request("draw a cat with a hat")) == "draw a cat with a hat"
    assert strip_mentions(request("whisper-large-v3")) == "whisper-large-v3"


@pytest.mark.parametrize("piece", ["whisper ", "a-", "with ", "用", "flux.1 ", "a/", "1"])
async def test_any_text_is_looked_through_at_once(piece: str) -> None:
    began = time.process_time()

    await _taken(piece * 50_000, HEAR)

    assert time.process_time() - began < 0.5


async def test_a_whole_id_is_that_model_and_no_longer_one() -> None:
    longer = Model("openai/whisper-large-v2", HEAR, (HOSTED,))
    meant = Model("openai/whisper-large", HEAR, (HOSTED,))
    wanted = request("please do this with openai/whisper-large")

    found = await find_mentioned(
        find_mentions(wanted), KINDS[HEAR], wanted, Candidates(FakeCatalogue([longer, meant]))
    )

    assert found == meant


def test_a_file_may_be_called_like_a_model_with_or_without_its_ending() -> None:
    call = Attachment(hash=FileHash("h"), media_type="audio/mpeg", name="weekly-call-2.mp3", size=9)
    text = "transcribe weekly-call-2"

    asked = request(text, files=(NamedFile("audio 1", call),))

    assert strip_mentions(asked) == text
