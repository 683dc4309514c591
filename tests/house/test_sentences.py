"""Every sentence that the code says stands in the files, and every one in the files is said."""

import re
from functools import cache
from pathlib import Path

import pytest
from babel import Locale
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import FluentParser
from fluent.syntax import ast as ast_of_fluent
from fluent.syntax.visitor import Visitor

from pipeline.domain import LocalizedText
from pipeline.task_kinds import KINDS
from pipeline.words import LOCALES, has_message, say
from tests.house.source import ROOT, modules

PAGE = ROOT / "adapters" / "web" / "page"
WORDS = ROOT / "pipeline" / "words"
FILLINGS = (0, 1, 2, 1_000_000, "image")
"""Only sentences that choose between forms may fail with one number and not with another."""
PLURALS = {"zero", "one", "two", "few", "many"}


def _read_page() -> tuple[set[str], set[str]]:
    """The ids of the sentences that the page may say, and the beginnings of those it puts together.

    Its scripts name a sentence without "page-": each string there may be one.
    """
    files = [file for file in PAGE.rglob("*") if file.suffix in (".js", ".html")]
    text = "".join(file.read_text("utf-8") for file in files if "vendor" not in file.parts)
    ids = {f"page-{found}" for found in re.findall(r'"([a-z][a-z0-9-]*)"', text)}
    return ids, {f"page-{found}" for found in re.findall(r"`([a-z][a-z0-9-]*-)\$\{", text)}


def _ids(folder: Path) -> set[str]:
    return {
        found
        for file in folder.glob("*.ftl")
        for found in re.findall(r"^([a-z][a-z0-9-]*) =", file.read_text("utf-8"), re.MULTILINE)
    }


def _for_operators() -> set[str]:
    files = (WORDS / "en" / name for name in ("operators.ftl", "page-owner.ftl"))
    text = "".join(file.read_text("utf-8") for file in files if file.exists())
    return set(re.findall(r"^([a-z][a-z0-9-]*) =", text, re.MULTILINE))


def _said() -> set[str]:
    """String constants that are the first argument of a sentence or of one of our errors."""
    errors = re.findall(
        r"^class (\w+)", (ROOT / "pipeline" / "errors.py").read_text("utf-8"), re.MULTILINE
    )
    saying = "|".join(["LocalizedText", "report_good", "report_bad", *errors])
    one = r'"([a-z][a-z0-9-]*)"'
    pattern = re.compile(rf'\b(?:{saying})\(\s*{one}(?: if [^,"]+ else {one})?(?=[,)\s])')
    sources = "".join(path.read_text("utf-8") for path in modules())
    return {id_ for ids in pattern.findall(sources) for id_ in ids if id_}


def test_every_sentence_that_is_said_is_known() -> None:
    assert _said() - _ids(WORDS / "en") == set()


def test_the_page_says_no_sentence_that_is_missing() -> None:
    scripts = (file for file in PAGE.rglob("*.js") if "vendor" not in file.parts)
    said = re.findall(r'\bword\("([a-z0-9-]+)"', "".join(map(Path.read_text, scripts)))

    assert {f"page-{id_}" for id_ in said} - _ids(WORDS / "en") == set()


def test_every_kind_of_task_is_spoken_of_in_words() -> None:
    unnamed = {kind for kind in KINDS if not has_message(f"kind-{kind}")}

    assert not unnamed, "name them in kinds.ftl of each language in pipeline/words"


def test_no_sentence_stands_twice() -> None:
    for locale in LOCALES:
        seen: dict[str, str] = {}
        for file in (WORDS / locale).glob("*.ftl"):
            for found in re.findall(r"^([a-z][a-z0-9-]*) =", file.read_text("utf-8"), re.MULTILINE):
                assert found not in seen, f"{found} stands in {seen.get(found)} and {file.name}"
                seen[found] = file.name


