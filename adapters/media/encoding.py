"""The options of ffmpeg for conversions: types that play everywhere, sizes that fit."""

from collections.abc import Iterator

from adapters.media.streams import ProbeResult
from pipeline.domain import Blob, FileDescription, Type
from pipeline.errors import MediaError
from pipeline.text.names import CONTAINERS

PLAYED_INLINE = frozenset({"audio/mpeg", "audio/ogg", "video/mp4"})
"""Types that chat platforms play where they show them."""
SHRUNK = {Type.AUDIO: "audio/mpeg", Type.VIDEO: "video/mp4"}
"""Types that play everywhere and compress well."""
_SOUND = ("-map", "0:a:0", "-vn")
_MP3 = (*_SOUND, "-c:a", "libmp3lame")
_FILM = ("-map", "0:V:0", "-map", "0:a:0?", "-sn", "-dn", "-map_chapters", "-1", "-threads", "2")
_EVEN = "scale=trunc(iw/2)*2:trunc(ih/2)*2,setsar=1"
H264 = ("-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-movflags", "+faststart")
_OPTIONS = {
    "audio/wav": (*_SOUND, "-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le"),
    "audio/mpeg": (*_MP3, "-q:a", "4"),
    "video/mp4": (*_FILM, "-vf", _EVEN, *H264, "-crf", "23", "-c:a", "aac", "-b:a", "128k"),
    "image/png": (
        *("-map", "0:V:0", "-frames:v", "1", "-vf"),
        "scale=w='min(1280,iw*sar)':h=-2,setsar=1,thumbnail=50",
    ),
}
"""By media type. The PNG is the most representative of the first 50 frames."""
_SOUND_IN = {
    "asf": "audio/x-ms-wma",
    "matroska": "audio/webm",
    "mov": "audio/mp4",
    "ogg": "audio/ogg",
}
"""The media type of a container that turns out to hold only sound."""
_LEAST_AUDIO = 16_000
"""Bits a second of a sound alone, at least."""
_MOST_AUDIO = 160_000
"""Bits a second of a sound alone, at most."""
_LEAST_VIDEO = 60_000
"""Bits a second of a picture, at least."""
_SHARES = (0.93, 0.75, 0.55)
"""Shares of the allowed size to aim at, one after the other: encoders exceed the rate they get."""
_HEIGHTS = ((1_500_000, 720), (600_000, 480), (250_000, 360), (0, 240))
"""From so many bits a second, the height in pixels."""


def describe_probed(media_type: str, probed: ProbeResult) -> FileDescription:
    """Describe a sound or video of this type with its length. Raises MediaError without a stream.

    A video container without a picture is a sound, such as a voice message.
    """
    length = f", {probed.seconds:.1f} s" if probed.seconds else ""
    if probed.width and media_type.startswith("video/"):
        size = f"{probed.width}×{probed.height}"
        return FileDescription(media_type, f"video, {size}{length}", probed.seconds)
    if not probed.sound:
        raise MediaError("media-broken", kind="sound or video")
    of_sound = _SOUND_IN.get(CONTAINERS[media_type], media_type)
    return FileDescription(of_sound, f"sound{length}", probed.seconds)


def conversion_options(blob: Blob, media_type: str) -> tuple[str, ...]:
    """The options that convert a sound or film to a media type. Raises MediaError."""
    is_shown = blob.type is Type.VIDEO or media_type.startswith("audio/")
    if media_type not in _OPTIONS or not is_shown:
        raise MediaError("media-no-conversion", source=blob.media_type, target=media_type)
    return _OPTIONS[media_type]


def plan_bitrates(max_bytes: int, probed: ProbeResult) -> Iterator[tuple[int, int]]:
    """Bit rates to try, for sound and picture (0: there is none), lower each time.

    Yields nothing if the size is too small for the length.
    """
    for share in _SHARES:
        total = int(max_bytes * 8 * share / max(probed.seconds, 0.1))
        if probed.width:
            sound = min(max(total // 6, 24_000), 128_000) if probed.sound else 0
            if total - sound >= _LEAST_VIDEO:
                yield sound, total - sound
        elif total >= _LEAST_AUDIO:
            yield min(total, _MOST_AUDIO), 0


def shrink_options(blob: Blob, sound: int, picture: int) -> tuple[str, ...]:
    """The options that encode a file at these bit rates, as a type in `SHRUNK`."""
    if blob.type is Type.AUDIO:
        low = ("-ac", "1", "-ar", "24000") if sound < _MOST_AUDIO // 3 else ()
        return (*_MP3, *low, "-b:a", str(sound))
    height = next(height for least, height in _HEIGHTS if picture >= least)
    scaled = f"scale=-2:'trunc(min({height},ih)/2)*2',setsar=1"
    rates = ("-b:v", str(picture), "-maxrate", str(picture), "-bufsize", str(picture * 2))
    return (*_FILM, "-vf", scaled, *H264, *rates, "-b:a", str(sound))
