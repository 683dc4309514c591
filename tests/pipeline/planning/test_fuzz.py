"""Whatever a language model writes: no exception but PlanError, no circle, nothing that was not asked for."""

import json
import random
from collections.abc import Callable
from typing import Any

from pipeline.domain import Request
from pipeline.errors import PlanError
from pipeline.planning.fitting import suits, types_of
from pipeline.planning.reading import Reading, read_plan
from pipeline.table import KINDS
from tests.pipeline.planning.builders import file, request

NAMES = [*KINDS, "ocr", "Image Editing", "mind-reading", "", "image_to_text"]
WORDS = ["a cat", "image 1", "sound 1", "nowhere.jpg", "http://x/y.png", "{{}}", "\\", "error", "5"]
FORMS = ["<GENERATED>-{}", "<GENERATED-{}>", "<resource>-{}", "<node-{}>", "{{{{{}}}}}", "a {} b"]


def a_plan(rng: random.Random) -> str:
    tasks = [a_task(rng, at) for at in range(rng.randint(0, 8))]
    match rng.randint(0, 3):
        case 0:
            return json.dumps({"tasks": tasks, "reply": None})
        case 1:
            nodes = [
                {"task": one["task"], "arguments": list(one["args"].values())} for one in tasks
            ]
            links = [
                {"source": rng.choice(NAMES), "target": rng.choice(NAMES)}
                for _ in range(rng.randint(0, 4))
            ]
            return json.dumps({"task_nodes": nodes, "task_links": links})
        case _:
            return json.dumps(tasks)


def a_task(rng: random.Random, at: int) -> dict[str, Any]:
    kind = rng.choice(list(KINDS.values()))
    names = [slot.name for slot in kind.takes] + ["input"]
    return {
        "task": kind.name if rng.random() < 0.8 else rng.choice(NAMES),
        "id": at if rng.random() < 0.9 else rng.randint(-1, 9),
        "dep": [rng.randint(-1, 9) for _ in range(rng.randint(0, 3))],
        "args": {rng.choice(names): an_arg(rng) for _ in range(rng.randint(0, 3))},
    }


def an_arg(rng: random.Random) -> object:
    text = rng.choice([rng.choice(WORDS), rng.choice(FORMS).format(rng.randint(0, 8))])
    return rng.choice(
        [text, text, text, [text, rng.choice(WORDS)], rng.randint(0, 9), {"v": text}, None]
    )


MUTATIONS: list[Callable[[random.Random, str], str]] = [
    lambda rng, text: text,
    lambda rng, text: text[: rng.randint(0, len(text))],
    lambda rng, text: text.replace('"', "'"),
    lambda rng, text: f"```\n{text}\n```",
    lambda rng, text: f'Here is 12" of "plan": {text} }} done',
    lambda rng, text: text.replace("}", ",}").replace("]", ",]"),
    lambda rng, text: "".join(c for c in text if rng.random() > 0.02),
    lambda rng, text: "".join(c + rng.choice('"{}[],') * (rng.random() < 0.01) for c in text),
]


def check(text: str, asked: Request) -> Reading | None:
    """Read it, and hold what came out against what a plan must be."""
    try:
        reading = read_plan(text, asked)
    except PlanError:
        return None
    plan = reading.plan  # raises ValueError for a circle
    tasks = {task.id: task for task in plan.tasks}
    for task in plan.tasks:
        for slot in task.kind.takes:
            given = task.args.get(slot.name, ())
            assert given or not slot.required
            assert all(suits(types_of(arg, tasks), slot) for arg in given), (text, task, slot)
    return reading


def test_two_thousand_mutated_plans_are_read_or_refused() -> None:
    rng = random.Random(20261120)
    asked = request("do it", file("image 1", "a.jpg"), file("sound 1", "s.wav"))
    read = 0

    for _ in range(2000):
        text = rng.choice(MUTATIONS)(rng, a_plan(rng))
        reading = check(text, asked)
        read += reading is not None

    assert read > 1000


def test_deep_and_endless_brackets_end_soon() -> None:
    for text in ("[" * 50_000, "{" * 50_000, '{"task":' * 20_000, '"' * 50_000, "{}" * 50_000):
        check(text, request())
