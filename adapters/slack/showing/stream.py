"""Shows a run in a message that Slack streams: a plan with a card per step, and the words.

A stream is the first message only while the run goes on. Where Slack refuses, limits or ends it,
the message goes on with ordinary edits.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog

from adapters.chat.board import Board, has_plan
from adapters.chat.rendering import Page
from adapters.chat.surface import PostUnsure
from adapters.slack.showing.cards import ShownPlan
from adapters.slack.showing.mrkdwn import defuse_markdown
from adapters.slack.showing.pages import has_table
from adapters.slack.web_api.client import Json, SlackClient
from adapters.slack.web_api.errors import NotNow, SlackRefused
from adapters.slack.web_api.limits import take_if_free
from pipeline.domain import Person, RunId, Thread

_REFUSED_SECONDS = 600.0
"""How long no stream is begun after Slack refused all of them."""
_SET_STATUS = "agents.sessions.setStatus"
_STOP = "chat.stopStream"
_NO_STOP = "missing_agent_session_stopped_event_subscription"
"""The warning for a session without Slack's own Stop button."""
_NO_STREAMS = frozenset(
    {
        _NO_STOP,
        "access_denied",
        "deprecated_endpoint",
        "enterprise_is_restricted",
        "method_deprecated",
        "missing_scope",
        "not_allowed_token_type",
        "unknown_method",
    }
)
"""Refusals of every stream; others are about a channel, a person or a plan."""
STREAMING = "in_progress"
"""The state of a message that is being streamed."""
_HELD = re.compile(r"[<@][^\s<@]{0,40}\Z")
"""The end of a text that may become a mention; it is held back until it is whole."""

log = structlog.get_logger()


