"""The table of what is known of models by their names."""

import re

from pipeline.selection.known_models import find_chat_family, load_known
from pipeline.task_kinds import KINDS


def test_every_row_of_the_table_is_of_use() -> None:
    known = load_known()

    assert {kind for kinds in known.media.values() for kind in kinds} <= set(KINDS)
    assert all(re.compile(pattern) for pattern in (*known.media, known.combining))
    assert all("en" in voices for voices in known.voices.values())
    assert all("{code}" in each or "{name}" in each for each in known.prefixes.values())


def test_no_row_hides_a_later_one() -> None:
    families = load_known().chat

    for family in families:
        example = family.names.replace("*", "").replace("[56]", "5").replace("[5-9]", "6")
        assert find_chat_family(example.replace("[134]", "3")) == family
