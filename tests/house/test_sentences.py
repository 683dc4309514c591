"""Every sentence that the code says stands in the files, and every one in the files is said."""

import ast
import re
from pathlib import Path

from pipeline.table import KINDS
from pipeline.words import LOCALES, known
from tests.house.source import ROOT, modules, parsed

WORDS = ROOT / "pipeline" / "words"
SAYING = {"Sentence", "worded"}


def _ids(folder: Path) -> set[str]:
    return {
        found
        for file in folder.glob("*.ftl")
        for found in re.findall(r"^([a-z][a-z0-9-]*) =", file.read_text("utf-8"), re.MULTILINE)
    }


def _said() -> set[str]:
    """String constants that are the first argument of a sentence or of one of our errors."""
    errors = {
        node.name
        for node in ast.walk(parsed(ROOT / "pipeline" / "errors.py"))
        if isinstance(node, ast.ClassDef)
    }
    said = set()
    for path in modules():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                position = 1 if node.func.id == "worded" else 0
                if node.func.id in SAYING | errors and len(node.args) > position:
                    said |= _constants(node.args[position])
    return said


def _constants(node: ast.expr) -> set[str]:
    match node:
        case ast.Constant(value=str(text)):
            return {text}
        case ast.IfExp():
            return _constants(node.body) | _constants(node.orelse)
        case _:
            return set()


def test_every_sentence_that_is_said_is_known() -> None:
    assert _said() - _ids(WORDS / "en") == set()


def test_every_kind_of_task_is_spoken_of_in_words() -> None:
    assert {kind for kind in KINDS if not known(f"kind-{kind}")} == set()


def test_no_sentence_stands_twice() -> None:
    for locale in LOCALES:
        seen: dict[str, str] = {}
        for file in (WORDS / locale).glob("*.ftl"):
            for found in re.findall(r"^([a-z][a-z0-9-]*) =", file.read_text("utf-8"), re.MULTILINE):
                assert found not in seen, f"{found} stands in {seen.get(found)} and {file.name}"
                seen[found] = file.name


def test_other_languages_have_the_sentences_and_arguments_of_english() -> None:
    english = _ids(WORDS / "en")

    for locale in LOCALES:
        assert _ids(WORDS / locale) <= english, locale
