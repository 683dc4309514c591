"""Files looked at, converted and drawn on this machine: port `MediaTools`."""

# ruff: noqa: PLC0415 - Pillow is not loaded at the start, and decodes in worker processes only

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from adapters.media import ffmpeg as playing
from adapters.media.bounds import Bounds, rename, to_megabytes
from adapters.media.ffmpeg import Ffmpeg
from adapters.media.metadata import format_metadata, read_metadata, write_metadata
from pipeline.domain import Blob, Boxes, Labels, Masks, Type
from pipeline.errors import MediaError, WorkerLost
from pipeline.ports import FileDescription, Workers

T = TypeVar("T")
_SHOWN_INLINE = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
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
        from adapters.media import describing

        found = await self._run(describing.describe, blob, self._bounds)
        plays = found.media_type.startswith(("audio/", "video/"))
        if not plays or not self._ffmpeg.is_installed:
            return found
        probed = await self._ffmpeg.probe(replace(blob, media_type=found.media_type))
        return playing.describe_probed(found, probed)

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
        labelled = await self.label(fitting, told)
        return labelled if len(labelled.data) <= max_bytes else fitting

    async def draw_boxes(self, image: Blob, boxes: Boxes) -> Blob:
        from adapters.media import drawing

        return await self._run(drawing.draw_boxes, image, boxes, self._bounds)

    async def draw_masks(self, image: Blob, masks: Masks) -> Blob:
        """Masks must hold their pictures as bytes."""
        from adapters.media import drawing

        return await self._run(drawing.draw_masks, image, masks, self._bounds)

    async def chart(self, labels: Labels) -> Blob:
        from adapters.media import charts

        return await self._run(charts.draw_chart, labels)

    async def draw_depth(self, depth: Blob) -> Blob:
        """A grey picture of depths in colours."""
        from adapters.media import charts

        return await self._run(charts.draw_depth, depth, self._bounds)

    async def draw_table(self, table: Blob) -> Blob:
        """The first rows of a table as a picture."""
        from adapters.media import charts

        return await self._run(charts.draw_table, table)

    async def label(self, blob: Blob, made: Mapping[str, str]) -> Blob:
        """The file with its origin ("model", "licence", "task" …) in its metadata, where it can."""
        if blob.type in playing.SHRUNK and self._ffmpeg.is_installed:
            options = playing.metadata_options(format_metadata(made))
            data = await self._ffmpeg.make(blob, options, blob.media_type)
        else:
            data = write_metadata(blob.data, blob.media_type, made)
        return replace(blob, data=data)

    async def _make_playable(self, blob: Blob) -> Blob:
        match blob.type:
            case Type.IMAGE if blob.media_type not in _SHOWN_INLINE or _EXIF in blob.data[:65_536]:
                jpeg = blob.media_type == "image/jpeg"
                return await self._convert(blob, "image/jpeg" if jpeg else "image/png")
            case Type.AUDIO | Type.VIDEO if blob.media_type not in playing.PLAYED_INLINE:
                return await self._convert(blob, playing.SHRUNK[blob.type])
            case _:
                return blob

    async def _convert(self, blob: Blob, media_type: str) -> Blob:
        match blob.media_type, blob.type, media_type.partition("/")[0]:
            case _, Type.IMAGE, "image" | "application":
                from adapters.media import pictures

                return await self._run(pictures.convert, blob, media_type, self._bounds)
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
            from adapters.media import pictures

            return await self._run(pictures.fit, blob, max_bytes, media_type, self._bounds)
        if blob.type in playing.SHRUNK and media_type != "audio/wav":
            probed = await self._ffmpeg.probe(blob)
            wanted = media_type or playing.SHRUNK[blob.type]
            for sound, picture in playing.plan_bitrates(max_bytes, probed):
                options = playing.shrink_options(blob, wanted, sound, picture)
                made = await self._ffmpeg.make(blob, options, wanted)
                if len(made) <= max_bytes:
                    return rename(blob, made, wanted)
        raise MediaError("media-cannot-shrink", limit=to_megabytes(max_bytes))

    async def _run(self, work: Callable[..., T], *args: object) -> T:
        try:
            async with asyncio.timeout(self._bounds.looking):
                return await self._workers.run(work, *args)
        except TimeoutError as late:
            raise MediaError("media-too-slow", seconds=round(self._bounds.looking)) from late
        except WorkerLost as lost:
            raise MediaError("media-lost", problem=lost.sentence) from lost
