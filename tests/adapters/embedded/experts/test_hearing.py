"""Writing down what is said."""

import io
import wave

import pytest

from adapters.embedded.experts import EmbeddedExpert
from pipeline.domain import Blob, Text
from pipeline.errors import BadInput, ExpertRefused
from tests.fakes.jobs import job


def _sound(samples: bytes, *, channels: int = 1, rate: int = 16000) -> Blob:
    sheet = io.BytesIO()
    with wave.open(sheet, "wb") as out:
        out.setnchannels(channels)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(samples)
    return Blob(sheet.getvalue(), "audio/wav", "sound.wav")


async def test_speech_is_written_down_with_how_sure_that_is(expert: EmbeddedExpert) -> None:
    spoken = await expert.run(job("text-to-speech", text="go forward ten meters"))
    audio = spoken.slots["audio"]
    assert isinstance(audio, Blob)

    made = await expert.run(job("automatic-speech-recognition", audio=audio))

    text = made.slots["text"]
    assert isinstance(text, Text)
    assert text.text
    assert text.score is not None
    assert 0 <= text.score <= 1
    assert "English only" in made.note
    assert f"{round(text.score * 100)} %" in made.note


async def test_silence_is_not_made_into_words(expert: EmbeddedExpert) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await expert.run(job("automatic-speech-recognition", audio=_sound(bytes(16000))))

    assert caught.value.sentence.id == "embedded-nothing-heard"


async def test_two_channels_at_another_rate_are_listened_to(expert: EmbeddedExpert) -> None:
    silence = _sound(bytes(44100 * 4), channels=2, rate=44100)

    with pytest.raises(ExpertRefused):
        await expert.run(job("automatic-speech-recognition", audio=silence))


@pytest.mark.parametrize("data", [b"", b"RIFF....WAVEfmt", b"not a sound"])
async def test_a_broken_recording_is_bad_input(data: bytes, expert: EmbeddedExpert) -> None:
    with pytest.raises(BadInput):
        await expert.run(job("automatic-speech-recognition", audio=Blob(data, "audio/wav")))
