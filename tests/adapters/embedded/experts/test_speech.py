"""Reading aloud."""

import io
import wave

import pytest

from adapters.embedded.experts.expert import EmbeddedExpert
from pipeline.domain import Blob, ExpertOutput
from pipeline.errors import BadInput, ExpertRefused
from tests.fakes.jobs import job
from tests.fakes.places import EMBEDDED


def _seconds(made: ExpertOutput) -> float:
    audio = made.slots["audio"]
    assert isinstance(audio, Blob)
    with wave.open(io.BytesIO(audio.data)) as sound:
        assert (sound.getnchannels(), sound.getsampwidth()) == (1, 2)
        return float(sound.getnframes() / sound.getframerate())


async def test_a_text_is_read_aloud_as_wav(expert: EmbeddedExpert) -> None:
    made = await expert.run(job("text-to-speech", text="The total is 3,070 dollars."))

    assert expert.place is EMBEDDED
    assert 1.0 < _seconds(made) < 5.0
    assert made.cost == 0.0


async def test_the_emphasis_of_an_answer_is_not_spoken(expert: EmbeddedExpert) -> None:
    made = await expert.run(job("text-to-speech", text="total → **5.00**"))

    audio = made.slots["audio"]
    assert isinstance(audio, Blob)
    assert audio.alt == "total → 5.00"


async def test_longer_texts_take_longer(expert: EmbeddedExpert) -> None:
    short = await expert.run(job("text-to-speech", text="One."))
    long = await expert.run(job("text-to-speech", text="One, two, three, four, five, six."))

    assert _seconds(long) > 2 * _seconds(short)


@pytest.mark.parametrize(
    ("text", "language", "voice"),
    [
        ("This is the English language.", "", "English"),
        ("Stocks rose sharply today as investors cheered strong results.", "", "English"),
        ("Das ist ein deutscher Satz und er ist kurz.", "", "German"),
        ("Bonjour, ceci est une phrase dans la langue de Molière.", "", "French"),
        ("Hola, esta es una frase en español.", "", "Spanish"),
        ("Привет, как дела?", "", "Russian"),
        ("你好，世界", "", "Chinese"),
        ("こんにちは、せかい", "", "Japanese"),
        ("안녕하세요", "", "Korean"),
        ("สวัสดีครับ", "", "Thai"),
        ("שלום לכולם", "", "Hebrew"),
        ("مرحبا بالعالم", "", "Arabic"),
        ("Hello, नमस्ते", "en", "English"),
        ("Hello", "German", "German"),
        ("Hello", "Deutsch", "German"),
        ("Hello", "pt-BR", "Portuguese (Brazil)"),
        ("Hello", "zh", "Chinese"),
        ("Hello", "swahili", "Swahili"),
    ],
)
async def test_the_voice_speaks_the_language_asked_for_or_written(
    text: str, language: str, voice: str, expert: EmbeddedExpert
) -> None:
    made = await expert.run(job("text-to-speech", text=text, language=language or ()))

    assert f"in {voice}" in made.note


@pytest.mark.parametrize("text", ["3,070.80", "I do", "OK"])
async def test_a_text_that_could_be_of_any_language_is_read_without_a_claim(
    text: str, expert: EmbeddedExpert
) -> None:
    readers = [
        await expert.run(job("text-to-speech", text=text, locale=locale)) for locale in ("de", "ja")
    ]

    assert [made.note for made in readers] == ["", ""]
    assert _seconds(readers[0]) == pytest.approx(_seconds(readers[1]), abs=0.1)


async def test_french_has_its_own_voice_whichever_spoke_before(expert: EmbeddedExpert) -> None:
    other, own, usual, again = [
        _seconds(await expert.run(job("text-to-speech", text="Bonjour Monsieur", language=code)))
        for code in ("es", "fr", "en-us", "fr")
    ]

    assert own == pytest.approx(again, abs=0.05)
    assert own not in (pytest.approx(other, abs=0.1), pytest.approx(usual, abs=0.1))


async def test_an_unknown_language_is_refused(expert: EmbeddedExpert) -> None:
    with pytest.raises(ExpertRefused):
        await expert.run(job("text-to-speech", text="nuqneH", language="Martian"))


@pytest.mark.parametrize(
    ("text", "language", "unread"),
    [
        ("この文章：会議は三時からです", "", "文章会議三時"),
        ("こんにちは", "zh", "こんにちは"),
        ("Привет", "de", "Привет"),
        ("กขค", "en", "กขค"),
        ("שלום", "fr", "שלום"),
        ("سلام", "en", "سلام"),
        ("Dear 李伟, hello and welcome to the office.", "en", "李伟"),
    ],
)
async def test_characters_that_the_voice_cannot_read_are_named(
    text: str, language: str, unread: str, expert: EmbeddedExpert
) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await expert.run(job("text-to-speech", text=text, language=language or ()))

    assert caught.value.sentence.id == "embedded-voice-unable"
    assert caught.value.sentence.args["characters"] == "".join(dict.fromkeys(unread))


@pytest.mark.parametrize("text", ["", "   \n"])
async def test_nothing_cannot_be_read(text: str, expert: EmbeddedExpert) -> None:
    with pytest.raises(BadInput):
        await expert.run(job("text-to-speech", text=text))


async def test_zeros_and_signs_do_no_harm(expert: EmbeddedExpert) -> None:
    assert (
        _seconds(await expert.run(job("text-to-speech", text="a\0b \\ {{}} <b> %s 🙂 \ud800")))
        > 0.5
    )


async def test_a_very_long_text_is_cut_and_that_is_said(expert: EmbeddedExpert) -> None:
    made = await expert.run(job("text-to-speech", text="la " * 700 + " " * 12_000 + "la"))

    audio = made.slots["audio"]
    assert isinstance(audio, Blob)
    assert audio.media_type == "audio/mpeg"
    assert "first 12000 characters" in made.note
