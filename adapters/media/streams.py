"""The streams of sounds and films: how long and large they are, and a label beside them.

PyAV reads and writes every container that we meet, in a millisecond and without encoding anything.
It decodes hostile files in C, so all of this runs in a worker.
"""

import io
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from adapters.media.bounds import Bounds
from adapters.media.decoder_errors import translate_decoder_errors
from pipeline.domain import Blob
from pipeline.errors import MediaError
from pipeline.text.names import CONTAINERS

_KIND = "sound or video"
_MICROSECONDS = 1_000_000
_MOST_TRIED = 200
"""Packets of a stream, one of which has to be decodable: seconds of sound or film."""
_WRITTEN_AS = {
    "audio/aac": "adts",
    "audio/mp4": "ipod",
    "audio/webm": "webm",
    "video/3gpp": "3gp",
    "video/mp4": "mp4",
    "video/webm": "webm",
}
"""Containers whose writers have another name than their readers."""


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The streams of a file: seconds (0: unknown), size of the picture (0×0: none), sound."""

    seconds: float
    width: int
    height: int
    sound: bool


@cache
def is_installed() -> bool:
    """Whether the library is there: the extra [embedded] brings it."""
    return find_spec("av") is not None


def probe(blob: Blob, bounds: Bounds) -> ProbeResult:
    """Read the streams of a file, and try to decode them. Raises MediaError."""
    from av.stream import Disposition

    with translate_decoder_errors(_KIND), _open(blob, {"max_pixels": str(bounds.pixels)}) as file:
        films = (
            film
            for film in file.streams.video
            if not film.disposition & Disposition.attached_pic  # the cover of a sound
        )
        film, sound = next(films, None), next(iter(file.streams.audio), None)
        stream = film or sound
        if stream is None or not _is_decodable(file, stream):
            raise MediaError("media-broken", kind=_KIND)
        width, height = (film.codec_context.width, film.codec_context.height) if film else (0, 0)
        return ProbeResult(_measure(file), width, height, sound is not None)


def write_comment(blob: Blob, comment: str) -> bytes:
    """The file with a comment instead of its own metadata; its streams stay as they are.

    An MP4 begins with its index, so that it plays while it is loaded. Raises MediaError.
    """
    import av

    with (
        TemporaryDirectory(prefix="troupe-label-") as folder,
        translate_decoder_errors(_KIND),
        _open(blob) as source,
    ):
        path, container = Path(folder, "out"), CONTAINERS[blob.media_type]
        options = {"movflags": "+faststart"} if container == "mov" else {}
        written_as = _WRITTEN_AS.get(blob.media_type, container)
        with av.open(str(path), "w", format=written_as, options=options) as target:
            target.metadata.update(comment=comment, encoder="Troupe")
            streams = [
                target.add_stream_from_template(each, opaque=True) for each in source.streams
            ]
            for packet in source.demux():
                if packet.size:  # a stream ends with an empty one
                    packet.stream = streams[packet.stream_index]
                    target.mux(packet)
        return path.read_bytes()


def _open(blob: Blob, options: Mapping[str, str] | None = None) -> Any:
    """The file, read as what it is and never guessed; it opens no other file and no address."""
    import av

    if (container := CONTAINERS.get(blob.media_type)) is None:
        raise MediaError("media-unknown")
    return av.open(
        io.BytesIO(blob.data),
        "r",
        format=container,
        options={"protocol_whitelist": "none", **(options or {})},
        metadata_errors="replace",
    )


def _is_decodable(file: Any, stream: Any) -> bool:
    import av

    for packet in islice(file.demux(stream), _MOST_TRIED):
        with suppress(av.FFmpegError):  # a film may begin in the middle
            if packet.decode():
                return True
    return False


def _measure(file: Any) -> float:
    """Seconds as the file says; where it does not, such as a live recording, until its end."""
    if file.duration:
        return max(0.0, float(file.duration) / _MICROSECONDS)
    ends: Iterator[float] = (
        float((packet.pts + (packet.duration or 0)) * packet.time_base)
        for packet in file.demux()
        if packet.pts is not None
    )
    return max(0.0, max(ends, default=0.0))
