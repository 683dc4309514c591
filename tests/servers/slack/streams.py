"""Streams of a message, and the sessions of an agent: chat.*Stream, agents.sessions.*."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.servers.slack import blocks as block_rules
from tests.servers.slack.calls import Method, SlackRefusal, own_channel
from tests.servers.slack.chat import (
    MAX_MARKDOWN,
    PRIVATE,
    Emit,
    changed_event,
    content_complaints,
    message_event,
    written,
)
from tests.servers.slack.workspace import Json, Message, Workspace, read_clock

MAX_FIELD, LIFETIME = 256, 306.0
STATUSES = ("pending", "in_progress", "complete", "error")
SESSIONS = ("active", "processing", "suspended", "closed")
OPEN, OVER = "in_progress", "completed"
NO_STOP = "missing_agent_session_stopped_event_subscription"


@dataclass
class Stream:
    """What a streamed message shows: a plan of cards, then text and blocks."""

    takes_chunks: bool
    began: float
    title: str = ""
    cards: dict[str, Json] = field(default_factory=dict)
    parts: list[Json] = field(default_factory=list)

    def add(self, chunk: Json) -> None:
        match chunk:
            case {"type": "plan_update", "title": title}:
                self.title = title
            case {"type": "task_update", "id": id_}:
                card = self.cards.setdefault(id_, {"type": "task_card", "task_id": id_})
                card |= {"title": chunk["title"], "status": chunk["status"]}
                for name in ("details", "output"):  # Slack adds these to what the card has
                    card[name] = card.get(name, "") + (chunk.get(name) or "")
                card["sources"] = [*card.get("sources", ()), *(chunk.get("sources") or ())]
            case {"type": "markdown_text", "text": text}:
                if self.parts and self.parts[-1]["type"] == "markdown":
                    text = self.parts.pop()["text"] + text
                self.parts.append({"type": "markdown", "text": text})
            case _:
                self.parts.extend(chunk["blocks"])

    def blocks(self) -> list[Json]:
        tasks = [{n: _rich(n, v) for n, v in card.items() if v} for card in self.cards.values()]
        plan = [{"type": "plan", "title": self.title or "Plan", "tasks": tasks}] if tasks else []
        return [*plan, *self.parts]

    def text(self) -> str:
        """What notifications and screen readers get: only words that were streamed as such."""
        return "".join(part["text"] for part in self.parts if part["type"] == "markdown")


@dataclass
class Streams:
    """Begins, continues and ends streams; keeps the state of each thread's session."""

    space: Workspace
    violations: list[str]
    emit: Emit
    refusal: str = ""
    """Refuse every stream with this error."""
    is_stoppable: bool = True
    """Whether the app is subscribed to the event of the native Stop button."""
    lifetime: float = LIFETIME
    now: Callable[[], float] = read_clock
    streams: dict[str, Stream] = field(default_factory=dict)
    sessions: dict[tuple[str, str], str] = field(default_factory=dict)
    expired: list[str] = field(default_factory=list)
    """Streams that Slack ended, which it shows as "Something went wrong"."""

    def table(self) -> dict[str, Method]:
        return {
            "chat.startStream": self.start,
            "chat.appendStream": self.append,
            "chat.stopStream": self.stop,
            "agents.sessions.setStatus": self.set_status,
        }

    def is_open(self, message: Message) -> bool:
        if message.body.get("streaming_state") != OPEN:
            return False
        if self.now() - self.streams[message.ts].began <= self.lifetime:
            return True
        self.expired.append(message.ts)
        message.body["streaming_state"] = OVER
        return False

    def start(self, args: Json) -> Json:
        if self.refusal:
            raise SlackRefusal(self.refusal)
        channel, mode = args["channel"], args.get("task_display_mode", "timeline")
        own_channel(self.space, channel)
        self._recipient(channel, args)
        if mode not in ("timeline", "plan", "dense"):
            self._refuse("chat.startStream", [f"task_display_mode {mode!r}"], "invalid_arguments")
        root = self.space.find(channel, args["thread_ts"])
        if root is not None and root.thread != root.ts:
            self.violations.append(f"chat.startStream: {root.ts} is a reply, not a root")
        stream = Stream(not args.get("markdown_text"), self.now())
        self._add("chat.startStream", stream, args)
        body = written(self.space, {"channel": channel, "thread_ts": args["thread_ts"]})
        message = self.space.put(Message(channel, {**body, "streaming_state": OPEN}))
        self.streams[message.ts] = stream
        self._show(message)
        self.sessions[channel, args["thread_ts"]] = "processing"
        self.emit(message_event(self.space, message))
        return {"channel": channel, "ts": message.ts}

    def append(self, args: Json) -> Json:
        message = self._open(args)
        if not args.get("chunks") and not args.get("markdown_text"):
            self._refuse("chat.appendStream", ["nothing to append"], "no_text")
        self._add("chat.appendStream", self.streams[message.ts], args)
        self._show(message)
        return {"channel": message.channel, "ts": message.ts}

    def stop(self, args: Json) -> Json:
        message = self._open(args)
        stream, before = self.streams[message.ts], dict(message.body)
        blocks, metadata = args.get("blocks") or [], args.get(PRIVATE)
        given = {"text": "-", "blocks": blocks, PRIVATE: metadata}
        self._refuse("chat.stopStream", [*content_complaints(given)], "invalid_blocks")
        self._session("chat.stopStream", args.get("session_status", "active"))
        self._add("chat.stopStream", stream, args)
        stream.parts.extend(blocks)
        self.space.note_pings(*block_rules.texts(blocks))
        self._show(message)
        message.body["streaming_state"] = OVER
        if metadata is not None:
            message.body[PRIVATE] = metadata
        self.sessions[message.channel, message.thread] = args.get("session_status", "active")
        self.emit(changed_event(self.space, message, before))
        return {"channel": message.channel, "ts": message.ts, "message": message.body}

    def set_status(self, args: Json) -> Json:
        own_channel(self.space, args["channel_id"])
        self._session("agents.sessions.setStatus", args["status"])
        self.sessions[args["channel_id"], args["thread_ts"]] = args["status"]
        warning = {} if self.is_stoppable else {"warning": NO_STOP}
        return {"agent_status": args["status"], **warning}

    def end_by_hand(self, channel: str, thread: str) -> list[str]:
        """Somebody pressed Slack's own Stop: the thread's open streams, which end."""
        assert self.sessions.get((channel, thread)) == "processing", "there is no Stop button"
        ended = [m for m in self.space.thread(channel, thread) if self.is_open(m)]
        for message in ended:
            message.body["streaming_state"] = OVER
        return [message.ts for message in ended]

    def _recipient(self, channel: str, args: Json) -> None:
        if self.space.channels[channel].kind == "im":
            return
        for name in ("recipient_user_id", "recipient_team_id"):
            if not args.get(name):
                raise SlackRefusal(f"missing_{name}")
        user = args["recipient_user_id"]
        if user not in self.space.channels[channel].members:
            raise SlackRefusal("user_not_in_channel")
        team = self.space.people.get(user, {}).get("team_id", self.space.team)
        if args["recipient_team_id"] != team:
            self.violations.append(f"chat.startStream: {user} belongs to {team}")

    def _open(self, args: Json) -> Message:
        own_channel(self.space, args["channel"])
        message = self.space.find(args["channel"], args["ts"])
        if message is None:
            raise SlackRefusal("message_not_found")
        if not self.is_open(message):
            raise SlackRefusal("message_not_in_streaming_state")
        return message

    def _add(self, method: str, stream: Stream, args: Json) -> None:
        chunks = args.get("chunks") or []
        if args.get("markdown_text"):
            chunks = [{"type": "markdown_text", "text": args["markdown_text"]}]
        if chunks and stream.takes_chunks != bool(args.get("chunks")):
            raise SlackRefusal("streaming_mode_mismatch")
        self._refuse(method, [p for each in chunks for p in chunk_complaints(each)])
        for chunk in chunks:
            stream.add(chunk)
            self.space.note_pings(*_strings(chunk))

    def _show(self, message: Message) -> None:
        stream = self.streams[message.ts]
        message.history.append(dict(message.body))
        message.body |= {"blocks": stream.blocks(), "text": stream.text()}
        problems = block_rules.complaints(message.body["blocks"])
        self.violations.extend(f"stream: {each}" for each in problems)

    def _session(self, method: str, status: str) -> None:
        if status not in SESSIONS:
            self._refuse(method, [f"session status {status!r}"], "invalid_arguments")

    def _refuse(self, method: str, problems: list[str], code: str = "invalid_chunks") -> None:
        self.violations.extend(f"{method}: {each}" for each in problems)
        if problems:
            raise SlackRefusal(code)


