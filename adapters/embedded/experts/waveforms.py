"""The waveforms of sounds, as models of speech and sound filters take them."""

import io
import wave
from typing import Any

from adapters.media.editing import run_ffmpeg
from pipeline.domain import Blob

RATE = 16000
"""Samples a second."""


def read_waveform(blob: Blob, *options: str) -> Any:
    """The 16 kHz mono samples of a sound. Raises BadInput."""
    import numpy as np

    wav = run_ffmpeg(blob, ["-vn", *options, "-ac", "1", "-ar", str(RATE)], "wav")
    with wave.open(io.BytesIO(wav.data)) as sound:
        return np.frombuffer(sound.readframes(sound.getnframes()), "<i2")
