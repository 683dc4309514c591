"""Rules of the house that no linter has. Sizes are read off by people, never enforced here."""

import ast

from tests.house.source import modules, name_of, nodes, parsed

FORBIDDEN_ENDINGS = ("Manager", "Service", "Helper", "Handler", "Processor", "Util", "Impl")


def test_every_module_and_class_says_in_a_line_what_it_is() -> None:
    silent = []
    for path in modules():
        tree = parsed(path)
        if tree.body and not ast.get_docstring(tree):
            silent.append(name_of(path))
        silent += [
            f"{name_of(path)}:{node.name}"
            for node in nodes(path)
            if isinstance(node, ast.ClassDef)
            and not node.name.startswith("_")
            and not ast.get_docstring(node)
        ]

    assert not silent


def test_no_class_is_named_for_nothing() -> None:
    vague = [
        f"{name_of(path)}:{node.name}"
        for path in modules()
        for node in nodes(path)
        if isinstance(node, ast.ClassDef) and node.name.endswith(FORBIDDEN_ENDINGS)
    ]

    assert not vague


def test_nothing_is_mocked() -> None:
    mocking = [
        name_of(path)
        for path in modules("tests")
        if path.name != "test_rules.py"
        and any(word in path.read_text() for word in ("unittest.mock", "monkeypatch.setattr"))
    ]

    assert not mocking
