"""Files looked at, converted and drawn on this machine: port `MediaTools`."""

import asyncio
from collections.abc import Callable, Mapping
from typing import TypeVar

from adapters.media import inside, plays
from adapters.media.bounds import Bounds, megabytes
from adapters.media.ffmpeg import Ffmpeg
from adapters.media.labelling import in_one_line, label_of, labelled
from adapters.media.names import renamed
from pipeline.domain import Blob, Boxes, Labels, Masks, Type
from pipeline.errors import MediaError, WorkerLost
from pipeline.ports import Described, Workers

T = TypeVar("T")
_SHOWN_INLINE = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
WAV = "audio/wav"
_EXIF = b"Exif\x00\x00"


class LocalMedia:
    """Pillow in worker processes, ffmpeg beside them. `ffmpeg` is the path of the program, None where there is none."""

    def __init__(
        self, workers: Workers, *, ffmpeg: str | None, bounds: Bounds | None = None
    ) -> None:
        self._workers = workers
        self._bounds = bounds or Bounds()
        self._ffmpeg = Ffmpeg(ffmpeg, self._bounds)

    async def describe(self, blob: Blob) -> Described:
        found = await self._inside(inside.describe, blob, self._bounds)
        if not found.media_type.startswith(("audio/", "video/")) or not self._ffmpeg.installed:
            return found
        if found.media_type == WAV:  # its header says it all
            return found
        return plays.described(found, await self._ffmpeg.probe(_typed(blob, found.media_type)))

    async def convert(self, blob: Blob, media_type: str, *, max_bytes: int = 0) -> Blob:
        """A still picture of a film is its poster; WAV is made for recognition: 16 kHz, one channel."""
        made = await self._converted(blob, media_type)
        if max_bytes and len(made.data) > max_bytes:
            return await self._shrunk(made, max_bytes, media_type)
        return made

    async def fit(self, blob: Blob, max_bytes: int) -> Blob:
        fitting = await self._inline(blob)
        if len(fitting.data) > max_bytes:
            fitting = await self._shrunk(blob, max_bytes, "")
        if fitting is blob or not (told := label_of(blob.data)):
            return fitting
        named = await self.label(fitting, told)
        return named if len(named.data) <= max_bytes else fitting

    async def draw_boxes(self, image: Blob, boxes: Boxes) -> Blob:
        return await self._inside(inside.draw_boxes, image, boxes, self._bounds)

    async def draw_masks(self, image: Blob, masks: Masks) -> Blob:
        """Masks must hold their pictures as bytes."""
        return await self._inside(inside.draw_masks, image, masks, self._bounds)

    async def chart(self, labels: Labels) -> Blob:
        return await self._inside(inside.chart, labels)

    async def draw_depth(self, depth: Blob) -> Blob:
        """A grey picture of depths in colours."""
        return await self._inside(inside.depth, depth, self._bounds)

    async def draw_table(self, table: Blob) -> Blob:
        """The first rows of a table as a picture."""
        return await self._inside(inside.table, table)

    async def label(self, blob: Blob, made: Mapping[str, str]) -> Blob:
        """The file with what made it ("model", "licence", "task" …) in its metadata, where its type has a place for that."""
        if blob.media_type in plays.LABELLED and self._ffmpeg.installed:
            options = plays.labelling(in_one_line(made))
            data = await self._ffmpeg.make(blob, options, blob.media_type)
        else:
            data = labelled(blob.data, blob.media_type, made)
        return Blob(data, blob.media_type, blob.name, blob.alt)

    async def _inline(self, blob: Blob) -> Blob:
        match blob.type:
            case Type.IMAGE if blob.media_type not in _SHOWN_INLINE or _EXIF in blob.data[:65_536]:
                jpeg = blob.media_type == "image/jpeg"
                return await self._converted(blob, "image/jpeg" if jpeg else "image/png")
            case Type.AUDIO if blob.media_type not in plays.PLAYED_INLINE:
                return await self._converted(blob, "audio/mpeg")
            case Type.VIDEO if blob.media_type not in plays.PLAYED_INLINE:
                return await self._converted(blob, "video/mp4")
            case _:
                return blob

    async def _converted(self, blob: Blob, media_type: str) -> Blob:
        match blob.media_type, blob.type, media_type.partition("/")[0]:
            case _, Type.IMAGE, "image" | "application":
                return await self._inside(inside.convert_picture, blob, media_type, self._bounds)
            case "audio/wav", _, "audio" if media_type == "audio/wav":
                return await self._inside(inside.wav_for_recognition, blob)
            case _, Type.VIDEO, "image" if media_type != "image/gif":
                poster = await self._made(blob, "image/png")
                return await self._converted(poster, media_type)
            case ("image/gif", _, "video") | (_, Type.AUDIO | Type.VIDEO, _):
                return await self._made(blob, media_type)
            case _:
                raise MediaError("media-no-conversion", source=blob.media_type, target=media_type)

    async def _made(self, blob: Blob, media_type: str) -> Blob:
        options = plays.options(blob, media_type)
        return renamed(blob, await self._ffmpeg.make(blob, options, media_type), media_type)

    async def _shrunk(self, blob: Blob, max_bytes: int, media_type: str) -> Blob:
        """Smaller, as `media_type` or, where that is "", as whatever fits best."""
        if blob.type is Type.IMAGE:
            return await self._inside(inside.fit_picture, blob, max_bytes, media_type, self._bounds)
        if blob.type not in (Type.AUDIO, Type.VIDEO) or media_type == "audio/wav":
            raise MediaError("media-cannot-shrink", limit=megabytes(max_bytes))
        probed = await self._ffmpeg.probe(blob)
        wanted = media_type or plays.shrunk_type(blob)
        for budget in plays.budgets(max_bytes, probed):
            options = plays.small_options(blob, wanted, budget)
            made = await self._ffmpeg.make(blob, options, wanted)
            if len(made) <= max_bytes:
                return renamed(blob, made, wanted)
        raise MediaError("media-cannot-shrink", limit=megabytes(max_bytes))

    async def _inside(self, work: Callable[..., T], *args: object) -> T:
        try:
            async with asyncio.timeout(self._bounds.looking):
                return await self._workers.run(work, *args)
        except TimeoutError as late:
            raise MediaError("media-too-slow", seconds=round(self._bounds.looking)) from late
        except WorkerLost as lost:
            raise MediaError("media-lost", problem=lost.sentence) from lost


def _typed(blob: Blob, media_type: str) -> Blob:
    return Blob(blob.data, media_type, blob.name, blob.alt)
