"""Writes down English speech with PocketSphinx, in chunks that end in pauses."""

from functools import cache
from typing import Any

from adapters.embedded.experts.waveforms import RATE, read_waveform
from pipeline.domain import Blob
from pipeline.errors import BadInput

_LONGEST = 3_600 * RATE
"""Samples of a recording: an hour."""
_CHUNK = 30
"""Seconds of a chunk."""
_SLACK = 10
"""Seconds at the end of a chunk, of which the quietest moment ends it."""
_FEWEST_FRAMES = 5
"""Frames of 30 ms with a voice; fewer are noise."""


def split_recording(recording: Blob) -> list[bytes]:
    """16 kHz mono samples of a recording, in chunks that end in pauses. Raises BadInput."""
    samples = read_waveform(recording)
    if len(samples) > _LONGEST:
        raise BadInput("embedded-too-long")
    chunks, start = [], 0
    while len(samples) - start > _CHUNK * RATE:
        tail = samples[start + (_CHUNK - _SLACK) * RATE : start + _CHUNK * RATE]
        loudness = abs(tail.astype(float)).reshape(-1, RATE // 10).mean(axis=1)
        end = start + (_CHUNK - _SLACK) * RATE + int(loudness.argmin()) * RATE // 10
        chunks.append(samples[start:end].tobytes())
        start = end
    return [*chunks, samples[start:].tobytes()]


def transcribe_chunk(samples: bytes) -> list[str]:
    """The English words of a chunk; none where nobody speaks: noise would become words."""
    from pocketsphinx import Vad

    vad = Vad(mode=2, sample_rate=RATE)
    step = vad.frame_bytes
    frames = (samples[at : at + step] for at in range(0, len(samples) - step + 1, step))
    if sum(bool(vad.is_speech(frame)) for frame in frames) < _FEWEST_FRAMES:
        return []
    decoder = _decoder()
    decoder.start_utt()
    decoder.process_raw(samples, no_search=False, full_utt=True)
    decoder.end_utt()
    if decoder.hyp() is None:
        return []
    spoken = [part.word for part in decoder.seg() if not part.word.startswith(("<", "["))]
    return [word.partition("(")[0] for word in spoken]


@cache
def _decoder() -> Any:
    from pocketsphinx import Decoder

    return Decoder(samprate=RATE, loglevel="FATAL")
