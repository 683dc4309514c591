"""Sounds changed: noise, hum and the voice in music taken out, loudness, pitch."""

import io
import wave
from collections.abc import Sequence

from adapters.embedded.experts.conversion import choose_sound_ending, run_ffmpeg
from adapters.embedded.experts.denoising import (
    Samples,
    find_hum,
    is_stereo,
    reduce_noise,
    remove_centre,
    remove_hum,
)
from adapters.embedded.experts.lexicon import phrases
from adapters.embedded.experts.speech import write_wav
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_file, get_text
from pipeline.domain import Blob, LocalizedText, Type
from pipeline.errors import BadInput, ExpertRefused

_LONGEST = 600  # seconds
_CLEAN = 20.0
"""Decibels above the noise from which on taking it out does more harm than good."""
_ORDER = ("unable", "voice", "lower", "higher", "hum", "noise", "loudness")
"""All changes, in the order in which they are best made."""
_FILTERS = {
    "loudness": "loudnorm=I=-16:TP=-1.5:LRA=11",
    "higher": f"rubberband=pitch={2 ** (4 / 12)}",
    "lower": f"rubberband=pitch={2 ** (-4 / 12)}",
}


def clean(args: ExpertInput, _language: str) -> WorkerResult:
    """The sound after all that was asked for; without a word its noise is taken out.

    Raises BadInput, ExpertRefused.
    """
    blob = get_file(args, "audio", Type.AUDIO)
    names = find_changes(get_text(args, "text"))
    if not names or "unable" in names:
        raise ExpertRefused("embedded-no-cleaning")
    sound, rate = _read_sound(run_ffmpeg(blob, ["-vn"], "wav"))
    notes: list[LocalizedText] = []
    for name in names:
        note = LocalizedText(f"embedded-sound-{name}")
        if name not in _FILTERS:
            sound, note = _change_samples(name, sound, rate)
        notes.append(note)
    samples = (sound.clip(-1, 1).T * 32767).astype("<i2").tobytes()
    wav = Blob(write_wav(samples, rate, len(sound)), "audio/wav", blob.name, blob.alt)
    filters = [_FILTERS[name] for name in names if name in _FILTERS]
    arguments = ["-vn", "-af", ",".join([*filters, f"aresample={rate}"])]
    result = run_ffmpeg(wav, arguments, choose_sound_ending(blob))
    return WorkerResult(slots={"audio": result}, notes=tuple(notes))


def find_changes(instruction: str) -> Sequence[str]:
    """What an instruction asks for, in the order in which it is best done."""
    named = {name.removeprefix("sound.") for name in phrases("sound").concepts(instruction)}
    if "noise" in named or not instruction.strip():
        named = named - {"hum"} | {"noise"}
    return [name for name in _ORDER if name in named]


def _change_samples(name: str, sound: Samples, rate: int) -> tuple[Samples, LocalizedText]:
    """Takes out the voice, or hum and noise. Raises ExpertRefused where there is none."""
    if name == "voice":
        if not is_stereo(sound):
            raise ExpertRefused("embedded-not-stereo")
        return remove_centre(sound, rate), LocalizedText("embedded-sound-voice")
    base = find_hum(sound, rate)
    hum = LocalizedText("embedded-sound-hum", {"hertz": base})
    if base:  # before the noise: a hum is no noise to be learnt
        sound = remove_hum(sound, rate, base)
    if base and name == "hum":
        return sound, hum
    quieter, above = reduce_noise(sound, rate)
    if above < _CLEAN:
        return quieter, LocalizedText("embedded-sound-noise", {"decibels": round(above)})
    if base:
        return sound, hum
    raise ExpertRefused("embedded-no-noise")


def _read_sound(blob: Blob) -> tuple[Samples, int]:
    """Raises BadInput."""
    import numpy as np

    with wave.open(io.BytesIO(blob.data)) as opened:
        rate, channels, length = opened.getframerate(), opened.getnchannels(), opened.getnframes()
        if length > _LONGEST * rate:
            raise BadInput("embedded-too-long")
        data = opened.readframes(length)
    samples = np.frombuffer(data, "<i2").reshape(-1, channels).T[:2]
    if not samples.size:
        raise BadInput("embedded-sound-unreadable")
    return samples.astype(np.float32) / 32767, rate
