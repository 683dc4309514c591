"""Steady noise, mains hum and the centre of a stereo recording, taken out with short spectra."""

from collections.abc import Callable
from typing import Any

Samples = Any
"""A numpy array of float32, a row for each channel, between -1 and 1."""
Spectrum = Any
"""A numpy array: channel, frequency."""

_WINDOW, _OVERLAP = 0.064, 4  # seconds, frames that cover a sample
_FLOOR = 10 ** (-15 / 20)
"""The lowest gain: the noise that is left hides what the cleaning does to the rest."""
_MEMORY = 0.98  # of the decision-directed signal estimate
_PRIOR_SNR = 10**1.5
_LEAST_SIGNAL = 10**-2.5
_SPOTS, _SPOT_FRAMES, _QUIET = 300, 5, 0.15
"""The noise of a frequency is its power at the quietest share of some spots."""
_MAINS, _HARMONICS, _FEWEST_HARMONICS = (50.0, 60.0), 12, 3
_HIGHEST_HARMONIC = 2000.0  # Hz
_BASS = 120.0  # Hz: voices are higher
_STEREO = 1e-4  # of the power: channels that differ less are mono


def reduce_noise(sound: Samples, rate: int) -> tuple[Samples, float]:
    """The sound with less noise, and the decibels by which it stood above the noise before.

    The noise is learnt in the quietest moments and followed by the probability of speech (Gerkmann
    and Hendriks, 2012); the gain is the root of Wiener's, on a decision-directed estimate of the
    signal (Ephraim and Malah, 1984).
    """
    import numpy as np

    tracker = _NoiseTracker(_estimate_noise(sound, rate))
    cleaned = _filter_frames(sound, rate, tracker.clean)
    above = tracker.heard / tracker.removed - 1
    return cleaned, 10 * float(np.log10(max(above, 1e-3)))


class _NoiseTracker:
    """Follows noise and signal from frame to frame."""

    def __init__(self, noise: Spectrum) -> None:
        import numpy as np

        self.heard = self.removed = 1e-12
        self._noise = noise
        self._signal = np.zeros_like(noise)
        self._speech = np.full_like(noise, 0.5)

    def clean(self, spectrum: Spectrum) -> Spectrum:
        import numpy as np

        power = np.abs(spectrum) ** 2
        self.heard += float(power.sum())
        if power.any():
            spectrum = spectrum * self._gain(power)
        self.removed += float(self._noise.sum())
        return spectrum

    def _gain(self, power: Spectrum) -> Spectrum:
        import numpy as np

        snr = np.minimum(power / self._noise, 200.0)
        speech = 1 / (1 + (1 + _PRIOR_SNR) * np.exp(-snr * _PRIOR_SNR / (1 + _PRIOR_SNR)))
        self._speech = 0.9 * self._speech + 0.1 * speech
        locked = self._speech > 0.99  # noqa: PLR2004 - then the noise would never be learnt again
        speech = np.where(locked, np.minimum(speech, 0.99), speech)
        learnt = speech * self._noise + (1 - speech) * power
        self._noise = np.maximum(0.8 * self._noise + 0.2 * learnt, 1e-12)
        snr = np.minimum(power / self._noise, 1000.0)
        fresh = (1 - _MEMORY) * np.maximum(snr - 1, 0)
        signal = np.maximum(_MEMORY * self._signal + fresh, _LEAST_SIGNAL)
        gain = np.clip(np.sqrt(signal / (1 + signal)), _FLOOR, 1)
        self._signal = gain**2 * snr
        return gain


def _estimate_noise(sound: Samples, rate: int) -> Spectrum:
    """The power of each frequency in the quietest moments."""
    import numpy as np

    size, hop, window = _frames(rate)
    starts = np.linspace(0, max(sound.shape[1] - size - _SPOT_FRAMES * hop, 0), _SPOTS)
    padded = np.pad(sound, ((0, 0), (0, size + _SPOT_FRAMES * hop)))
    offsets = np.arange(_SPOT_FRAMES)[:, None] * hop + np.arange(size)
    spots = [
        (np.abs(np.fft.rfft(padded[:, start + offsets] * window)) ** 2).mean(axis=1)
        for start in np.unique(starts.astype(int))
    ]
    powers = np.stack(spots)
    loudness = powers.sum(axis=(1, 2))
    live = powers[loudness > 1e-9 * max(float(loudness.max()), 1e-9)]  # digital silence tells none
    return np.quantile(live if len(live) else powers, _QUIET, axis=0) + 1e-12


