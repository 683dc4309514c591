"""Slack's Web API methods: arguments, scopes and rate tiers."""

import inspect
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from tests.servers.slack.workspace import Json

TIER_1, TIER_2, TIER_3, TIER_4, TIER_POST = 1, 20, 50, 100, 600
ALWAYS_ALLOWED = {"token", "team_id"}
SHAPES = {
    "ts": re.compile(r"\d{10}\.\d{6}"),
    "channel": re.compile(r"[CDG][A-Z0-9]{8,}"),
    "user": re.compile(r"[UW][A-Z0-9]{8,}"),
    "file": re.compile(r"F[A-Z0-9]{8,}"),
    "emoji": re.compile(r"[a-z0-9_+'-]+(::skin-tone-[2-6])?"),
}


TYPES = {"str": str, "int": int, "bool": bool, "list": list, "object": dict}


@dataclass(frozen=True)
class Rule:
    """What one method wants: `name:kind` words, a scope and calls per minute."""

    required: str = ""
    optional: str = ""
    scope: str = ""
    per_minute: int = TIER_3
    takes_json: bool = True
    app_token: bool = False

    def kinds(self) -> dict[str, str]:
        words = f"{self.required} {self.optional}".split()
        return dict(word.split(":") for word in words)

    def must(self) -> list[str]:
        return [word.split(":")[0] for word in self.required.split()]


_POST = "text:str blocks:list attachments:list markdown_text:str metadata:object"
_STREAM = "markdown_text:str chunks:list"
_PAGE = "cursor:str limit:int"
_READ = "include_all_metadata:bool inclusive:bool latest:str oldest:str " + _PAGE
_THREAD = "channel_id:channel thread_ts:ts"

