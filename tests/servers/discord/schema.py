"""What Discord accepts as application commands and as answers to autocomplete."""

import re
from collections.abc import Iterator, Sequence

from discord import Locale

from tests.servers.discord.rules import invalid
from tests.servers.discord.values import Json

NAME = re.compile(r"[-_'\w]{1,32}")
SUB, GROUP, STRING, INTEGER, NUMBER = 1, 2, 3, 4, 10
LOCALES = {locale.value for locale in Locale}
TOP_KEYS = {
    "type",
    "name",
    "name_localizations",
    "description",
    "description_localizations",
    "options",
    "default_member_permissions",
    "dm_permission",
    "contexts",
    "integration_types",
    "nsfw",
}


def check_commands(commands: Sequence[Json], installs: Sequence[int] = (0, 1)) -> None:
    """Refuse a bulk overwrite that Discord would refuse."""
    names = [(command.get("type", 1), command.get("name")) for command in commands]
    if len(set(names)) < len(names):
        raise invalid("name", "Application command names must be unique")
    _check_distinct([each for each in commands if each.get("type", 1) == 1])
    if sum(kind == 1 for kind, _ in names) > 100:
        raise invalid("commands", "Maximum number of application commands reached (100)")
    if any(sum(kind == menu for kind, _ in names) > 5 for menu in (2, 3)):
        raise invalid("commands", "Maximum number of context menus reached (5)")
    for command in commands:
        if set(command) - TOP_KEYS:
            raise invalid("commands", f"unknown key {set(command) - TOP_KEYS}")
        _check_where(command, "integration_types", installs)
        _check_where(command, "contexts", (0, 1, 2))
        if command.get("type", 1) != 1:
            _check_menu(command)
            continue
        _check_named(command)
        _check_options(command.get("options") or [])
        if sum(len(text) for text in _texts(command)) > 8000:
            raise invalid("commands", "Command exceeds maximum size (8000)")


def _check_where(command: Json, key: str, allowed: Sequence[int]) -> None:
    values = command.get(key)
    if values is None:
        return
    if not values or len({*values}) < len(values) or not {*values} <= {*allowed}:
        raise invalid(key, f"{values}: 1 to {len(allowed)} of {allowed}, each once")


def _check_menu(command: Json) -> None:
    """A context menu has a name, in any case and with blanks, and nothing else."""
    if command.get("description") or command.get("options"):
        raise invalid("description", "Context menus have neither description nor options.")
    for name in (command.get("name", ""), *(command.get("name_localizations") or {}).values()):
        if not 1 <= len(name) <= 32:
            raise invalid("name", f"Must be between 1 and 32 in length: {name!r}")


def _check_distinct(parts: Sequence[Json]) -> None:
    """In no language have two commands, or two options of one, the same name."""
    for locale in LOCALES:
        names = [(part.get("name_localizations") or {}).get(locale) for part in parts]
        shown = [name or part["name"] for name, part in zip(names, parts, strict=True)]
        if len({*shown}) < len(shown):
            raise invalid("name_localizations", f"names must be unique, in {locale}, too: {shown}")


def _check_named(part: Json) -> None:
    name = str(part.get("name", ""))
    translated = part.get("name_localizations") or {}
    if not {*translated} <= LOCALES:
        raise invalid("name_localizations", f"{set(translated) - LOCALES} are no locales")
    for each in (name, *translated.values()):
        if not NAME.fullmatch(each) or each != each.lower():
            raise invalid("name", f"Command name is invalid: {each!r}")
    if not 1 <= len(part.get("description", "")) <= 100:
        raise invalid("description", f"Must be between 1 and 100 in length ({name}).")
    for locale, text in (part.get("description_localizations") or {}).items():
        if locale not in LOCALES or not 1 <= len(text) <= 100:
            raise invalid("description_localizations", f"{locale} of {name}")


def _check_options(options: Sequence[Json]) -> None:
    if len(options) > 25 or len({option["name"] for option in options}) < len(options):
        raise invalid("options", "Must be 25 or fewer, each with its own name.")
    _check_distinct(options)
    optional = False
    for option in options:
        _check_named(option)
        required = bool(option.get("required"))
        if required and optional:
            raise invalid("options", "Required options must be placed before non-required options")
        optional = optional or not required
        _check_choices(option)
        if option["type"] in (SUB, GROUP):
            _check_options(option.get("options") or [])


def _check_choices(option: Json) -> None:
    choices = option.get("choices") or []
    if len(choices) > 25:
        raise invalid("choices", "Must be 25 or fewer in length.")
    if option.get("autocomplete") and (choices or option["type"] not in (STRING, INTEGER, NUMBER)):
        raise invalid("autocomplete", "not with choices, and only for text and numbers")
    for choice in choices:
        check_choice(choice)


def check_choice(choice: Json) -> None:
    translated = choice.get("name_localizations") or {}
    if set(choice) - {"name", "name_localizations", "value"} or not {*translated} <= LOCALES:
        raise invalid("choices", f"unknown keys or locales in {choice}")
    names = (choice["name"], *translated.values())
    if any(not 1 <= len(name) <= 100 for name in names) or len(str(choice["value"])) > 100:
        raise invalid("choices", "Must be between 1 and 100 in length.")


def _texts(part: Json) -> Iterator[str]:
    yield part["name"]
    yield part["description"]
    for choice in part.get("choices") or ():
        yield choice["name"]
        yield str(choice["value"])
    for option in part.get("options") or ():
        yield from _texts(option)
