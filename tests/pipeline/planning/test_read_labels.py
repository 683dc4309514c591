"""The labels that reading is measured on."""

import json

from benchmarks.plan_reading import LABELS
from pipeline.planning.names import TASKBENCH


def test_labels_name_kinds_that_there_are_and_links_between_them() -> None:
    rows = [json.loads(line) for line in LABELS.read_text().splitlines()]

    assert len({row["id"] for row in rows}) == len(rows) == 300
    for row in rows:
        assert set(row["nodes"]) <= set(TASKBENCH.values())
        assert {end for link in row["links"] for end in link} <= set(row["nodes"])
