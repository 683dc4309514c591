"""Sounds after ffmpeg's filters: less noise or hum, music without its voice, volume, pitch."""

from typing import Any

from adapters.embedded.experts.orders import list_measures, refuse
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_file, get_text
from adapters.embedded.experts.waveforms import read_waveform
from adapters.embedded.lexicon import phrases
from adapters.media.editing import choose_sound_ending, run_ffmpeg
from pipeline.domain import Blob, LocalizedText, Type
from pipeline.errors import BadInput, ExpertRefused

_HARMONICS = sorted({mains * number for mains in (50, 60) for number in range(1, 9)})
_SIDES = "aformat=channel_layouts=stereo,pan=mono|c0=c0-c1"
_FILTERS = {
    "voice": "stereotools=mlev=0.015625",
    "lower": f"rubberband=pitch={2 ** (-4 / 12)}",
    "higher": f"rubberband=pitch={2 ** (4 / 12)}",
    "hum": ",".join(f"bandreject=f={hertz}:width_type=h:w=2" for hertz in _HARMONICS),
    "noise": "afftdn=nr=20:nf={floor}",
    "loudness": "loudnorm=I=-16:TP=-1.5:LRA=11,aresample=48000",
}
"""In the order in which they are best applied. Spectral code of our own did no better."""
_CLEAN = 30
"""Decibels from the quietest moments to the mean; above, filtering does more harm than good."""
_LOWEST_FLOOR = -80
"""Decibels: the lowest floor that afftdn takes."""
_HIGHEST_FLOOR = -20
"""Decibels: the highest."""
_AUDIBLE = -60.0
"""Decibels of a difference between the sides of stereo."""
_MEASURED = "300"
"""Seconds whose levels are measured."""
_FRAME = 400
"""Samples of one level: 25 ms."""


def clean(args: ExpertInput, _language: str) -> WorkerResult:
    """The sound after all that was asked for; without an instruction its noise is reduced.

    Raises BadInput, ExpertRefused.
    """
    blob = get_file(args, "audio", Type.AUDIO)
    names = find_changes(instruction := get_text(args, "text"))
    if not names:
        raise ExpertRefused("embedded-no-cleaning")
    if unused := list_measures(instruction, "sound"):
        raise refuse(unused, "embedded-no-cleaning")
    if "voice" in names and _measure_levels(blob, _SIDES).max() < _AUDIBLE:
        raise ExpertRefused("embedded-not-stereo")
    floor = _find_noise_floor(blob) if "noise" in names else 0
    filters = ",".join(_FILTERS[name] for name in names).format(floor=floor)
    result = run_ffmpeg(blob, ["-vn", "-af", filters], choose_sound_ending(blob))
    notes = tuple(LocalizedText(f"embedded-sound-{name}") for name in names)
    return WorkerResult(slots={"audio": result}, notes=notes)


def find_changes(instruction: str) -> list[str]:
    """The changes that an instruction names, in the order of `_FILTERS`; none for one too many."""
    named = {name.removeprefix("sound.") for name in phrases("sound").concepts(instruction)}
    if not instruction.strip():
        return ["noise"]
    return [] if "unable" in named else [name for name in _FILTERS if name in named]


def _find_noise_floor(blob: Blob) -> int:
    """The level of the quietest moments in dB. Raises ExpertRefused where they are quiet enough."""
    import numpy as np

    levels = _measure_levels(blob)
    floor = float(np.quantile(levels, 0.05))
    if 10 * np.log10(np.mean(10 ** (levels / 10))) - floor > _CLEAN or floor < _LOWEST_FLOOR:
        raise ExpertRefused("embedded-no-noise")
    return round(min(floor, _HIGHEST_FLOOR))


def _measure_levels(blob: Blob, filters: str = "anull") -> Any:
    """The level in dB of each 25 ms of the first minutes. Raises BadInput."""
    import numpy as np

    samples = read_waveform(blob, "-af", filters, "-t", _MEASURED) / 32768
    if not samples.size:
        raise BadInput("embedded-sound-unreadable")
    frames = np.resize(samples, (-(-samples.size // _FRAME), _FRAME))
    return 10 * np.log10((frames**2).mean(axis=1) + 1e-10)
