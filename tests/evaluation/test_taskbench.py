"""`troupe plan --read`: raw plans in either vocabulary."""

import json
import time
from typing import Any

import pytest

from benchmarks.plan_reading import LABELS
from evaluation.rows import request_of
from evaluation.taskbench import TASKBENCH, read_row

ROW: dict[str, Any] = {
    "id": "7",
    "user_request": "Read the text in 'example.jpg' and speak it.",
    "task_nodes": [
        {"task": "OCR", "arguments": ["example.jpg"]},
        {"task": "Text-to-Speech", "arguments": ["<node-0>"]},
    ],
    "task_links": [{"source": "OCR", "target": "Text-to-Speech"}],
}


def test_a_row_is_read_in_taskbench_s_names() -> None:
    read = read_row(ROW, words="taskbench")

    assert read["id"] == "7"
    assert read["task_nodes"] == [
        {"task": "Image-to-Text", "arguments": ["example.jpg"]},
        {"task": "Text-to-Speech", "arguments": ["<node-0>"]},
    ]
    assert read["task_links"] == [{"source": "Image-to-Text", "target": "Text-to-Speech"}]
    assert read["repairs"] == []


@pytest.mark.parametrize("key", ["plan", "text", "output"])
def test_a_row_may_hold_the_plan_as_text(key: str) -> None:
    plan = '```json\n[{"task": "text-to-speech", "id": 0, "args": {"text": "hi"}}]\n```'

    read = read_row({"id": 1, key: plan})

    assert read["task_nodes"] == [{"task": "text-to-speech", "arguments": ["hi"]}]


def test_a_row_without_a_plan_says_why() -> None:
    read = read_row({"id": 1, "text": "no"})

    assert read["task_nodes"] == []
    assert "No plan could be made" in str(read["error"])


@pytest.mark.parametrize(
    "nodes",
    [
        [("Object Detection", "a.jpg"), ("Image Editing", "<node-0>", "a.jpg")],
        [("Image Editing", "make it blue", "a.jpg"), ("Image-to-Text", "<node-0>")],
        [
            ("Automatic Speech Recognition", "talk.wav"),
            ("Question Answering", "<node-0>", "who won"),
        ],
    ],
)
def test_a_valid_plan_comes_back_as_it_was_with_nothing_told(
    nodes: list[tuple[str, ...]],
) -> None:
    written = [{"task": name, "arguments": list(args)} for name, *args in nodes]
    links = [{"source": nodes[0][0], "target": nodes[1][0]}]
    row = {"id": 1, "user_request": "do it with a.jpg", "task_nodes": written, "task_links": links}

    read = read_row(row, words="taskbench")

    assert (read["task_nodes"], read["task_links"], read["repairs"]) == (written, links, [])


def test_a_link_over_which_nothing_goes_is_only_order() -> None:
    nodes = [
        {"task": "Text-to-Speech", "arguments": ["good morning"]},
        {"task": "Object Detection", "arguments": ["a.jpg"]},
    ]
    links = [{"source": "Text-to-Speech", "target": "Object Detection"}]

    read = read_row({"id": 1, "task_nodes": nodes, "task_links": links}, words="taskbench")

    assert (read["task_nodes"], read["task_links"]) == (nodes, [])


def test_nodes_written_as_a_text_are_read_too() -> None:
    nodes = [{"task": "Translation", "arguments": ["good morning"]}]

    read = read_row({"id": 1, "task_nodes": json.dumps(nodes)}, words="taskbench")

    assert read["task_nodes"] == nodes


@pytest.mark.parametrize("text", ["x " * 500_000, "a" * 1_000_000, "a.jpg, " * 20_000])
def test_a_row_of_any_length_is_searched_for_files_in_one_go(text: str) -> None:
    began = time.process_time()

    asked = request_of(text, "")

    assert [file.name for file in asked.files] in ([], ["a.jpg"])
    assert time.process_time() - began < 2


