"""The project's own sources, parsed."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "adapters", "pipeline", "migrations")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(*packages: str) -> Iterator[Path]:
    for package in packages or PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All that is written in a module, walked through once for all tests."""
    return tuple(ast.walk(parsed(path)))


def functions(path: Path) -> Iterator[Function]:
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")
