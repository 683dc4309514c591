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
"""Discord accepts an acknowledgement for three seconds, and replies for fifteen minutes."""

Json = dict[str, Any]
Interaction = discord.Interaction[discord.Client]

log = structlog.get_logger()


# --- registering ---


async def register_commands(client: discord.Client, commands: Sequence[Command]) -> None:
    """Register the commands with Discord, if they changed. Raises ChatError."""
    application = client.application_id or 0
    described = describe_commands(commands)
    route = Route("GET", "/applications/{application_id}/commands", application_id=application)
    params = {"with_localizations": "true"}  # the library's own call leaves them out
    registered = await retry_call(lambda: client.http.request(route, params=params))
    if differ(registered, described):
        payload = cast("list[Any]", described)
        await retry_call(lambda: client.http.bulk_upsert_global_commands(application, payload))


def describe_commands(commands: Sequence[Command]) -> list[Json]:
    """The commands in Discord's format, for servers and direct messages."""
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


def differ(registered: Sequence[Mapping[str, Any]], described: Sequence[Json]) -> bool:
    """Whether the commands registered with Discord are not these."""
    known = {each["name"]: each for each in registered}
    return known.keys() != {each["name"] for each in described} or any(
        (known[each["name"]].get(key) or []) != (value or [])
        for each in described
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


def _describe(item: Command | Option, kind: str) -> Json:
    """The name and the description, with its translations if there are any."""
    described: Json = {"name": item.name, "description": shorten(item.says, _LONGEST_DESCRIPTION)}
    text = LocalizedText(f"{kind}-{item.name}")
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

    async def on_interaction(self, interaction: Interaction) -> None:
        match interaction.type:
            case discord.InteractionType.autocomplete:
                await self._complete(interaction)
            case discord.InteractionType.application_command:
                await self._on_command(interaction)
            case discord.InteractionType.component:
                await self._on_click(interaction)
            case _:
                log.info("unknown interaction", kind=str(interaction.type))

    async def _complete(self, interaction: Interaction) -> None:
        data = _data(interaction)
        option, typed = find_focused(data)
        thread = await _find_thread(interaction)
        words = await self.listener.completions(str(data["name"]), option, typed, thread)
        choices = [discord.app_commands.Choice(name=word, value=word) for word in words]
        try:
            await retry_call(lambda: interaction.response.autocomplete(choices), seconds=1.0)
        except ChatError as error:
            log.info("completions not shown", error=str(error))

    async def _on_click(self, interaction: Interaction) -> None:
        button = parse_button(str(_data(interaction).get("custom_id", "")))
        if button is None:
            return
        is_in_time = await _acknowledge(interaction, is_private=True)
        person = read_person(interaction.user, str(interaction.locale))
        click = ButtonClick(str(interaction.id), *button, person, await _find_thread(interaction))
        reply = await contain_reply(self.listener.on_click(click), person.locale)
        if reply.text:
            await self._reply(interaction, reply, is_in_time=is_in_time)

    async def _on_command(self, interaction: Interaction) -> None:
        data = _data(interaction)
        command = next((each for each in self.listener.commands if each.name == data["name"]), None)
        if command is None:
            return
        is_in_time = await _acknowledge(interaction, is_private=command.private)
        person = read_person(interaction.user, str(interaction.locale))
        root = ""
        if is_in_time and not command.private:  # the answer's thread starts at this message
            root = str((await retry_call(interaction.original_response)).id)
        resolved: Any = data.get("resolved") or {}
        options = data.get("options") or []
        values = dict([*discord.app_commands.Namespace(interaction, resolved, options)])
        files = tuple(read_file(v) for v in values.values() if isinstance(v, discord.Attachment))
        args = {k: str(v) for k, v in values.items() if not isinstance(v, discord.Attachment)}
        thread = await _find_thread(interaction, root)
        invocation = Invocation(str(interaction.id), command.name, args, person, thread, files)
        reply = await contain_reply(self.listener.on_command(invocation), person.locale)
        if not reply.text and not reply.files:
            reply = Reply(_quote_request(invocation), reply.private, run=reply.run)
        await self._reply(interaction, reply, is_in_time=is_in_time)

    async def _reply(self, interaction: Interaction, reply: Reply, *, is_in_time: bool) -> None:
        """A command's first text replaces "thinking"; the others are for the person alone.

        If the acknowledgement came too late, post to the channel.
        """
        texts = split_messages(reply.text) or ("✅",)
        is_command = interaction.type is discord.InteractionType.application_command
        blobs = [(file, await self.files.get(file.hash)) for file in reply.files[:_MOST_FILES]]

        async def send(number: int) -> object:
            text, attached = texts[number], blobs if number == len(texts) - 1 else ()
            files = [open_file(data, file.name, file.description) for file, data in attached]
            if not is_in_time:
                nonce = make_nonce(f"{interaction.id}:{number}")
                room = cast("discord.TextChannel", interaction.channel)
                return await room.send(text, files=files, nonce=nonce)
            if is_command and number == 0:
                return await interaction.edit_original_response(content=text, attachments=files)
            return await interaction.followup.send(text, files=files, ephemeral=True, wait=True)

        try:
            for number in range(len(texts)):
                await retry_call(lambda number=number: send(number), seconds=_REPLY_SECONDS)  # type: ignore[misc]
        except ChatError as error:
            log.info("a reply was not delivered", error=str(error))


async def _acknowledge(interaction: Interaction, *, is_private: bool) -> bool:
    """Tell Discord that a reply will come; return whether it knows in time.

    It may know already: the response to an earlier attempt, here or before a restart, got lost.
    """
    try:
        await retry_call(
            lambda: interaction.response.defer(ephemeral=is_private), seconds=_ACKNOWLEDGE_SECONDS
        )
    except ChatError as error:
        log.info("not acknowledged", error=str(error))
        return find_code(error) == ACKNOWLEDGED
    return True


async def _find_thread(interaction: Interaction, root: str = "") -> Thread:
    if interaction.message is not None:
        return await find_thread_of(interaction.message)
    return find_thread(interaction.channel or discord.Object(interaction.channel_id or 0), root)


def find_focused(data: Mapping[str, Any]) -> tuple[str, str]:
    """The option that is being typed, and its text so far."""
    option = next(each for each in data.get("options") or [] if each.get("focused"))
    return str(option["name"]), str(option["value"])


def _data(interaction: Interaction) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", interaction.data or {})


def _quote_request(invocation: Invocation) -> str:
    """The request as a quote, so that others see what the answer is about."""
    files = (f"📎 {file.name}" for file in invocation.files)
    words = shorten(" ".join([*invocation.args.values(), *files]), _LONGEST_QUOTE)
    args = {"name": invocation.person.name, "words": words}
    return escape(say(invocation.person.locale, LocalizedText("discord-asked", args)))
