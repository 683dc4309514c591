"""Random walks through the schema of plans, as engines constrain models by it, are read as such."""

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pipeline.planning.parse import PlanParser
from pipeline.planning.prompt import Abilities, stable_block
from pipeline.planning.raw_plan import RawTask
from tests.engines.servers import BIN, PROGRAMS, require

WALKS = 300


Steps = list[tuple[str, str, list[tuple[str, ...]]]]


def _list(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


def list_steps(parser: PlanParser) -> Steps:
    assert all(isinstance(task, RawTask) for task in parser.tasks)
    return [
        (task.kind, task.id, [(arg.name, *arg.values) for arg in task.args])
        for task in parser.tasks
        if isinstance(task, RawTask)
    ]


def list_written(plan: dict[str, Any]) -> Steps:
    return [
        (
            task["task"],
            str(task["id"]),
            [(arg["name"], *_list(arg["value"])) for arg in task["args"]],
        )
        for task in plan["tasks"]
    ]


@pytest.mark.limit(180)
@pytest.mark.parametrize("engine", ["xgrammar", "llguidance"])
def test_every_walk_is_read_as_the_plan_that_it_is(engine: str, tmp_path: Path) -> None:
    require("torch" if engine == "xgrammar" else engine)
    schema = tmp_path / "schema.json"
    schema.write_text(json.dumps(stable_block(Abilities()).schema))
    command = [f"{BIN}/python", f"{PROGRAMS}/walk.py", engine, f"{schema}", str(WALKS)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    walks = [json.loads(line) for line in done.stdout.splitlines()]
    dice, tasks = random.Random(0), 0

    for text in walks:
        plan, parser, position = json.loads(text), PlanParser(), 0
        while position < len(text):
            size = dice.randrange(1, 30)
            list(parser.feed(text[position : position + size]))
            position += size
        _, was_cut = parser.finish()

        assert not was_cut
        assert list_steps(parser) == list_written(plan), text
        assert (parser.head.action, parser.head.is_open) == (plan["action"], plan["continue"])
        assert parser.head.say.split() == plan["say"].split(), text
        tasks += len(plan["tasks"])

    assert len(walks) > WALKS / 2
    assert tasks > WALKS / 10
