"""The limits of the house, which no linter has."""

import ast
import tomllib
from collections.abc import Mapping

from tests.house.source import PACKAGES, functions, modules, name_of, nodes, parsed, read

LONGEST_FUNCTION = 40
LONGEST_MODULE = 300
LONGEST_TEST_MODULE = 400
FORBIDDEN_ENDINGS = ("Manager", "Service", "Helper", "Handler", "Processor", "Util", "Impl")

WAIVERS: Mapping[str, Mapping[str, str]] = tomllib.loads(read("tests/house/waivers.toml"))


def test_no_function_is_longer_than_the_house_allows() -> None:
    long = {}
    for path in modules():
        for function in functions(path):
            lines = (function.end_lineno or 0) - function.lineno + 1
            name = f"{name_of(path)}:{function.name}"
            if lines > LONGEST_FUNCTION and name not in WAIVERS["functions"]:
                long[name] = lines

    assert not long


def test_no_module_is_longer_than_the_house_allows() -> None:
    long = {
        **_longer(LONGEST_MODULE, *PACKAGES),
        **_longer(LONGEST_TEST_MODULE, "tests", "benchmarks"),
    }

    assert not long


def _longer(limit: int, *packages: str) -> dict[str, int]:
    return {
        name_of(path): lines
        for path in modules(*packages)
        if (lines := path.read_text(encoding="utf-8").count("\n")) > limit
        and name_of(path) not in WAIVERS["modules"]
    }


def test_every_waiver_gives_its_reason_and_is_still_needed() -> None:
    known = {name_of(path) for path in modules("bot", "adapters", "pipeline", "tests")}

    for names in WAIVERS.values():
        assert all(len(reason) > 20 for reason in names.values())
        assert {name.partition(":")[0] for name in names} <= known


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
        if path.name != "test_limits.py"
        and any(word in path.read_text() for word in ("unittest.mock", "monkeypatch.setattr"))
    ]

    assert not mocking
