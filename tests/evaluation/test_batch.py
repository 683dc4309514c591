"""`troupe plan --batch` and `--read`: one JSON line for each row, whatever the rows are."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import structlog
from typer.testing import CliRunner

from bot.setting_sources import read_settings
from bot.settings import Settings
from evaluation.batch import plan_by_embedded, plan_rows, read_plans
from evaluation.cli import app
from pipeline.errors import FetchError, SettingsError
from tests.servers.openai import openai_at_work
from tests.words import english

ROWS = (
    (
        '{"id": "1", "user_request": "Please translate the text \'good morning\' into French, '
        'and then convert the translated text into speech."}'
    ),
    '{"id": NaN, "user_request": "draw a cat"}',
    "[1, 2]",
    "",
    '{"id": 4, "user_request": "  "}',
    '{"id": 5}',
    '{"id": "6", "user_request": "Describe the picture example.jpg in a sentence."}',
)
SPOKEN: dict[str, Any] = {
    "reply": None,
    "tasks": [
        {
            "task": "text-to-speech",
            "id": 0,
            "dep": [],
            "args": [{"name": "text", "value": "hi"}],
            "model": "",
        }
    ],
}


def a_file(folder: Path, *lines: str) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


Told = Callable[[Coroutine[Any, Any, None]], list[dict[str, Any]]]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """Run a command; returns the lines it printed."""

    def run(work: Coroutine[Any, Any, None]) -> list[dict[str, Any]]:
        asyncio.run(work)
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run


def test_every_row_gets_a_plan_in_taskbench_s_names_and_a_bad_one_a_reason(
    tmp_path: Path, told: Told
) -> None:
    rows = a_file(tmp_path, *ROWS)

    first, *bad, last = told(
        plan_rows(_settings(tmp_path), rows, planner="embedded", words="taskbench")
    )

    assert first["id"] == "1"
    assert [node["task"] for node in first["task_nodes"]] == ["Translation", "Text-to-Speech"]
    assert first["task_links"] == [{"source": "Translation", "target": "Text-to-Speech"}]
    assert 0 <= first["confidence"] <= 1
    assert first["ms"] > 0
    assert [row["error"] for row in bad] == [
        english("row-not-json", line="2"),
        english("row-no-object", line="3"),
        english("row-no-request", line="5"),
        english("row-no-request", line="6"),
    ]
    assert bad[2]["id"] == 4
    assert all(row["task_nodes"] == row["task_links"] == [] for row in bad)
    assert all(row["confidence"] == row["ms"] == 0 for row in bad)
    assert last["task_nodes"][0]["task"] == "Image-to-Text"


async def test_a_benchmark_row_is_planned_in_the_benchmarks_own_names() -> None:
    text = (
        "I have an audio file 'example.wav'. Transcribe it, translate the text into French "
        "and create an image from the translation."
    )

    row = await plan_by_embedded("taskbench")({"user_request": text}, 1)

    nodes = [node["task"] for node in row["task_nodes"]]
    assert nodes == ["Automatic Speech Recognition", "Translation", "Text-to-Image"]
    assert row["task_links"] == [
        {"source": "Automatic Speech Recognition", "target": "Translation"},
        {"source": "Translation", "target": "Text-to-Image"},
    ]
    assert 0 <= row["confidence"] <= 1


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"user_request": "Transcribe talk.wav"}, [("automatic-speech-recognition", ["talk.wav"])]),
        (
            {"user_request": "caption this", "files": ["image"]},
            [("image-to-text", ["image-1.png"])],
        ),
        ({"user_request": "caption this", "files": ["b.jpg", 7]}, [("image-to-text", ["b.jpg"])]),
        (
            {"user_request": "summarise report.pdf", "files": None},
            [("document-to-text", ["report.pdf"]), ("summarization", ["<node-0>"])],
        ),
        (
            {"user_request": "is he wearing glasses?", "thread_files": ["image"]},
            [("visual-question-answering", ["earlier-image-1.png", "is he wearing glasses?"])],
        ),
        (
            {"user_request": "whats he saying in the clip?", "files": []},
            [("automatic-speech-recognition", ["whats he saying in the clip?"])],
        ),
        (
            {"user_request": "caption this"},
            [("image-to-text", ["image-1.png"])],
        ),
        ({"user_request": "thanks a lot!"}, []),
        (
            {"user_request": "translate “good morning” into French"},
            [("translation", ["good morning", "fr"])],
        ),
    ],
)
def test_files_that_a_row_names_count_as_sent(
    row: dict[str, Any], expected: list[tuple[str, list[str]]], tmp_path: Path, told: Told
) -> None:
    rows = a_file(tmp_path, json.dumps({"id": 1, **row}))

    (planned,) = told(plan_rows(_settings(tmp_path), rows, planner="embedded", words=""))

    assert [(node["task"], node["arguments"]) for node in planned["task_nodes"]] == expected


def test_the_command_prints_nothing_but_the_lines(tmp_path: Path) -> None:
    rows = str(a_file(tmp_path, *ROWS[:2]))
    before = structlog.get_config()

    done = CliRunner().invoke(app, ["plan", "--batch", rows], env={"TROUPE_HOME": str(tmp_path)})

    structlog.configure(**before)
    good, bad = map(json.loads, done.stdout.splitlines())
    assert "translation" in [node["task"] for node in good["task_nodes"]]
    assert bad["error"] == english("row-not-json", line="2")


@pytest.mark.program
def test_nobody_reading_on_ends_it_quietly(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bot", "plan", "--batch", str(a_file(tmp_path, *ROWS))]
    reading, writing = os.pipe()
    os.close(reading)

    done = subprocess.run(
        command, stdout=writing, stderr=subprocess.PIPE, check=False, text=True, timeout=50
    )
    os.close(writing)

    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_no_line_holds_a_number_that_json_does_not_know(
    number: str, tmp_path: Path, told: Told
) -> None:
    rows = a_file(tmp_path, f'{{"id": {number}, "user_request": "draw a cat"}}')

    (row,) = told(plan_rows(_settings(tmp_path), rows, planner="embedded", words=""))

    assert (row["id"], row["error"]) == ("", english("row-not-json", line="1"))


@pytest.mark.program
def test_planning_rows_without_a_language_model_loads_no_store_and_no_network() -> None:
    heavy = {"sqlalchemy", "aiohttp", "httpx"}
    code = f"import sys, evaluation.batch; print({heavy} & {{*sys.modules}})"

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, timeout=50
    )

    assert done.stdout == "set()\n"


def test_raw_plans_are_read_with_what_was_mended_and_left_out(tmp_path: Path, told: Told) -> None:
    nodes = [
        {"task": "OCR", "arguments": ["a.jpg"]},
        {"task": "Teleport", "arguments": ["<node-0>"]},
    ]
    rows = a_file(
        tmp_path,
        json.dumps({"id": 1, "user_request": "read a.jpg", "task_nodes": nodes, "task_links": []}),
        '{"id": 2, "text": 7, "task_nodes": 3}',
        "{",
    )

    first, strange, broken = told(read_plans(_settings(tmp_path), rows, words="taskbench"))

    assert [node["task"] for node in first["task_nodes"]] == ["Image-to-Text"]
    assert any(repair["dropped"] for repair in first["repairs"])
    assert first["error"] == ""
    assert strange["error"]
    assert broken["error"] == english("row-not-json", line="3")


@pytest.mark.parametrize("sign", ["\\ud800", "\\u2028", "\\u0085", "\\u0000"])
def test_no_sign_in_a_row_breaks_its_line_or_the_file(
    sign: str, tmp_path: Path, told: Told
) -> None:
    rows = a_file(tmp_path, f'{{"id": "{sign}", "user_request": "draw a {sign} cat"}}', ROWS[0])

    first, second = told(
        plan_rows(_settings(tmp_path), rows, planner="embedded", words="taskbench")
    )

    assert first["id"] == json.loads(f'"{sign}"')
    assert [node["task"] for node in first["task_nodes"]] == ["Text-to-Image"]
    assert second["id"] == "1"


@pytest.mark.parametrize("words", ["", "taskbench"])
@pytest.mark.parametrize("text", ["🙂", "…«", "'", "\\ud800"])
def test_requests_without_a_word_are_planned_like_others(
    text: str, words: str, tmp_path: Path, told: Told
) -> None:
    rows = a_file(tmp_path, f'{{"id": 1, "user_request": "{text}"}}')

    (row,) = told(plan_rows(_settings(tmp_path), rows, planner="embedded", words=words))

    assert "error" not in row


def test_a_byte_order_mark_does_no_harm(tmp_path: Path, told: Told) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + ROWS[0].encode())

    (row,) = told(plan_rows(_settings(tmp_path), path, planner="embedded", words=""))

    assert row["id"] == "1"


def test_exactly_one_thing_is_planned_with_files_that_are_there(tmp_path: Path) -> None:
    both = CliRunner().invoke(app, ["plan", "hello", "--batch", str(tmp_path / "x")])
    none = CliRunner().invoke(app, ["plan"])
    gone = CliRunner().invoke(app, ["plan", "hello", "--file", "gone.png"])

    assert (both.exit_code, none.exit_code, gone.exit_code) == (2, 2, 2)
    assert "gone.png" in gone.output


async def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FetchError, match="rows-not-read"):
        await plan_rows(_settings(tmp_path), tmp_path / "no", planner="embedded", words="")


async def test_without_a_language_model_it_is_said_what_to_set(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="rows-no-llm"):
        await plan_rows(_settings(tmp_path), a_file(tmp_path, *ROWS), planner="llm", words="")


async def test_the_language_model_plans_rows_in_their_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    many = [json.dumps({"id": at, "user_request": f"say hi {at}"}) for at in range(20)]
    async with openai_at_work() as server:
        server.reply = lambda _asked: json.dumps(SPOKEN)
        settings = _settings(tmp_path, OPENAI_BASE_URL=server.base)

        await plan_rows(settings, a_file(tmp_path, *many), planner="llm", words="taskbench")

    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["id"] for row in rows] == list(range(20))
    assert rows[0]["task_nodes"] == [{"task": "Text-to-Speech", "arguments": ["hi"]}]
    assert rows[0]["confidence"] == 1.0


@pytest.mark.parametrize(
    ("plan", "confidence"),
    [
        ({"reply": "Hello!", "tasks": []}, 1.0),
        ({"reply": None, "tasks": [*SPOKEN["tasks"], {"task": "teleport", "id": 1}]}, 0.5),
    ],
)
async def test_a_language_model_s_confidence_is_how_much_stands_as_it_was_written(
    plan: dict[str, Any], confidence: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with openai_at_work() as server:
        server.reply = lambda _asked: json.dumps(plan)
        settings = _settings(tmp_path, OPENAI_BASE_URL=server.base)

        await plan_rows(settings, a_file(tmp_path, ROWS[0]), planner="llm", words="")

    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert row["confidence"] == confidence


def _settings(home: Path, **more: str) -> Settings:
    return read_settings({"TROUPE_HOME": str(home), **more})
