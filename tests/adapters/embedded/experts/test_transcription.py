"""Writing down what is said."""

import io
import re
import wave
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest

from adapters.embedded.experts.expert import EmbeddedExpert
from adapters.embedded.experts.transcription import transcribe_chunk
from pipeline.domain import Blob, LocalizedText, Text
from pipeline.errors import BadInput, ExpertRefused
from pipeline.queues import FIRST, Ticket
from pipeline.words import say
from tests.fakes.jobs import job
from tests.fakes.outside import FakeWorkers

T = TypeVar("T")


def _sound(samples: bytes, *, channels: int = 1, rate: int = 16000) -> Blob:
    sheet = io.BytesIO()
    with wave.open(sheet, "wb") as out:
        out.setnchannels(channels)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(samples)
    return Blob(sheet.getvalue(), "audio/wav", "sound.wav")


async def test_speech_is_written_down(expert: EmbeddedExpert) -> None:
    spoken = await expert.run(job("text-to-speech", text="go forward ten meters"))
    audio = spoken.slots["audio"]
    assert isinstance(audio, Blob)

    made = await expert.run(job("automatic-speech-recognition", audio=audio))

    text = made.slots["text"]
    assert isinstance(text, Text)
    assert text.text
    assert made.note == say("en", LocalizedText("embedded-heard"))


class HearingWorkers(FakeWorkers):
    """Hears the same word in every chunk."""

    async def run(
        self,
        work: Callable[..., T],
        *args: object,
        ticket: Ticket = FIRST,
        seconds: float | None = None,
    ) -> T:
        if work is not transcribe_chunk:
            return await super().run(work, *args, ticket=ticket, seconds=seconds)
        self.done.append(work.__name__)
        return ["go"]  # type: ignore[return-value]


_LONG = _sound(bytes(2 * 16000 * 70))


async def test_a_long_recording_is_written_down_in_chunks_with_progress() -> None:
    told: list[float] = []
    workers = HearingWorkers()
    expert = EmbeddedExpert(workers)

    made = await expert.run(
        job(
            "automatic-speech-recognition",
            audio=_LONG,
            report=lambda share, _note: told.append(share),
        )
    )

    assert len(told) >= 3
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert workers.done.count("transcribe_chunk") == len(told)
    assert made.note == say("en", LocalizedText("embedded-heard"))


async def test_what_was_written_down_when_the_time_ran_out_is_the_result() -> None:
    expert = EmbeddedExpert(HearingWorkers())
    left = iter((10.0, 4.0, 4.0))  # each is asked before a chunk and after it
    asked = replace(job("automatic-speech-recognition", audio=_LONG), left=lambda: next(left))

    made = await expert.run(asked)

    text = made.slots["text"]
    assert isinstance(text, Text)
    assert text.text
    partial = re.escape(say("en", LocalizedText("embedded-heard-partial", {"minutes": "@"})))
    assert re.match(partial.replace("@", r"0:\d\d"), made.note)


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
