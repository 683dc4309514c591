"""The pictures that language models see: scaled down, each with its name in the thread."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

import structlog
from cachetools import LRUCache

from pipeline.domain import Attachment, Blob, FileHash, NamedFile, Request, Type
from pipeline.errors import MediaError
from pipeline.ports import Files, MediaTools

log = structlog.get_logger()

MOST_PICTURES = 4
PICTURE_TOKENS = 1200
"""What a picture of 1,024 by 1,024 pixels takes: 765 with OpenAI's models, 1,300 with Qwen's."""
_SIDE = 1024
"""Pixels: about what vision models scale pictures to themselves."""
_MOST_BYTES = 1_000_000
_SECONDS = 5.0
"""For each picture; they are loaded side by side."""
_KEPT = 32
"""Scaled pictures in memory, at 100 to 300 kB each."""


LoadPictures = Callable[[Sequence[NamedFile]], Awaitable[Sequence[Blob]]]
"""Loads the pictures among these files, in their order, at most `MOST_PICTURES`.

Each is scaled down, and its name is the one in the thread, such as "image 2".
"""


async def load_no_pictures(_files: Sequence[NamedFile]) -> Sequence[Blob]:
    """The default `LoadPictures`."""
    return ()


def list_pictures(request: Request) -> Sequence[NamedFile]:
    """The pictures of the message, then the thread's, latest first."""
    files = (*request.files, *reversed(request.context.files))
    return [file for file in files if file.attachment.type is Type.IMAGE]


@dataclass(slots=True)
class PictureLoader:
    """Scales pictures down. The latest stay in memory: planner and responder use the same ones."""

    files: Files
    media: MediaTools
    _scaled: LRUCache[FileHash, Blob] = field(default_factory=lambda: LRUCache(_KEPT))

    async def load(self, files: Sequence[NamedFile]) -> Sequence[Blob]:
        """A `LoadPictures`. A picture that cannot be loaded is left out."""
        pictures: dict[FileHash, NamedFile] = {}
        for file in files:
            if file.attachment.type is Type.IMAGE:
                pictures.setdefault(file.attachment.hash, file)
        wanted = [*pictures.values()][:MOST_PICTURES]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._scale(file.attachment)) for file in wanted]
        scaled = zip(wanted, (task.result() for task in tasks), strict=True)
        return [replace(image, name=file.name) for file, image in scaled if image]

    async def _scale(self, attachment: Attachment) -> Blob | None:
        if (known := self._scaled.get(attachment.hash)) is not None:
            return known
        try:
            async with asyncio.timeout(_SECONDS):
                data = await self.files.get(attachment.hash)
                picture = Blob(data, attachment.media_type, attachment.name)
                image = await self.media.preview(picture, _SIDE)
        except (KeyError, MediaError, TimeoutError) as error:
            log.info("picture not shown to the model", why=repr(error))
            return None
        if len(image.data) > _MOST_BYTES:
            return None
        self._scaled[attachment.hash] = image
        return image
