"""The page's scripts: its libraries are those that were published, and its types are right."""

import hashlib
import os
import re
import shutil
import subprocess

import pytest

from tests.house.source import ROOT

PAGE = ROOT / "adapters" / "web" / "page"


def test_each_library_of_the_page_is_as_it_was_published() -> None:
    folder = PAGE / "vendor"
    table = (folder / "README.md").read_text("utf-8")
    named = dict(re.findall(r"^\| `(\S+\.js)` .* `([0-9a-f]{64})` \|$", table, re.MULTILINE))

    found = {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*.js")
    }

    assert found == named


@pytest.mark.program
def test_the_types_of_the_page_are_right() -> None:
    compiler = shutil.which("tsc")
    if compiler is None:
        if os.environ.get("CI") == "true":  # noqa: TID251 - not a setting of the program
            pytest.fail("continuous integration needs tsc (Debian's package `node-typescript`)")
        pytest.skip("there is no tsc here; install Debian's package `node-typescript`")

    checked = subprocess.run(
        [compiler, "--project", str(PAGE)], capture_output=True, text=True, timeout=120, check=False
    )

    assert checked.returncode == 0, checked.stdout
