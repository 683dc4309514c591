"""Rules of the house that no linter has. Sizes are read off by people, never enforced here."""

import re

from tests.house.source import PACKAGES, modules, name_of

FORBIDDEN_ENDINGS = ("Manager", "Service", "Helper", "Handler", "Processor", "Util", "Impl")


def test_no_class_is_named_for_nothing() -> None:
    vague = [
        f"{name_of(path)}:{name}"
        for path in modules()
        for name in re.findall(r"^\s*class (\w+)", path.read_text("utf-8"), re.MULTILINE)
        if name.endswith(FORBIDDEN_ENDINGS)
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


def test_every_server_is_opened_with_bounds() -> None:
    opening = [
        name_of(path)
        for path in modules("adapters", "bot", "evaluation")
        if "bounds" not in path.parts
        and re.search(r"AppRunner|TCPSite|SockSite|start_server|create_server", path.read_text())
    ]

    assert not opening, "use adapters.bounds.serve"


def test_played_servers_import_nothing_of_the_program_and_nothing_else_of_the_tests() -> None:
    ours = {*PACKAGES, "benchmarks", "tests"}
    reaching = [
        f"{name_of(path)}: {name}"
        for path in modules("tests/servers")
        for name in re.findall(r"^\s*(?:from|import) ([\w.]+)", path.read_text(), re.MULTILINE)
        if name.partition(".")[0] in ours and not name.startswith("tests.servers.")
    ]

    assert not reaching, "others are to use them without us"
