"""Posts messages and files in a Slack thread, with keys in the metadata to find them again."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

import structlog

from adapters.chat.posting import post_once
from adapters.chat.rendering import Page
from adapters.chat.uploads import Upload, UploadLimits
from adapters.slack.showing.blocks import section
from adapters.slack.showing.cards import find_run, has_cards, render_plan
from adapters.slack.showing.pages import DRAWN, mark_repetition, render_below, render_content
from adapters.slack.showing.splitting import split_messages
from adapters.slack.showing.stream import STREAMING, Stream
from adapters.slack.showing.threads import link_thread, open_direct
from adapters.slack.showing.uploads import send_file
from adapters.slack.web_api.client import Json, SlackClient
from adapters.slack.web_api.errors import SlackGone
from adapters.slack.web_api.limits import EDITS_FOR_ANSWERS, take_if_free
from pipeline.domain import LocalizedText, Person, RunId, Thread
from pipeline.ports import Ledger, Posting
from pipeline.words import say

T = TypeVar("T")
_EVENT_TYPE = "troupe_post"
_BAD_BLOCKS = frozenset(
    {
        "invalid_arguments",
        "invalid_attachments",
        "invalid_blocks",
        "invalid_blocks_format",
        "msg_blocks_too_long",
        "msg_blocks_too_many",
        "msg_too_long",
    }
)
"""Refusals that may be due to blocks; their text alone may be accepted."""
_THREAD_CLOSED = frozenset(
    {
        "restricted_action_thread_locked",
        "restricted_action_non_threadable_channel",
        "cannot_reply_to_message",
    }
)
"""Refusals of a thread; its channel may take the same message."""
_NOT_COMPLETE = "file_not_found"
"""The error code for a file whose upload is not completed."""
_DELETED = "file_deleted"

log = structlog.get_logger()


async def find_shown_run(ledger: Ledger, channel: str, ts: str) -> RunId | None:
    """The run that a message is a part of, by the receipts of `SlackSurface`; None for others."""
    return await ledger.find_run(ts) or await ledger.find_run(f"{channel}/{ts}")


@dataclass(slots=True, kw_only=True)
class SlackSurface:
    """A thread; without a root, a channel in which each post begins a thread.

    Receipts are message ids, outside of the thread "{channel}/{id}".
    """

    client: SlackClient
    ledger: Ledger
    thread: Thread
    run: RunId
    locale: str = "en"
    key: str = "answer"
    person: Person | None = None
    """Who gets a direct message if thread and channel take no posts; None: nobody."""
    team: str = ""
    """The workspace of that person."""
    controls: Sequence[Json] = ()
    """Blocks below each message."""
    _has_moved: bool = False
    """Whether `thread` is its channel or that direct message."""
    _stream: Stream = field(init=False)

    def __post_init__(self) -> None:
        self._stream = Stream(
            client=self.client,
            thread=self.thread,
            run=self.run,
            locale=self.locale,
            person=self.person,
            team=self.team,
        )

    @property
    def limits(self) -> UploadLimits:
        size = self.client.access.max_upload
        return UploadLimits(size, size)

    @property
    def refresh(self) -> float | None:
        return self._stream.lasts

    def explain_no_files(self) -> LocalizedText | None:
        return None  # Slack tells nobody before

    async def has_room(self) -> bool:
        limits = self.client.limits
        if self._stream.is_open:
            return await take_if_free(limits.appends)
        return await take_if_free(limits.edits, EDITS_FOR_ANSWERS)

    async def post(self, key: str, page: Page, *, may_repeat: bool) -> str:
        if may_repeat:
            page = mark_repetition(page, self.locale)
        elif not self._has_moved and (ts := await self._stream.begin(page)):
            return ts
        post = partial(self._post, key)
        try:
            return await self._send_page(page, post)
        except SlackGone as gone:
            await self._move(gone)
        return await self._send_page(page, post)

    async def _send_page(self, page: Page, send: Callable[[Json], Awaitable[T]]) -> T:
        """Send a page, more plainly where Slack refuses its blocks. Raises SlackGone, ChatError."""
        rich, plain = self._content(page, DRAWN), self._content(page, ())
        rich["blocks"] = [*render_plan(page.board, self.run, self.locale), *rich["blocks"]]
        for content in (rich, plain) if rich != plain else (rich,):
            try:
                return await send(content)
            except SlackGone as gone:
                if gone.code not in _BAD_BLOCKS:
                    raise
        return await send({"text": page.text, "blocks": []})

    async def _post(self, key: str, content: Json) -> str:
        await self.client.limits.post(self._channel)
        posted = await self.client.call_once(
            "chat.postMessage",
            channel=self._channel,
            thread_ts=self.thread.root or None,
            metadata=self._metadata(key),
            unfurl_links=False,
            unfurl_media=False,
            **content,
        )
        self._stream.edited.add(str(posted["ts"]))
        return self._make_receipt(posted["ts"])

    def _make_receipt(self, ts: object) -> str:
        return f"{self._channel}/{ts}" if self._has_moved else str(ts)

    async def _move(self, gone: SlackGone) -> None:
        """Go on in the channel of a locked thread, else in a direct message; say first why.

        Raises SlackGone, ChatError.
        """
        if self.person is None or self._channel.startswith("D"):
            raise gone
        above = replace(self.thread, root="")
        is_closed = bool(self.thread.root) and gone.code in _THREAD_CLOSED
        key = f"{self.run}:beside" if is_closed else f"{self.run}:elsewhere"
        log.info("answering elsewhere", key=key, why=gone.code)
        link = await link_thread(self.client, self.thread if is_closed else above)
        sentence = LocalizedText(
            "slack-could-not-answer", {"channel": "§", "reason": gone.sentence}
        )
        parts = tuple(  # the link is inserted last, as it must not be escaped
            part.replace("§", link) for part in split_messages(say(self.locale, sentence))[0]
        )
        self.thread = above if is_closed else await open_direct(self.client, self.person)
        self._has_moved = True
        await post_once(self.ledger, self, key, Page(parts))

    async def edit(self, receipt: str, page: Page) -> None:
        place = self._find_message(receipt)
        if page.board is None or not await self._stream.append(place, page):
            await self._send_page(page, partial(self._edit, self.client.call_now, place))

    async def _edit(self, call: Callable[..., Awaitable[Json]], place: Json, content: Json) -> None:
        await call("chat.update", metadata=self._metadata(self._first_key), **place, **content)

    async def finish(self, receipt: str, page: Page) -> None:
        place, metadata = self._find_message(receipt), self._metadata(self._first_key)
        below = [*render_below(page, self.run, self.locale), *self.controls]
        if page.board and await self._stream.end(place, page, below, metadata):
            return
        await self.client.limits.edits.acquire()
        try:
            await self._send_page(page, partial(self._edit, self.client.call, place))
        except SlackGone:  # the end becomes a new message: delete the progress and Stop button
            _, progress = await self.ledger.begin(self._first_key)
            if receipt == progress:
                await self.client.try_call("chat.delete", **place)
            raise

    async def delete(self, receipt: str) -> None:
        place = self._find_message(receipt)
        await self._stream.close(place)
        await self.client.call("chat.delete", **place)

    async def upload(
        self,
        key: str,
        files: Sequence[Upload],
        below: str,
        page: Page,  # noqa: ARG002 - files stand below it
    ) -> str:
        """Slack's external upload: get URLs, send, complete. The ids are kept for `look_up`."""
        entries = [await self.client.retry(partial(send_file, self.client, each)) for each in files]
        channel, _, ts = below.rpartition("/")
        place = Thread(replace(self.thread.channel, id=channel), ts) if channel else self.thread
        ids = " ".join(entry["id"] for entry in entries)
        await self.ledger.begin(f"{key}:ids")
        await self.ledger.done(f"{key}:ids", ids)
        await self.client.limits.post(place.channel.id)
        await self.client.call_once(
            "files.completeUploadExternal",
            files=entries,
            channel_id=place.channel.id,
            thread_ts=place.root,
        )
        return ids

    async def ping(self, key: str) -> None:
        if self.person is None:
            return
        who = f"<@{self.person.id}>"
        words = say(self.locale, LocalizedText("run-ended", {"who": "§"})).replace("§", who)
        await self._post(key, {"text": words, "blocks": [section(words)]})

    async def look_up(self, key: str, content: Page | Sequence[Upload]) -> str:
        """Slack shows files a moment after their upload, but knows at once that it is complete."""
        if isinstance(content, Page):
            receipt = await self._find(key)
            if not receipt and key == self._first_key:
                await self._stream.end_session()
            return receipt
        state, ids = await self.ledger.begin(f"{key}:ids")
        if state is not Posting.POSTED:
            return ""
        try:
            await self.client.call("files.info", file=ids.partition(" ")[0])
        except SlackGone as gone:
            if gone.code == _NOT_COMPLETE:
                return ""
            if gone.code != _DELETED:
                raise
        return ids

    @property
    def _channel(self) -> str:
        return self.thread.channel.id

    @property
    def _first_key(self) -> str:
        return f"{self.run}:{self.key}:0"

    def _find_message(self, receipt: str) -> Json:
        """A message's place as arguments of Slack's methods."""
        channel, _, ts = receipt.rpartition("/")
        return {"channel": channel or self._channel, "ts": ts}

    def _content(self, page: Page, drawn: Collection[str]) -> Json:
        content = render_content(page, self.run, self.locale, drawn=drawn)
        content["blocks"] += self.controls
        return content

    def _metadata(self, key: str) -> Json:
        return {"event_type": _EVENT_TYPE, "event_payload": {"run": self.run, "key": key}}

    async def _find(self, key: str) -> str:
        """The message with this key, in the thread or in the channel's recent history.

        Slack keeps no key of a stream. If it does not show its cards either, it is a message of
        ours that is being streamed, though no run of this program does that.
        """
        thread, place = self.thread, Json(channel=self._channel, include_all_metadata=True)
        recent = self.client.read_pages("conversations.history", "messages", 1, **place)
        is_first, orphan = key == self._first_key, ""
        if is_first and not self.client.me.user:
            await self.client.identify()
        async for message in self.client.read_thread(thread) if thread.root else recent:
            metadata = message.get("metadata") or {}
            is_posted = (metadata.get("event_payload") or {}).get("key") == key
            if is_posted or (is_first and find_run(message, self.run)):
                return self._make_receipt(message["ts"])
            if is_first and self._is_orphan(message):
                orphan = self._make_receipt(message["ts"])
        return orphan

    def _is_orphan(self, message: Json) -> bool:
        is_open = message.get("streaming_state") == STREAMING and not has_cards(message)
        is_live = str(message["ts"]) in self.client.streaming
        return is_open and self.client.me.wrote(message) and not is_live
