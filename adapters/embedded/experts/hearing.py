"""Writing down what is said: PocketSphinx with its American English model, phrase by phrase."""

import io
import wave
from collections.abc import Iterator
from functools import cache
from typing import Any

from adapters.embedded.experts.finding import Args, Finding, file
from pipeline.domain import Blob, Sentence, Sureness, Text, Type, how_sure
from pipeline.errors import BadInput, ExpertRefused

_RATE = 16000
_MOST_SECONDS = 600
_PHRASE_SECONDS = 25
_FEWEST_FRAMES = 5  # of 30 ms


def transcribe(args: Args, _language: str) -> Finding:
    """What is said, in English. Raises BadInput, and ExpertRefused when nothing was understood."""
    samples = _samples(file(args, "audio", Type.AUDIO, Type.VIDEO))
    taken = samples[: _MOST_SECONDS * _RATE]
    heard = (
        [word for phrase in _phrases(taken) for word in _words(phrase)] if _speech(taken) else []
    )
    if not heard:
        raise ExpertRefused("embedded-nothing-heard")
    score = round(sum(sure for _, sure in heard) / len(heard), 3)
    notes = said_of_hearing(score)
    if len(samples) > len(taken):
        notes.append(Sentence("embedded-heard-cut", {"minutes": str(_MOST_SECONDS // 60)}))
    text = " ".join(word for word, _ in heard)
    return Finding({"text": Text(text, score)}, tuple(notes))


def said_of_hearing(score: float) -> list[Sentence]:
    """How far what was heard can be trusted."""
    told = [Sentence("embedded-heard", {"percent": str(round(score * 100))})]
    if how_sure(score, "automatic-speech-recognition") is Sureness.NOT:
        told.append(Sentence("embedded-heard-badly"))
    return told


def _samples(blob: Blob) -> Any:  # noqa: ANN401 - a numpy array
    """One channel of 16-bit figures at 16 kHz."""
    import numpy as np

    try:
        with wave.open(io.BytesIO(blob.data)) as sound:
            width, channels, rate = sound.getsampwidth(), sound.getnchannels(), sound.getframerate()
            data = sound.readframes(sound.getnframes())
    except (wave.Error, EOFError) as error:
        raise BadInput("embedded-sound-unreadable") from error
    if width != 2 or not data:  # noqa: PLR2004 - 16 bits
        raise BadInput("embedded-sound-unreadable")
    whole = len(data) // (2 * channels) * 2 * channels
    mono = np.frombuffer(data[:whole], dtype="<i2").reshape(-1, channels).mean(axis=1)
    if rate == _RATE:
        return mono.astype("<i2")
    places = np.arange(0, len(mono), rate / _RATE)
    return np.interp(places, np.arange(len(mono)), mono).astype("<i2")


def _speech(samples: Any) -> bool:  # noqa: ANN401
    """Whether there is a voice at all: the recogniser makes words of silence too."""
    from pocketsphinx import Vad

    vad = Vad(mode=2, sample_rate=_RATE)
    data, step = samples.tobytes(), vad.frame_bytes
    frames = range(0, len(data) - step + 1, step)
    return (
        sum(bool(vad.is_speech(data[place : place + step])) for place in frames) >= _FEWEST_FRAMES
    )


def _phrases(samples: Any) -> Iterator[bytes]:  # noqa: ANN401
    """Stretches of speech between pauses; short recordings whole, since their ends would be lost."""
    if len(samples) <= _PHRASE_SECONDS * _RATE:
        yield samples.tobytes()
        return
    from pocketsphinx import Segmenter

    for phrase in Segmenter(sample_rate=_RATE).segment(io.BytesIO(samples.tobytes())):
        yield phrase.pcm


def _words(phrase: bytes) -> list[tuple[str, float]]:
    """The words of a phrase, and how sure each is."""
    decoder = _decoder()
    decoder.start_utt()
    decoder.process_raw(phrase, no_search=False, full_utt=True)
    decoder.end_utt()
    if decoder.hyp() is None:
        return []
    return [
        (part.word.partition("(")[0], min(part.prob, 1.0))
        for part in decoder.seg()
        if not part.word.startswith(("<", "["))
    ]


@cache
def _decoder() -> Any:  # noqa: ANN401
    from pocketsphinx import Decoder

    return Decoder(samprate=_RATE, loglevel="FATAL")
