"""Delivers the files of a run's answer: each once, in batches, smaller if they are refused."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from adapters.chat.ports import ChatPorts
from adapters.chat.posting import send_once
from adapters.chat.rendering import Page
from adapters.chat.surface import FilesTooLarge, Surface
from adapters.chat.uploads import Upload, batch_uploads, prepare
from pipeline.domain import AnswerFile, Blob, FileHash, LocalizedText, RunId
from pipeline.errors import ChatGone


@dataclass(slots=True)
class FileDelivery:
    """The files of one run on one surface. What is sent for a file is converted only once."""

    run: RunId
    surface: Surface
    ports: ChatPorts
    _prepared: dict[tuple[FileHash, str, str], Blob | None] = field(default_factory=dict)
    """What is sent for the files, by hash, name and alternative text."""

    async def prepare(self, file: AnswerFile) -> Upload | None:
        """What is sent for a file; None if it cannot be sent."""
        key, ports = _identify(file), self.ports
        if key not in self._prepared:
            most = self.surface.limits.file_bytes
            self._prepared[key] = await prepare(file, ports.files, ports.media, most)
        blob = self._prepared[key]
        return Upload(file, blob) if blob else None

    async def name_as_sent(self, file: AnswerFile) -> AnswerFile:
        """The file under the name of what is sent for it: a conversion changes the ending."""
        upload = await self.prepare(file)
        if upload is None:
            return file
        sent = replace(file, attachment=replace(file.attachment, name=upload.name))
        self._prepared[_identify(sent)] = upload.blob
        return sent

    async def join(self, page: Page, files: Sequence[AnswerFile]) -> Page:
        """The page with as many of the files as one message may show."""
        limits = self.surface.limits
        uploads = [each for file in files if (each := await self.prepare(file))]
        joining = [each for each in uploads if each.blob.type not in limits.apart]
        return replace(page, files=tuple(next(batch_uploads(joining, limits), ())))

    async def deliver(
        self, files: Sequence[AnswerFile], last: tuple[str, Page]
    ) -> tuple[Sequence[AnswerFile], LocalizedText | None]:
        """Upload files in batches; return those that cannot be sent, and why if we know.

        `last` is the receipt of the answer's last message, and what stands in it.
        Raises ChatError: the delivery is then repeated, and what was sent is not sent again.
        """
        reason: LocalizedText | None = None
        uploads = [each for file in files if (each := await self.prepare(file))]
        unsent = [file for file in files if file not in [each.file for each in uploads]]
        for number, batch in enumerate(batch_uploads(uploads, self.surface.limits)):
            try:
                unsent += await self._deliver_batch(f"{self.run}:files:{number}", batch, last)
            except ChatGone as gone:
                reason = gone.sentence
                unsent += [each.file for each in batch]
        return unsent, reason

    async def _deliver_batch(
        self, key: str, batch: Sequence[Upload], last: tuple[str, Page]
    ) -> Sequence[AnswerFile]:
        """Upload a batch, in halves if it is too large; return the files that still are."""
        try:
            await self._upload_once(key, batch, last)
        except FilesTooLarge:
            if len(batch) == 1:
                return await self._deliver_shrunk(key, batch[0], last)
            middle = len(batch) // 2
            first = await self._deliver_batch(f"{key}:0", batch[:middle], last)
            return [*first, *await self._deliver_batch(f"{key}:1", batch[middle:], last)]
        return ()

    async def _deliver_shrunk(
        self, key: str, upload: Upload, last: tuple[str, Page]
    ) -> Sequence[AnswerFile]:
        """Retry a file that was refused for its size, shrunk to half of it."""
        half, ports = len(upload.blob.data) // 2, self.ports
        blob = await prepare(upload.file, ports.files, ports.media, half)
        if blob is None:
            return (upload.file,)
        try:
            await self._upload_once(f"{key}:small", [Upload(upload.file, blob)], last)
        except FilesTooLarge:
            return (upload.file,)
        return ()

    async def _upload_once(self, key: str, batch: Sequence[Upload], last: tuple[str, Page]) -> None:
        async def upload(*, may_repeat: bool) -> str:  # noqa: ARG001 - files carry no such note
            return await self.surface.upload(key, batch, *last)

        await send_once(self.ports.ledger, self.surface, key, batch, upload)


def _identify(file: AnswerFile) -> tuple[FileHash, str, str]:
    return file.attachment.hash, file.attachment.name, file.alt
