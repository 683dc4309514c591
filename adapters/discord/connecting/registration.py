"""Describes commands to Discord and registers them: names, options, translations, menus."""

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import AppCommandOptionType, AppCommandType
from discord.app_commands import AppCommandContext, AppInstallationType

from adapters.chat.wishes import WISHES, name_wish
from adapters.discord.acting.requests import ASK, MENU
from adapters.discord.web_api.calls import retry_call
from adapters.discord.web_api.library import Json, list_commands, overwrite_commands
from pipeline.domain import Command, LocalizedText, Option
from pipeline.text import shorten
from pipeline.words import has_message, say

_LONGEST_DESCRIPTION = 100
"""Characters of a description or a choice."""
_MOST_CHOICES = 25
"""Choices of an option."""
_LOCALES = ("de", "es-ES", "es-419", "fr", "ja", "zh-CN")
"""Discord's names for our languages; English is the default."""


async def register_commands(client: discord.Client, commands: Sequence[Command]) -> None:
    """Register the commands with Discord, if they changed. Raises ChatError."""
    app = client.application
    for_people = app is not None and app.user_integration_config is not None
    described = describe_commands(commands, for_people=for_people)
    registered = await retry_call(lambda: list_commands(client))
    if differ(registered, described):
        await retry_call(lambda: overwrite_commands(client, described))


def describe_commands(commands: Sequence[Command], *, for_people: bool = False) -> list[Json]:
    """The commands in Discord's format, for servers and direct messages.

    `for_people`: the application may be installed by people for themselves, who then use it
    everywhere, also in servers and conversations where the bot is no member. Where one can ask,
    the menu of each message has wishes about it.
    """
    contexts = AppCommandContext(guild=True, dm_channel=True, private_channel=for_people)
    installed = AppInstallationType(guild=True, user=for_people)
    where: Json = {"contexts": contexts.to_array(), "integration_types": installed.to_array()}
    can_ask = any(command.name == ASK for command in commands)
    slash = [
        {
            "type": AppCommandType.chat_input.value,
            **_describe(command, "command"),
            "options": [
                _describe_option(option, required=option.required and not command.form)
                for option in sorted(command.options, key=lambda option: not option.required)
            ],
            **where,
        }
        for command in commands
    ]
    menu = [
        {
            "type": MENU,
            "name": name_wish(wish, "en"),
            "name_localizations": {locale: name_wish(wish, locale) for locale in _LOCALES},
            **where,
        }
        for wish in WISHES
        if can_ask
    ]
    return slash + menu


def differ(registered: Sequence[Mapping[str, Any]], described: Sequence[Json]) -> bool:
    """Whether the commands registered with Discord are not these."""
    known = {each["name"]: each for each in registered}
    return known.keys() != {each["name"] for each in described} or any(
        (known[each["name"]].get(key) or []) != (value or [])
        for each in described
        for key, value in each.items()
    )


def _describe_option(option: Option, *, required: bool) -> Json:
    kind = AppCommandOptionType.attachment if option.file else AppCommandOptionType.string
    payload: Json = {"type": kind.value, **_describe(option, "option")}
    if required:
        payload["required"] = True
    if option.choices:
        choices = option.choices[:_MOST_CHOICES]
        payload["choices"] = [_describe_choice(word) for word in choices]
    elif option.completed:
        payload["autocomplete"] = True
    return payload


def _describe(item: Command | Option, kind: str) -> Json:
    """The name and the description, with their translations if there are any.

    Uses of a command carry its English name, whatever its name in the person's language is.
    """
    about = f"{kind}-{item.name}"
    described: Json = {"name": item.name, "description": say("en", LocalizedText(about))}
    texts = {"name": f"{about}-name", "description": about}
    for part, id_ in texts.items():
        if has_message(id_):
            described[f"{part}_localizations"] = _translate(id_)
    return described


def _describe_choice(word: str) -> Json:
    id_ = f"choice-{word}"
    translated = {"name_localizations": _translate(id_)} if has_message(id_) else {}
    return {"name": word, "value": word, **translated}


def _translate(id_: str) -> dict[str, str]:
    """A text in all languages but English."""
    text = LocalizedText(id_)
    return {locale: shorten(say(locale, text), _LONGEST_DESCRIPTION) for locale in _LOCALES}
