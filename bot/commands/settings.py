"""The command that shows and changes the settings of a channel."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain
from typing import Any

from babel import Locale

from bot.commands.context import CommandContext, Typed, translate
from bot.places import PLACES
from pipeline.domain import ChannelSettings, InputField, InputForm, Invocation, LocalizedText
from pipeline.errors import RequestError
from pipeline.feedback import REACHES
from pipeline.task_kinds import KINDS
from pipeline.words import LOCALES, language_of, say

_PLACES = "places"
_PLACE_NAMES = tuple(place.name for place in PLACES)
_CHOICES: Mapping[str, Sequence[str]] = {
    "mention": ("always", "threads"),
    "listen": ("threads", "all"),
    "language": LOCALES,
    "learn": REACHES,
    "licence": ("commercial",),
}
"""The values of settings that take one of a few words."""
_POLICY = ("licence", "allow", "deny", "providers", "languages")
"""Settings that are stored as rules on models."""
NAMES = (_PLACES, "mention", "listen", "language", "learn", *_POLICY)


def is_known(args: Mapping[str, str]) -> bool:
    """Whether the arguments name no setting or an existing one."""
    name = args.get("name", "")
    return not name or name in NAMES or name.removeprefix("model:") in KINDS


def find_changes(args: Mapping[str, str]) -> Mapping[str, str]:
    """The values to set, by setting: of a command one, of a form all that it has."""
    if args.get("value"):
        return {args.get("name", ""): args["value"]}
    return {name: args[name] for name in NAMES if name in args}


async def find_guarded_change(_context: CommandContext, invocation: Invocation) -> str:
    """The name of changing settings; "" if they are only shown."""
    return "settings" if find_changes(invocation.args) else ""


async def settings(context: CommandContext, invocation: Invocation) -> str:
    """`settings [name] [value]`: show the channel's settings or change one; "default" resets it.

    A form changes several at once: their names are the arguments.
    """
    locale, channel = invocation.person.locale, invocation.thread.channel
    before = await context.store.settings(channel)
    if not is_known(invocation.args):
        names = ", ".join(NAMES)
        return translate(locale, "settings-unknown", name=invocation.args["name"], names=names)
    try:
        current = change_settings(before, find_changes(invocation.args))
    except RequestError as error:
        return say(locale, error.sentence)
    if current != before:
        await context.store.set(channel, current)
    in_full = context.gate.is_admin(invocation.person, invocation.thread)
    lines = _list_settings(current) if in_full else _describe_settings(current, locale)
    return "\n".join([translate(locale, "settings-heading"), *lines])


def change_settings(current: ChannelSettings, changes: Mapping[str, str]) -> ChannelSettings:
    """The settings after changes, by name; "default" resets one. Raises RequestError."""
    for name, value in changes.items():
        if not name or not is_known({"name": name}):
            raise RequestError("settings-unknown", name=name, names=", ".join(NAMES))
        words = value.replace("+", ",").split(",") if name == _PLACES else [value]
        words = [word for word in words if word not in ("", "default", "-")]
        choices = list_choices(name) or words
        if not {*words} <= {*choices}:
            raise RequestError("settings-bad", value=value, choices=", ".join(choices))
        current = _change(current, name, words)
    return current


def list_choices(name: str) -> Sequence[str]:
    """The words that a setting takes, if they are few."""
    return _PLACE_NAMES if name == _PLACES else _CHOICES.get(name, ())


def list_values(current: ChannelSettings) -> Mapping[str, str]:
    """What is set, by name; what is "" has the installation's default."""
    values = {**asdict(current), _PLACES: ",".join(current.places), **current.policy}
    named = {name: str(values.get(name) or "") for name in NAMES}
    return named | {f"model:{kind}": model for kind, model in current.models.items()}


def _change(current: ChannelSettings, name: str, words: Sequence[str]) -> ChannelSettings:
    value, change = "".join(words), dict[str, Any]()
    if name in _POLICY:
        change["policy"] = {**current.policy, name: value}
    elif name in NAMES:
        change[name] = tuple(words) if name == _PLACES else value
    else:
        models = {**current.models, name.removeprefix("model:"): value}
        change["models"] = {kind: model for kind, model in models.items() if model}
    return replace(current, **change)


def _describe_settings(current: ChannelSettings, locale: str) -> list[str]:
    """What people meet of the settings, in words; who may change them sees them by name."""
    values = {**asdict(current), **current.policy}
    if current.language:
        values["language"] = Locale.parse(language_of(locale)).languages.get(current.language)
    lines = []
    for name in _CHOICES:
        value = translate(locale, f"setting-{name}-value", value=values.get(name) or "default")
        lines.append(f"- {translate(locale, f'setting-{name}')}: {value}")
    return [*lines, translate(locale, "settings-whose")]


def _list_settings(current: ChannelSettings) -> list[str]:
    """A line for each setting, with the other words it takes."""
    values = {**asdict(current), _PLACES: ", ".join(current.places), **current.policy}
    lines = []
    for name in NAMES:
        value = values.get(name) or "default"
        others = [word for word in ("default", *_CHOICES.get(name, ())) if word != value]
        choices = f" ({' · '.join(others)})" if name in _CHOICES else ""
        lines.append(f"- `{name}`: `{value}`{choices}")
    return [*lines, *(f"- `model:{kind}`: `{model}`" for kind, model in current.models.items())]


async def make_form(context: CommandContext, invocation: Invocation) -> InputForm:
    """A form with the settings that take one of a few words."""
    current = await context.store.settings(invocation.thread.channel)
    values = {**asdict(current), **current.policy}
    places = InputField(
        name=_PLACES,
        label=LocalizedText("setting-places"),
        choices=_PLACE_NAMES,
        chosen=current.places,
        most=len(_PLACE_NAMES),
    )
    fields = (
        InputField(
            name=name,
            label=LocalizedText(f"setting-{name}"),
            choices=("default", *words),
            chosen=(values.get(name) or "default",),
        )
        for name, words in _CHOICES.items()
    )
    return InputForm(LocalizedText("command-settings"), (places, *fields))


async def complete(_context: CommandContext, typed: Typed) -> Sequence[str]:
    words = typed.text.lower()
    if typed.option == "name":
        names = (*NAMES, *(f"model:{kind}" for kind in KINDS))
        return [name for name in names if words in name]
    values = dict.fromkeys(("default", *_PLACE_NAMES, *chain.from_iterable(_CHOICES.values())))
    return [value for value in values if words in value]
