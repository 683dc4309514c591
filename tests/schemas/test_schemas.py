"""The schemas themselves: every kind has one, what is known to be wrong is still wrong, what is
mended is right.
"""

import pytest

from pipeline.task_kinds import KINDS
from tests.house.source import ROOT
from tests.schemas import OFFICIAL, OURS, violations, violations_as_published, whose
from tests.schemas.known_errors import KNOWN_ERRORS, KnownError


def test_every_kind_has_a_schema_of_theirs_or_of_ours() -> None:
    unknown = {whose(kind) for kind in KINDS} - {""} - OFFICIAL["tasks"].keys()

    assert not unknown, "write a schema of ours, or whose it follows, into docs/schemas.json"
    assert OURS["kinds"].keys() | OURS["follow"].keys() <= KINDS.keys() - OFFICIAL["tasks"].keys()


@pytest.mark.parametrize("error", KNOWN_ERRORS, ids=lambda error: f"{error.task} {error.says}")
def test_a_known_error_is_still_in_the_official_schemas(error: KnownError) -> None:
    """When this fails, Hugging Face has mended it: take it off the list."""
    assert violations_as_published(error.true, error.task, error.side)


@pytest.mark.parametrize("error", KNOWN_ERRORS, ids=lambda error: f"{error.task} {error.says}")
def test_mended_the_schema_takes_what_is_true_and_still_refuses_nonsense(
    error: KnownError,
) -> None:
    assert violations(error.true, error.task, error.side) == []
    assert violations([{"nonsense": True}], error.task, error.side)
    assert violations({"nonsense": True}, error.task, error.side)


def test_the_page_of_tasks_tells_of_every_schema_of_ours_and_every_error() -> None:
    formats = (ROOT / "docs/tasks.md").read_text("utf-8").partition("## Formats")[2]

    for kind in OURS["kinds"]:
        assert kind in formats, 'name it in docs/tasks.md under "Formats"'
    for error in KNOWN_ERRORS:
        assert f"| {error.task} | {error.side} | {error.says} | {error.truth} |" in formats
