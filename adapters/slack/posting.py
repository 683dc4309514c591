"""Posts under keys: each stands there once, whatever happens to the answers of Slack."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import structlog

from adapters.slack.access import Json
from adapters.slack.blocks import Content
from adapters.slack.calls import SlackCalls
from adapters.slack.refusals import Refused, Unsure
from pipeline.domain import RunId, Sentence, Thread
from pipeline.errors import ChatError
from pipeline.ports import Ledger, Posting
from pipeline.words import say

EVENT_TYPE = "troupe_post"
_PAGE, _PAGES, _TRIES = 200, 20, 5
_DELETED = frozenset({"message_not_found", "cant_update_message"})

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Post:
    """What is posted for a run: the answer's parts, its links."""

    run: RunId
    part: str

    @property
    def key(self) -> str:
        return f"{self.run}:{self.part}"

    @property
    def again(self) -> "Post":
        return Post(self.run, f"{self.part}:again")

    @property
    def metadata(self) -> Json:
        return {
            "event_type": EVENT_TYPE,
            "event_payload": {"run": self.run, "key": self.key},
        }


@dataclass(frozen=True, slots=True)
class Posts:
    """What the bot posts, by key."""

    calls: SlackCalls
    ledger: Ledger

    async def put(
        self, thread: Thread, post: Post, content: Content, *, locale: str = "en"
    ) -> tuple[str, bool]:
        """Post unless it stands there already; its ts, and whether it was posted now. Raises ChatError."""
        known, ts = await self.ledger.begin(post.key)
        if known is Posting.POSTED:
            return ts, False
        for _ in range(_TRIES):
            if known is Posting.UNSURE:
                found, content = await self._looked_up(thread, post, content, locale)
                if found:
                    await self.ledger.done(post.key, found)
                    return found, False
            try:
                ts = await self._posted(thread, post, content)
            except Unsure:
                known = Posting.UNSURE
            else:
                await self.ledger.done(post.key, ts)
                return ts, True
        raise ChatError("slack-unreachable", method="chat.postMessage")

    async def change(self, thread: Thread, post: Post, ts: str, content: Content) -> str:
        """Change what was posted, and answer its ts; it is posted once more where somebody deleted it."""
        try:
            await self._edited(thread, post, ts, content)
        except Refused as refused:
            if refused.code not in _DELETED:
                raise
            ts, now = await self.put(thread, post.again, content)
            if not now:
                await self._edited(thread, post.again, ts, content)
        return ts

    async def _edited(self, thread: Thread, post: Post, ts: str, content: Content) -> None:
        await self.calls.edit(
            thread.channel.id,
            ts,
            text=content.text,
            blocks=list(content.blocks),
            metadata=post.metadata,
        )

    async def messages(self, thread: Thread, *, oldest: str = "") -> AsyncIterator[Json]:
        """The messages of a thread, oldest first."""
        cursor, told = "", set[str]()
        for _ in range(_PAGES):
            page = await self.calls.ask(
                "conversations.replies",
                channel=thread.channel.id,
                ts=thread.root,
                limit=_PAGE,
                include_all_metadata=True,
                oldest=oldest or None,
                cursor=cursor or None,
            )
            for message in page.get("messages") or ():
                if message["ts"] not in told:  # the root comes with every page
                    told.add(message["ts"])
                    yield message
            cursor = str((page.get("response_metadata") or {}).get("next_cursor") or "")
            if not cursor:
                return

    async def _posted(self, thread: Thread, post: Post, content: Content) -> str:
        channel = thread.channel.id
        await self.calls.pace.post(channel)
        answer = await self.calls.once(
            "chat.postMessage",
            channel=channel,
            thread_ts=thread.root or None,
            metadata=post.metadata,
            **content.args(),
        )
        return str(answer["ts"])

    async def _looked_up(
        self, thread: Thread, post: Post, content: Content, locale: str
    ) -> tuple[str, Content]:
        """The ts of the post with this key. Where it cannot be looked for, what is posted is marked as perhaps a repeat."""
        if not thread.root:
            return "", _marked(content, locale)
        try:
            async for message in self.messages(thread):
                if _key(message) == post.key:
                    return str(message["ts"]), content
        except ChatError as error:
            log.warning("slack lets us not look for a post", error=str(error))
            return "", _marked(content, locale)
        return "", content


def _key(message: Json) -> str:
    metadata = message.get("metadata") or {}
    return str((metadata.get("event_payload") or {}).get("key") or "")


def _marked(content: Content, locale: str) -> Content:
    mark = say(locale, Sentence("slack-perhaps-repeated"))
    if content.text.startswith(mark):
        return content
    note: Json = {"type": "context", "elements": [{"type": "plain_text", "text": mark}]}
    return Content(f"{mark}\n{content.text}", (note, *content.blocks))
