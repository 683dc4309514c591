"""Sounds cleaned: what is asked for, and whether it is better afterwards than before."""

import io
import wave
from typing import Any

import numpy as np
import pytest

from adapters.embedded.experts.expert import EmbeddedExpert
from adapters.embedded.experts.sound_filters import find_changes
from pipeline.domain import Blob, ExpertOutput, LocalizedText
from pipeline.errors import BadInput, ExpertRefused
from pipeline.ports import Job
from pipeline.words import say
from tests.adapters.local.encoding import encoded
from tests.fakes.jobs import job

_RATE = 22050
_SAID = "The quick brown fox jumps over the lazy dog. Please send the report before Friday."
_CHANCE = np.random.default_rng(7)


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("", ["noise"]),
        ("remove the noise", ["noise"]),
        ("there is so much hiss, can you clean it up?", ["noise"]),
        ("bitte das Rauschen entfernen", ["noise"]),
        ("quita el ruido de fondo", ["noise"]),
        ("enlève le bruit de fond stp", ["noise"]),
        ("去除噪音", ["noise"]),
        ("ノイズを取って", ["noise"]),
        ("get rid of the hum", ["hum"]),
        ("das Brummen muss weg", ["hum"]),
        ("karaoke tonight! strip the singer out of this tune", ["voice"]),
        ("nur die Musik ohne Gesang", ["voice"]),
        ("solo la música, sin voz", ["voice"]),
        ("la musique sans la voix", ["voice"]),
        ("去掉人声", ["voice"]),
        ("ボーカルを消して", ["voice"]),
        ("lauter und ohne Rauschen", ["noise", "loudness"]),
        ("make it louder", ["loudness"]),
        ("with a monster voice", ["lower"]),
        ("make my voice sound like a woman's", ["higher"]),
        ("isolate the vocals from this song", []),
        ("Hall aus der Aufnahme rausnehmen", []),
        ("sing it backwards", []),
    ],
)
def test_instructions_are_understood(instruction: str, wanted: list[str]) -> None:
    assert list(find_changes(instruction)) == wanted


@pytest.fixture
async def speech(expert: EmbeddedExpert) -> Any:
    made = await expert.run(job("text-to-speech", text=_SAID, language="en"))
    points, rate = _read(made)
    assert rate == _RATE
    return points[0]


def _read(made: ExpertOutput) -> tuple[Any, int]:
    audio = made.slots["audio"]
    assert isinstance(audio, Blob)
    with wave.open(io.BytesIO(audio.data)) as opened:
        data = np.frombuffer(opened.readframes(opened.getnframes()), "<i2")
        return data.reshape(-1, opened.getnchannels()).T / 32768, opened.getframerate()


def _asked(sound: Any, text: str = "", rate: int = _RATE) -> Job:
    sheet = io.BytesIO()
    rows = np.atleast_2d(sound)
    with wave.open(sheet, "wb") as out:
        out.setnchannels(len(rows))
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes((np.clip(rows.T, -1, 1) * 32767).astype("<i2").tobytes())
    return job("audio-to-audio", audio=Blob(sheet.getvalue(), "audio/wav", "a.wav"), text=text)


def _with(speech: Any, noise: Any, decibels: float) -> Any:
    louder = np.sqrt((speech**2).mean() / (noise**2).mean() / 10 ** (decibels / 10))
    return speech + noise * louder


