"""Files looked at, converted and drawn on this machine: port `MediaTools`."""

import asyncio
from collections.abc import Callable, Mapping
from typing import TypeVar

from adapters.media import ffmpeg as playing
from adapters.media import inside
from adapters.media.bounds import Bounds, rename, to_megabytes
from adapters.media.ffmpeg import Ffmpeg
from adapters.media.metadata import format_metadata, read_metadata, write_metadata
from pipeline.domain import Blob, Boxes, Labels, Masks, Type
from pipeline.errors import MediaError, WorkerLost
from pipeline.ports import FileDescription, Workers

T = TypeVar("T")
_SHOWN_INLINE = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
WAV = "audio/wav"
_EXIF = b"Exif\x00\x00"


class LocalMedia:
    """Pillow in worker processes, ffmpeg beside them. `ffmpeg` is its path, None without one."""

    def __init__(
        self, workers: Workers, *, ffmpeg: str | None, bounds: Bounds | None = None
    ) -> None:
        self._workers = workers
        self._bounds = bounds or Bounds()
        self._ffmpeg = Ffmpeg(ffmpeg, self._bounds)

    async def describe(self, blob: Blob) -> FileDescription:
        found = await self._run_inside(inside.describe, blob, self._bounds)
        if not found.media_type.startswith(("audio/", "video/")) or not self._ffmpeg.is_installed:
            return found
        if found.media_type == WAV:  # its header says it all
            return found
        return playing.describe_probed(
            found, await self._ffmpeg.probe(_with_type(blob, found.media_type))
        )

    async def convert(self, blob: Blob, media_type: str, *, max_bytes: int = 0) -> Blob:
        """A video's picture is its poster; WAV is made for recognition: 16 kHz, one channel."""
        made = await self._convert(blob, media_type)
        if max_bytes and len(made.data) > max_bytes:
            return await self._shrink(made, max_bytes, media_type)
        return made

    async def fit(self, blob: Blob, max_bytes: int) -> Blob:
        fitting = await self._make_playable(blob)
        if len(fitting.data) > max_bytes:
            fitting = await self._shrink(blob, max_bytes, "")
        if fitting is blob or not (told := read_metadata(blob.data)):
            return fitting
        named = await self.label(fitting, told)
        return named if len(named.data) <= max_bytes else fitting

    async def draw_boxes(self, image: Blob, boxes: Boxes) -> Blob:
        return await self._run_inside(inside.draw_boxes, image, boxes, self._bounds)

    async def draw_masks(self, image: Blob, masks: Masks) -> Blob:
        """Masks must hold their pictures as bytes."""
        return await self._run_inside(inside.draw_masks, image, masks, self._bounds)

    async def chart(self, labels: Labels) -> Blob:
        return await self._run_inside(inside.chart, labels)

    async def draw_depth(self, depth: Blob) -> Blob:
        """A grey picture of depths in colours."""
        return await self._run_inside(inside.depth, depth, self._bounds)

    async def draw_table(self, table: Blob) -> Blob:
        """The first rows of a table as a picture."""
        return await self._run_inside(inside.table, table)

    async def label(self, blob: Blob, made: Mapping[str, str]) -> Blob:
        """The file with its origin ("model", "licence", "task" …) in its metadata, where it can."""
        if blob.media_type in playing.HOLDS_METADATA and self._ffmpeg.is_installed:
            options = playing.metadata_options(format_metadata(made))
            data = await self._ffmpeg.make(blob, options, blob.media_type)
        else:
            data = write_metadata(blob.data, blob.media_type, made)
        return Blob(data, blob.media_type, blob.name, blob.alt)

    async def _make_playable(self, blob: Blob) -> Blob:
        match blob.type:
            case Type.IMAGE if blob.media_type not in _SHOWN_INLINE or _EXIF in blob.data[:65_536]:
                jpeg = blob.media_type == "image/jpeg"
                return await self._convert(blob, "image/jpeg" if jpeg else "image/png")
            case Type.AUDIO if blob.media_type not in playing.PLAYED_INLINE:
                return await self._convert(blob, "audio/mpeg")
            case Type.VIDEO if blob.media_type not in playing.PLAYED_INLINE:
                return await self._convert(blob, "video/mp4")
            case _:
                return blob

    async def _convert(self, blob: Blob, media_type: str) -> Blob:
        match blob.media_type, blob.type, media_type.partition("/")[0]:
            case _, Type.IMAGE, "image" | "application":
                return await self._run_inside(
                    inside.convert_picture, blob, media_type, self._bounds
                )
            case "audio/wav", _, "audio" if media_type == "audio/wav":
                return await self._run_inside(inside.wav_for_recognition, blob)
            case _, Type.VIDEO, "image" if media_type != "image/gif":
                poster = await self._make(blob, "image/png")
                return await self._convert(poster, media_type)
            case ("image/gif", _, "video") | (_, Type.AUDIO | Type.VIDEO, _):
                return await self._make(blob, media_type)
            case _:
                raise MediaError("media-no-conversion", source=blob.media_type, target=media_type)

    async def _make(self, blob: Blob, media_type: str) -> Blob:
        options = playing.conversion_options(blob, media_type)
        return rename(blob, await self._ffmpeg.make(blob, options, media_type), media_type)

    async def _shrink(self, blob: Blob, max_bytes: int, media_type: str) -> Blob:
        """Smaller, as `media_type` or, where that is "", as whatever fits best."""
        if blob.type is Type.IMAGE:
            return await self._run_inside(
                inside.fit_picture, blob, max_bytes, media_type, self._bounds
            )
        if blob.type not in (Type.AUDIO, Type.VIDEO) or media_type == "audio/wav":
            raise MediaError("media-cannot-shrink", limit=to_megabytes(max_bytes))
        probed = await self._ffmpeg.probe(blob)
        wanted = media_type or playing.find_shrunk_type(blob)
        for budget in playing.plan_bitrates(max_bytes, probed):
            options = playing.shrink_options(blob, wanted, budget)
            made = await self._ffmpeg.make(blob, options, wanted)
            if len(made) <= max_bytes:
                return rename(blob, made, wanted)
        raise MediaError("media-cannot-shrink", limit=to_megabytes(max_bytes))

    async def _run_inside(self, work: Callable[..., T], *args: object) -> T:
        try:
            async with asyncio.timeout(self._bounds.looking):
                return await self._workers.run(work, *args)
        except TimeoutError as late:
            raise MediaError("media-too-slow", seconds=round(self._bounds.looking)) from late
        except WorkerLost as lost:
            raise MediaError("media-lost", problem=lost.sentence) from lost


def _with_type(blob: Blob, media_type: str) -> Blob:
    return Blob(blob.data, media_type, blob.name, blob.alt)
