"""Describes, converts and draws files on this machine: port `MediaTools`."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from adapters.media import encoding
from adapters.media.bounds import Bounds, to_megabytes
from adapters.media.metadata import format_metadata, read_metadata, write_metadata
from adapters.media.renaming import rename
from adapters.media.sandboxed_ffmpeg import Ffmpeg, FindProgram
from adapters.media.worker_calls import run_decoder
from pipeline.domain import READ_AS, Blob, Boxes, FileDescription, Labels, Masks, Type
from pipeline.errors import MediaError
from pipeline.ports import Workers

T = TypeVar("T")
_SHOWN_INLINE = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_WAV = "audio/wav"
_EXIF = b"Exif\x00\x00"


class LocalMedia:
    """Pillow in worker processes, and ffmpeg; `ffmpeg` finds its path."""

    def __init__(
        self, workers: Workers, *, ffmpeg: FindProgram, bounds: Bounds | None = None
    ) -> None:
        self._workers = workers
        self._bounds = bounds or Bounds()
        self._ffmpeg = Ffmpeg(ffmpeg, self._bounds)

    async def describe(self, blob: Blob) -> FileDescription:
        from adapters.media import describing

        file = await self._run(describing.describe, blob, self._bounds)
        is_probed = file.media_type.startswith(("audio/", "video/")) and file.media_type != _WAV
        if not is_probed or not await self._ffmpeg.is_installed():
            return file
        probed = await self._ffmpeg.probe(replace(blob, media_type=file.media_type))
        return encoding.describe_probed(file, probed)

    async def fit(self, blob: Blob, max_bytes: int) -> Blob:
        fitting = await self._make_playable(blob)
        if len(fitting.data) > max_bytes:
            fitting = await self._shrink(blob, max_bytes)
        if fitting is blob or not (facts := read_metadata(blob.data)):
            return fitting
        labelled = await self.label(fitting, facts)
        return labelled if len(labelled.data) <= max_bytes else fitting

    async def preview(self, image: Blob, side: int) -> Blob:
        from adapters.media import pictures

        return await self._run(pictures.preview, image, side, self._bounds)

    async def find_cut_out(self, picture: Blob) -> Blob | None:
        from adapters.media import pictures

        return await self._run(pictures.find_cut_out, picture, self._bounds)

    async def draw_boxes(self, image: Blob, boxes: Boxes) -> Blob:
        from adapters.media import overlays

        return await self._run(overlays.draw_boxes, image, boxes, self._bounds)

    async def draw_masks(self, image: Blob, masks: Masks) -> Blob:
        """Masks must hold their pictures as bytes."""
        from adapters.media import overlays

        return await self._run(overlays.draw_masks, image, masks, self._bounds)

    async def chart(self, labels: Labels) -> Blob:
        from adapters.media import label_chart

        return await self._run(label_chart.draw_chart, labels)

    async def draw_depth(self, depth: Blob) -> Blob:
        """Colour a grey depth map."""
        from adapters.media import pictures

        return await self._run(pictures.colour_depth, depth, self._bounds)

    async def draw_table(self, table: Blob) -> Blob:
        """The first rows of a table as a picture."""
        from adapters.media import table_picture

        return await self._run(table_picture.draw_table, table)

    async def label(self, blob: Blob, made: Mapping[str, str]) -> Blob:
        """The file with its origin ("model", "licence" …) in its metadata, if its type has any."""
        is_compressed = blob.type in encoding.SHRUNK and blob.media_type != _WAV
        if is_compressed and await self._ffmpeg.is_installed():
            options = encoding.metadata_options(format_metadata(made))
            data = await self._ffmpeg.convert(blob, options, blob.media_type)
        else:
            data = write_metadata(blob.data, blob.media_type, made)
        return replace(blob, data=data)

    async def _make_playable(self, blob: Blob) -> Blob:
        match blob.type:
            case Type.IMAGE if blob.media_type not in _SHOWN_INLINE or _EXIF in blob.data[:65_536]:
                jpeg = blob.media_type == "image/jpeg"
                return await self.convert(blob, "image/jpeg" if jpeg else "image/png")
            case Type.AUDIO | Type.VIDEO if blob.media_type not in encoding.PLAYED_INLINE:
                return await self.convert(blob, encoding.SHRUNK[blob.type])
            case _:
                return blob

    async def convert(self, blob: Blob, media_type: str) -> Blob:
        """A video becomes a picture by one of its frames; WAV is 16 kHz mono, for recognition.

        A spreadsheet becomes its first filled sheet as CSV, a list in JSON its rows.
        """
        match blob.type, media_type.partition("/")[0]:
            case Type.IMAGE, "image":
                from adapters.media import pictures

                return await self._run(pictures.convert, blob, media_type, self._bounds)
            case Type.TABLE, "text" if blob.media_type in READ_AS:
                from adapters.media import tables

                return await self._run(tables.convert, blob, self._bounds)
            case Type.VIDEO, "image":
                poster = await self._make(blob, "image/png")
                return await self.convert(poster, media_type)
            case Type.AUDIO | Type.VIDEO, _:
                return await self._make(blob, media_type)
            case _:
                raise MediaError("media-no-conversion", source=blob.media_type, target=media_type)

    async def _make(self, blob: Blob, media_type: str) -> Blob:
        options = encoding.conversion_options(blob, media_type)
        return rename(blob, await self._ffmpeg.convert(blob, options, media_type), media_type)

    async def _shrink(self, blob: Blob, max_bytes: int) -> Blob:
        """Compress to `max_bytes`, in whatever type fits best."""
        if blob.type is Type.IMAGE:
            from adapters.media import pictures

            return await self._run(pictures.fit, blob, max_bytes, self._bounds)
        if target := encoding.SHRUNK.get(blob.type):
            probed = await self._ffmpeg.probe(blob)
            for sound, picture in encoding.plan_bitrates(max_bytes, probed):
                options = encoding.shrink_options(blob, sound, picture)
                data = await self._ffmpeg.convert(blob, options, target)
                if len(data) <= max_bytes:
                    return rename(blob, data, target)
        raise MediaError("media-cannot-shrink", limit=to_megabytes(max_bytes))

    async def _run(self, work: Callable[..., T], *args: object) -> T:
        seconds = self._bounds.decode_timeout
        return await run_decoder(self._workers, work, *args, seconds=seconds)
