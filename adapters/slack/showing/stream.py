"""Shows a run in a message that Slack streams: a plan with a card per step, and the words.

A stream is the first message only while the run goes on. Where Slack refuses, limits or ends it,
the message goes on with ordinary edits.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import structlog

from adapters.chat.board import (
    Board,
    Phase,
    TaskRow,
    format_headline,
    format_progress,
    has_plan,
    summarize_result,
)
from adapters.chat.rendering import Page
from adapters.chat.surface import PostUnsure
from adapters.slack.showing.cards import (
    MOST_CARDS,
    STATUSES,
    render_task,
    render_update,
    shorten_field,
)
from adapters.slack.showing.mrkdwn import defuse_markdown
from adapters.slack.showing.pages import has_table
from adapters.slack.web_api.client import Json, SlackClient
from adapters.slack.web_api.errors import NotNow, SlackRefused
from adapters.slack.web_api.limits import take_if_free
from pipeline.domain import LocalizedText, Person, RunId, TaskId, Thread
from pipeline.words import say, title

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
_PLANNING = "plan"
"""Ends the id of the card of the planning."""
_HELD = re.compile(r"[<@][^\s<@]{0,40}\Z")
"""The end of a text that may become a mention; it is held back until it is whole."""

log = structlog.get_logger()


@dataclass(slots=True)
class Stream:
    """The first message of a run while Slack streams it.

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
    _title: str = ""
    _cards: dict[str, Json] = field(default_factory=dict)
    """The cards as they were sent, by id."""
    _planned_as: TaskId | None = None
    """The step that took the card of the planning, which Slack cannot take away."""
    _words: str = ""
    """The words as they were sent, in Markdown."""
    _is_torn: bool = False
    """Whether it is not known which words arrived."""

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
        self._began, self._title, self._cards = now, "", {}  # an earlier try may not have arrived
        self._words, self._is_torn, self._planned_as = "", False, None
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
            chunks=[*self._render_changes(board), *self._render_words(page)],
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
        before = (self._title, dict(self._cards), self._words)
        chunks = [*self._render_changes(board), *self._render_words(page)]
        try:
            if chunks:
                await self.client.call_now("chat.appendStream", **place, chunks=chunks)
        except SlackRefused:
            await self.close(place)
        except NotNow:
            self._title, self._cards, self._words = before
            raise
        except PostUnsure:  # send titles and states again; details and words may have been added
            self._title, self._is_torn = "", True
            self._cards = {id_: {**card, "status": ""} for id_, card in self._cards.items()}
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
        chunks = [*self._render_changes(board), *self._render_words(page)]
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
        has_cards = bool(self._cards)
        return (
            is_continued
            and page.source != ""
            and not has_table(page)
            and (has_cards == has_plan(board))
        )

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

    # --- what is shown ---

    def _render_words(self, page: Page) -> list[Json]:
        """The chunk with the new words; what may become a ping is sent when it is whole."""
        is_over = page.board is None or page.board.end is not None
        held = None if is_over else _HELD.search(page.source)
        end = held.start() if held else len(page.source)
        if self._is_torn or not page.source.startswith(self._words) or end <= len(self._words):
            return []
        new, self._words = page.source[len(self._words) : end], page.source[:end]
        return [{"type": "markdown_text", "text": defuse_markdown(new)}]

    def _render_changes(self, board: Board) -> list[Json]:
        """The chunks that bring Slack's view of the plan up to date; none for plain talk."""
        cards = {card["id"]: card for card in self._render_cards(board)}
        headline = shorten_field(format_headline(board, self.locale))
        is_new = headline != self._title and bool(cards)
        chunks: list[Json] = [{"type": "plan_update", "title": headline}] if is_new else []
        self._title = headline if cards else self._title
        stopped = {"status": "error", "output": say(self.locale, LocalizedText("stopped"))}
        dropped = {id_: card | stopped for id_, card in self._cards.items() if id_ not in cards}
        for id_, card in (cards | dropped).items():  # Slack cannot take a card away
            shown = self._cards.get(id_, {})
            if card != shown:
                chunks.append(render_update(card, shown))
                self._cards[id_] = card
        return chunks

    def _render_cards(self, board: Board) -> Iterator[Json]:
        """A card per step; until there are steps, one for the planning, which the first takes."""
        planning = f"{self.run}:{_PLANNING}"
        if not board.rows and (planning in self._cards or not board.text):
            words = shorten_field(say(self.locale, LocalizedText("progress-thinking")))
            status = "complete" if board.end or board.text else "in_progress"
            yield {"id": planning, "title": words, "status": status}
        if board.rows and planning in self._cards and self._planned_as is None:
            self._planned_as = board.rows[0].task
        for row in board.rows[:MOST_CARDS]:
            card = self._render_card(board, row)
            yield {**card, "id": planning} if row.task == self._planned_as else card

    def _render_card(self, board: Board, row: TaskRow) -> Json:
        """A step: its model and time, and below them what it found or why it failed."""
        words, name = format_progress(row, self.locale), title(self.locale, row.kind)
        is_over = row.phase not in (Phase.WAITING, Phase.RUNNING)
        heading = name if is_over or not words else f"{name} · {words}"
        has_failed = row.phase is Phase.FAILED  # the error may not be that of the latest model
        details = " · ".join(filter(None, (row.model, words if is_over else "")))
        output = details if has_failed else summarize_result(board, row)
        return {
            "id": f"{self.run}:{row.task}",
            "title": shorten_field(heading),
            "status": STATUSES[row.phase],
            "details": "" if has_failed else shorten_field(details),
            "output": shorten_field(output),
            "page": "" if has_failed else row.page,
        }

    def render_plan(self, board: Board | None) -> Sequence[Json]:
        """The plan of a run that is over, as Slack keeps it above the end of a stream."""
        if board is None or board.end is None or not has_plan(board):
            return ()
        cards = [self._render_card(board, row) for row in board.rows[:MOST_CARDS]]
        headline = shorten_field(format_headline(board, self.locale))
        return ({"type": "plan", "title": headline, "tasks": [*map(render_task, cards)]},)
