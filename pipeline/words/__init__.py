"""The bot's own messages in each language, from the Fluent files beside this module."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pipeline.domain import LocalizedText

FOLDER = Path(__file__).parent
"""The Fluent files: a folder for each language."""

LOCALES = tuple(
    sorted(folder.name for folder in FOLDER.iterdir() if (folder / "core.ftl").exists())
)
"""Languages with translations; people with any other are answered in English."""

_ENTRY = re.compile(r"^(?=[a-z])", re.MULTILINE)
_KIND_ARGS = frozenset({"kind", "because", "inserted", "source", "first", "second"})
"""Message arguments that may hold the name of a kind of task."""
_UNKNOWN = LocalizedText("sentence-unknown")
"""Said for an id that is not in the files: a record may come from another version."""


def say(locale: str, sentence: LocalizedText, *, exact: bool = False) -> str:
    """Format a message for a locale ("de", "pt-BR" …), in English if it is not translated.

    Names of task kinds in arguments are replaced by everyday words; with `exact` they stay as they
    are in plans. An unknown id, as a record of another version may have, becomes a neutral
    sentence, and is logged once.
    """
    args = {
        name: say(locale, arg, exact=exact) if isinstance(arg, LocalizedText) else arg
        for name, arg in sentence.args.items()
    }
    kind_args = () if exact else _KIND_ARGS & args.keys()
    kinds = {name: _name_kind(locale, args[name]) for name in kind_args}
    text = _format(locale, sentence.id, {**args, **kinds})
    starts_with_kind = any(kind and text.startswith(kind) for kind in kinds.values())
    return text[0].upper() + text[1:] if starts_with_kind else text


def say_whole(locale: str, sentence: LocalizedText) -> str:
    """As `say`, with a capital letter, unless a name such as a model's comes first."""
    text = say(locale, sentence)
    names = tuple(filter(None, map(str, sentence.args.values())))
    return text if text.startswith(names) else text[:1].upper() + text[1:]


def title(locale: str, kind: str) -> str:
    words = _name_kind(locale, kind)
    return words[:1].upper() + words[1:]


def _format(locale: str, id_: str, args: dict[str, str | float]) -> str:
    for language in (language_of(locale), "en"):
        if id_ in _read_entries(language):
            text, _ = _bundle(language).format_pattern(_parse(language, id_).value, args)
            return str(text)
    _log_unknown(id_)
    return say(locale, _UNKNOWN)


@cache
def _log_unknown(id_: str) -> None:
    import structlog  # noqa: PLC0415 - workers, which read no records, do without

    log = structlog.get_logger()
    log.error("unknown sentence", id=id_)


def _name_kind(locale: str, arg: str | float) -> str:
    """A kind of task in everyday words; anything else unchanged."""
    return _format(locale, f"kind-{arg}", {}) if has_message(f"kind-{arg}") else str(arg)


def language_of(locale: str) -> str:
    """The language in which to answer someone with this locale."""
    language = locale.replace("_", "-").partition("-")[0].lower()
    return language if language in LOCALES else "en"


def has_message(sentence: str) -> bool:
    return sentence in _read_entries("en")


@cache
def _read_entries(language: str) -> Mapping[str, str]:
    """The Fluent source of each message by its id. No message refers to another."""
    files = sorted((FOLDER / language).glob("*.ftl"))
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    entries = _ENTRY.split(text)[1:]
    return {entry.partition("=")[0].strip(): entry for entry in entries}


@cache
def _bundle(language: str) -> Any:  # noqa: ANN401 - a FluentBundle
    from fluent.runtime import FluentBundle  # noqa: PLC0415 - slow to import

    return FluentBundle([language], use_isolating=False)


@cache
def _parse(language: str, id_: str) -> Any:  # noqa: ANN401 - a Fluent message
    """A message, parsed when it is first said: parsing a whole language takes half a second."""
    from fluent.runtime import FluentResource  # noqa: PLC0415 - slow to import

    bundle = _bundle(language)
    bundle.add_resource(FluentResource(_read_entries(language)[id_]))
    return bundle.get_message(id_)
