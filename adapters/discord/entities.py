"""What people write in Discord, with people, channels, emoji and times by their names."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import discord

_ENTITY = re.compile(
    r"<(?:@!?(?P<person>\d+)|@&(?P<role>\d+)|#(?P<channel>\d+)|a?:(?P<emoji>\w+):\d+"
    r"|t:(?P<time>-?\d{1,12})(?::[tTdDfFR])?|/(?P<command>[^:>]+):\d+)>"
)


def resolved(text: str, names: Mapping[str, str], me: int) -> str:
    """The text as its readers see it, without the mention that calls the bot."""
    called = re.compile(rf"^\s*(?:<@!?{me}>[\s,:]*)+|\s*<@!?{me}>\s*$")
    text = called.sub("", text)
    return _ENTITY.sub(lambda found: _named(found, names), text).strip()


def _named(found: re.Match[str], names: Mapping[str, str]) -> str:
    kind, value = next((k, v) for k, v in found.groupdict().items() if v is not None)
    return _WORDS[kind](value, names)


def _time(value: str, _: Mapping[str, str]) -> str:
    return datetime.fromtimestamp(int(value), UTC).strftime("%Y-%m-%d %H:%M UTC")


_WORDS: Mapping[str, Callable[[str, Mapping[str, str]], str]] = {
    "person": lambda value, names: f"@{names.get(value, value)}",
    "role": lambda value, names: f"@{names.get(value, value)}",
    "channel": lambda value, names: f"#{names.get(value, value)}",
    "emoji": lambda value, _: f":{value}:",
    "time": _time,
    "command": lambda value, _: f"/{value}",
}


def names_in(message: discord.Message) -> dict[str, str]:
    """The names of everything a message mentions, by its id."""
    names = {str(person.id): person.display_name for person in message.mentions}
    names |= {str(role.id): role.name for role in message.role_mentions}
    for number in message.raw_channel_mentions:
        channel = message.guild.get_channel_or_thread(number) if message.guild else None
        if channel is not None:
            names[str(number)] = channel.name
    return names
