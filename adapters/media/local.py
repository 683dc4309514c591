"""Describes, converts and draws files on this machine: port `MediaTools`."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from adapters.media import decoding, encoding, streams
from adapters.media.bounds import Bounds, to_megabytes
from adapters.media.metadata import format_metadata, read_metadata, write_metadata
from adapters.media.renaming import rename
from adapters.media.sandboxed_ffmpeg import Ffmpeg, FindProgram
from adapters.media.wav import describe_wav, is_wav
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
        if is_wav(blob.data):
            return describe_wav(blob.data, self._bounds)
        return await self._run(decoding.describe, blob, self._bounds)

    async def fit(self, blob: Blob, max_bytes: int) -> Blob:
        fitting = await self._make_playable(blob)
        if len(fitting.data) > max_bytes:
            fitting = await self._shrink(blob, max_bytes)
        if fitting is blob or not (facts := read_metadata(blob.data)):
            return fitting
        labelled = await self.label(fitting, facts)
        return labelled if len(labelled.data) <= max_bytes else fitting

    async def preview(self, image: Blob, side: int) -> Blob:
        return await self._run(decoding.preview, image, side, self._bounds)

    async def find_cut_out(self, picture: Blob) -> Blob | None:
        return await self._run(decoding.find_cut_out, picture, self._bounds)

    async def draw_boxes(self, image: Blob, boxes: Boxes) -> Blob:
        return await self._run(decoding.draw_boxes, image, boxes, self._bounds)

    async def draw_masks(self, image: Blob, masks: Masks) -> Blob:
        """Masks must hold their pictures as bytes."""
        return await self._run(decoding.draw_masks, image, masks, self._bounds)

    async def chart(self, labels: Labels) -> Blob:
        return await self._run(decoding.draw_chart, labels)

    async def draw_depth(self, depth: Blob) -> Blob:
        """Colour a grey depth map."""
        return await self._run(decoding.colour_depth, depth, self._bounds)

    async def draw_table(self, table: Blob) -> Blob:
        """The first rows of a table as a picture."""
        return await self._run(decoding.draw_table, table)

    async def label(self, blob: Blob, made: Mapping[str, str]) -> Blob:
        """The file with its origin ("model", "licence" …) in its metadata, if its type has any."""
        has_streams = blob.type in encoding.SHRUNK and blob.media_type != _WAV
        if has_streams and streams.is_installed():
            data = await self._run(streams.write_comment, blob, format_metadata(made))
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
                return await self._run(decoding.convert_picture, blob, media_type, self._bounds)
            case Type.TABLE, "text" if blob.media_type in READ_AS:
                return await self._run(decoding.convert_table, blob, self._bounds)
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
            return await self._run(decoding.shrink_picture, blob, max_bytes, self._bounds)
        if target := encoding.SHRUNK.get(blob.type):
            probed = await self._run(streams.probe, blob, self._bounds)
            for sound, picture in encoding.plan_bitrates(max_bytes, probed):
                options = encoding.shrink_options(blob, sound, picture)
                data = await self._ffmpeg.convert(blob, options, target)
                if len(data) <= max_bytes:
                    return rename(blob, data, target)
        raise MediaError("media-cannot-shrink", limit=to_megabytes(max_bytes))

    async def _run(self, work: Callable[..., T], *args: object) -> T:
        seconds = self._bounds.decode_timeout
        return await run_decoder(self._workers, work, *args, seconds=seconds)
