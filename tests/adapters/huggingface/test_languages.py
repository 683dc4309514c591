"""How models at the Hub are told a language."""

import json
from dataclasses import replace

import pytest

from adapters.huggingface.parameters import find_known
from adapters.wire.formats import encode
from adapters.wire.parameters import write_parameters
from pipeline.domain import Model
from pipeline.errors import ExpertRefused
from pipeline.ports import Job
from pipeline.selection.curated import load_known_models
from tests.fakes.jobs import job
from tests.fakes.places import HOSTED

AT_HUB, OWN = ("hf-inference:x",), ()


def _at(work: Job, id_: str, providers: tuple[str, ...] = AT_HUB) -> Job:
    model = Model(id_, work.kind.name, (HOSTED,), providers=providers)
    return replace(work, model=model)


@pytest.mark.parametrize(
    ("id_", "providers", "language", "inputs"),
    [
        ("google/madlad400-3b-mt", AT_HUB, "Japanese", "<2ja> Good day"),
        ("google-t5/t5-small", AT_HUB, "German", "translate English to German: Good day"),
        ("google-t5/t5-small", AT_HUB, "fr", "translate English to French: Good day"),
        ("google/madlad400-3b-mt", AT_HUB, "", "<2es> Good day"),
        ("google-t5/t5-small", OWN, "German", "Good day"),
        ("Helsinki-NLP/opus-mt-de-en", AT_HUB, "English", "Good day"),
    ],
)
def test_a_translation_model_reads_the_language_before_the_text(
    id_: str, providers: tuple[str, ...], language: str, inputs: str
) -> None:
    work = job("translation", text="Good day", language=language)

    body = json.loads(encode(_at(replace(work, locale="es"), id_, providers)).data)

    assert body["inputs"] == inputs


def test_a_language_that_nobody_knows_is_refused_not_guessed() -> None:
    work = job("translation", text="Good day", language="Martian", locale="es")

    with pytest.raises(ExpertRefused):
        encode(_at(work, "google/madlad400-3b-mt"))


@pytest.mark.parametrize(
    ("language", "written", "locale", "voice"),
    [
        ("Japanese", "", "de", "jf_alpha"),
        ("", "", "fr", "af_alloy"),
        ("German", "", "fr", "af_alloy"),
        ("", "it", "fr", "if_sara"),
        ("", "de", "fr", "af_alloy"),
    ],
)
@pytest.mark.parametrize("provider", ["together", "replicate", "deepinfra"])
def test_kokoro_gets_a_voice_for_the_language(
    language: str, written: str, locale: str, voice: str, provider: str
) -> None:
    work = job("text-to-speech", text="hello", language=language)
    work = replace(work, locale=locale, text_language=written)
    work = _at(work, "hexgrad/Kokoro-82M", (f"{provider}:kokoro",))

    assert write_parameters(work, find_known(work, provider)) == {"voice": voice}


def test_kokoro_has_a_voice_for_every_language_that_the_table_names() -> None:
    (kokoro,) = [m for m in load_known_models([HOSTED]) if m.id == "hexgrad/Kokoro-82M"]

    for code in kokoro.languages:
        work = _at(job("text-to-speech", text="x", language=code), kokoro.id)
        voice = str(write_parameters(work, find_known(work, "together"))["voice"])
        assert code == "en" or not voice.startswith("a")
