"""What a browser loads to show a conversation: in one round, and no more than it needs."""

import gzip
import re
from collections.abc import Iterable
from pathlib import Path

PAGE = Path(__file__).parents[2] / "adapters/web/page"
MOST = 64_000
"""Bytes of our own code, compressed as it is served."""
_IMPORT = re.compile(r'^(?:import|export)\b[^;"]*?(?:from )?"(\.[^"]+)";', re.MULTILINE)
_LINK = re.compile(r'<link rel="modulepreload" href="/page/([^"]+)">')


def list_modules(name: str) -> set[str]:
    """A module and all that it needs at once."""
    modules, waiting = set[str](), [PAGE / name]
    while waiting:
        file = waiting.pop()
        name = file.relative_to(PAGE).as_posix()
        if name not in modules:
            modules.add(name)
            imports = _IMPORT.findall(file.read_text(encoding="utf-8"))
            waiting += [(file.parent / path).resolve() for path in imports]
    return modules


def weigh(names: Iterable[str]) -> int:
    return sum(len(gzip.compress((PAGE / name).read_bytes(), mtime=0)) for name in names)


def test_the_page_names_at_once_what_it_needs() -> None:
    needed = list_modules("app.js") - {"app.js"}
    named = _LINK.findall((PAGE / "index.html").read_text(encoding="utf-8"))

    lines = [f'  <link rel="modulepreload" href="/page/{name}">' for name in sorted(needed)]
    assert set(named) == needed, "index.html has to name:\n" + "\n".join(lines)
    assert len(named) == len(needed)


def test_what_needs_a_click_is_loaded_then() -> None:
    own = [name for name in list_modules("app.js") if not name.startswith("vendor/")]

    assert weigh(own) < MOST
