"""An answer's files: converted to fit a platform, in batches, or behind signed links.

The file store keeps what the experts made, because later tasks need its quality.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pipeline.domain import AnswerFile, Attachment, Blob, LocalizedText, Type
from pipeline.errors import MediaError
from pipeline.ports import Files, MediaTools
from pipeline.words import say


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """The most a place accepts: bytes per file, bytes and files per message."""

    file_bytes: int
    message_bytes: int
    message_files: int = 10
    apart: frozenset[Type] = frozenset()
    """Files of these types come last, in messages of their own."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of an answer, and the content that is sent for it."""

    file: AnswerFile
    blob: Blob

    @property
    def name(self) -> str:
        return self.blob.name or self.file.attachment.name


async def prepare(file: AnswerFile, files: Files, media: MediaTools, max_bytes: int) -> Blob | None:
    """Convert a file to a type that chat platforms show or play, of at most `max_bytes`.

    A file that a person asked to convert keeps its type if it fits. Returns None if the file
    cannot be made to fit, or was erased meanwhile.
    """
    attachment = file.attachment
    try:
        data = await files.get(attachment.hash)
    except KeyError:
        return None
    blob = Blob(data, attachment.media_type, attachment.name, alt=file.alt)
    keeps_type = file.kind == "media-conversion" and attachment.size <= max_bytes
    if not keeps_type:
        with suppress(MediaError):
            blob = await media.fit(blob, max_bytes)
    return blob if len(blob.data) <= max_bytes else None


def batch_uploads(uploads: Sequence[Upload], limits: UploadLimits) -> Iterator[Sequence[Upload]]:
    """Group files, in order, into batches that keep to the limits of one message."""
    batch: list[Upload] = []
    size, was_apart = 0, False
    for upload in sorted(uploads, key=lambda each: each.blob.type in limits.apart):
        weight, is_apart = len(upload.blob.data), upload.blob.type in limits.apart
        is_full = len(batch) == limits.message_files or size + weight > limits.message_bytes
        if batch and (is_full or is_apart != was_apart):
            yield batch
            batch, size = [], 0
        batch.append(upload)
        size, was_apart = size + weight, is_apart
    if batch:
        yield batch


def format_left_out(
    files: Sequence[AnswerFile],
    sign: Callable[[Attachment], str],
    locale: str,
    reason: LocalizedText | None,
) -> str:
    """Markdown that links each file, or says that it was left out. `reason` None: too large."""
    lines = [say(locale, reason or LocalizedText("files-too-large"))]
    for file in files:
        name, link = file.attachment.name, sign(file.attachment)
        if link:
            lines.append(f"[{name}]({link}): {file.alt or name}")
        else:
            lines.append(say(locale, LocalizedText("file-left-out", {"file": name})))
    return "\n\n".join(lines)
