"""Files resized, cropped, turned, cut and converted by ffmpeg. Runs in a worker."""

import io
import math
from collections.abc import Sequence

from adapters.media.bounds import Bounds
from adapters.media.edit_options import (
    ANIMATION,
    MEDIA_TYPES,
    MOST,
    SEEKS,
    UNFIT,
    Edit,
    encode_edits,
)
from adapters.media.ffmpeg import run_in_worker
from pipeline.domain import Blob, LocalizedText, Type
from pipeline.errors import ExpertRefused

_LARGEST = 8000
"""Pixels of a picture, in each direction."""
_KEPT = {"audio/wav": "wav", "audio/ogg": "ogg", "audio/flac": "flac", "audio/mp4": "m4a"}
"""The endings of sounds that can be written as they are."""
_UNMOVED = frozenset({"image/jpeg", "image/bmp", "image/tiff"})
"""Types of pictures that hold no animation."""


def edit(blob: Blob, edits: Sequence[Edit], *, is_animated: bool = False) -> list[Blob]:
    """The file after all edits: one, or the frames of a film.

    `is_animated`: keep the frames of an animation. Raises ExpertRefused for edits that do not suit
    the type of the file or ask for too large a picture, BadInput for a file that cannot be read.
    """
    from adapters.media.pictures import flatten, load_upright, to_animation

    is_unfit = any(each.op in UNFIT[blob.type] for each in edits)
    if is_unfit and blob.type is Type.AUDIO:
        raise ExpertRefused("embedded-order-empty", can=LocalizedText("embedded-can-files"))
    ending = _choose_ending(blob, edits)
    if any(max(each.figures) > MOST.get(each.op, math.inf) for each in edits if each.figures):
        raise ExpertRefused("embedded-picture-too-large")
    seeks = (SEEKS[each.op](*each.figures) for each in edits if each.op in SEEKS)
    before = next(seeks, ())
    if blob.type is Type.IMAGE and is_animated and can_move(MEDIA_TYPES[ending]):
        data = to_animation(blob.data, Bounds())
        blob = Blob(data, ANIMATION, blob.name, alt=blob.alt)
    elif blob.type is Type.IMAGE and MEDIA_TYPES[ending].startswith("image/"):
        if is_unfit:
            raise ExpertRefused("embedded-not-for-pictures")
        file = io.BytesIO()
        picture = flatten(load_upright(blob.data, Bounds(), _LARGEST)).convert("RGB")
        picture.thumbnail((_LARGEST, _LARGEST))
        picture.save(file, "PNG")
        blob = Blob(file.getvalue(), "image/png", blob.name, alt=blob.alt)
    return _run_ffmpeg(blob, encode_edits(blob, edits, ending), ending, before)


def can_move(media_type: str) -> bool:
    """Whether a file of this type can hold an animation."""
    return media_type not in _UNMOVED


def _choose_ending(blob: Blob, edits: Sequence[Edit]) -> str:
    """The type that was named, else the file's own where it fits what was asked for."""
    ops = {edit.op for edit in edits}
    if "type" in ops:
        return edits[-1].ending
    if blob.type is Type.IMAGE:
        return next((end for end, kind in MEDIA_TYPES.items() if kind == blob.media_type), "png")
    if ops & {"poster", "frames"}:
        return "png"
    if blob.type is Type.AUDIO or "sound" in ops:
        return "mp3" if "smaller" in ops else choose_sound_ending(blob)
    return "mp4"


def choose_sound_ending(blob: Blob) -> str:
    """The type that a sound has, if it can be written here, else mp3."""
    return _KEPT.get(blob.media_type, "mp3")


def run_ffmpeg(blob: Blob, options: Sequence[str], ending: str) -> Blob:
    """A file through ffmpeg, as one of another type. Raises BadInput, ExpertRefused."""
    return _run_ffmpeg(blob, options, ending)[0]


def _run_ffmpeg(
    blob: Blob, after: Sequence[str], ending: str, before: Sequence[str] = ()
) -> list[Blob]:
    """The results, named like the file that they were made of; several ones are numbered."""
    results = run_in_worker(blob, before, after, ending)
    stem, dot, _ = blob.name.rpartition(".")
    stem, last = (stem if dot else blob.name) or "file", "jpg" if ending == "jpeg" else ending
    return [
        Blob(data, MEDIA_TYPES[ending], f"{stem}{number}.{last}", alt=blob.alt)
        for number, data in results.items()
    ]