def chunk_complaints(chunk: Any) -> Iterator[str]:
    """What is wrong with one chunk of a stream."""
    match chunk:
        case {"type": "markdown_text", "text": str(text), **rest} if not rest:
            if not 1 <= len(text) <= MAX_MARKDOWN:
                yield f"markdown_text must have 1 to {MAX_MARKDOWN} characters"
        case {"type": "plan_update", "title": str(title), **rest} if not rest:
            yield from _field("title", title)
        case {"type": "task_update", "id": str(id_), "title": str(title), "status": str(status)}:
            yield from _task(chunk, id_, title, status)
        case {"type": "blocks", "blocks": blocks, **rest} if not rest:
            yield from block_rules.complaints(blocks)
        case _:
            yield f"no such chunk: {chunk!r:.100}"


def _task(chunk: Json, id_: str, title: str, status: str) -> Iterator[str]:
    if unknown := set(chunk) - {"type", "id", "title", "status", "details", "output", "sources"}:
        yield f"task_update has unknown {unknown}"
    if status not in STATUSES:
        yield f"task_update has the status {status!r}"
    given: Json = {name: chunk[name] for name in ("details", "output") if name in chunk}
    for name, value in ({"id": id_, "title": title} | given).items():
        yield from _field(name, value)
    for source in chunk.get("sources", ()):
        if set(source) != {"type", "url", "text"} or source["type"] != "url":
            yield f"no such source: {source!r:.100}"


def _field(name: str, value: Any) -> Iterator[str]:
    if not isinstance(value, str) or not 1 <= len(value) <= MAX_FIELD:
        yield f"{name} must have 1 to {MAX_FIELD} characters"


def _rich(name: str, value: Any) -> Any:
    """Details and output of a card are rich text where Slack gives them back."""
    if name not in ("details", "output"):
        return value
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": value}]}
    return {"type": "rich_text", "elements": [section]}


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)
