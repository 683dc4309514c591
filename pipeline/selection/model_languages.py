"""Which languages a task asks for, and whether a model knows them."""

from collections.abc import Iterable

from pipeline.domain import LocalizedText, Model, Task, Text
from pipeline.text.languages import find_language, normalize_code

TRANSLATION = "translation"
_ANY_LANGUAGE = frozenset({"multilingual", "mul"})
"""What cards write for all languages."""


def knows_language(languages: Iterable[str], code: str) -> bool | None:
    """Whether a language is among those of a card, however it writes them; None if unknown."""
    names = {language.casefold() for language in languages}
    codes = {normalize_code(name) for name in names} - {""}
    if names & _ANY_LANGUAGE:
        return True
    return code in codes if codes else None


def find_target(task: Task, locale: str) -> str:
    """The code of the language that a task shall write or speak; "" if it is not known.

    A translation that names no language goes into the person's.
    """
    words = _read_words(task, "language")
    if not words and task.kind.name == TRANSLATION:
        return normalize_code(locale)
    return find_language(words)


def knows_languages(model: Model, task: Task, locale: str) -> bool:
    """Whether a model knows the languages of a task, as far as that is known.

    A language whose name nobody knows is not among those that a model lists.
    """
    target, source = find_target(task, locale), find_language(_read_words(task, "source_language"))
    is_named = bool(target or _read_words(task, "language"))
    return not (
        (is_named and knows_language(model.writes or model.languages, target) is False)
        or (source and knows_language(model.languages, source) is False)
    )


def explain_language(task: Task, models: Iterable[Model]) -> LocalizedText | None:
    """The message that no model knows the language of a task; None if one does."""
    words = _read_words(task, "language")
    if not words or any(knows_languages(model, task, "") for model in models):
        return None
    return LocalizedText("not-possible-language", {"kind": task.kind.name, "language": words})


def _read_words(task: Task, name: str) -> str:
    """An argument's words, as far as they stand in the plan."""
    return " ".join(arg.text for arg in task.args.get(name, ()) if isinstance(arg, Text))
