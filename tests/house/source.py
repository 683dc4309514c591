"""The project's own sources."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "evaluation", "adapters", "pipeline", "migrations")


def modules(*packages: str) -> Iterator[Path]:
    for package in packages or PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")
