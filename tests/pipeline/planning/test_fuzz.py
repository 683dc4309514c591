"""Whatever a language model writes: no exception but PlanError, no circle, nothing unasked."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from pipeline.domain import Arg, Media, Proposed, Ref, Text, Type, value_type
from pipeline.errors import PlanError
from pipeline.planning.fan_out import MOST_COPIES
from pipeline.planning.parse import PlanParser
from pipeline.planning.raw_plan import RawTask
from pipeline.planning.type_fit import is_suitable
from pipeline.planning.validate import PlanReader, ValidatedPlan, normalize_kind, read_plan
from pipeline.task_kinds import KINDS
from tests.pipeline.planning.builders import file, request

NAMES = [*KINDS, "ocr", "Image Editing", "mind-reading", "", "image_to_text"]
WORDS = ["a cat", "image 1", "sound 1", "nowhere.jpg", "http://x/y.png", "{{}}", "\\", "error", "5"]
FORMS = ["<GENERATED>-{}", "<GENERATED-{}>", "<resource>-{}", "<node-{}>", "a {} b"]
ODD = ["NaN", "1e999", "-0", '"\\ud800"', "[[[{}]]]", '{"task": 0}', "null", "true", '""', "{1: 2}"]
"""Values of JSON, or nearly, that stand nowhere in a plan."""
ASKED = request("do it", file("image 1", "a.jpg"), file("sound 1", "s.wav"))
Mutation = Callable[[random.Random, str], str]


def a_plan(rng: random.Random) -> str:
    tasks = [a_task(rng, at) for at in range(rng.randint(0, 8))]
    return json.dumps(rng.choice([tasks, {"tasks": tasks, "reply": None}]))


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
    return rng.choice([text, text, text, [text, rng.choice(WORDS)], rng.randint(0, 9), None])


def oddly_filled(rng: random.Random, text: str) -> str:
    return re.sub(
        r'(?<=: )("[^"]*"|-?\d+|\[\])',
        lambda found: rng.choice(ODD) if rng.random() < 0.2 else found[0],
        text,
    )


def spliced(rng: random.Random, text: str) -> str:
    """Two plans in one answer, one after the other or within each other."""
    other, at = a_plan(rng), rng.randint(0, len(text))
    return rng.choice(
        [
            f"Draft: {text}\nFinal plan:\n{other}",
            f"<think>{text}</think>{other}",
            f"{text[:at]}{other}{text[at:]}",
            f"{other}</think>{text}",
        ]
    )


def torn(rng: random.Random, text: str) -> str:
    """Pieces of it in another order, or twice."""
    cuts = sorted(rng.randint(0, len(text)) for _ in range(3))
    pieces = [text[one:other] for one, other in pairwise((0, *cuts, len(text)))]
    return "".join(rng.choices(pieces, k=len(pieces)))


def with_less(rng: random.Random, text: str) -> str:
    return "".join(c for c in text if rng.random() > 0.02)


def with_more(rng: random.Random, text: str) -> str:
    return "".join(c + rng.choice('"{}[],\n:') * (rng.random() < 0.01) for c in text)


MUTATIONS: list[Mutation] = [
    lambda _rng, text: text,
    lambda rng, text: text[: rng.randint(0, len(text))],
    lambda _rng, text: f'Here is 12" of "plan": {text.replace(chr(34), chr(39))} }} done',
    with_less,
    with_more,
    oddly_filled,
    spliced,
    torn,
]


def check(text: str, rng: random.Random) -> int | None:
    """Read a plan and check what came out: how many tasks it has, None when it was refused."""
    try:
        read = read_plan(text, ASKED)
    except PlanError:
        return None
    tasks = {task.id: task for task in read.plan.tasks}  # raises ValueError for a circle

    def types_of(arg: Arg) -> tuple[Type, ...]:
        if isinstance(arg, Ref):
            slot = tasks[arg.task].kind.output(arg.slot)
            return slot.types if slot else ()
        return (value_type(arg),)

    for task in tasks.values():
        for slot in task.kind.takes:
            given = task.args.get(slot.name, ())
            assert given or not slot.required
            assert all(is_suitable(types_of(arg), slot) for arg in given), (text, task, slot)
    _check_nothing_unasked(text, read)
    _check_streamed(text, read, rng)
    return len(tasks)


def _check_nothing_unasked(text: str, read: ValidatedPlan) -> None:
    """Each task was written, counted or told to be put in or repeated; each word was said."""
    parser = PlanParser()
    steps = [*parser.feed(text), *parser.finish()[0]]
    asked = Counter(normalize_kind(step.kind) for step in steps if isinstance(step, RawTask))
    asked += Counter({kind: asked[kind] * MOST_COPIES for kind in asked if '"count"' in text})
    for told in (repair.what for repair in read.repairs):
        if told.id == "plan-inserted":
            asked[str(told.args["inserted"])] += MOST_COPIES
        if told.id in ("plan-unfolded", "plan-too-many"):
            asked[str(told.args["kind"])] += MOST_COPIES
    made = Counter(task.kind.name for task in read.plan.tasks)
    assert made <= asked, (text, made - asked)
    sent = {named.attachment for named in ASKED.files}
    written = re.sub(r"\W", "", f"{text} {ASKED.text}")
    for arg in (arg for task in read.plan.tasks for args in task.args.values() for arg in args):
        if isinstance(arg, Media):
            assert arg.attachment in sent, (text, arg)
        if isinstance(arg, Text):
            assert all(word in written for word in re.findall(r"\w+", arg.text)), (text, arg)


def _check_streamed(text: str, read: ValidatedPlan, rng: random.Random) -> None:
    """Read while it is written, the plan is the same; what was proposed early stands in it."""
    reader = PlanReader(ASKED)
    early: list[object] = []
    rest = text
    while rest:
        size = rng.randint(1, 80)
        for part in reader.feed(rest[:size]):
            early = [*early, part] if isinstance(part, Proposed) else []
        rest = rest[size:]
    assert reader.finish() == read, text
    assert all(part in read.parts for part in early), text


def test_mutated_plans_are_read_or_refused() -> None:
    rng = random.Random(20261120)

    found = [check(rng.choice(MUTATIONS)(rng, a_plan(rng)), rng) for _ in range(400)]

    assert sum(tasks is not None for tasks in found) > 200
