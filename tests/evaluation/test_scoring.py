"""`troupe evaluate`: labelled files, the paper's measures, a language model as the judge."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from bot.setting_sources import read_settings
from bot.settings import Settings
from evaluation.rows import Labelled, read_labelled
from evaluation.scoring import (
    edit_distance,
    evaluate,
    evaluate_ablation,
    find_demonstrations,
    list_variants,
    measure,
    score,
)
from evaluation.suite_run import print_annotations
from evaluation.taskbench import TASKBENCH, use_taskbench_names
from evaluation.trials import FOLDER
from pipeline.errors import PlanError, SettingsError
from pipeline.prompts import sections
from pipeline.task_kinds import KINDS
from tests.servers.hub import hub_at_work
from tests.servers.openai import Asked, openai_at_work

TRANSLATE = {
    "id": "1",
    "user_request": "Please translate the text 'good morning' into French.",
    "type": "single",
    "nodes": ["Translation"],
    "links": [],
}
SPEAK = {
    "id": "2",
    "instruction": "Please convert the text 'good day' into speech and transcribe it back to text.",
    "type": "chain",
    "tool_nodes": json.dumps(
        [{"task": "Automatic Speech Recognition"}, {"task": "Text-to-Speech", "arguments": ["x"]}]
    ),
    "tool_links": json.dumps(
        [{"source": "Text-to-Speech", "target": "Automatic Speech Recognition"}]
    ),
}


def test_rows_are_read_as_they_are_published() -> None:
    one, two = read_labelled(TRANSLATE), read_labelled(SPEAK)

    assert one == Labelled(
        "1", str(TRANSLATE["user_request"]), "single", ("Translation",), frozenset()
    )
    assert two is not None
    assert two.nodes == ("Text-to-Speech", "Automatic Speech Recognition")
    assert two.links == {("Text-to-Speech", "Automatic Speech Recognition")}
    assert two.shape == "sequential"
    assert use_taskbench_names([two])


@pytest.mark.parametrize("row", [{}, {"user_request": "x"}, {"user_request": 3, "nodes": ["a"]}])
def test_a_row_without_a_request_or_tasks_is_none(row: dict[str, Any]) -> None:
    assert read_labelled(row) is None


def test_a_shape_that_is_not_told_follows_from_the_links() -> None:
    links = [["a", "b"], ["a", "c"]]

    fan = read_labelled({"user_request": "x", "nodes": ["a", "b", "c"], "links": links})
    chain = read_labelled({"user_request": "x", "nodes": ["a", "b"], "links": links[:1]})

    assert fan is not None
    assert chain is not None
    assert (fan.shape, chain.shape) == ("graph", "sequential")


def test_the_measures_are_those_of_the_paper() -> None:
    gold = Labelled("1", "x", "sequential", ("a", "b"), frozenset({("a", "b")}))
    link = {"source": "a", "target": "b"}
    right = measure(gold, {"task_nodes": [{"task": "a"}, {"task": "b"}], "task_links": [link]})
    half = measure(gold, {"task_nodes": [{"task": "a"}, {"task": "c"}], "task_links": []})

    plans = [right, {**half, "judge score": (40.0, 1)}]
    found = score([("sequential", fractions) for fractions in plans])["sequential"]

    told = {name: round(one.value, 1) for name, one in found.items()}
    assert told == {
        "accuracy": 50.0,
        "precision": 75.0,
        "recall": 75.0,
        "F1": 75.0,
        "edit distance": 25.0,
        "edge F1": 66.7,
        "judge score": 40.0,
    }
    assert found["F1"].low <= found["F1"].value <= found["F1"].high


def test_the_distance_of_two_sequences() -> None:
    assert edit_distance("abc", "abc") == 0
    assert edit_distance("abc", "ac") == 1
    assert edit_distance("", "ab") == 2


async def test_the_tables_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = _file(tmp_path, TRANSLATE, SPEAK)

    await evaluate(_settings(tmp_path), rows, planner="embedded", judge=False, as_json=False)

    told = capsys.readouterr().out
    assert "|  | single (1) | sequential (1) | all (2) |" in told
    assert "| edit distance | 0.0 [0.0, 0.0] | 0.0 [0.0, 0.0] | 0.0 [0.0, 0.0] |" in told
    assert "lines that could not be read: 1" in told


async def test_a_language_model_plans_and_judges(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with openai_at_work() as server:
        server.reply = _does_all
        settings = _settings(tmp_path, OPENAI_BASE_URL=server.base)

        await evaluate(
            settings, _file(tmp_path, TRANSLATE), planner="llm", judge=True, as_json=True
        )

    told = json.loads(capsys.readouterr().out)
    assert told["scores"]["single"]["F1"]["requests"] == 1
    found = {name: score["value"] for name, score in told["scores"]["all"].items()}
    assert found["accuracy"] == 100.0
    assert (found["planning passes"], found["selection rational"]) == (100.0, 0.0)
    assert found["judge score"] == 90.0
    assert found["response succeeds"] == 100.0
    assert (found["calls"], found["prompt tokens"] > 0) == (1.0, True)
    judge = next(chat.text for chat in server.chats if "You judge how" in chat.text)
    assert "Expected" in judge
    assert "Models chosen" in judge
    answer = next(chat.text for chat in server.chats if "You judge whether" in chat.text)
    assert "bonjour" in answer


@pytest.mark.parametrize(
    "rubbish", ["Looks fine to me!", "[]", '{"score": "many"}', '{"score": 1e400}', "{" * 5000]
)
async def test_a_judge_that_answers_rubbish_is_not_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rubbish: str
) -> None:
    async with openai_at_work() as server:
        server.reply = lambda asked: rubbish if "You judge" in asked.text else _does_all(asked)
        settings = _settings(tmp_path, OPENAI_BASE_URL=server.base)
        rows = _file(tmp_path, TRANSLATE)

        await evaluate(settings, rows, planner="llm", judge=True, as_json=False, answers=False)

    told = capsys.readouterr().out
    assert "| accuracy | 100.0 [100.0, 100.0] |" in told
    assert "judge score" not in told
    assert sum("You judge" in chat.text for chat in server.chats) == 1


async def test_the_tables_say_what_was_judged_and_spent_for_each_shape(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with openai_at_work() as server:
        server.reply = _does_all
        settings = _settings(tmp_path, OPENAI_BASE_URL=server.base)
        rows = _file(tmp_path, TRANSLATE, {**SPEAK, "user_request": SPEAK["instruction"]})

        await evaluate(settings, rows, planner="llm", judge=True, as_json=False)

    told = capsys.readouterr().out
    for name in ("selection rational", "response succeeds", "prompt tokens", "ms"):
        (line,) = [line for line in told.splitlines() if line.startswith(f"| {name} |")]
        assert line.count("[") == 3


async def test_a_request_that_speaks_of_files_is_not_carried_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    caption = {"id": "3", "user_request": "Describe cat.jpg", "nodes": ["Image-to-Text"]}
    async with openai_at_work() as server:
        server.reply = _does_all
        settings = _settings(tmp_path, OPENAI_BASE_URL=server.base)

        await evaluate(
            settings, _file(tmp_path, caption), planner="embedded", judge=True, as_json=True
        )

    assert "response succeeds" not in json.loads(capsys.readouterr().out)["scores"]["all"]
    assert not any("You judge whether" in chat.text for chat in server.chats)


@pytest.mark.program
async def test_a_request_with_its_files_beside_the_rows_is_carried_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sent = (FOLDER / "sign.png").read_bytes()
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "sign.png").write_bytes(sent)
    (tmp_path / "secret.png").write_bytes(sent)
    draw = {"user_request": "Make sign.png a pencil sketch", "nodes": ["Image-to-Image"]}
    rows = [{**draw, "id": "4", "files": ["sign.png"]}, {**draw, "files": ["../secret.png"]}]
    async with openai_at_work() as server:
        server.reply = _does_all
        settings = _settings(tmp_path, OPENAI_BASE_URL=server.base)

        await evaluate(
            settings,
            _file(tmp_path / "rows", *rows),
            planner="embedded",
            judge=True,
            as_json=True,
        )

    scores = json.loads(capsys.readouterr().out)["scores"]["all"]
    assert scores["response succeeds"]["requests"] == 1
    assert scores["planning passes"]["requests"] == 2


async def test_another_model_judges_if_one_is_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with openai_at_work() as server:
        server.reply = _does_all
        more = {"OPENAI_BASE_URL": server.base, "TROUPE_MODEL": "plans"}
        settings = _settings(tmp_path, TROUPE_JUDGE_MODEL="judges", **more)
        rows = _file(tmp_path, TRANSLATE)

        await evaluate(settings, rows, planner="llm", judge=True, as_json=True, answers=False)

    assert capsys.readouterr().out
    judged_by = {chat.body["model"]: "You judge" in chat.text for chat in server.chats}
    assert judged_by == {"plans": False, "judges": True}


async def test_a_judge_needs_no_controller(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with openai_at_work() as server, hub_at_work() as hub:
        server.reply = _does_all
        router = server.base.removesuffix("/v1")
        places = {"HF_TOKEN": "hf_x", "HF_ENDPOINT": hub.base, "HF_ROUTER_URL": router}
        settings = _settings(
            tmp_path, TROUPE_CONTROLLER="off", TROUPE_JUDGE_MODEL="judges", **places
        )
        rows = _file(tmp_path, TRANSLATE)

        await evaluate(settings, rows, planner="embedded", judge=True, as_json=True, answers=False)

    assert "judge score" in json.loads(capsys.readouterr().out)["scores"]["all"]
    assert {chat.body["model"].partition(":")[0] for chat in server.chats} == {"judges"}


async def test_a_filled_sheet_gives_rates_and_agreement(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.csv"
    marks = "\n".join(f"planning passes,{one},{other}" for one, other in ("11", "11", "10", "00"))
    sheet.write_text(f"measure,annotator 1,annotator 2\n{marks}\n")

    await print_annotations(_settings(tmp_path), sheet, as_json=False)

    row = capsys.readouterr().out.splitlines()[-1]
    assert row == "| planning passes | 75.0 [30.1, 95.4] | 50.0 [15.0, 85.0] | 4 | 75.0 | 0.50 |"


async def test_the_ablation_shows_fewer_and_less_varied_demonstrations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with openai_at_work() as server:
        server.reply = _does_all
        settings = _settings(tmp_path, OPENAI_BASE_URL=server.base)

        await evaluate_ablation(settings, _file(tmp_path, TRANSLATE), as_json=True)

    told = json.loads(capsys.readouterr().out)
    variants = list_variants(TASKBENCH)
    assert [*told["scores"]] == [name for name, _ in variants]
    assert {scores["accuracy"]["value"] for scores in told["scores"].values()} == {100.0}
    plans = [body.rpartition("\n")[2] for _, body in sections("demonstrations")]
    shown = [sum(plan in chat.texts[0] for plan in plans) for chat in server.chats]
    assert shown == [len(headings) for _, headings in variants]


def test_the_last_variants_differ_only_in_the_variety_of_kinds() -> None:
    kinds = find_demonstrations(KINDS)

    (_, uniform), (_, varied) = list_variants(KINDS)[-2:]

    few, many = (
        {kind for heading in headings for kind in kinds[heading]} for headings in (uniform, varied)
    )
    assert len(uniform) == len(varied)
    assert len(few) < len(many)


@pytest.mark.parametrize("vocabulary", [KINDS, TASKBENCH, ()])
def test_no_two_variants_are_the_same(vocabulary: Collection[str]) -> None:
    names = [name for name, _ in list_variants(vocabulary)]

    assert len(names) == len({*names})


async def test_without_what_it_needs_it_says_what_is_missing(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("{}\n")

    with pytest.raises(PlanError, match="rows-not-labelled"):
        await evaluate(_settings(tmp_path), empty, planner="embedded", judge=False, as_json=False)
    with pytest.raises(SettingsError, match="rows-no-llm"):
        await evaluate(
            _settings(tmp_path),
            _file(tmp_path, TRANSLATE),
            planner="embedded",
            judge=True,
            as_json=False,
        )


def _does_all(asked: Asked) -> str:
    """A language model's plans, translations, answers and judgements."""
    if "You judge whether" in asked.text:
        return json.dumps({"reason": "", "succeeds": "bonjour" in asked.text})
    if "AI tasks" not in asked.text and "You judge" not in asked.text:
        return "bonjour"
    if "You judge" in asked.text:
        opinion = {"reason": "a better one", "planning_rational": True, "selection_rational": False}
        return json.dumps({**opinion, "score": 90})
    args = [{"name": "text", "value": "good morning"}, {"name": "language", "value": "French"}]
    task = {"task": "translation", "id": 0, "dep": [], "args": args, "model": ""}
    return json.dumps({"reply": None, "tasks": [task]})


def _file(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "gold.jsonl"
    path.write_text("\n".join([*map(json.dumps, rows), "no json"]))
    return path


def _settings(home: Path, **more: str) -> Settings:
    return read_settings({"TROUPE_HOME": str(home), "TROUPE_WORKERS": "1", **more})