RULES: dict[str, Rule] = {
    "auth.test": Rule(per_minute=TIER_POST),
    "auth.teams.list": Rule("", "cursor:str limit:int include_icon:bool", per_minute=TIER_2),
    "apps.connections.open": Rule(per_minute=TIER_1, app_token=True),
    "chat.postMessage": Rule(
        "channel:channel",
        _POST + " thread_ts:ts reply_broadcast:bool unfurl_links:bool unfurl_media:bool",
        scope="chat:write",
        per_minute=TIER_POST,
    ),
    "chat.update": Rule("channel:channel ts:ts", _POST, scope="chat:write"),
    "chat.delete": Rule("channel:channel ts:ts", scope="chat:write"),
    "chat.postEphemeral": Rule(
        "channel:channel user:user", _POST + " thread_ts:ts", scope="chat:write", per_minute=TIER_4
    ),
    "chat.startStream": Rule(
        "channel:channel thread_ts:ts",
        _STREAM + " recipient_user_id:user recipient_team_id:str task_display_mode:str",
        scope="chat:write",
        per_minute=TIER_2,
    ),
    "chat.appendStream": Rule(
        "channel:channel ts:ts", _STREAM, scope="chat:write", per_minute=TIER_4
    ),
    "chat.stopStream": Rule(
        "channel:channel ts:ts",
        _STREAM + " blocks:list metadata:object session_status:str",
        scope="chat:write",
        per_minute=TIER_2,
    ),
    "agents.sessions.setStatus": Rule(
        _THREAD + " status:str", "title:str initiator_user_id:user", scope="chat:write"
    ),
    "chat.getPermalink": Rule("channel:channel message_ts:ts", per_minute=TIER_POST),
    "conversations.info": Rule("channel:channel", "include_locale:bool", scope="*:read"),
    "conversations.replies": Rule("channel:channel ts:ts", _READ, scope="*:history"),
    "conversations.history": Rule("channel:channel", _READ, scope="*:history"),
    "conversations.open": Rule("", "users:str channel:channel", scope="im:write"),
    "conversations.members": Rule("channel:channel", _PAGE, scope="*:read", per_minute=TIER_4),
    "conversations.join": Rule("channel:channel", scope="channels:join"),
    "conversations.list": Rule("", "types:str exclude_archived:bool " + _PAGE, scope="*:read"),
    "users.info": Rule(
        "user:user", "include_locale:bool", scope="users:read", per_minute=TIER_4, takes_json=False
    ),
    "users.conversations": Rule("", "types:str user:user " + _PAGE, scope="*:read"),
    "bots.info": Rule("bot:str", scope="users:read"),
    "team.info": Rule(scope="team:read"),
    "emoji.list": Rule(scope="emoji:read", per_minute=TIER_2),
    "reactions.add": Rule(
        "channel:channel timestamp:ts name:emoji", scope="reactions:write", takes_json=False
    ),
    "reactions.remove": Rule(
        "name:emoji",
        "channel:channel timestamp:ts",
        scope="reactions:write",
        per_minute=TIER_2,
        takes_json=False,
    ),
    "files.getUploadURLExternal": Rule(
        "filename:str length:int",
        "alt_txt:str snippet_type:str",
        scope="files:write",
        per_minute=TIER_4,
        takes_json=False,
    ),
    "files.completeUploadExternal": Rule(
        "files:list",
        "channel_id:channel thread_ts:ts initial_comment:str blocks:list",
        scope="files:write",
        per_minute=TIER_4,
    ),
    "files.info": Rule("file:file", _PAGE, scope="files:read", per_minute=TIER_4, takes_json=False),
    "files.delete": Rule("file:file", scope="files:write"),
    "assistant.threads.setStatus": Rule(
        _THREAD, "status:str loading_messages:list", scope="chat:write", per_minute=TIER_POST
    ),
    "assistant.threads.setTitle": Rule(_THREAD + " title:str", scope="assistant:write"),
    "assistant.threads.setSuggestedPrompts": Rule(
        "channel_id:channel prompts:list", "thread_ts:ts title:str", scope="assistant:write"
    ),
    "agents.sessions.rename": Rule(
        "channel_id:channel title:str", "thread_ts:ts", scope="chat:write"
    ),
    "blocks.validate": Rule("", "blocks:list message:object view:object"),
    "views.publish": Rule("user_id:user view:object", "hash:str", per_minute=TIER_4),
    "views.open": Rule("view:object", "trigger_id:str", per_minute=TIER_4),
    "views.update": Rule("view:object", "view_id:str external_id:str hash:str", per_minute=TIER_4),
}


def complaints(method: str, rule: Rule, args: Json) -> Iterator[str]:
    """Everything wrong with the arguments of a call."""
    for name in rule.must():
        if args.get(name) in (None, ""):
            yield f"no {name}"
    kinds = rule.kinds()
    for name, value in args.items():
        if name not in kinds and name not in ALWAYS_ALLOWED | _known(method):
            yield f"unknown argument {name}"
        elif value is not None and not _fits(kinds.get(name, "any"), value):
            yield f"{name} must be {kinds[name]}, not {value!r:.60}"


def parsed(rule: Rule, args: Json) -> Json:
    """The arguments with lists and objects read, wherever they came as text."""
    kinds = rule.kinds()
    return {name: _read(kinds.get(name, "any"), value) for name, value in args.items()}


def _read(kind: str, value: Any) -> Any:
    if kind in {"list", "object"} and isinstance(value, str):
        try:
            return json.loads(value)
        except ValueError:
            return value
    if kind == "bool" and value in {"0", "1", "true", "false"}:
        return value in {"1", "true"}
    if kind == "int" and isinstance(value, str) and value.isdigit():
        return int(value)
    return value


def _known(method: str) -> set[str]:
    call = getattr(AsyncWebClient, method.replace(".", "_"), None)
    return set(inspect.signature(call).parameters) - {"self", "kwargs"} if call else set()


def _fits(kind: str, value: Any) -> bool:
    if kind in SHAPES:
        return isinstance(value, str) and bool(SHAPES[kind].fullmatch(value))
    return kind == "any" or type(value) is TYPES[kind]