def _better(made: Any, before: Any, clean: Any) -> float:
    """Decibels of signal to distortion gained, whatever the volume and the delay (SI-SDR)."""

    def ratio(heard: Any) -> float:
        spectra = np.fft.rfft(heard) * np.fft.rfft(clean).conj()
        delay = int(np.fft.irfft(spectra)[: _RATE // 10].argmax())
        late, said = heard[delay:], clean[: len(clean) - delay]
        scaled = said * (late @ said) / (said @ said)
        return float(10 * np.log10((scaled**2).sum() / ((late - scaled) ** 2).sum()))

    return ratio(made) - ratio(before)


@pytest.mark.parametrize(("decibels", "gained"), [(0, 4), (5, 4), (10, 3)])
async def test_steady_noise_is_turned_down_and_the_speech_is_clearer(
    decibels: float, gained: float, speech: Any, expert: EmbeddedExpert
) -> None:
    noisy = _with(speech, _CHANCE.standard_normal(len(speech)), decibels) / 4

    made = await expert.run(_asked(noisy, "remove the noise"))

    assert _better(_read(made)[0][0], noisy, speech) > gained
    assert made.note


@pytest.mark.parametrize("mains", [50, 60])
async def test_hum_is_taken_out(mains: int, speech: Any, expert: EmbeddedExpert) -> None:
    turns = 2 * np.pi * mains * 1.001 * np.arange(len(speech)) / _RATE
    noisy = _with(speech, sum(np.sin(turns * k) / k for k in range(1, 9)), 0) / 4

    made = await expert.run(_asked(noisy, "get rid of the hum"))

    assert _better(_read(made)[0][0], noisy, speech) > 9
    assert made.note == say("en", LocalizedText("embedded-sound-hum"))


async def test_where_there_is_no_noise_nothing_is_done(speech: Any, expert: EmbeddedExpert) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await expert.run(_asked(speech))

    assert caught.value.sentence.id == "embedded-no-noise"


async def test_the_voice_is_taken_out_of_stereo_music(speech: Any, expert: EmbeddedExpert) -> None:
    turns = 2 * np.pi * np.arange(len(speech)) / _RATE
    chord = [sum(np.sin(turns * low * k) / k for k in (1, 2, 3)) / 20 for low in (196, 262)]
    music = np.stack((chord[0] + chord[1] / 4, chord[0] / 4 + chord[1]))
    song = (music + speech) / 2

    made = await expert.run(_asked(song, "only the music, without the voice"))

    heard = _read(made)[0]
    assert all(_better(heard[side], song[side], music[side]) > 3 for side in (0, 1))
    assert made.note == say("en", LocalizedText("embedded-sound-voice"))


async def test_a_voice_cannot_be_taken_out_of_mono(speech: Any, expert: EmbeddedExpert) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await expert.run(_asked(np.stack((speech, speech)), "karaoke"))

    assert caught.value.sentence.id == "embedded-not-stereo"


async def test_what_is_quiet_becomes_as_loud_as_usual(speech: Any, expert: EmbeddedExpert) -> None:
    made = await expert.run(_asked(speech / 30, "louder please"))

    before, after = (float(np.sqrt((one**2).mean())) for one in (speech / 30, _read(made)[0]))
    assert 20 * np.log10(after / before) > 10


async def test_a_voice_becomes_deeper_and_stays_as_long(expert: EmbeddedExpert) -> None:
    turns = 2 * np.pi * 440 * np.arange(2 * _RATE) / _RATE

    made = await expert.run(_asked(np.sin(turns) / 2, "a deeper voice"))

    heard, rate = _read(made)
    loudest = np.abs(np.fft.rfft(heard[0])).argmax() * rate / len(heard[0])
    assert loudest == pytest.approx(440 / 2 ** (4 / 12), rel=0.01)
    assert len(heard[0]) / rate == pytest.approx(2, abs=0.1)


async def test_other_types_of_files_keep_their_type(speech: Any, expert: EmbeddedExpert) -> None:
    noisy = _asked(_with(speech, _CHANCE.standard_normal(len(speech)), 5) / 4)
    (wav,) = noisy.args["audio"]
    assert isinstance(wav, Blob)
    mp3 = Blob(encoded(wav.data, "mp3"), "audio/mpeg", "a.mp3")

    made = await expert.run(job("audio-to-audio", audio=mp3))

    audio = made.slots["audio"]
    assert isinstance(audio, Blob)
    assert (audio.media_type, audio.name) == ("audio/mpeg", "a.mp3")


@pytest.mark.parametrize(
    ("asked", "error", "sentence"),
    [
        (_asked(np.zeros(9), "separate the speakers"), ExpertRefused, "embedded-no-cleaning"),
        (_asked(np.zeros(9), "play it backwards"), ExpertRefused, "embedded-no-cleaning"),
        (_asked(np.zeros(_RATE)), ExpertRefused, "embedded-no-noise"),
        (_asked(np.zeros(0)), BadInput, "embedded-nothing-left"),
        (
            job("audio-to-audio", audio=Blob(b"no sound", "audio/wav")),
            BadInput,
            "embedded-film-unreadable",
        ),
    ],
)
async def test_what_cannot_be_done_ends_in_a_plain_sentence(
    asked: Job, error: type[Exception], sentence: str, expert: EmbeddedExpert
) -> None:
    with pytest.raises(error) as caught:
        await expert.run(asked)

    assert isinstance(caught.value, BadInput | ExpertRefused)
    assert caught.value.sentence.id == sentence


@pytest.mark.parametrize(
    "instruction", ["remove 50% of the noise", "50 % lauter", "less noise in the first 10 seconds"]
)
async def test_a_figure_that_no_change_of_a_sound_takes_is_refused(
    instruction: str, expert: EmbeddedExpert
) -> None:
    with pytest.raises(ExpertRefused) as caught:
        await expert.run(_asked(_CHANCE.standard_normal(300) / 4, instruction))

    assert caught.value.sentence.id == "embedded-order-unclear"


async def test_a_moment_of_sound_is_no_trouble(expert: EmbeddedExpert) -> None:
    made = await expert.run(_asked(_CHANCE.standard_normal(300) / 4))

    assert _read(made)[0].shape[1] == 300
