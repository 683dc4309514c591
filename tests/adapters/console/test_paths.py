from pathlib import Path

import pytest

from adapters.console.typed_lines import parse_line


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("cat.png", "my cat.png", "it's.png", "a(1).png"):
        (tmp_path / name).write_bytes(b"x")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("line", "text", "names"),
    [
        ("what is this? cat.png", "what is this?", ["cat.png"]),
        ("what is in {here}/cat.png and why", "what is in and why", ["cat.png"]),
        ("'{here}/my cat.png' describe it", "describe it", ["my cat.png"]),
        ('"{here}/my cat.png" describe it', "describe it", ["my cat.png"]),
        ("{here}/my\\ cat.png describe it", "describe it", ["my cat.png"]),
        ("'{here}/my cat.png' {here}/cat.png compare", "compare", ["my cat.png", "cat.png"]),
        ("file://{here}/my%20cat.png describe it", "describe it", ["my cat.png"]),
        ("./cat.png ./it's.png", "", ["cat.png", "it's.png"]),
        ('"{here}/it\'s.png" describe', "describe", ["it's.png"]),
        ("{here}/a\\(1\\).png describe", "describe", ["a(1).png"]),
        ("what's this, it's a cat. Isn't it?", "what's this, it's a cat. Isn't it?", []),
        ("write 'hello world' please", "write 'hello world' please", []),
        ("and/or", "and/or", []),
        ("/help", "/help", []),
        ("dog.png is not here", "dog.png is not here", []),
        ("a\0b", "a\0b", []),
        ("\\ and {{}}", "\\ and {{}}", []),
    ],
)
def test_paths_of_files_are_taken_out_of_a_line(
    folder: Path, line: str, text: str, names: list[str]
) -> None:
    words, files, missing = parse_line(line.replace("{here}", str(folder)))

    assert (words, [path.name for path in files], missing) == (text, names, "")


def test_a_path_that_leads_nowhere_is_told(folder: Path) -> None:
    line = f"describe {folder}/dog.png"

    assert parse_line(line) == (line, [], f"{folder}/dog.png")
