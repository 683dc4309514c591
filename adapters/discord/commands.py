"""Slash commands, their completions and buttons: acknowledged at once, then answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import discord
import structlog
from discord.http import Route

from adapters.chat.events import contain_reply
from adapters.discord.calls import ACKNOWLEDGED, find_code, make_nonce, open_file, retry_call
from adapters.discord.messages import find_thread, read_file, read_person
from adapters.discord.rendering import escape, parse_button, split_messages
from adapters.discord.threads import find_thread_of
from pipeline.domain import ButtonClick, Command, Invocation, LocalizedText, Option, Reply, Thread
from pipeline.errors import ChatError
from pipeline.ports import Files, Listener
from pipeline.text import shorten
from pipeline.words import has_message, say

_STRING, _ATTACHMENT = 3, 11
_IN_SERVERS, _IN_DIRECT = 0, 1
_LONGEST_DESCRIPTION, _MOST_CHOICES, _LONGEST_QUOTE, _MOST_FILES = 100, 25, 300, 10
_LOCALES = ("de", "es-ES", "es-419", "fr", "ja", "zh-CN")
"""Discord's names for our languages; English is the default."""
_ACKNOWLEDGE_SECONDS, _REPLY_SECONDS = 2.5, 900.0
"""Discord takes an acknowledgement for three seconds, and replies for fifteen minutes."""

Json = dict[str, Any]
Use = discord.Interaction[discord.Client]

log = structlog.get_logger()


# --- registering ---


async def register_commands(client: discord.Client, commands: Sequence[Command]) -> None:
    """Tell Discord the commands, when they have changed. Raises ChatError."""
    application = client.application_id or 0
    wanted = describe_commands(commands)
    route = Route("GET", "/applications/{application_id}/commands", application_id=application)
    params = {"with_localizations": "true"}  # the library's own call leaves them out
    registered = await retry_call(lambda: client.http.request(route, params=params))
    if differ(registered, wanted):
        payload = cast("list[Any]", wanted)
        await retry_call(lambda: client.http.bulk_upsert_global_commands(application, payload))


def describe_commands(commands: Sequence[Command]) -> list[Json]:
    """The commands as Discord takes them, for servers and direct messages."""
    return [
        {
            "type": 1,
            **_describe(command, "command"),
            "options": [
                _describe_option(option)
                for option in sorted(command.options, key=lambda option: not option.required)
            ],
            "contexts": [_IN_SERVERS, _IN_DIRECT],
            "integration_types": [0],
        }
        for command in commands
    ]


def differ(registered: Sequence[Mapping[str, Any]], wanted: Sequence[Json]) -> bool:
    """Whether Discord knows other commands than these."""
    known = {each["name"]: each for each in registered}
    return known.keys() != {each["name"] for each in wanted} or any(
        (known[each["name"]].get(key) or []) != (value or [])
        for each in wanted
        for key, value in each.items()
    )


def _describe_option(option: Option) -> Json:
    kind = _ATTACHMENT if option.file else _STRING
    payload: Json = {"type": kind, **_describe(option, "option")}
    if option.required:
        payload["required"] = True
    if option.choices:
        choices = option.choices[:_MOST_CHOICES]
        payload["choices"] = [{"name": word, "value": word} for word in choices]
    elif option.completed:
        payload["autocomplete"] = True
    return payload


def _describe(what: Command | Option, kind: str) -> Json:
    """The name, the description, and the same in the languages that have it."""
    described: Json = {"name": what.name, "description": shorten(what.says, _LONGEST_DESCRIPTION)}
    text = LocalizedText(f"{kind}-{what.name}")
    if has_message(text.id):
        described["description_localizations"] = {
            locale: shorten(say(locale, text), _LONGEST_DESCRIPTION) for locale in _LOCALES
        }
    return described


# --- answering ---


