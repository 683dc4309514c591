"""The methods which read: auth, conversations.*, users.*, and the small ones."""

from dataclasses import dataclass

from tests.servers.slack.calls import Method, SlackRefusal, own_channel
from tests.servers.slack.chat import public
from tests.servers.slack.workspace import (
    APP,
    Channel,
    Json,
    Message,
    Workspace,
)

PAGE = 1000
TYPES = {"channel": "public_channel", "group": "private_channel", "im": "im", "mpim": "mpim"}


@dataclass
class ReadingMethods:
    """Answers questions about the workspace."""

    space: Workspace
    violations: list[str]
    page: int = PAGE
    hides_files: bool = False
    """Whether messages with files are not shown yet."""

    def table(self) -> dict[str, Method]:
        return {
            "auth.test": self.auth,
            "conversations.info": self.channel,
            "conversations.replies": self.replies,
            "conversations.history": self.history,
            "conversations.open": self.open,
            "conversations.members": self.members,
            "conversations.join": self.join,
            "conversations.list": self.channels,
            "users.conversations": self.own_channels,
            "users.info": self.user,
            "bots.info": self.bot,
            "team.info": self.team,
            "emoji.list": lambda _: {"emoji": self.space.emoji},
        }

    def auth(self, _: Json) -> Json:
        return {
            "url": "https://troupe.slack.com/",
            "team": "Troupe",
            "user": "troupe",
            "team_id": self.space.enterprise if self.space.org_wide else self.space.team,
            "user_id": self.space.bot_user,
            "bot_id": self.space.bot_id,
            "is_enterprise_install": self.space.org_wide,
        }

    def channel(self, args: Json) -> Json:
        own_channel(self.space, args["channel"], member=False)
        return {"channel": channel_card(self.space, self.space.channels[args["channel"]])}

    def channels(self, _: Json) -> Json:
        found = [
            channel_card(self.space, c) for c in self.space.channels.values() if c.kind != "im"
        ]
        return {"channels": found, "response_metadata": {"next_cursor": ""}}

    def own_channels(self, args: Json) -> Json:
        """Those that the bot is in, of the types that are asked for."""
        types = str(args.get("types") or "public_channel").split(",")
        found = [
            channel_card(self.space, channel)
            for channel in self.space.channels.values()
            if self.space.bot_user in channel.members
            and TYPES[channel.kind] in types
            and not (channel.archived and args.get("exclude_archived"))
        ]
        return {"channels": found, "response_metadata": {"next_cursor": ""}}

    def replies(self, args: Json) -> Json:
        own_channel(self.space, args["channel"])
        message = self.space.find(args["channel"], args["ts"])
        if message is None:
            raise SlackRefusal("thread_not_found")
        thread = self.space.thread(args["channel"], message.thread)
        root, rest = thread[:1], thread[1:]
        return self._page(args, root, self._between(args, rest))

    def history(self, args: Json) -> Json:
        own_channel(self.space, args["channel"])
        messages = self.space.channels[args["channel"]].messages.values()
        tops = [m for m in messages if m.thread == m.ts]
        return self._page(args, [], self._between(args, tops)[::-1])

    def open(self, args: Json) -> Json:
        user = str(args.get("users", ""))
        if user not in self.space.people:
            raise SlackRefusal("user_not_found")
        for channel in self.space.channels.values():
            if channel.kind == "im" and user in channel.members:
                return {"channel": {"id": channel.id}}
        made = Channel(self.space.next_id("D"), "", "im", {user, self.space.bot_user})
        self.space.channels[made.id] = made
        return {"channel": {"id": made.id}}

    def members(self, args: Json) -> Json:
        own_channel(self.space, args["channel"], member=False)
        members = sorted(self.space.channels[args["channel"]].members)
        return {"members": members, "response_metadata": {"next_cursor": ""}}

    def join(self, args: Json) -> Json:
        own_channel(self.space, args["channel"], member=False)
        channel = self.space.channels[args["channel"]]
        if channel.kind != "channel":
            raise SlackRefusal("method_not_supported_for_channel_type")
        channel.members.add(self.space.bot_user)
        return {"channel": channel_card(self.space, channel)}

    def user(self, args: Json) -> Json:
        if args["user"] not in self.space.people:
            raise SlackRefusal("user_not_found")
        return {"user": self.space.people[args["user"]]}

    def bot(self, args: Json) -> Json:
        card = {"id": args["bot"], "app_id": APP, "user_id": self.space.bot_user}
        return {"bot": {**card, "name": "troupe"}}

    def team(self, _: Json) -> Json:
        return {"team": {"id": self.space.team, "name": "Troupe", "domain": "troupe"}}

    def _between(self, args: Json, messages: list[Message]) -> list[Message]:
        oldest, latest = args.get("oldest") or "0", args.get("latest") or "9999999999.0"
        if args.get("inclusive"):
            return [m for m in messages if oldest <= m.ts <= latest]
        return [m for m in messages if oldest < m.ts < latest]

    def _shows(self, message: Message) -> bool:
        return not (self.hides_files and message.by_bot and "files" in message.body)

    def _page(self, args: Json, always: list[Message], rest: list[Message]) -> Json:
        limit, start = int(args.get("limit") or 100), int(args.get("cursor") or 0)
        if not 1 <= limit <= PAGE:
            self.violations.append(f"a page of {limit} messages")
        limit = min(limit, self.page)
        part = rest[start : start + limit]
        more = start + limit < len(rest)
        metadata = bool(args.get("include_all_metadata"))
        return {
            "messages": [
                public(m.body, metadata=metadata) for m in (*always, *part) if self._shows(m)
            ],
            "has_more": more,
            "response_metadata": {"next_cursor": str(start + limit) if more else ""},
        }


def channel_card(space: Workspace, channel: Channel) -> Json:
    """A channel as conversations.info tells it."""
    return {
        "id": channel.id,
        "name": channel.name,
        "is_channel": channel.kind == "channel",
        "is_group": channel.kind == "group",
        "is_im": channel.kind == "im",
        "is_mpim": channel.kind == "mpim",
        "is_private": channel.kind != "channel",
        "is_archived": channel.archived,
        "is_ext_shared": channel.shared,
        "is_member": space.bot_user in channel.members,
        "num_members": len(channel.members),
    }