def test_no_sentence_is_left_over() -> None:
    sources = "".join(path.read_text("utf-8") for path in modules())
    of_page, families_of_page = _read_page()
    families = set(re.findall(r'f"([a-z][a-z0-9-]*)\{', sources)) - {"ask-"} | families_of_page

    unsaid = {
        found
        for found in _ids(WORDS / "en")
        if f'"{found}"' not in sources
        and found not in of_page
        and not any(found.startswith(each) for each in families)
    }

    assert not unsaid


@pytest.mark.parametrize("locale", LOCALES)
def test_other_languages_have_the_sentences_and_arguments_of_english(locale: str) -> None:
    translated = {id_: said for id_, said in _messages("en").items() if id_ not in _for_operators()}
    others = {id_: said for id_, said in _messages(locale).items() if id_ not in _for_operators()}

    assert {id_: _arguments(found) for id_, found in others.items()} == {
        id_: _arguments(found) for id_, found in translated.items()
    }


@pytest.mark.parametrize("locale", sorted({*LOCALES} - {"en"}))
def test_what_only_operators_read_is_in_english_alone(locale: str) -> None:
    assert _ids(WORDS / locale) & _for_operators() == set()


@pytest.mark.parametrize("locale", LOCALES)
def test_plurals_are_those_of_the_language(locale: str) -> None:
    known_forms = {*Locale.parse(locale).plural_form.tags, "other"}

    wrong = {
        f"{id_}: {key}"
        for id_, found in _messages(locale).items()
        for key in _chosen_between(found)
        if key in PLURALS and key not in known_forms
    }

    assert not wrong


@pytest.mark.parametrize("locale", LOCALES)
def test_every_sentence_is_said_without_a_fault(locale: str) -> None:
    bundle, resource = FluentBundle([locale], use_isolating=False), FluentResource("")
    resource.body = [*_messages(locale).values()]
    bundle.add_resource(resource)

    faults = {}
    for id_, found in _messages(locale).items():
        pattern = bundle.get_message(id_).value
        assert pattern is not None, id_
        for filling in FILLINGS if _chosen_between(found) else FILLINGS[-2:]:
            args: dict[str, int | str | LocalizedText] = dict.fromkeys(_arguments(found), filling)
            text, told = bundle.format_pattern(pattern, args)
            said = say(locale, LocalizedText(id_, args), exact=True)
            if told or not str(text).strip() or text != said:  # each is read without the others
                faults[id_] = told

    assert not faults


@cache
def _messages(locale: str) -> dict[str, ast_of_fluent.Message]:
    """The sentences of a language by id; what cannot be read fails."""
    found: dict[str, ast_of_fluent.Message] = {}
    for file in (WORDS / locale).glob("*.ftl"):
        for entry in FluentParser().parse(file.read_text("utf-8")).body:
            assert not isinstance(entry, ast_of_fluent.Junk), f"{file}: {entry.content}"
            if isinstance(entry, ast_of_fluent.Message):
                found[entry.id.name] = entry
    return found


def _arguments(message: ast_of_fluent.Message) -> set[str]:
    return _see(message).arguments


def _chosen_between(message: ast_of_fluent.Message) -> set[str]:
    return _see(message).keys


@cache
def _see(message: ast_of_fluent.Message) -> "_Seen":
    seen = _Seen()
    seen.visit(message)
    return seen


class _Seen(Visitor):
    """What a sentence is filled with, and between which forms it chooses."""

    def __init__(self) -> None:
        self.arguments: set[str] = set()
        self.keys: set[str] = set()

    def visit_VariableReference(self, node: ast_of_fluent.VariableReference) -> None:  # noqa: N802 - fluent.syntax looks for this name
        self.arguments.add(node.id.name)

    def visit_Variant(self, node: ast_of_fluent.Variant) -> None:  # noqa: N802 - fluent.syntax looks for this name
        if isinstance(node.key, ast_of_fluent.Identifier):
            self.keys.add(node.key.name)
        self.generic_visit(node)
