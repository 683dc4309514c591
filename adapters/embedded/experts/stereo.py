"""The middle of a stereo recording, where voices are usually put, taken out of it."""

from adapters.embedded.experts.noise import Frames, Samples, Spectra

_BASS = 120.0
_STRETCH = 512
_APART = 10 ** (-40 / 10)


def is_stereo(sound: Samples) -> bool:
    """Whether left and right differ at all."""
    if sound.shape[0] < 2:  # noqa: PLR2004 - channels
        return False
    difference = sound[0] - sound[1]
    return float((difference**2).mean()) > _APART * float((sound**2).mean())


def without_middle(sound: Samples, rate: int) -> Samples:
    """What is not alike on both channels, and all that is lower than voices are."""
    import numpy as np

    frames = Frames.at(rate)
    padded = frames.padded(sound[:2])
    total = frames.count(sound.shape[1])
    middle = np.zeros_like(padded)
    voice = np.arange(frames.size // 2 + 1) * rate / frames.size > _BASS
    for first in range(0, total, _STRETCH):
        spectra = frames.spectra(padded, first, min(_STRETCH, total - first))
        frames.add(middle, first, _middle(spectra) * voice)
    return sound[:2] - middle[:, frames.size : frames.size + sound.shape[1]]


def _middle(spectra: Spectra) -> Spectra:
    """What is alike on both channels, by how alike it is, in strength and in phase."""
    import numpy as np

    left, right = spectra
    alike = 2 * np.real(left * right.conj()) / (np.abs(left) ** 2 + np.abs(right) ** 2 + 1e-12)
    share = np.clip((alike - 0.7) / 0.25, 0, 1)
    both = share * (left + right) / 2
    return np.stack((both, both))
