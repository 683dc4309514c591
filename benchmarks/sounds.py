"""How much better sounds are after the built-in cleaning: synthetic speech and recordings.

`python -m benchmarks.sounds [RECORDING.wav …]`
"""

import io
import sys
import wave
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from adapters.embedded.experts.conversion import run_ffmpeg
from adapters.embedded.experts.sounds import clean
from adapters.embedded.experts.speech import speak, write_wav
from pipeline.domain import Blob, Text
from pipeline.errors import ExpertRefused

RATE = 16000
SAID = (
    ("The quick brown fox jumps over the lazy dog. Please send the report before Friday.", "en"),
    ("Der Zug nach Berlin hat heute leider zwanzig Minuten Verspätung.", "de"),
    ("El tren sale a las siete y media desde el andén número cuatro.", "es"),
)
CHANCE = np.random.default_rng(0)


def samples(blob: Blob) -> Any:  # noqa: ANN401 - numpy arrays from here on
    wav = run_ffmpeg(blob, ["-vn", "-af", f"aresample={RATE}"], "wav")
    with wave.open(io.BytesIO(wav.data)) as opened:
        data = np.frombuffer(opened.readframes(opened.getnframes()), "<i2")
        return data.reshape(-1, opened.getnchannels())[:, 0] / 32768


def spoken(text: str, language: str) -> Any:  # noqa: ANN401
    audio = speak({"text": (Text(text),), "language": (Text(language),)}, language).slots["audio"]
    assert isinstance(audio, Blob)
    return samples(audio)


def coloured(length: int, fall: float) -> Any:  # noqa: ANN401
    frequencies = np.fft.rfftfreq(length, 1 / RATE)
    shape = np.where(frequencies > 20, np.maximum(frequencies, 20) ** -fall, 0)
    return np.fft.irfft(np.fft.rfft(CHANCE.standard_normal(length)) * shape, length)


def hum(length: int, mains: float = 50.0) -> Any:  # noqa: ANN401
    turns = 2 * np.pi * mains * np.arange(length) / RATE
    return sum(np.sin(turns * k + k) / k for k in range(1, 9))


NOISES: dict[str, Callable[[int], Any]] = {
    "white": lambda length: coloured(length, 0.0),
    "pink": lambda length: coloured(length, 0.5),
    "brown": lambda length: coloured(length, 1.0),
    "hum, 50 Hz": hum,
    "hum and white": lambda length: hum(length) / 1.2 + coloured(length, 0.0) / 2,
}


def ratio(heard: Any, clean: Any) -> float:  # noqa: ANN401
    """Signal to distortion, whatever the volume (SI-SDR)."""
    scaled = clean * (heard @ clean) / (clean @ clean)
    return float(10 * np.log10((scaled**2).sum() / ((heard - scaled) ** 2).sum()))


def cleaned(noisy: Any) -> Any:  # noqa: ANN401
    try:
        return changed(noisy[None], "remove the noise")[0]
    except ExpertRefused:  # nothing to take out
        return noisy


def changed(sound: Any, instruction: str) -> Any:  # noqa: ANN401
    """The sound after an instruction, a row for each channel; kept within what WAV can hold."""
    scale = 0.9 / max(float(np.abs(sound).max()), 0.9)
    points = (sound.T * scale * 32767).astype("<i2").tobytes()
    blob = Blob(write_wav(points, RATE, len(sound)), "audio/wav", "sound.wav")
    result = clean({"audio": (blob,), "text": (Text(instruction),)}, "en").slots["audio"]
    assert isinstance(result, Blob)
    with wave.open(io.BytesIO(result.data)) as opened:
        data = np.frombuffer(opened.readframes(opened.getnframes()), "<i2")
    return data.reshape(-1, len(sound)).T / 32768 / scale


def gains(clean: Sequence[Any], noise: Callable[[int], Any], decibels: float) -> list[float]:
    found = []
    for sound in clean:
        hiss = noise(len(sound))
        scale = np.sqrt((sound**2).mean() / (hiss**2).mean() / 10 ** (decibels / 10))
        noisy = sound + hiss * scale
        found.append(ratio(cleaned(noisy), sound) - ratio(noisy, sound))
    return found


def plucked(length: int, seed: int) -> Any:  # noqa: ANN401
    """Notes with overtones, three a second."""
    chance, made = np.random.default_rng(seed), np.zeros(length)
    for start in range(0, length, RATE // 3):
        moments = np.arange(min(RATE // 2, length - start)) / RATE
        pitch = chance.choice([196, 220, 247, 262, 294, 330, 392, 440])
        waves = sum(np.sin(2 * np.pi * pitch * k * moments) / k for k in range(1, 6))
        made[start : start + len(moments)] += waves * np.exp(-4 * moments)
    return made / made.std()


def songs(voice: Any) -> list[float]:  # noqa: ANN401
    """Gains on each side: a voice, bass and drum in the middle, two instruments beside them."""
    length = len(voice)
    left, right = plucked(length, 1) * 0.7, plucked(length, 2) * 0.7
    bass = np.sin(2 * np.pi * 70 * np.arange(length) / RATE) * 0.7
    drum = CHANCE.standard_normal(length) * (np.arange(length) % (RATE // 2) < RATE // 20)
    middle = bass + drum * 0.6
    music = np.stack((0.9 * left + 0.2 * right, 0.2 * left + 0.9 * right)) + middle
    song = music * voice.std() + voice
    made = changed(song, "only the music, without the voice")
    return [ratio(made[s], music[s]) - ratio(song[s], music[s]) for s in (0, 1)]


def main() -> None:
    synthetic = [spoken(*said) for said in SAID]
    recorded = [samples(Blob(Path(name).read_bytes(), "audio/wav")) for name in sys.argv[1:]]
    groups = [group for group in (synthetic, recorded) if group]
    for name, noise in NOISES.items():
        for decibels in (0, 5, 10, 20):
            told = [f"{np.mean(gains(group, noise, decibels)):+5.1f}" for group in groups]
            print(f"{name:14} at {decibels:2} dB: {' '.join(told)} dB")
    told = [f"{np.mean([songs(voice) for voice in group]):+5.1f}" for group in groups]
    print(f"music without its voice: {' '.join(told)} dB")


if __name__ == "__main__":
    main()
