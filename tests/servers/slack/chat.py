"""The methods which write messages: chat.*, reactions.* and assistant.*."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from tests.servers.slack import blocks as block_rules
from tests.servers.slack.calls import Method, SlackRefusal, own_channel
from tests.servers.slack.workspace import APP, Json, Message, Workspace

MAX_TEXT, MAX_UPDATE, MAX_MARKDOWN, MAX_METADATA = 40_000, 4_000, 12_000, 8_000
MAX_STATUS, MAX_LOADING = 300, 10
MAX_TITLE, MAX_PROMPTS = 200, 4
PRIVATE = "metadata"

Emit = Callable[[Json], None]


@dataclass(frozen=True)
class ChatMethods:
    """Posts, edits, deletes, reacts; tells listeners what happened."""

    space: Workspace
    violations: list[str]
    emit: Emit
    is_open: Callable[[Message], bool]
    """Whether a message is being streamed: it takes neither edits nor deletion."""

    def table(self) -> dict[str, Method]:
        return {
            "chat.postMessage": self.post,
            "chat.update": self.update,
            "chat.delete": self.delete,
            "chat.postEphemeral": self.ephemeral,
            "chat.getPermalink": self.permalink,
            "reactions.add": self.react,
            "reactions.remove": self.unreact,
            "assistant.threads.setStatus": self.status,
            "assistant.threads.setTitle": self.name_thread,
            "assistant.threads.setSuggestedPrompts": self.suggest,
            "agents.sessions.rename": self.name_session,
        }

    def post(self, args: Json) -> Json:
        channel = args["channel"]
        own_channel(self.space, channel)
        self._content("chat.postMessage", args, MAX_TEXT)
        self._thread("chat.postMessage", channel, args.get("thread_ts"))
        body = written(self.space, args)
        message = self.space.put(Message(channel, body))
        self.emit(message_event(self.space, message))
        return {"channel": channel, "ts": message.ts, "message": message.body}

    def update(self, args: Json) -> Json:
        own_channel(self.space, args["channel"])
        self._content("chat.update", args, MAX_UPDATE)
        message = self._own(args)
        if self.is_open(message):
            raise SlackRefusal("streaming_state_conflict")
        before = dict(message.body)
        message.history.append(before)
        changed = {name: args[name] for name in ("blocks", PRIVATE) if args.get(name) is not None}
        message.body.update({"text": text_of(args), **changed})
        if "blocks" not in args:
            message.body.pop("blocks", None)
        message.body["edited"] = {"user": self.space.bot_user, "ts": self.space.next_ts()}
        self.emit(changed_event(self.space, message, before))
        return {"channel": message.channel, "ts": message.ts, "text": message.text}

    def delete(self, args: Json) -> Json:
        message = self._own(args)
        if self.is_open(message):
            raise SlackRefusal("cant_delete_message")
        self.space.take_away(message)
        return {"channel": message.channel, "ts": message.ts}

    def ephemeral(self, args: Json) -> Json:
        own_channel(self.space, args["channel"])
        self._content("chat.postEphemeral", args, MAX_TEXT)
        self._thread("chat.postEphemeral", args["channel"], args.get("thread_ts"))
        root = self.space.find(args["channel"], args.get("thread_ts") or "")
        if root is not None and not root.body.get("reply_count"):
            self.violations.append("chat.postEphemeral: the thread has no replies to show it with")
        if args["user"] not in self.space.channels[args["channel"]].members:
            raise SlackRefusal("user_not_in_channel")
        self.space.ephemerals.append(args)
        return {"message_ts": self.space.next_ts()}

    def permalink(self, args: Json) -> Json:
        if self.space.find(args["channel"], args["message_ts"]) is None:
            raise SlackRefusal("message_not_found")
        link = f"https://troupe.slack.com/archives/{args['channel']}/p{args['message_ts']}"
        return {"channel": args["channel"], "permalink": link.replace(".", "")}

    def react(self, args: Json) -> Json:
        marks = self._marks(args)
        if (self.space.bot_user, args["name"]) in marks:
            raise SlackRefusal("already_reacted")
        marks.append((self.space.bot_user, args["name"]))
        return {}

    def unreact(self, args: Json) -> Json:
        marks = self._marks(args)
        if (self.space.bot_user, args["name"]) not in marks:
            raise SlackRefusal("no_reaction")
        marks.remove((self.space.bot_user, args["name"]))
        return {}

    def status(self, args: Json) -> Json:
        own_channel(self.space, args["channel_id"])
        self._thread("assistant.threads.setStatus", args["channel_id"], args["thread_ts"])
        if "status" not in args:  # an empty one clears it
            self.violations.append("assistant.threads.setStatus: no status")
        if (
            len(args.get("status", "")) > MAX_STATUS
            or len(args.get("loading_messages", ())) > MAX_LOADING
        ):
            self.violations.append("assistant.threads.setStatus: too long")
        self.space.statuses.append(args)
        return {}

    def name_session(self, args: Json) -> Json:
        if (args["channel_id"], args.get("thread_ts")) not in self.space.sessions:
            raise SlackRefusal("session_not_found")
        return self._name(args)

    def name_thread(self, args: Json) -> Json:
        own_channel(self.space, args["channel_id"])
        if self.space.channels[args["channel_id"]].kind != "im":
            self.violations.append("assistant.threads.setTitle: not in a direct message")
        self._thread("assistant.threads.setTitle", args["channel_id"], args["thread_ts"])
        return self._name(args)

    def _name(self, args: Json) -> Json:
        if len(args["title"]) > MAX_TITLE:
            raise SlackRefusal("invalid_arguments")
        self.space.titles[args["channel_id"], args["thread_ts"]] = args["title"]
        return {"title": args["title"]}

    def suggest(self, args: Json) -> Json:
        own_channel(self.space, args["channel_id"])
        method, prompts = "assistant.threads.setSuggestedPrompts", args["prompts"]
        if "thread_ts" in args:
            self.violations.append(f"{method}: does nothing in a thread of an agent")
        if not 1 <= len(prompts) <= MAX_PROMPTS:
            self.violations.append(f"{method}: {len(prompts)} prompts")
        for prompt in prompts:
            if set(prompt) != {"title", "message"} or not all(prompt.values()):
                self.violations.append(f"{method}: {prompt}")
        self.space.prompts.append(args)
        return {}

    def _marks(self, args: Json) -> list[tuple[str, str]]:
        own_channel(self.space, args["channel"], member=False)
        if self.space.find(args["channel"], args["timestamp"]) is None:
            raise SlackRefusal("message_not_found")
        return self.space.reactions.setdefault((args["channel"], args["timestamp"]), [])

    def _own(self, args: Json) -> Message:
        message = self.space.find(args["channel"], args["ts"])
        if message is None:
            raise SlackRefusal("message_not_found")
        if not message.by_bot:
            raise SlackRefusal("cant_update_message")
        return message

    def _thread(self, method: str, channel: str, thread: str | None) -> None:
        if not thread:
            return
        if thread in self.space.locked and method.startswith("chat."):
            raise SlackRefusal("restricted_action_thread_locked")
        root = self.space.find(channel, thread)
        gone = any(m.ts == thread for m in self.space.deleted)
        if root is None and not gone:
            self.violations.append(f"{method}: no message {thread} to make a thread of")
        elif root is not None and root.thread != root.ts:
            self.violations.append(f"{method}: {thread} is a reply, not the root of a thread")

    def _content(self, method: str, args: Json, limit: int) -> None:
        problems = list(content_complaints(args))
        if len(args.get("text") or "") > limit:
            problems.append(f"text over {limit} characters")
        self.violations.extend(f"{method}: {problem}" for problem in problems)
        if problems:
            raise SlackRefusal("msg_too_long" if "over" in problems[-1] else "invalid_blocks")
        self.space.note_pings(args.get("text") or "", *block_rules.texts(args.get("blocks")))


def content_complaints(args: Json) -> list[str]:
    """What is wrong with the text, blocks and metadata of a message."""
    problems: list[str] = []
    text, blocks, markdown = args.get("text"), args.get("blocks"), args.get("markdown_text")
    if not (text or blocks or markdown or args.get("attachments")):
        problems.append("nothing to say")
    if markdown and (text or blocks):
        problems.append("markdown_text goes with neither text nor blocks")
    if markdown and len(markdown) > MAX_MARKDOWN:
        problems.append(f"markdown_text over {MAX_MARKDOWN} characters")
    if blocks:
        problems.extend(block_rules.complaints(blocks))
        if not text:
            problems.append("blocks without text for notifications")
    metadata = args.get(PRIVATE)
    if metadata is not None:
        problems.extend(_metadata(metadata))
    return problems


def _metadata(metadata: Json) -> list[str]:
    if set(metadata) != {"event_type", "event_payload"}:
        return [f"metadata has {sorted(metadata)}, not event_type and event_payload"]
    if not isinstance(metadata["event_type"], str) or not isinstance(
        metadata["event_payload"], dict
    ):
        return ["metadata of the wrong shape"]
    if any(value is None for value in metadata["event_payload"].values()):
        return ["metadata with a null"]
    return ["metadata too large"] if len(json.dumps(metadata)) > MAX_METADATA else []


def text_of(args: Json) -> str:
    return str(args.get("text") or args.get("markdown_text") or "")


def written(space: Workspace, args: Json) -> Json:
    """A message of the bot's."""
    body: Json = {
        "type": "message",
        "user": space.bot_user,
        "bot_id": space.bot_id,
        "app_id": APP,
        "team": space.team,
        "ts": space.next_ts(),
        "text": text_of(args),
    }
    extra = {n: args[n] for n in ("blocks", "thread_ts", PRIVATE) if args.get(n) is not None}
    return {**body, **extra}


def public(body: Json, *, metadata: bool) -> Json:
    """A message as others get to see it."""
    return {k: v for k, v in body.items() if metadata or k != PRIVATE}


def message_event(space: Workspace, message: Message) -> Json:
    """The event by which Slack tells of a new message."""
    kind = space.channels[message.channel].kind
    return {
        **public(message.body, metadata=True),
        "channel": message.channel,
        "channel_type": kind,
        "event_ts": message.ts,
    }


def changed_event(space: Workspace, message: Message, before: Json) -> Json:
    """The event by which Slack tells of a changed message."""
    ts = space.next_ts()
    return {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "channel": message.channel,
        "channel_type": space.channels[message.channel].kind,
        "ts": ts,
        "event_ts": ts,
        "message": dict(message.body),
        "previous_message": before,
    }
