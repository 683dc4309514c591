"""The bot's own sentences in the languages it speaks (Fluent)."""

from functools import cache
from pathlib import Path
from typing import Any

from pipeline.domain import LocalizedText

_HERE = Path(__file__).parent

LOCALES = tuple(sorted(folder.name for folder in _HERE.iterdir() if (folder / "core.ftl").exists()))
"""Languages with sentences of their own; others are language_of to in English."""

_OF_KINDS = frozenset({"kind", "because", "inserted", "source", "first", "second"})
"""Arguments that may be the name of a kind of task."""


def say(locale: str, sentence: LocalizedText, *, exact: bool = False) -> str:
    """A sentence in a language ("de", "pt-BR" …); in English where that language lacks it.

    An argument that names a kind of task is put into everyday words; `exact`: it stays as plans
    have it. Raises KeyError for an unknown id.
    """
    args = {
        name: say(locale, arg, exact=exact) if isinstance(arg, LocalizedText) else arg
        for name, arg in sentence.args.items()
    }
    named = () if exact else _OF_KINDS & args.keys()
    kinds = {name: _kind(locale, args[name]) for name in named}
    text = _formatted(locale, sentence.id, {**args, **kinds})
    begins = any(kind and text.startswith(kind) for kind in kinds.values())
    return text[0].upper() + text[1:] if begins else text


def title(locale: str, kind: str) -> str:
    """A kind of task as a heading."""
    words = _kind(locale, kind)
    return words[:1].upper() + words[1:]


def _formatted(locale: str, id_: str, args: dict[str, str | float]) -> str:
    for name in (language_of(locale), "en"):
        bundle = _bundle(name)
        if bundle.has_message(id_):
            message = bundle.get_message(id_)
            if message.value is not None:
                text, _ = bundle.format_pattern(message.value, args)
                return str(text)
    raise KeyError(id_)


def _kind(locale: str, arg: str | float) -> str:
    """What people call a kind of task; anything else as it is."""
    return _formatted(locale, f"kind-{arg}", {}) if has_message(f"kind-{arg}") else str(arg)


def language_of(locale: str) -> str:
    """The language we speak to someone with this locale."""
    language = locale.replace("_", "-").partition("-")[0].lower()
    return language if language in LOCALES else "en"


def has_message(sentence: str) -> bool:
    """Whether there is a sentence with this id."""
    return bool(_bundle("en").has_message(sentence))


@cache
def _bundle(locale: str) -> Any:  # noqa: ANN401 - a FluentBundle
    from fluent.runtime import FluentBundle, FluentResource  # noqa: PLC0415 - slow; not at start

    bundle = FluentBundle([locale], use_isolating=False)
    for file in sorted((_HERE / locale).glob("*.ftl")):
        bundle.add_resource(FluentResource(file.read_text(encoding="utf-8")))
    return bundle
