"""What people write in Slack, as anybody would read it: names for ids, links spelled out."""

import html
import re
from collections.abc import Mapping

from adapters.slack.access import Json

_ENTITY = re.compile(r"<([^<>\n]+)>")
_PERSON = re.compile(r"<@([UWB][A-Z0-9]+)(?:\|[^>]*)?>")
_CHANNEL = re.compile(r"<#([CDG][A-Z0-9]+)(?:\|([^>]*))?>")
_EMOJI = re.compile(r":([a-z0-9_+'-]+)(?:::skin-tone-[2-6])?:")


def people_in(text: str) -> frozenset[str]:
    """The ids of everybody who is mentioned."""
    return frozenset(_PERSON.findall(text))


def channels_in(text: str) -> frozenset[str]:
    """The ids of channels whose names Slack did not give along."""
    return frozenset(channel for channel, name in _CHANNEL.findall(text) if not name)


def readable(text: str, names: Mapping[str, str], emoji: Mapping[str, str], *, bot: str) -> str:
    """The text with entities resolved; the mention of the bot itself is left out."""
    resolved = _ENTITY.sub(lambda found: _entity(found.group(1), names, bot), text)
    spelled = _EMOJI.sub(lambda found: emoji.get(found.group(1), found.group()), resolved)
    return html.unescape(re.sub(r"[ \t]{2,}", " ", spelled)).strip()


def emoji_in(blocks: object) -> dict[str, str]:
    """Emoji by name, as far as Slack tells their characters."""
    found: dict[str, str] = {}
    if isinstance(blocks, dict):
        if blocks.get("type") == "emoji" and blocks.get("unicode"):
            found[str(blocks.get("name"))] = _character(str(blocks["unicode"]))
        for part in blocks.values():
            found |= emoji_in(part)
    elif isinstance(blocks, list):
        for part in blocks:
            found |= emoji_in(part)
    return found


def quoted(attachments: list[Json]) -> str:
    """What is in the old-style attachments: alerts of other apps, messages that were passed on."""
    texts = [str(a.get("text") or a.get("fallback") or "") for a in attachments]
    return "\n".join(f"> {line}" for text in texts for line in text.splitlines())


def _entity(inside: str, names: Mapping[str, str], bot: str) -> str:
    target, _, label = inside.partition("|")
    kind, name = target[:1], target[1:]
    if kind == "@":
        return "" if name == bot else f"@{names.get(name) or label or name}"
    if kind == "#":
        return f"#{label or names.get(name) or name}"
    if kind == "!":
        return _special(name, label)
    if not label or target in (label, f"mailto:{label}"):
        return label or target
    return f"{label} ({target})"


def _special(name: str, label: str) -> str:
    if label:
        return label
    word = name.partition("^")[0]
    return f"@{word}" if word in {"channel", "here", "everyone", "group"} else word


def _character(codepoints: str) -> str:
    try:
        return "".join(chr(int(point, 16)) for point in codepoints.split("-"))
    except (ValueError, OverflowError):
        return ""
