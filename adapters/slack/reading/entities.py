"""Slack's mentions and links in a text, and how they are spelled out."""

import re
from collections.abc import Mapping

_ESCAPES = (("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&"))
"""All that Slack escapes in mrkdwn, in the order in which it is undone."""
_GROUPS = frozenset({"channel", "here", "everyone", "group"})
_ENTITY = re.compile(r"<([^<>\n]+)>")
_PERSON = re.compile(r"<@([UWB][A-Z0-9]+)(?:\|[^<>]*)?>")
_CHANNEL = re.compile(r"<#([CDG][A-Z0-9]+)(?:\|([^<>]*))?>")


def find_mentions(text: str) -> frozenset[str]:
    """The ids of the people who are mentioned."""
    return frozenset(_PERSON.findall(text))


def find_unnamed_channels(text: str) -> frozenset[str]:
    """The ids of the channels that are mentioned without their names."""
    return frozenset(channel for channel, name in _CHANNEL.findall(text) if not name)


def resolve_entities(text: str, names: Mapping[str, str], bot: str) -> str:
    """The text with mentions and links spelled out, the bot's own mention left out.

    `names` are those of people and channels by id. "<@U1|x> &amp; <https://a.b/|here>" becomes
    "@anna & here (https://a.b/)" with the name "anna" for U1.
    """
    text = re.sub(rf"<@{bot}(?:\|[^<>]*)?>[ \t]*", "", text) if bot else text
    text = _ENTITY.sub(lambda match: _resolve_entity(match.group(1), names), text)
    for entity, character in _ESCAPES:
        text = text.replace(entity, character)
    return text.strip("\r\n").rstrip()


def _resolve_entity(inside: str, names: Mapping[str, str]) -> str:
    target, _, label = inside.partition("|")
    kind, name = target[:1], target[1:]
    if kind == "@":
        return f"@{names.get(name) or label or name}"
    if kind == "#":
        return f"#{label or names.get(name) or name}"
    if kind == "!":
        word = name.partition("^")[0]
        return label or (f"@{word}" if word in _GROUPS else word)
    return _name_link(target, label)


def _name_link(target: str, label: str) -> str:
    """A link in words. Slack makes links of e-mail addresses and of names such as "notes.md"."""
    scheme, _, rest = target.partition(":")
    if not label or not scheme.startswith("http"):
        return label or target
    if label in (target, rest.removeprefix("//")):
        return target if "/" in label else label
    return f"{label} ({target})"