def _frames(rate: int) -> tuple[int, int, Any]:
    """The size, the distance and the window of the frames, in samples."""
    import numpy as np

    size = 1 << max(round(float(np.log2(_WINDOW * rate))), 2)
    return size, size // _OVERLAP, np.sqrt(np.hanning(size + 1)[:-1]).astype(np.float32)


def _filter_frames(sound: Samples, rate: int, change: Callable[[Spectrum], Spectrum]) -> Samples:
    """The sound after a change to the spectrum of each of its overlapping frames."""
    import numpy as np

    size, hop, window = _frames(rate)
    padded = np.pad(sound, ((0, 0), (size, 2 * size)))
    result = np.zeros_like(padded)
    for start in range(0, sound.shape[1] + size, hop):
        frame = slice(start, start + size)
        spectrum = change(np.fft.rfft(padded[:, frame] * window))
        result[:, frame] += np.fft.irfft(spectrum, size) * window * (2 / _OVERLAP)
    return result[:, size : size + sound.shape[1]]


def find_hum(sound: Samples, rate: int) -> float:
    """The frequency of a mains hum, several harmonics of which stand out all the time; else 0."""
    import numpy as np

    mono = sound.mean(axis=0)
    size = min(len(mono), 4 * rate)
    if size < rate:
        return 0.0
    starts = np.unique(np.linspace(0, len(mono) - size, 8).astype(int))
    length = 1 << (40 * rate - 1).bit_length()
    window = np.hanning(size)
    spectra = [np.abs(np.fft.rfft(mono[at : at + size] * window, length)) for at in starts]
    spectrum, step = np.median(spectra, axis=0), rate / length
    bases = max((_find_harmonics(spectrum, step, base) for base in _MAINS), key=len)
    return float(np.median(bases)) if len(bases) >= _FEWEST_HARMONICS else 0.0


def _find_harmonics(spectrum: Any, step: float, base: float) -> list[float]:
    """The base frequency by each harmonic that stands out by 12 dB; `step` is Hz per bin."""
    import numpy as np

    def cut(low: float, high: float) -> slice:
        return slice(round(low / step), round(high / step))

    bases = []
    for number in range(1, _HARMONICS + 1):
        middle = base * number
        if middle + 12 > len(spectrum) * step:
            break
        near = spectrum[cut(middle - 1, middle + 1)]
        beside = (spectrum[cut(middle - 12, middle - 3)], spectrum[cut(middle + 3, middle + 12)])
        if near.max() > 4 * (np.median(np.concatenate(beside)) + 1e-9):
            peak = cut(middle - 1, middle + 1).start + int(near.argmax())
            bases.append(peak * step / number)
    return bases


def remove_hum(sound: Samples, rate: int, base: float) -> Samples:
    """Without the harmonics of `base` (Hz): in stretches of two seconds, sines are fitted."""
    import numpy as np

    size = min(sound.shape[1], 2 * rate) // 2 * 2
    hop, window = size // 2, np.hanning(size + 1)[:-1].astype(np.float32)
    highest = min(_HIGHEST_HARMONIC, rate / 2 - 100)
    harmonics = np.arange(1, int(highest // base) + 1)
    turns = np.outer(harmonics * base / rate, np.arange(size))
    sines = np.exp(-2j * np.pi * turns).astype(np.complex64)
    padded = np.pad(sound, ((0, 0), (hop, size + hop)))
    hum = np.zeros_like(padded)
    for start in range(0, padded.shape[1] - size + 1, hop):
        stretch = padded[:, start : start + size] * window
        strengths = sines @ stretch.T * (2 / window.sum())
        hum[:, start : start + size] += np.real(sines.conj().T @ strengths).T * window
    return sound - hum[:, hop : hop + sound.shape[1]]


def is_stereo(sound: Samples) -> bool:
    difference = sound[0] - sound[-1]
    return float((difference**2).mean()) > _STEREO * float((sound**2).mean())


def remove_centre(sound: Samples, rate: int) -> Samples:
    """Without what both channels share above the bass, where voices are usually put."""
    import numpy as np

    size, _, _ = _frames(rate)
    voiced = np.arange(size // 2 + 1) * rate / size > _BASS

    def centre(spectra: Spectrum) -> Spectrum:
        left, right = spectra
        power = np.abs(left) ** 2 + np.abs(right) ** 2 + 1e-12
        likeness = 2 * np.real(left * right.conj()) / power
        shared = np.clip((likeness - 0.7) / 0.25, 0, 1) * voiced * (left + right) / 2
        return np.stack((shared, shared))

    return sound - _filter_frames(sound, rate, centre)
