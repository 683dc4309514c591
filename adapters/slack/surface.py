"""Messages and files in a Slack thread, found again by the keys in their metadata."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import aiohttp

from adapters.chat.surface import EditRefused
from adapters.chat.uploads import Upload, UploadLimits
from adapters.slack.blocks import SlackMessage
from adapters.slack.client import (
    NO_ANSWER,
    SERVER_ERROR,
    TOO_MANY,
    Json,
    SlackClient,
    SlackGone,
    parse_retry_after,
)
from pipeline.domain import LocalizedText, RunId, Thread
from pipeline.errors import ChatError
from pipeline.ports import Ledger, Posting
from pipeline.words import say

_EVENT_TYPE = "troupe_post"
_TRIES, _LOOKS = 5, 3
_LONGEST_ALT, _LONGEST_TITLE = 1000, 200
_RECENT = 100


@dataclass(slots=True)
class SlackSurface:
    """A thread; without a root, a channel in which a post begins a thread."""

    client: SlackClient
    ledger: Ledger
    thread: Thread
    run: RunId
    locale: str = "en"
    key: str = "answer"
    _uploaded: dict[str, list[Json]] = field(default_factory=dict)

    @property
    def limits(self) -> UploadLimits:
        size = self.client.access.max_upload
        return UploadLimits(size, size, message_files=10)

    async def has_room(self) -> bool:
        return await self.client.limits.take_progress_edit()

    async def post(self, key: str, page: SlackMessage, *, may_repeat: bool) -> str:
        page = self._mark_repeat(page) if may_repeat else page
        await self.client.limits.post(self._channel)
        posted = await self.client.call_once(
            "chat.postMessage",
            channel=self._channel,
            thread_ts=self.thread.root or None,
            metadata=self._metadata(key),
            text=page.text,
            blocks=list(page.blocks),
            unfurl_links=False,
            unfurl_media=False,
        )
        return str(posted["ts"])

    async def edit(self, receipt: str, page: SlackMessage) -> None:
        try:
            await self.client.call(
                "chat.update",
                channel=self._channel,
                ts=receipt,
                text=page.text,
                blocks=list(page.blocks),
                metadata=self._metadata(f"{self.run}:{self.key}:0"),
            )
        except SlackGone as gone:
            raise EditRefused(gone.sentence.id, **gone.sentence.args) from gone

    async def finish(self, receipt: str, page: SlackMessage) -> None:
        await self.client.limits.edit()
        try:
            await self.edit(receipt, page)
        except EditRefused:  # the end is posted anew, so the progress and its Stop button go
            _, progress = await self.ledger.begin(f"{self.run}:{self.key}:0")
            if receipt == progress:
                await self.client.try_call("chat.delete", channel=self._channel, ts=receipt)
            raise

    async def upload(self, key: str, files: Sequence[Upload], below: str) -> str:  # noqa: ARG002 - files stand in a message of their own
        """Slack's external upload: announce, send, complete. The ids are kept to look it up."""
        if ids := await self._find_upload(key.rpartition(":")[0]):
            return ids  # the first edition put all files up under one key
        if key not in self._uploaded:
            self._uploaded[key] = [await self._send(each) for each in files]
        entries = self._uploaded[key]
        ids = " ".join(entry["id"] for entry in entries)
        await self.ledger.begin(f"{key}:ids")
        await self.ledger.done(f"{key}:ids", ids)
        await self.client.limits.post(self._channel)
        await self.client.call_once(
            "files.completeUploadExternal",
            files=entries,
            channel_id=self._channel,
            thread_ts=self.thread.root,
        )
        return ids

    async def look_up(self, key: str, content: SlackMessage | Sequence[Upload]) -> str:
        if not isinstance(content, SlackMessage):
            return await self._find_upload(key)
        if self.thread.root:
            async for message in self.client.read_thread(self.thread):
                if _read_key(message) == key:
                    return str(message["ts"])
            return ""
        page = await self.client.call(
            "conversations.history",
            channel=self._channel,
            limit=_RECENT,
            include_all_metadata=True,
        )
        recent = page.get("messages") or ()
        return next((str(each["ts"]) for each in recent if _read_key(each) == key), "")

    @property
    def _channel(self) -> str:
        return self.thread.channel.id

    def _metadata(self, key: str) -> Json:
        return {"event_type": _EVENT_TYPE, "event_payload": {"run": self.run, "key": key}}

    def _mark_repeat(self, page: SlackMessage) -> SlackMessage:
        mark = say(self.locale, LocalizedText("slack-perhaps-repeated"))
        note: Json = {"type": "context", "elements": [{"type": "plain_text", "text": mark}]}
        return SlackMessage(f"{mark}\n{page.text}", (note, *page.blocks))

    async def _find_upload(self, key: str) -> str:
        """Slack shows files a moment after it took them."""
        state, ids = await self.ledger.begin(f"{key}:ids")
        for look in range(_LOOKS if state is Posting.POSTED else 0):
            await asyncio.sleep(self.client.limits.retry_seconds * look)
            if await self._is_shared(ids.partition(" ")[0]):
                return ids
        return ""

    async def _is_shared(self, file: str) -> bool:
        try:
            card = (await self.client.call("files.info", file=file)).get("file") or {}
        except SlackGone:
            card = {}
        if any(self._channel in side for side in (card.get("shares") or {}).values()):
            return True
        async for message in self.client.read_thread(self.thread):
            if any(each.get("id") == file for each in message.get("files") or ()):
                return True
        return False

    async def _send(self, upload: Upload) -> Json:
        """The entry of an uploaded file; an upload whose end is not known is begun anew."""
        file = upload.file
        for attempt in range(_TRIES):
            await asyncio.sleep(self.client.limits.retry_seconds * attempt)
            place = await self.client.call(
                "files.getUploadURLExternal",
                filename=upload.name,
                length=len(upload.blob.data),
                alt_txt=file.alt[:_LONGEST_ALT] or None,
            )
            if await _put_bytes(str(place["upload_url"]), upload.blob.data):
                title = (file.alt or file.attachment.name)[:_LONGEST_TITLE]
                return {"id": str(place["file_id"]), "title": title}
        raise ChatError("slack-unreachable", method="upload")


def _read_key(message: Json) -> str:
    metadata = message.get("metadata") or {}
    return str((metadata.get("event_payload") or {}).get("key") or "")


async def _put_bytes(url: str, data: bytes) -> bool:
    """Whether the bytes arrived. Raises SlackGone when Slack refuses them."""
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=30, sock_read=120)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.post(url, data=data) as response,
        ):
            if response.status == TOO_MANY:
                await asyncio.sleep(parse_retry_after(response.headers))
            elif not response.ok and response.status < SERVER_ERROR:
                raise SlackGone("upload", str(response.status))
            return response.ok
    except NO_ANSWER:
        return False
