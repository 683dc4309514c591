"""Files in and out: pictures, sounds and films, decoded within bounds and never fetched from anywhere."""

import base64
import io
import wave
from typing import Any

from adapters.local.asked import Asked
from adapters.local.table import Answer
from pipeline.errors import BadInput

_MOST_PIXELS = 64_000_000
_READ = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "DIB", "TIFF", "AVIF", "JPEG2000", "ICO")
"""No format whose decoder runs another program (EPS)."""
_LONGEST_SOUND = 30 * 60
_LONGEST_FILM = 10 * 60
_LOUDEST = 32767


def picture(asked: Asked, name: str = "image") -> Any:
    """The picture, upright, in RGB. Raises BadInput."""
    return decoded(asked.file(name), "RGB")


def decoded(data: bytes, mode: str) -> Any:
    """A picture, upright, in a mode of Pillow's. Raises BadInput."""
    from PIL import Image, ImageOps

    try:
        opened = Image.open(io.BytesIO(data), formats=_READ)
        if opened.width * opened.height > _MOST_PIXELS:
            raise BadInput("local-picture-unreadable")
        return ImageOps.exif_transpose(opened).convert(mode)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise BadInput("local-picture-unreadable") from error


def sound(asked: Asked, rate: int) -> Any:
    """The sound as one channel of floats at a rate: WAV, FLAC, MP3, Ogg, M4A … Raises BadInput."""
    import av
    import numpy as np

    data = asked.file("audio")
    try:
        with av.open(io.BytesIO(data)) as container:
            resampler = av.AudioResampler(format="flt", layout="mono", rate=rate)
            parts: list[Any] = []
            length = 0
            for frame in (*_frames(container), None):
                for made in resampler.resample(frame):
                    parts.append(made.to_ndarray().reshape(-1))
                    length += len(parts[-1])
                if length > _LONGEST_SOUND * rate:
                    break
    except (av.FFmpegError, IndexError, ValueError) as error:
        raise BadInput("local-sound-unreadable") from error
    if not length:
        raise BadInput("local-sound-unreadable")
    return np.concatenate(parts)[: _LONGEST_SOUND * rate]


def _frames(container: Any) -> Any:
    return container.decode(container.streams.audio[0])


def film(asked: Asked, count: int) -> list[Any]:
    """So many pictures out of a film, evenly spread over it. Raises BadInput."""
    import av

    data = asked.file("video")
    try:
        total = sum(1 for _ in _pictures(data))
        if not total:
            raise BadInput("local-film-unreadable")
        wanted = [place * (total - 1) // max(count - 1, 1) for place in range(count)]
        kept = {
            place: frame.to_ndarray(format="rgb24")
            for place, frame in enumerate(_pictures(data))
            if place in set(wanted)
        }
    except (av.FFmpegError, IndexError, ValueError) as error:
        raise BadInput("local-film-unreadable") from error
    return [kept[place] for place in wanted]


def _pictures(data: bytes) -> Any:
    import av

    with av.open(io.BytesIO(data)) as container:
        stream = container.streams.video[0]
        for frame in container.decode(stream):
            if frame.time is not None and frame.time > _LONGEST_FILM:
                return
            yield frame


def png(image: Any) -> Answer:
    return Answer(png_bytes(image), "image/png")


def png_bytes(image: Any) -> bytes:
    sheet = io.BytesIO()
    image.save(sheet, "PNG")
    return sheet.getvalue()


def png64(image: Any) -> str:
    return base64.b64encode(png_bytes(image)).decode()


def wav(points: Any, rate: int) -> Answer:
    """Floats from -1 to 1, one channel, as 16-bit WAV."""
    import numpy as np

    flat = np.clip(np.asarray(points, dtype=np.float32).reshape(-1), -1, 1)
    sheet = io.BytesIO()
    with wave.open(sheet, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes((flat * _LOUDEST).astype("<i2").tobytes())
    return Answer(sheet.getvalue(), "audio/wav")


def mp4(frames: list[Any], rate: int) -> Answer:
    """Pictures as a film in H.264; both sides are made even."""
    import av

    sheet = io.BytesIO()
    height, width = (side // 2 * 2 for side in frames[0].shape[:2])
    with av.open(sheet, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=rate)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for frame in frames:
            shown = av.VideoFrame.from_ndarray(frame[:height, :width].copy(), format="rgb24")
            container.mux(stream.encode(shown))
        container.mux(stream.encode())
    return Answer(sheet.getvalue(), "video/mp4")
