"""The bot's own sentences in the languages it speaks (Fluent)."""

from functools import cache
from pathlib import Path

from fluent.runtime import FluentBundle, FluentResource

from pipeline.domain import Sentence

_HERE = Path(__file__).parent

LOCALES = tuple(sorted(folder.name for folder in _HERE.iterdir() if (folder / "core.ftl").exists()))
"""Languages with sentences of their own; others are spoken to in English."""


def say(locale: str, sentence: Sentence) -> str:
    """A sentence in the person's language ("de", "pt-BR" …); in English where that language lacks it.

    Raises KeyError for an unknown id.
    """
    for name in (spoken(locale), "en"):
        bundle = _bundle(name)
        if bundle.has_message(sentence.id):
            message = bundle.get_message(sentence.id)
            if message.value is not None:
                text, _ = bundle.format_pattern(message.value, _worded(locale, sentence))
                return str(text)
    raise KeyError(sentence.id)


def _worded(locale: str, sentence: Sentence) -> dict[str, str | int | float]:
    return {
        name: say(locale, arg) if isinstance(arg, Sentence) else arg
        for name, arg in sentence.args.items()
    }


def spoken(locale: str) -> str:
    """The language we speak to someone with this locale."""
    language = locale.replace("_", "-").partition("-")[0].lower()
    return language if language in LOCALES else "en"


def known(sentence: str) -> bool:
    """Whether there is a sentence with this id."""
    return bool(_bundle("en").has_message(sentence))


@cache
def _bundle(locale: str) -> FluentBundle:
    bundle = FluentBundle([locale], use_isolating=False)
    for file in sorted((_HERE / locale).glob("*.ftl")):
        bundle.add_resource(FluentResource(file.read_text(encoding="utf-8")))
    return bundle