@dataclass(frozen=True, slots=True)
class DiscordCommands:
    """Slash commands and buttons. Every failure is reported to the person who used them."""

    listener: Listener
    files: Files

    async def on_interaction(self, use: Use) -> None:
        match use.type:
            case discord.InteractionType.autocomplete:
                await self._complete(use)
            case discord.InteractionType.application_command:
                await self._on_command(use)
            case discord.InteractionType.component:
                await self._on_click(use)
            case _:
                log.info("unknown interaction", kind=str(use.type))

    async def _complete(self, use: Use) -> None:
        data = _data(use)
        option, typed = find_focused(data)
        thread = await _find_thread(use)
        words = await self.listener.completions(str(data["name"]), option, typed, thread)
        choices = [discord.app_commands.Choice(name=word, value=word) for word in words]
        try:
            await retry_call(lambda: use.response.autocomplete(choices), seconds=1.0)
        except ChatError as error:
            log.info("completions not shown", error=str(error))

    async def _on_click(self, use: Use) -> None:
        button = parse_button(str(_data(use).get("custom_id", "")))
        if button is None:
            return
        is_in_time = await _acknowledge(use, is_private=True)
        person = read_person(use.user, str(use.locale))
        click = ButtonClick(str(use.id), *button, person, await _find_thread(use))
        reply = await contain_reply(self.listener.on_click(click), person.locale)
        if reply.text:
            await self._send_reply(use, reply, is_in_time=is_in_time)

    async def _on_command(self, use: Use) -> None:
        data = _data(use)
        command = next((each for each in self.listener.commands if each.name == data["name"]), None)
        if command is None:
            return
        is_in_time = await _acknowledge(use, is_private=command.private)
        person = read_person(use.user, str(use.locale))
        root = ""
        if is_in_time and not command.private:  # the answer's thread hangs on what it shows
            root = str((await retry_call(use.original_response)).id)
        resolved: Any = data.get("resolved") or {}
        options = data.get("options") or []
        values = dict([*discord.app_commands.Namespace(use, resolved, options)])
        files = [read_file(v) for v in values.values() if isinstance(v, discord.Attachment)]
        args = {k: str(v) for k, v in values.items() if not isinstance(v, discord.Attachment)}
        thread = await _find_thread(use, root)
        invocation = Invocation(str(use.id), command.name, args, person, thread, tuple(files))
        reply = await contain_reply(self.listener.on_command(invocation), person.locale)
        if not reply.text and not reply.files:
            reply = Reply(_quote_request(invocation), reply.private, run=reply.run)
        await self._send_reply(use, reply, is_in_time=is_in_time)

    async def _send_reply(self, use: Use, reply: Reply, *, is_in_time: bool) -> None:
        """To the person alone where it is private; in the channel when Discord waits no more.

        A command's first reply takes the place of "thinking".
        """
        texts = split_messages(reply.text) or ("✅",)
        is_command = use.type is discord.InteractionType.application_command
        blobs = [(file, await self.files.get(file.hash)) for file in reply.files[:_MOST_FILES]]

        async def send(number: int) -> object:
            last = blobs if number == len(texts) - 1 else ()
            files = [open_file(data, file.name, file.description) for file, data in last]
            if not is_in_time:
                room, nonce = cast("discord.TextChannel", use.channel), f"{use.id}:{number}"
                return await room.send(texts[number], files=files, nonce=make_nonce(nonce))
            if is_command and number == 0:
                return await use.edit_original_response(content=texts[0], attachments=files)
            return await use.followup.send(texts[number], files=files, ephemeral=True, wait=True)

        try:
            for number in range(len(texts)):
                await retry_call(lambda number=number: send(number), seconds=_REPLY_SECONDS)  # type: ignore[misc]
        except ChatError as error:
            log.info("a reply was not delivered", error=str(error))


async def _acknowledge(use: Use, *, is_private: bool) -> bool:
    """Whether Discord knows within three seconds that a reply will come.

    The response to an earlier attempt may have been lost, here or before a restart.
    """
    try:
        await retry_call(
            lambda: use.response.defer(ephemeral=is_private), seconds=_ACKNOWLEDGE_SECONDS
        )
    except ChatError as error:
        log.info("not acknowledged", error=str(error))
        return find_code(error) == ACKNOWLEDGED
    return True


async def _find_thread(use: Use, root: str = "") -> Thread:
    if use.message is not None:
        return await find_thread_of(use.message)
    return find_thread(use.channel or discord.Object(use.channel_id or 0), root)


def find_focused(data: Mapping[str, Any]) -> tuple[str, str]:
    """The option that is being typed, and what of it is there."""
    option = next(each for each in data.get("options") or [] if each.get("focused"))
    return str(option["name"]), str(option["value"])


def _data(use: Use) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", use.data or {})


def _quote_request(invocation: Invocation) -> str:
    """What somebody asked for, so that others see what is answered."""
    files = (f"📎 {file.name}" for file in invocation.files)
    words = shorten(" ".join([*invocation.args.values(), *files]), _LONGEST_QUOTE)
    args = {"name": invocation.person.name, "words": words}
    return escape(say(invocation.person.locale, LocalizedText("discord-asked", args)))
