"""What people do in the workspace, as the bot gets to hear of it."""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.servers.slack.blocks import buttons
from tests.servers.slack.chat import changed_event, content_complaints, message_event, public
from tests.servers.slack.delivery import Delivery
from tests.servers.slack.files import FileMethods
from tests.servers.slack.views import Views, fill
from tests.servers.slack.workspace import (
    ANNA,
    APP,
    GENERAL,
    Json,
    Message,
    StoredFile,
    Workspace,
)

Spawn = Callable[[Coroutine[Any, Any, None]], None]


@dataclass(frozen=True)
class Sent:
    """A file someone posts: what it is called, what it holds, and what is odd about it."""

    name: str
    media_type: str
    content: bytes
    odd: str = ""
    stub: bool = False
    mode: str = "hosted"
    subtype: str = ""
    address: str = ""
    length: int = -1
    """The size that Slack says it has, in bytes; -1: its own."""


@dataclass
class People:
    """Say, edit, delete, click and command."""

    space: Workspace
    delivery: Delivery
    files: FileMethods
    views: Views
    spawn: Spawn
    end_streams: Callable[[str, str], list[str]]
    times: int = 1

    def say(
        self,
        text: str,
        *,
        channel: str = GENERAL,
        by: str = ANNA,
        thread: str = "",
        files: tuple[Sent, ...] = (),
    ) -> str:
        """Post a message; the bot is told of it meanwhile. Answers the ts."""
        body: Json = {"type": "message", "user": by, "team": self.space.team, "text": text}
        body["ts"] = self.space.next_ts()
        body["client_msg_id"] = f"client-{body['ts']}"
        if thread:
            body |= {
                "thread_ts": thread,
                "parent_user_id": self._message(channel, thread).body.get("user"),
            }
        if files:
            body |= {"subtype": "file_share", "upload": True}
            body["files"] = [self._stored(file, channel, by, body["ts"]) for file in files]
        message = self.space.put(Message(channel, body))
        event = message_event(self.space, message)
        self.tell(event)
        if self.space.mention in text and self.space.channels[channel].kind != "im":
            mention = {k: v for k, v in event.items() if k not in {"subtype", "channel_type"}}
            self.tell({**mention, "type": "app_mention"})
        return message.ts

    def post_as_app(self, channel: str, content: Json) -> str:
        """Another app's webhook posts; answers the ts."""
        body = {"type": "message", "subtype": "bot_message", "bot_id": "B0WATCH01", **content}
        message = self.space.put(Message(channel, {**body, "ts": self.space.next_ts()}))
        self.tell(message_event(self.space, message))
        return message.ts

    def edit(self, channel: str, ts: str, text: str) -> None:
        message = self._message(channel, ts)
        before = dict(message.body)
        edited = {"user": message.body["user"], "ts": self.space.next_ts()}
        message.body.update(text=text, edited=edited)
        self.tell(changed_event(self.space, message, before))

    def delete_file(self, channel: str, ts: str) -> None:
        """Delete the last file of a message, which keeps its place."""
        message = self._message(channel, ts)
        before = dict(message.body)
        *others, gone = message.body["files"]
        del self.space.files[gone["id"]]
        message.body["files"] = [*others, {"id": gone["id"], "mode": "tombstone"}]
        self.tell(changed_event(self.space, message, before))

    def unfurl(self, channel: str, ts: str) -> None:
        """Slack adds a preview to a message: it changed, but nobody edited it."""
        message = self._message(channel, ts)
        before = dict(message.body)
        message.body["attachments"] = [{"text": "a preview", "from_url": "https://example.org"}]
        self.tell(changed_event(self.space, message, before))

    def delete(self, channel: str, ts: str) -> None:
        """Take a message away; one with replies leaves a tombstone."""
        message = self._message(channel, ts)
        before = dict(message.body)
        if message.body.get("reply_count"):
            message.body.update(text="This message was deleted.", subtype="tombstone", hidden=True)
            message.body.pop("files", None)
            self.tell(changed_event(self.space, message, before))
            return
        self.space.take_away(message)
        now = self.space.next_ts()
        event = {"type": "message", "subtype": "message_deleted", "hidden": True, "ts": now}
        event |= {"channel": channel, "deleted_ts": ts, "previous_message": before, "event_ts": now}
        self.tell({**event, "channel_type": self.space.channels[channel].kind})

    def stop(self, channel: str, thread: str, *, by: str = ANNA) -> None:
        """Press Slack's own Stop, which a thread has while its session is processing."""
        ended = self.end_streams(channel, thread)
        event = {"type": "agent_session_stopped", "channel": channel, "thread_ts": thread}
        now = self.space.next_ts()
        self.tell({**event, "user": by, "streaming_message_ts": ended, "event_ts": now})

    async def press(self, channel: str, ts: str, action: str, *, by: str = ANNA) -> Json:
        """Click the first button whose action id begins so; answers the acknowledgement.

        Beside a streamed plan, Stop is Slack's own button.
        """
        message = self._message(channel, ts)
        if action == "troupe:stop" and message.body.get("streaming_state") == "in_progress":
            self.stop(channel, message.thread, by=by)
            return {}
        found = buttons(message.body.get("blocks", []))
        names = ("action_id", "value")  # those of a vote stand in its value
        button = next(b for b in found if any(str(b.get(n)).startswith(action) for n in names))
        return await self.delivery.interaction(self._click(message, button, by))

    async def choose(self, ephemeral: Json, value: str, *, by: str = ANNA) -> Json:
        """Choose an option, or press the button, of a message that only one person sees."""
        (select,) = buttons(ephemeral["blocks"])
        groups = select.get("option_groups", [select])
        options = [option for group in groups for option in group.get("options", [])]
        chosen = next((option for option in options if option["value"] == value), None)
        message = Message(ephemeral["channel"], {"ts": self.space.next_ts()})
        click = self._click(message, select, by)
        del click["message"]
        container = {"message_ts": message.ts, "channel_id": message.channel, "is_ephemeral": True}
        click["container"] = {"type": "message", **container}
        if chosen is not None:
            action = {"type": "static_select", "selected_option": chosen}
            click["actions"] = [click["actions"][0] | action]
        return await self.delivery.interaction(click)

    async def command(
        self, text: str, *, command: str = "/troupe", channel: str = GENERAL, by: str = ANNA
    ) -> Json:
        """Type a slash command; answers the acknowledgement."""
        payload = {
            "token": "verification",
            **self._place(),
            "team_domain": "troupe",
            "channel_id": channel,
            "channel_name": self.space.channels[channel].name or "directmessage",
            "user_id": by,
            "user_name": self.space.people[by]["name"],
            "command": command,
            "text": text,
            "api_app_id": APP,
            "is_enterprise_install": str(self.space.org_wide).lower(),
            "response_url": self._response_url(channel, by),
            "trigger_id": self.space.next_trigger(),
        }
        acknowledgement = await self.delivery.command(payload)
        if reply := acknowledgement.get("payload"):
            problems = [f"acknowledgement: {each}" for each in content_complaints(reply)]
            self.delivery.violations.extend(problems)
            self.space.responses.append({**reply, "channel": channel, "user": by})
        return acknowledgement

    def open_app(self, tab: str, *, by: str = ANNA) -> None:
        """Look at a tab of the app's own view."""
        channels = self.space.channels.values()
        direct = next(c.id for c in channels if c.kind == "im" and by in c.members)
        event = {"type": "app_home_opened", "user": by, "channel": direct, "tab": tab}
        self.tell({**event, "event_ts": self.space.next_ts()})

    async def use_home(self, action: str, value: str = "", *, by: str = ANNA) -> Json:
        """Press a button of one's home page, or choose a channel there."""
        view = self.views.homes[by]
        element = next(e for e in buttons(view["blocks"]) if e["action_id"] == action)
        if value and self.views.chosen.get(by) == value:
            return {}  # nothing changes, so Slack tells nobody
        self.views.chosen[by] = value
        chosen = {"selected_conversation": value} if value else {}
        payload = {
            **self._acted("block_actions", by),
            "container": {"type": "view", "view_id": view["id"]},
            "view": {**view, "state": {"values": {}}},
            "actions": [{**element, **chosen, "action_ts": self.space.next_ts()}],
        }
        return await self._acknowledged(payload)

    async def shortcut(self, callback: str, channel: str, ts: str, *, by: str = ANNA) -> Json:
        """Choose a shortcut in the menu of a message; answers the acknowledgement."""
        message = self._message(channel, ts)
        payload = {
            **self._acted("message_action", by),
            "callback_id": callback,
            "channel": {
                "id": channel,
                "name": self.space.channels[channel].name or "directmessage",
            },
            "message_ts": ts,
            "message": public(message.body, metadata=False),
            "response_url": self._response_url(channel, by),
        }
        return await self._acknowledged(payload)

    async def global_shortcut(self, callback: str, *, by: str = ANNA) -> Json:
        """Choose a shortcut that is about no message; answers the acknowledgement."""
        return await self._acknowledged({**self._acted("shortcut", by), "callback_id": callback})

    async def submit(
        self,
        text: str = "",
        *,
        files: tuple[Sent, ...] = (),
        channel: str = "",
        choices: Mapping[str, str | Sequence[str]] | None = None,
        by: str = ANNA,
    ) -> Json:
        """Fill the modal that was opened last, and submit it; answers the acknowledgement."""
        id_, view = list(self.views.open.items())[-1]
        stored = [self._stored(file, "", by, "") for file in files]
        answers = {"plain_text_input": text, "file_input": stored, **(choices or {})}
        state = fill(view, {**answers, "conversations_select": channel})
        payload = {**self._acted("view_submission", by), "view": {**view, "state": state}}
        acknowledgement = await self.delivery.interaction({**payload, "response_urls": []})
        if acknowledgement:
            self.views.acknowledged(id_, acknowledgement.get("payload") or {})
        return acknowledgement.get("payload") or {}

    async def _acknowledged(self, payload: Json) -> Json:
        """A shortcut is acknowledged without a word."""
        acknowledgement = await self.delivery.interaction(payload)
        if acknowledgement.get("payload"):
            self.delivery.violations.append(f"{payload['type']}: acknowledged with words")
        return acknowledgement

    def _acted(self, kind: str, by: str) -> Json:
        """What Slack says of every shortcut and form."""
        name = self.space.people[by]["name"]
        return {
            "type": kind,
            "token": "verification",
            "action_ts": self.space.next_ts(),
            "api_app_id": APP,
            **self._origin(),
            "user": {"id": by, "username": name, "name": name, "team_id": self.space.team},
            "trigger_id": self.space.next_trigger(),
        }

    def tell(self, event: Json) -> None:
        """Deliver an event as often as the test wants, under one event id."""
        event_id = self.space.next_id("Ev")
        shared = self.space.channels[event["channel"]].shared if "channel" in event else False
        for _ in range(self.times):
            self.spawn(self.delivery.event(event, event_id=event_id, shared=shared))

    def _place(self) -> Json:
        organisation = {"enterprise_id": self.space.enterprise, "enterprise_name": "Org"}
        return {"team_id": self.space.team, **(organisation if self.space.enterprise else {})}

    def _origin(self) -> Json:
        """Where a click came from: no workspace for an organisation's installation."""
        team, enterprise = self.space.team, self.space.enterprise
        return {
            "team": None if self.space.org_wide else {"id": team, "domain": "troupe"},
            "enterprise": {"id": enterprise, "name": "Org"} if enterprise else None,
            "is_enterprise_install": self.space.org_wide,
        }

    def _message(self, channel: str, ts: str) -> Message:
        return self.space.channels[channel].messages[ts]

    def _stored(self, sent: Sent, channel: str, by: str, ts: str) -> Json:
        file = StoredFile(
            self.space.next_id("F"),
            sent.name,
            len(sent.content) if sent.length < 0 else sent.length,
            by,
            media_type=sent.media_type,
            content=sent.content,
            shares={channel: [ts]} if channel else {},
            stub=sent.stub,
            mode=sent.mode,
            subtype=sent.subtype,
            address=sent.address,
        )
        self.space.files[file.id] = file
        if sent.odd:
            self.files.odd[file.id] = sent.odd
        return self.files.card(file)

    def _response_url(self, channel: str, by: str) -> str:
        return f"{self.files.base}/response/{channel}/{by}/{self.space.next_id('R')}"

    def _click(self, message: Message, button: Json, by: str) -> Json:
        person, channel = self.space.people[by], self.space.channels[message.channel]
        action = {**button, "action_ts": self.space.next_ts()}
        return {
            "type": "block_actions",
            "api_app_id": APP,
            "token": "verification",
            **self._origin(),
            "user": {
                "id": by,
                "name": person["name"],
                "username": person["name"],
                "team_id": self.space.team,
            },
            "channel": {"id": channel.id, "name": channel.name or "directmessage"},
            "container": {
                "type": "message",
                "message_ts": message.ts,
                "channel_id": channel.id,
                "is_ephemeral": False,
                "thread_ts": message.thread,
            },
            "message": dict(message.body),
            "actions": [action],
            "trigger_id": self.space.next_trigger(),
            "response_url": self._response_url(channel.id, by),
            "state": {"values": {}},
        }