PUBLISHED: dict[str, Any] = {
    "id": "31",
    "instruction": "Say what is in example.jpg, in German.",
    "tool_steps": '["Step 1: Describe the image", "Step 2: Translate it"]',
    "tool_nodes": json.dumps(
        [
            {"task": "Image-to-Text", "arguments": ["example.jpg"]},
            {"task": "Translation", "arguments": ["<node-0>", "German"]},
        ]
    ),
    "tool_links": '[{"source": "Image-to-Text", "target": "Translation"}]',
    "n_tools": 2,
    "type": "chain",
}
"""A row as TaskBench publishes them: its lists are JSON in strings."""


def test_a_row_as_taskbench_publishes_it_comes_back_as_it_was() -> None:
    read = read_row(PUBLISHED, words="taskbench")

    assert read["task_nodes"] == json.loads(PUBLISHED["tool_nodes"])
    assert read["task_links"] == json.loads(PUBLISHED["tool_links"])
    assert (read["repairs"], read["error"]) == ([], "")


def test_links_in_a_string_say_the_order_too() -> None:
    nodes = (
        '[{"task": "Object Detection", "arguments": '
        '["a.jpg"]}, {"task": "Text-to-Speech", "arguments": []}]'
    )
    links = '[{"source": "Object Detection", "target": "Text-to-Speech"}]'
    row = {"id": 1, "instruction": "a.jpg aloud", "tool_nodes": nodes, "tool_links": links}

    read = read_row(row, words="taskbench")

    assert read["task_links"] == json.loads(links)


@pytest.mark.parametrize("lists", [{}, {"tool_nodes": "[]"}, {"tool_nodes": None}])
def test_a_row_is_no_task_because_it_has_a_type(lists: dict[str, Any]) -> None:
    read = read_row({"id": 1, "instruction": "Caption a.jpg", "type": "single", **lists})

    assert read["task_nodes"] == []
    assert "single" not in str(read["error"])


def test_the_words_that_a_task_lacks_are_those_of_the_instruction() -> None:
    nodes = '[{"task": "Text-to-Speech", "arguments": []}]'

    read = read_row({"id": 1, "instruction": "good morning", "tool_nodes": nodes})

    assert read["task_nodes"] == [{"task": "text-to-speech", "arguments": ["good morning"]}]


SAID = {"task": "Translation", "arguments": ["good morning"]}


@pytest.mark.parametrize(
    ("nodes", "confidence"),
    [
        ([SAID], 1.0),
        ([SAID, {"task": "Telepathy", "arguments": ["x"]}], 0.5),
        ([SAID, {"task": "Text-to-Speech", "arguments": []}], 0.5),
        ([SAID] + [{"task": "Text-to-Speech", "arguments": [f"{at}"]} for at in range(127)], 0.5),
        ([{"task": "Telepathy", "arguments": ["x"]}], 0.0),
        ([], 0.0),
    ],
)
def test_the_confidence_of_a_row_is_how_much_stands_as_it_was_written(
    nodes: list[Any], confidence: float
) -> None:
    row = {"id": 1, "user_request": "go on", "task_nodes": nodes}

    assert read_row(row, words="taskbench")["confidence"] == confidence


def test_a_row_with_a_reply_has_it_and_no_plan() -> None:
    read = read_row({"id": 1, "text": '{"reply": "Hello!", "tasks": []}'})

    assert (read["reply"], read["task_nodes"], read["confidence"]) == ("Hello!", [], 1.0)


def test_labels_name_kinds_that_there_are_and_links_between_them() -> None:
    rows = [json.loads(line) for line in LABELS.read_text().splitlines()]

    assert len({row["id"] for row in rows}) == len(rows) == 300
    for row in rows:
        assert set(row["nodes"]) <= set(TASKBENCH.values())
        assert {end for link in row["links"] for end in link} <= set(row["nodes"])
