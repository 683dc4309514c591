"""The settings of a channel: shown and changed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.commands.desk import Desk, worded
from pipeline.domain import ChannelSettings, Invocation, Place, Reply
from pipeline.lessons import REACHES
from pipeline.table import KINDS
from pipeline.words import LOCALES

_LISTS = ("allow", "deny", "providers", "languages")
NAMES = ("places", "mention", "language", "learn", "licence", *_LISTS)
_DEFAULT = ("default", "-")
_WORDS: Mapping[str, Sequence[str]] = {
    "mention": ("always", "threads"),
    "language": LOCALES,
    "learn": REACHES,
    "licence": ("commercial",),
}
"""What may be chosen where it is one word."""


def known(args: Mapping[str, str]) -> bool:
    """Whether these words are about a setting."""
    name = args.get("name", "")
    return not name or name in NAMES or name.removeprefix("model:") in KINDS


async def settings(desk: Desk, invocation: Invocation) -> Reply:
    """`settings [name] [value]`: all of the channel's, one, or change one; "default" takes it back."""
    locale = invocation.person.locale
    channel = invocation.thread.channel
    now = await desk.store.settings(channel)
    name, value = invocation.args.get("name", ""), invocation.args.get("value", "")
    if not known(invocation.args):
        return Reply(worded(locale, "settings-unknown", name=name, names=", ".join(NAMES)))
    if value:
        try:
            now = _changed(now, name, "" if value in _DEFAULT else value)
        except ValueError as error:
            return Reply(worded(locale, "settings-bad", value=value, choices=str(error)))
        await desk.store.set(channel, now)
    return Reply("\n".join([worded(locale, "settings-heading"), *_lines(now)]))


def _changed(now: ChannelSettings, name: str, value: str) -> ChannelSettings:
    """Raises ValueError with what may be chosen."""
    match name:
        case "places":
            places = tuple(word for word in value.replace("+", ",").split(",") if word)
            _among(places, [place.value for place in Place])
            return replace(now, places=places)
        case "mention" | "language" | "learn":
            _among((value,) if value else (), _WORDS[name])
            word: dict[str, Any] = {name: value}
            return replace(now, **word)
        case "licence":
            _among((value,) if value else (), _WORDS[name])
            return replace(now, policy={**now.policy, "licence": value})
        case "allow" | "deny" | "providers" | "languages":
            return replace(now, policy={**now.policy, name: value})
        case _:
            models = {**now.models, name.removeprefix("model:"): value}
            return replace(now, models={kind: model for kind, model in models.items() if model})


def _among(words: Sequence[str], choices: Sequence[str]) -> None:
    if set(words) - set(choices):
        raise ValueError(", ".join(choices))


def _lines(now: ChannelSettings) -> list[str]:
    facts = {
        "places": ", ".join(now.places),
        "mention": now.mention,
        "language": now.language,
        "learn": now.learn,
        **{name: now.policy.get(name, "") for name in ("licence", *_LISTS)},
        **{f"model:{kind}": model for kind, model in now.models.items()},
    }
    return [f"- `{name}`: {_line(name, value)}" for name, value in facts.items()]


def _line(name: str, value: str) -> str:
    """What a setting is, and what else it may be where that is one word."""
    others = [word for word in ("default", *_WORDS.get(name, ())) if word != (value or "default")]
    choices = f" ({' · '.join(others)})" if name in _WORDS else ""
    return f"`{value or 'default'}`{choices}"


async def complete(_desk: Desk, option: str, typed: str) -> Sequence[str]:
    """Completions for the names and values of settings."""
    if option == "name":
        names = (*NAMES, *(f"model:{kind}" for kind in KINDS))
        return [name for name in names if typed.lower() in name]
    values = ("default", *Place, "always", "threads", "commercial", *REACHES, *LOCALES)
    return [str(value) for value in values if typed.lower() in value]
