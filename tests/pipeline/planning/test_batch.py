"""Rows with an LLM's raw plan, read and written in a vocabulary."""

import json
from typing import Any

import pytest

from pipeline.planning.batch import read_row, read_rows

ROW: dict[str, Any] = {
    "id": "7",
    "user_request": "Read the text in 'example.jpg' and speak it.",
    "task_nodes": [
        {"task": "OCR", "arguments": ["example.jpg"]},
        {"task": "Text-to-Speech", "arguments": ["<node-1>"]},
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
    assert read["repairs"]


def test_a_row_is_read_in_our_own_names() -> None:
    (read,) = read_rows([json.dumps(ROW), ""])

    nodes = read["task_nodes"]
    assert isinstance(nodes, list)
    assert [node["task"] for node in nodes] == ["optical-character-recognition", "text-to-speech"]


@pytest.mark.parametrize("key", ["plan", "text", "output"])
def test_a_row_may_hold_the_plan_as_text(key: str) -> None:
    plan = '```json\n[{"task": "text-to-speech", "id": 0, "args": {"text": "hi"}}]\n```'

    read = read_row({"id": 1, key: plan})

    assert read["task_nodes"] == [{"task": "text-to-speech", "arguments": ["hi"]}]


def test_a_row_without_a_plan_says_why() -> None:
    read = read_row({"id": 1, "text": "no"})

    assert read["task_nodes"] == []
    assert "No plan could be made" in str(read["error"])
