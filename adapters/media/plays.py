"""What plays: sounds and films, how they are told of and which options of ffmpeg make them."""

from collections.abc import Iterator
from dataclasses import dataclass

from adapters.media.ffmpeg import Probed
from pipeline.domain import Blob, Type
from pipeline.errors import MediaError
from pipeline.ports import Described

PLAYED_INLINE = frozenset({"audio/mpeg", "audio/ogg", "video/mp4"})
_SOUND = ("-map", "0:a:0", "-vn")
_SOUNDS = {
    "audio/wav": ("-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le"),
    "audio/mpeg": ("-c:a", "libmp3lame", "-q:a", "4"),
    "audio/ogg": ("-c:a", "libopus", "-b:a", "64k"),
    "audio/mp4": ("-c:a", "aac", "-b:a", "128k", "-movflags", "+faststart"),
    "audio/flac": ("-c:a", "flac"),
}
_EVEN = "scale=trunc(iw/2)*2:trunc(ih/2)*2,setsar=1"
_FILM = ("-map", "0:V:0", "-map", "0:a:0?", "-sn", "-dn", "-map_chapters", "-1", "-threads", "2")
_H264 = ("-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-movflags", "+faststart")
_VP9 = ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "6", "-pix_fmt", "yuv420p")
_FILMS = {
    "video/mp4": (*_FILM, "-vf", _EVEN, *_H264, "-crf", "23", "-c:a", "aac", "-b:a", "128k"),
    "video/webm": (*_FILM, "-vf", _EVEN, *_VP9, "-crf", "34", "-b:v", "0", "-c:a", "libopus"),
    "image/gif": (
        *("-map", "0:V:0", "-t", "15", "-vf"),
        "fps=10,scale='min(480,iw)':-2:flags=lanczos,split[a][b];[a]palettegen[p];[b][p]paletteuse",
    ),
    "image/png": (
        *("-map", "0:V:0", "-frames:v", "1", "-vf"),
        "scale=w='min(1280,iw*sar)':h=-2,setsar=1,thumbnail=50",
    ),
}
"""The still picture is the most telling of the first fifty."""

_SMALLEST_SOUND, _DEAREST_SOUND = 16_000, 160_000
_SMALLEST_FILM = 60_000
_CAUTION = (0.93, 0.75, 0.55)
_HEIGHTS = ((1_500_000, 720), (600_000, 480), (250_000, 360), (0, 240))


def described(found: Described, probed: Probed) -> Described:
    """What was found, with its length and size. Raises MediaError where nothing plays."""
    length = f", {probed.seconds:.1f} s" if probed.seconds else ""
    if probed.width and found.media_type.startswith("video/"):
        return Described(found.media_type, f"video, {probed.width}×{probed.height}{length}")
    if probed.sound:
        return Described(_SOUND_OF.get(found.media_type, found.media_type), f"sound{length}")
    raise MediaError("media-broken", kind="sound or video")


_SOUND_OF = {
    "video/mp4": "audio/mp4",
    "video/quicktime": "audio/mp4",
    "video/3gpp": "audio/mp4",
    "video/webm": "audio/webm",
    "video/x-matroska": "audio/webm",
    "video/ogg": "audio/ogg",
}


def options(blob: Blob, media_type: str) -> tuple[str, ...]:
    """How ffmpeg makes a media type of this. Raises MediaError where that makes no sense."""
    if media_type in _SOUNDS and blob.type in (Type.AUDIO, Type.VIDEO):
        return (*_SOUND, *_SOUNDS[media_type])
    if media_type in _FILMS and blob.type is not Type.AUDIO:
        return _FILMS[media_type]
    raise MediaError("media-no-conversion", source=blob.media_type, target=media_type)


LABELLED = frozenset({"video/mp4", "audio/mp4", "audio/ogg", "audio/flac", "video/webm"})
"""Where ffmpeg writes the label, copying what plays as it is."""


def labelling(words: str) -> tuple[str, ...]:
    label = ("-metadata", f"comment={words}", "-metadata", "encoder=Troupe")
    return ("-map", "0", "-c", "copy", "-movflags", "+faststart", *label)


@dataclass(frozen=True, slots=True)
class Budget:
    """Bits per second for the sound and for the moving picture (0: there is none)."""

    sound: int
    picture: int


def shrunk_type(blob: Blob) -> str:
    return "audio/mpeg" if blob.type is Type.AUDIO else "video/mp4"


def budgets(max_bytes: int, probed: Probed) -> Iterator[Budget]:
    """How many bits may go into each second, more cautiously each time; none where too few are left."""
    for share in _CAUTION:
        total = int(max_bytes * 8 * share / max(probed.seconds, 0.1))
        if probed.width:
            sound = min(max(total // 6, 24_000), 128_000) if probed.sound else 0
            if total - sound >= _SMALLEST_FILM:
                yield Budget(sound, total - sound)
        elif total >= _SMALLEST_SOUND:
            yield Budget(min(total, _DEAREST_SOUND), 0)


def small_options(blob: Blob, media_type: str, budget: Budget) -> tuple[str, ...]:
    sound = ("-b:a", str(budget.sound))
    if blob.type is Type.AUDIO:
        codec = _SOUNDS.get(media_type, ())[:2] or _SOUNDS["audio/mpeg"][:2]
        low = ("-ac", "1", "-ar", "24000") if budget.sound < _DEAREST_SOUND // 3 else ()
        return (*_SOUND, *codec, *low, *sound)
    height = next(height for least, height in _HEIGHTS if budget.picture >= least)
    rate = str(budget.picture)
    scaled = f"scale=-2:'trunc(min({height},ih)/2)*2',setsar=1"
    codec = _VP9 if media_type == "video/webm" else _H264
    kept = ("-b:v", rate, "-maxrate", rate, "-bufsize", str(budget.picture * 2))
    return (*_FILM, "-vf", scaled, *codec, *kept, *sound)