@dataclass(slots=True, kw_only=True)
class Stream:
    """The first message of a run while Slack streams it.

    A run in which one step is planned, done and told of in words is four calls: `begin` ("Planning
    …" in a card), `append` (the step's card takes its place), `append` ("A cat si"), and `end` ("ts
    on a mat.", with the buttons below). Where one of them says False, the surface edits instead.

    The ids of its cards begin with the run's, so that it is found if its begin was not confirmed:
    Slack takes a key in the metadata only at a stream's end. A message of an earlier life of the
    program may be a stream, too: it is closed before it is edited.
    """

    client: SlackClient
    thread: Thread
    run: RunId
    locale: str
    person: Person | None
    """Who sees it grow in a channel; the others see its beginning and its end."""
    team: str = ""
    """The workspace of that person."""
    edited: set[str] = field(default_factory=set)
    """The messages that are known to take edits."""
    _ts: str = ""
    """The message, while it is streamed."""
    _began: float = 0.0
    _plan: ShownPlan = field(init=False)
    _words: str = ""
    """The words as they were sent, in Markdown."""
    _is_torn: bool = False
    """Whether it is not known which words arrived."""

    def __post_init__(self) -> None:
        self._plan = ShownPlan(self.run, self.locale)

    @property
    def is_open(self) -> bool:
        return bool(self._ts)

    @property
    def lasts(self) -> float | None:
        """In how many seconds the message goes on with edits; None if it does already."""
        age = asyncio.get_running_loop().time() - self._began
        return max(0.0, self.client.limits.stream_seconds - age) if self._ts else None

    async def begin(self, page: Page) -> str:
        """Begin a stream; return the message's id, or "" if it must be posted instead.

        Only progress is streamed: not a run's end, nor what belongs to no run.

        Raises PostUnsure if the response was lost.
        """
        client, now, board = self.client, asyncio.get_running_loop().time(), page.board
        if board is None or board.end or not (self.thread.root and self.person):
            return ""
        if client.no_streams_until > now or not await take_if_free(client.limits.streams):
            return ""
        self._began, self._plan = now, ShownPlan(self.run, self.locale)
        self._words, self._is_torn = "", False  # an earlier try may not have arrived
        try:
            await self._start(page, board)
        except SlackRefused as refused:
            log.info("slack refused a stream", run=self.run, why=refused.code)
            if refused.code in _NO_STREAMS:
                client.no_streams_until = now + _REFUSED_SECONDS
        except NotNow:
            log.info("no stream now", run=self.run)
        if not self._ts:
            await self._set_session("active")
        return self._ts

    async def _start(self, page: Page, board: Board) -> None:
        """Raises SlackRefused, also if Slack would show no Stop button, and PostUnsure."""
        channel, is_checked = self.thread.channel.id, self.client.has_stop
        if not is_checked:
            await self._check_stop()
        await self.client.limits.post(channel)
        begun = await self.client.call_now(
            "chat.startStream",
            channel=channel,
            thread_ts=self.thread.root,
            recipient_user_id=self.person and self.person.id,
            recipient_team_id=self.team,
            task_display_mode="plan",
            chunks=[*self._plan.render_changes(board), *self._render_words(page)],
        )
        self._ts = str(begun["ts"])
        self.client.streaming.add(self._ts)
        if is_checked:
            await self._set_session("processing")

    async def _check_stop(self) -> None:
        """Begin the session. Raises SlackRefused if it has no Stop button, NotNow if unsure."""
        try:
            answer = await self.client.call_now(_SET_STATUS, **self._session("processing"))
        except PostUnsure as unsure:
            raise NotNow("slack-unreachable", method=_SET_STATUS) from unsure
        if _NO_STOP in str(answer.get("warning")):
            raise SlackRefused(_SET_STATUS, _NO_STOP)
        self.client.has_stop = True

    async def end_session(self) -> None:
        """End the session of a stream that was about to begin when the program was killed."""
        if self.person and self.thread.root:
            await self._set_session("active")

    async def _set_session(self, status: str) -> None:
        await self.client.try_call(_SET_STATUS, **self._session(status))

    def _session(self, status: str) -> Json:
        """While its session is processing, a thread has Slack's own Stop button."""
        place = {"channel_id": self.thread.channel.id, "thread_ts": self.thread.root}
        return {**place, "status": status}

    async def append(self, place: Json, page: Page) -> bool:
        """Show what has changed; False if the message must be edited instead.

        Raises ChatError.
        """
        board = page.board
        if place["ts"] != self._ts or not self.lasts or board is None:
            await self.close(place)
            return False
        before = self._plan.copy(), self._words
        chunks = [*self._plan.render_changes(board), *self._render_words(page)]
        try:
            if chunks:
                await self.client.call_now("chat.appendStream", **place, chunks=chunks)
        except SlackRefused:
            await self.close(place)
        except NotNow:
            self._plan, self._words = before
            raise
        except PostUnsure:  # send titles and states again; details and words may have been added
            self._plan.forget_states()
            self._is_torn = True
            raise
        return self.is_open

    async def end(self, place: Json, page: Page, below: Sequence[Json], metadata: Json) -> bool:
        """End the stream with the end of the run; False if the message must be edited instead.

        It must where the stream shows what does not stay: a plan without steps, other words, or
        a table that Slack would not draw. `below` stands below the words. Raises ChatError.
        """
        board = page.board
        if place["ts"] != self._ts or board is None or not self._may_stay(page, board):
            await self.close(place)
            return False
        chunks = [*self._plan.render_changes(board), *self._render_words(page)]
        try:
            await self.client.call(
                _STOP,
                **place,
                chunks=chunks or None,
                blocks=[*below] or None,
                metadata=metadata,
                session_status="active",
            )
        except SlackRefused as refused:
            log.info("could not end a stream", run=self.run, why=refused.code)
            await self.close(place)
            return False
        self._forget(place)
        return True

    def _may_stay(self, page: Page, board: Board) -> bool:
        """Whether the end can be added to what the stream shows."""
        is_continued = page.source.startswith(self._words) and not self._is_torn
        has_same_plan = bool(self._plan.cards) == has_plan(board)
        return is_continued and page.source != "" and not has_table(page) and has_same_plan

    async def close(self, place: Json) -> None:
        """End a stream as it is, so that the message takes edits. Raises ChatError."""
        if place["ts"] in self.edited:
            return
        try:
            await self.client.call(_STOP, **place, session_status="active")
        except SlackRefused:  # Slack ended the stream, but the session is still processing
            await self._set_session("active")
        self._forget(place)
        self.edited.add(place["ts"])

    def _forget(self, place: Json) -> None:
        self._ts = ""
        self.client.streaming.discard(place["ts"])

    def _render_words(self, page: Page) -> list[Json]:
        """The chunk with the new words; what may become a ping is sent when it is whole."""
        is_over = page.board is None or page.board.end is not None
        held = None if is_over else _HELD.search(page.source)
        end = held.start() if held else len(page.source)
        if self._is_torn or not page.source.startswith(self._words) or end <= len(self._words):
            return []
        new, self._words = page.source[len(self._words) : end], page.source[:end]
        return [{"type": "markdown_text", "text": defuse_markdown(new)}]
