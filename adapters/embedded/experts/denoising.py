"""Steady noise, mains hum and the centre of a stereo recording, taken out with short spectra."""

from collections.abc import Callable
from typing import Any

Samples = Any
"""A numpy array of float32, a row for each channel, between -1 and 1."""
Spectrum = Any
"""A numpy array: channel, frequency."""

_WINDOW, _HUM_WINDOW, _OVERLAP = 0.064, 2.0, 4  # seconds, frames that cover a sample
_FLOOR = 10 ** (-15 / 20)
"""The lowest gain: the noise that is left hides what the cleaning does to the rest."""
_MEMORY = 0.98  # of the decision-directed signal estimate
_LEAST_SIGNAL = 10**-2.5
_SPOTS, _SPOT_FRAMES, _QUIET = 300, 5, 0.15
"""The noise of a frequency is its power at the quietest share of some spots."""
_MAINS, _HARMONICS, _FEWEST_HARMONICS = (50, 60), 12, 3
_BIAS = 2.0  # of the mean power to that of quiet moments
_HUM_WIDTH = 0.6  # Hz to both sides of a harmonic
_BASS = 120.0  # Hz: voices are higher
_STEREO = 1e-4  # of the power: channels that differ less are mono


def reduce_noise(sound: Samples, rate: int) -> tuple[Samples, float]:
    """The sound with less noise, and the decibels by which it stood above the noise before.

    The noise is learnt in the quietest moments; the gain is the root of Wiener's, on a
    decision-directed estimate of the signal (Ephraim and Malah, 1984).
    """
    import numpy as np

    noise = _estimate_noise(sound, rate)
    signal, heard, frames = np.zeros_like(noise), 0.0, 1

    def clean(spectrum: Spectrum) -> Spectrum:
        nonlocal signal, heard, frames
        power = np.abs(spectrum) ** 2
        heard, frames = heard + float(power.sum()), frames + 1
        snr = np.minimum(power / noise, 1000.0)
        fresh = (1 - _MEMORY) * np.maximum(snr - 1, 0)
        prior = np.maximum(_MEMORY * signal + fresh, _LEAST_SIGNAL)
        gain = np.clip(np.sqrt(prior / (1 + prior)), _FLOOR, 1)
        signal = gain**2 * snr
        return spectrum * gain

    cleaned = _filter_frames(sound, rate, clean)
    above = heard / (frames * float(noise.sum())) - 1
    return cleaned, 10 * float(np.log10(max(above, 1e-3)))


def _estimate_noise(sound: Samples, rate: int) -> Spectrum:
    """The power of each frequency in the quietest moments."""
    import numpy as np

    size, hop, window = _frames(rate, _WINDOW)
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
    return np.quantile(live if len(live) else powers, _QUIET, axis=0) * _BIAS + 1e-12


def _frames(rate: int, seconds: float) -> tuple[int, int, Any]:
    """The size, the distance and the window of the frames, in samples."""
    import numpy as np

    size = 1 << max(round(float(np.log2(seconds * rate))), 2)
    return size, size // _OVERLAP, np.sqrt(np.hanning(size + 1)[:-1]).astype(np.float32)


def _filter_frames(
    sound: Samples, rate: int, change: Callable[[Spectrum], Spectrum], seconds: float = _WINDOW
) -> Samples:
    """The sound after a change to the spectrum of each of its overlapping frames."""
    import numpy as np

    size, hop, window = _frames(rate, seconds)
    padded = np.pad(sound, ((0, 0), (size, 2 * size)))
    result = np.zeros_like(padded)
    for start in range(0, sound.shape[1] + size, hop):
        frame = slice(start, start + size)
        spectrum = change(np.fft.rfft(padded[:, frame] * window))
        result[:, frame] += np.fft.irfft(spectrum, size) * window * (2 / _OVERLAP)
    return result[:, size : size + sound.shape[1]]


def find_hum(sound: Samples, rate: int) -> int:
    """The mains frequency several harmonics of which stand out by 12 dB all the time; else 0."""
    import numpy as np

    mono = sound.mean(axis=0)
    size = min(len(mono), 4 * rate)
    if size < rate:
        return 0
    starts = np.unique(np.linspace(0, len(mono) - size, 8).astype(int))
    window = np.hanning(size)
    spectra = [np.abs(np.fft.rfft(mono[at : at + size] * window)) for at in starts]
    spectrum, hertz = np.median(spectra, axis=0), np.fft.rfftfreq(size, 1 / rate)

    def count(base: int) -> int:
        distances = [abs(hertz - base * number) for number in range(1, 13)]
        peaks = [spectrum[far < 1].max() for far in distances]
        around = [np.median(spectrum[(far > 3) & (far < 12)]) for far in distances]  # noqa: PLR2004
        return sum(peak > 4 * (other + 1e-9) for peak, other in zip(peaks, around, strict=True))

    best = max(_MAINS, key=count)
    return best if count(best) >= _FEWEST_HARMONICS else 0


def remove_hum(sound: Samples, rate: int, base: int) -> Samples:
    """Without the harmonics of `base` (Hz), in frames long enough to tell them from all else."""
    import numpy as np

    size, _, _ = _frames(rate, _HUM_WINDOW)
    hertz = np.arange(size // 2 + 1) * rate / size
    number = np.round(hertz / base)
    kept = (abs(hertz - number * base) > _HUM_WIDTH) | (number < 1) | (number > _HARMONICS)
    return _filter_frames(sound, rate, lambda spectrum: spectrum * kept, _HUM_WINDOW)


def is_stereo(sound: Samples) -> bool:
    difference = sound[0] - sound[-1]
    return float((difference**2).mean()) > _STEREO * float((sound**2).mean())


def remove_centre(sound: Samples, rate: int) -> Samples:
    """Without what both channels share above the bass, where voices are usually put."""
    import numpy as np

    size, _, _ = _frames(rate, _WINDOW)
    voiced = np.arange(size // 2 + 1) * rate / size > _BASS

    def centre(spectra: Spectrum) -> Spectrum:
        left, right = spectra
        power = np.abs(left) ** 2 + np.abs(right) ** 2 + 1e-12
        likeness = 2 * np.real(left * right.conj()) / power
        shared = np.clip((likeness - 0.7) / 0.25, 0, 1) * voiced * (left + right) / 2
        return np.stack((shared, shared))

    return sound - _filter_frames(sound, rate, centre)
