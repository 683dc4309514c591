"""Names of kinds: one table, published, that points nowhere but into the task table."""

from pathlib import Path

import pytest

from pipeline.planning.names import ALIASES, TASKBENCH, kind_named, plain
from pipeline.table import KINDS

DOCS = Path(__file__).parents[3] / "docs" / "plans.md"


def test_every_alias_means_a_kind_and_hides_none() -> None:
    assert set(ALIASES.values()) <= KINDS.keys()
    assert not ALIASES.keys() & KINDS.keys()


def test_the_published_table_is_the_real_one() -> None:
    rows = [
        line.strip("| ").split(" | ")
        for line in DOCS.read_text("utf-8").splitlines()
        if line.startswith("| ")
    ]
    published = {
        plain(alias): row[0]
        for row in rows
        if row[0] in KINDS and row[1] not in TASKBENCH.values()
        for alias in row[1].split(", ")
    }

    assert published == ALIASES


@pytest.mark.parametrize("name", list(TASKBENCH.values()))
def test_each_of_taskbench_s_names_means_a_kind_of_its_own(name: str) -> None:
    kind = kind_named(name)

    assert kind is not None
    assert TASKBENCH[kind.name] == name


@pytest.mark.parametrize(
    "name",
    ["ImageToText", "image2text", "tools.image_to_text", "Image, to Text", "Image-to-Text Model"],
)
def test_a_name_as_programs_write_it_means_the_kind(name: str) -> None:
    assert kind_named(name) == KINDS["image-to-text"]


@pytest.mark.parametrize("name", ["", "image-to-txt", "captionize", "text", "classification"])
def test_there_is_no_guessing(name: str) -> None:
    assert kind_named(name) is None
