"""Files of an answer, up into the thread: in order, described, once."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import aiohttp

from adapters.slack.access import Json
from adapters.slack.posting import Posts
from adapters.slack.refusals import NO_ANSWER, SERVER_ERROR, TOO_MANY, Refused, Unsure, retry_after
from pipeline.domain import Blob, RunId, Shown, Thread
from pipeline.errors import ChatError
from pipeline.ports import Files, MediaTools, Posting
from pipeline.showing import fitting

ALT, TITLE = 1000, 200
_TRIES, _LOOKS = 5, 3


@dataclass(frozen=True, slots=True)
class Uploads:
    """Slack's external upload: announce, send, complete; looked up before anything is completed twice."""

    posts: Posts
    files: Files
    media: MediaTools
    max_bytes: int

    async def put(self, thread: Thread, run: RunId, shown: Sequence[Shown]) -> tuple[Shown, ...]:
        """Upload files unless they stand there already; those that cannot be. Raises ChatError."""
        ledger, key = self.posts.ledger, f"{run}:files"
        known, _ = await ledger.begin(key)
        if known is Posting.POSTED or not shown:
            return ()
        if known is Posting.UNSURE and await self._stands(thread, await self._announced(run)):
            await ledger.done(key, "")
            return ()
        blobs = [
            (file, await fitting(file, self.files, self.media, self.max_bytes)) for file in shown
        ]
        taken = [(file, blob) for file, blob in blobs if blob is not None]
        if taken:
            await self._shared(thread, run, taken)
        await ledger.done(key, "")
        return tuple(file for file, blob in blobs if blob is None)

    async def _shared(
        self, thread: Thread, run: RunId, files: Sequence[tuple[Shown, Blob]]
    ) -> None:
        entries = [
            {"id": await self._sent(file, blob), "title": _title(file)} for file, blob in files
        ]
        ids = [entry["id"] for entry in entries]
        await self.posts.ledger.begin(f"{run}:files:ids")
        await self.posts.ledger.done(f"{run}:files:ids", " ".join(ids))
        for _ in range(_TRIES):
            try:
                await self._completed(thread, entries)
            except Unsure:
                if await self._stands(thread, ids, looks=_LOOKS):
                    return
            else:
                return
        raise ChatError("slack-unreachable", method="files.completeUploadExternal")

    async def _completed(self, thread: Thread, entries: Sequence[Json]) -> None:
        await self.posts.calls.pace.post(thread.channel.id)
        await self.posts.calls.once(
            "files.completeUploadExternal",
            files=list(entries),
            channel_id=thread.channel.id,
            thread_ts=thread.root,
        )

    async def _announced(self, run: RunId) -> list[str]:
        known, ids = await self.posts.ledger.begin(f"{run}:files:ids")
        return ids.split() if known is Posting.POSTED else []

    async def _stands(self, thread: Thread, ids: Sequence[str], *, looks: int = 1) -> bool:
        """Whether files are in the thread; Slack shows them a moment after it took them."""
        for look in range(looks if ids else 0):
            if look:
                await asyncio.sleep(self.posts.calls.pace.again_seconds * look)
            if await self._has_share(ids[0], thread) or await self._in_thread(ids[0], thread):
                return True
        return False

    async def _has_share(self, file: str, thread: Thread) -> bool:
        try:
            card = (await self.posts.calls.ask("files.info", file=file)).get("file") or {}
        except Refused:
            return False
        shares = card.get("shares") or {}
        return any(thread.channel.id in side for side in shares.values())

    async def _in_thread(self, file: str, thread: Thread) -> bool:
        try:
            async for message in self.posts.messages(thread):
                if any(each.get("id") == file for each in message.get("files") or ()):
                    return True
        except Refused:
            return False
        return False

    async def _sent(self, file: Shown, blob: Blob) -> str:
        """The id of an uploaded file; an upload whose end is not known is begun anew."""
        for attempt in range(_TRIES):
            place = await self.posts.calls.ask(
                "files.getUploadURLExternal",
                filename=blob.name or file.attachment.name,
                length=len(blob.data),
                alt_txt=file.alt[:ALT] or None,
            )
            if await _uploaded(str(place["upload_url"]), blob.data):
                return str(place["file_id"])
            await asyncio.sleep(self.posts.calls.pace.again_seconds * attempt)
        raise ChatError("slack-unreachable", method="upload")


async def _uploaded(url: str, data: bytes) -> bool:
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=30, sock_read=120)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.post(url, data=data) as response,
        ):
            if response.status == TOO_MANY:
                await asyncio.sleep(retry_after(response.headers))
            if TOO_MANY != response.status < SERVER_ERROR:
                response.raise_for_status()
            return response.ok
    except aiohttp.ClientResponseError as error:
        raise Refused("upload", str(error.status)) from error
    except NO_ANSWER:
        return False


def _title(file: Shown) -> str:
    return (file.alt or file.attachment.name)[:TITLE]
