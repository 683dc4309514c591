"""The table of commands as Discord's slash commands, and what comes back from them."""

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord.http import Route

from pipeline.domain import Command, Link, Option, Sentence
from pipeline.text import shortened
from pipeline.words import known, say

_STRING, _ATTACHMENT = 3, 11
_SAYS, _CHOICES = 100, 25
_IN_SERVERS, _IN_DIRECT = 0, 1
_COMPARED = (
    "name",
    "description",
    "description_localizations",
    "options",
    "contexts",
    "integration_types",
)

_SPOKEN = {
    "de": ("de",),
    "es": ("es-ES", "es-419"),
    "fr": ("fr",),
    "ja": ("ja",),
    "zh": ("zh-CN",),
}
"""Our languages → Discord's names for them; English is the default."""

Json = dict[str, Any]


def payloads(commands: Sequence[Command]) -> list[Json]:
    """What is registered: every command of the table, for servers and direct conversations."""
    return [
        {
            "type": 1,
            "name": command.name,
            **_described(command.says, Sentence(f"command-{command.name}")),
            "options": _options(command.options),
            "contexts": [_IN_SERVERS, _IN_DIRECT],
            "integration_types": [0],
        }
        for command in commands
    ]


def _options(options: Sequence[Option]) -> list[Json]:
    ordered = sorted(options, key=lambda option: not option.required)
    return [_option(option) for option in ordered]


def _option(option: Option) -> Json:
    payload: Json = {
        "type": _ATTACHMENT if option.file else _STRING,
        "name": option.name,
        **_described(option.says, Sentence(f"option-{option.name}")),
    }
    if option.required:
        payload["required"] = True
    if option.choices:
        payload["choices"] = [{"name": word, "value": word} for word in option.choices[:_CHOICES]]
    elif option.completed:
        payload["autocomplete"] = True
    return payload


def _described(says: str, sentence: Sentence) -> Json:
    """The description, and the same in the languages that have it."""
    described: Json = {"description": shortened(says, _SAYS)}
    if known(sentence.id):
        described["description_localizations"] = {
            name: shortened(say(language, sentence), _SAYS)
            for language, names in _SPOKEN.items()
            for name in names
        }
    return described


async def registered(client: discord.Client, application: int) -> Sequence[Mapping[str, Any]]:
    """The commands that Discord knows, with their descriptions in all languages, which the library does not ask for."""
    route = Route("GET", "/applications/{application_id}/commands", application_id=application)
    known: list[Json] = await client.http.request(route, params={"with_localizations": "true"})
    return known


def differ(registered: Sequence[Mapping[str, Any]], wanted: Sequence[Json]) -> bool:
    """Whether Discord knows other commands than these."""
    return _compared(registered) != _compared(wanted)


def _compared(commands: Sequence[Mapping[str, Any]]) -> dict[str, Json]:
    return {
        command["name"]: {key: command.get(key) or [] for key in _COMPARED} for command in commands
    }


def given(data: Mapping[str, Any]) -> tuple[dict[str, str], tuple[Link, ...]]:
    """The arguments of a used command, and its files."""
    options = data.get("options") or []
    files = (data.get("resolved") or {}).get("attachments") or {}
    args = {o["name"]: str(o["value"]) for o in options if o["type"] != _ATTACHMENT}
    links = [_link(files[str(o["value"])]) for o in options if o["type"] == _ATTACHMENT]
    return args, tuple(links)


def focused(data: Mapping[str, Any]) -> tuple[str, str]:
    """The option that is being typed, and what of it is there."""
    option = next(o for o in data.get("options") or [] if o.get("focused"))
    return str(option["name"]), str(option["value"])


def _link(attachment: Mapping[str, Any]) -> Link:
    media_type = str(attachment.get("content_type") or "").partition(";")[0]
    return Link(
        url=str(attachment["url"]),
        name=str(attachment["filename"]),
        media_type=media_type,
        size=int(attachment.get("size", -1)),
        id=str(attachment["id"]),
    )
