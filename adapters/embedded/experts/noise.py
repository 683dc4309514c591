"""Steady noise and mains hum taken out of a recording, by what is known of them: they do not change."""

from dataclasses import dataclass
from typing import Any

Samples = Any
"""A numpy array of float32, a row for each channel."""
Spectra = Any
"""A numpy array: strengths or powers, the frequencies last."""

_WINDOW = 0.064
_OVERLAP = 4
_STRETCH = 512
_FLOOR = 10 ** (-15 / 20)
"""No part is made quieter than this: what is left hides what the taking out does to the rest."""
_MEMORY = 0.98
_CERTAIN = 10**1.5
_LEAST = 10**-2.5
_SPOTS, _FRAMES = 300, 5
_QUIET = 0.15
_MAINS = (50.0, 60.0)
_HARMONICS = 12
_HUMS = 3
_SHORT, _LONG = 1.0, 4.0


@dataclass(frozen=True, slots=True)
class Frames:
    """The sound in overlapping windows."""

    size: int
    hop: int
    window: Any

    @classmethod
    def at(cls, rate: int) -> "Frames":
        import numpy as np

        size = 1 << round(np.log2(_WINDOW * rate))
        return cls(size, size // _OVERLAP, np.sqrt(np.hanning(size + 1)[:-1]).astype(np.float32))

    def count(self, samples: int) -> int:
        return -(-(samples + self.size) // self.hop)

    def padded(self, sound: Samples) -> Samples:
        import numpy as np

        return np.pad(sound, ((0, 0), (self.size, 2 * self.size)))

    def spectra(self, padded: Samples, first: int, many: int) -> Spectra:
        """Of some frames: channel, frame, frequency."""
        import numpy as np

        places = (first + np.arange(many))[:, None] * self.hop + np.arange(self.size)
        return np.fft.rfft(padded[:, places] * self.window, axis=-1)

    def add(self, whole: Samples, first: int, spectra: Spectra) -> None:
        """Frames back into the sound."""
        import numpy as np

        parts = np.fft.irfft(spectra, self.size, axis=-1) * self.window / (_OVERLAP / 2)
        for place in range(parts.shape[1]):
            start = (first + place) * self.hop
            whole[:, start : start + self.size] += parts[:, place]


def without_noise(sound: Samples, rate: int) -> tuple[Samples, float]:
    """The sound with its steady noise turned down, and by how many decibels it stood out of the noise before.

    What is noise is learnt from the quietest moments and followed from there by the probability of speech (Gerkmann and Hendriks,
    2012); each frequency is weighted by the square root of Wiener's gain, the signal tracked decision-directed (Ephraim and Malah, 1984).
    """
    import numpy as np

    frames = Frames.at(rate)
    padded = frames.padded(sound)
    total = frames.count(sound.shape[1])
    noise = _quiet(frames, padded, total)
    tracker = _Tracker(noise)
    made = np.zeros_like(padded)
    heard = hiss = 1e-12
    for first in range(0, total, _STRETCH):
        spectra = frames.spectra(padded, first, min(_STRETCH, total - first))
        powers = np.abs(spectra) ** 2
        for place in range(powers.shape[1]):
            spectra[:, place] *= tracker.gain(powers[:, place])
            hiss += float(tracker.noise.sum())
        heard += float(powers.sum())
        frames.add(made, first, spectra)
    above = 10 * float(np.log10(max(heard / hiss - 1, 1e-3)))
    return made[:, frames.size : frames.size + sound.shape[1]], above


def _quiet(frames: Frames, padded: Samples, total: int) -> Spectra:
    """The power of each frequency in the quietest moments."""
    import numpy as np

    last = max(total - _FRAMES - frames.size // frames.hop, 0)
    firsts = np.unique(np.linspace(min(_OVERLAP, last), last, _SPOTS).astype(int))
    spots = [np.abs(frames.spectra(padded, first, _FRAMES)) ** 2 for first in firsts]
    powers = np.stack([spot.mean(1) for spot in spots])
    loud = powers.sum((1, 2))
    live = powers[loud > 1e-9 * max(float(loud.max()), 1e-9)]
    return np.quantile(live if len(live) else powers, _QUIET, axis=0) + 1e-12


class _Tracker:
    """Follows noise and signal from frame to frame."""

    def __init__(self, noise: Spectra) -> None:
        import numpy as np

        self.noise = noise
        self._signal = np.zeros_like(noise)
        self._speech = np.full_like(noise, 0.5)

    def gain(self, power: Spectra) -> Spectra:
        import numpy as np

        if not power.any():
            return 1.0
        above = np.minimum(power / self.noise, 200.0)
        speech = 1 / (1 + (1 + _CERTAIN) * np.exp(-above * _CERTAIN / (1 + _CERTAIN)))
        self._speech = 0.9 * self._speech + 0.1 * speech
        speech = np.where(self._speech > 0.99, np.minimum(speech, 0.99), speech)  # noqa: PLR2004 - never locked
        learnt = speech * self.noise + (1 - speech) * power
        self.noise = np.maximum(0.8 * self.noise + 0.2 * learnt, 1e-12)
        above = np.minimum(power / self.noise, 1000.0)
        fresh = np.maximum(above - 1, 0)
        signal = np.maximum(_MEMORY * self._signal + (1 - _MEMORY) * fresh, _LEAST)
        gain = np.clip(np.sqrt(signal / (1 + signal)), _FLOOR, 1)
        self._signal = gain**2 * above
        return gain


def without_hum(sound: Samples, rate: int) -> tuple[Samples, float]:
    """The sound without the hum of the mains, and its frequency; 0.0 and the sound as it is when there is none."""
    mean = sound.mean(0)
    base = hum(mean, rate)
    if not base:
        return sound, 0.0
    return _subtracted(sound, rate, base), base


def hum(mean: Samples, rate: int) -> float:
    """The frequency of the mains that hums: when several of its multiples stand out of what is beside them, all the time."""
    import numpy as np

    size = int(min(len(mean), _LONG * rate))
    if size < _SHORT * rate:
        return 0.0
    starts = np.unique(np.linspace(0, len(mean) - size, 8).astype(int))
    length = 1 << int(np.ceil(np.log2(max(size, 40 * rate))))
    window = np.hanning(size)
    spectra = [np.abs(np.fft.rfft(mean[at : at + size] * window, length)) for at in starts]
    spectrum, step = np.median(spectra, axis=0), rate / length
    found = {base: _lines(spectrum, step, base, rate) for base in _MAINS}
    _base, lines = max(found.items(), key=lambda pair: len(pair[1]))
    return float(np.median(lines)) if len(lines) >= _HUMS else 0.0


def _lines(spectrum: Spectra, step: float, base: float, rate: int) -> list[float]:
    """The base as each multiple that stands out by 12 dB has it."""
    import numpy as np

    lines = []
    for number in range(1, _HARMONICS + 1):
        middle = base * number
        if middle + 12 > rate / 2:
            break
        low, high = round((middle - 1) / step), round((middle + 1) / step)
        beside = np.concatenate(
            (
                spectrum[round((middle - 12) / step) : round((middle - 3) / step)],
                spectrum[round((middle + 3) / step) : round((middle + 12) / step)],
            )
        )
        peak = low + int(spectrum[low:high].argmax())
        if spectrum[peak] > 4 * (np.median(beside) + 1e-9):
            lines.append(peak * step / number)
    return lines


def _subtracted(sound: Samples, rate: int, base: float) -> Samples:
    """In stretches of two seconds, the sines of all multiples are fitted and taken away."""
    import numpy as np

    size = int(min(sound.shape[1], 2 * rate))
    hop = size // 2
    window = np.hanning(size + 1)[:-1].astype(np.float32)
    highest = min(2000.0, rate / 2 - 100)
    waves = np.arange(1, int(highest // base) + 1)
    turns = np.outer(waves * base / rate, np.arange(size))
    sines = np.exp(-2j * np.pi * turns).astype(np.complex64)
    padded = np.pad(sound, ((0, 0), (hop, size + hop)))
    found = np.zeros_like(padded)
    for start in range(0, padded.shape[1] - size + 1, hop):
        stretch = padded[:, start : start + size] * window
        strength = sines @ stretch.T * (2 / window.sum())
        fitted = np.real(sines.conj().T @ strength).T
        found[:, start : start + size] += fitted.astype(np.float32) * window
    return sound - found[:, hop : hop + sound.shape[1]]
