"""What is particular to TaskBench's requests: quotes, long requests, rows to train on."""

from adapters.embedded.planner import model
from adapters.embedded.planner.reading import read
from benchmarks.planning.rows import read_lines
from evaluation.taskbench import TASKBENCH
from tests.house.source import ROOT

QUOTED = "Answer the question 'What color is the car?' about example.jpg"


def test_words_in_quotes_say_what_is_needed_in_taskbenchs_requests_only() -> None:
    formal, chat = read(QUOTED, pastes=False), read(QUOTED)

    assert list(formal.inside.values()) == [("what", "color", "is", "the", "car", "?")]
    assert not chat.inside
    assert len(model.document_features(formal)) > len(model.document_features(chat))


def test_the_written_requests_name_tools_and_link_what_they_name() -> None:
    rows = read_lines(ROOT / "benchmarks/planning/written_bench.jsonl")

    assert len({row["user_request"] for row in rows}) == len(rows)
    for row in rows:
        linked = {name for link in row["links"] for name in link}
        assert set(row["nodes"]) == linked
        assert linked <= set(TASKBENCH.values())
