"""Whatever a language model writes: no exception but PlanError, no circle, nothing that was not asked for."""

import html
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import Any

from pipeline.domain import Media, Proposed, Task, TaskId, Text, Withdrawn
from pipeline.errors import PlanError
from pipeline.planning.fitting import suits, types_of
from pipeline.planning.names import kind_named
from pipeline.planning.reading import Reading, read_plan
from pipeline.planning.streaming import EarlyReader, remaining
from pipeline.planning.syntax import read_rough
from pipeline.planning.unfolding import MOST
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


def a_form(rng: random.Random, text: str) -> str:
    """The same plan written another way, if it can be."""
    try:
        plan = json.loads(text)
    except ValueError:
        return text
    tasks = plan if isinstance(plan, list) else plan.get("tasks", plan.get("task_nodes"))
    given = [one.get("args") or one.get("arguments") or {} for one in tasks]
    named = [
        list(one.items()) if isinstance(one, dict) else [("", v) for v in one] for one in given
    ]
    pairs = [(one["task"], args) for one, args in zip(tasks, named, strict=True)]
    wrapped = [
        {"function": {"name": name, "arguments": json.dumps(dict(args))}} for name, args in pairs
    ]
    calls = [
        f"{name}({', '.join(f'{key}={value!r}' if key else repr(value) for key, value in args)})"
        for name, args in pairs
    ]
    lines = [
        f"- task: {name}\n  args:\n"
        + "".join(f"    - {f'{key}: ' * bool(key)}{value}\n" for key, value in args)
        for name, args in pairs
    ]
    tags = [f"<function={name}>{json.dumps(dict(args))}</function>" for name, args in pairs]
    return rng.choice(
        [
            json.dumps({"choices": [{"message": {"tool_calls": wrapped}}]}),
            json.dumps({"plan": {"steps": {f"s{at}": one for at, one in enumerate(tasks)}}}),
            json.dumps({"plan": text}),
            "\n".join(f"Step {at}: {call}" for at, call in enumerate(calls)),
            "\n".join(f"x{at} = {call}" for at, call in enumerate(calls)),
            f"[{', '.join(calls)}]",
            "".join(lines),
            "\n".join(tags),
            "\n".join(map(json.dumps, tasks)),
            html.escape(text),
            repr(plan),
        ]
    )


NAMED = [
    *("output of step {}", "{{{{x{}.output}}}}", "${}", "#E{}", "task_{}", "<step_{}_output>"),
    *(
        "output of translation",
        "previous output",
        "<tool-{}>",
        "<GENERATED>-{}{}{}{}99999",
        "\u0663",
    ),
]
"""Names of steps, good ones and bad."""
ODD = [
    "NaN",
    "1e999",
    "-0",
    '"\\ud800"',
    "[[[{}]]]",
    '{"task": 0}',
    "null",
    "true",
    '""',
    '{"text": []}',
    "'x'",
    "{1: 2}",
]
"""Values of JSON, or nearly, that stand nowhere in a plan."""


def otherwise_named(rng: random.Random, text: str) -> str:
    at = iter(range(10_000))
    return re.sub(
        r"<\w+>-\d|<\w+-\d>", lambda _: rng.choice(NAMED).format(*[next(at) % 7] * 4), text
    )


def oddly_filled(rng: random.Random, text: str) -> str:
    return re.sub(
        r'(?<=: )("[^"]*"|-?\d+|\[\])',
        lambda found: rng.choice(ODD) if rng.random() < 0.2 else found[0],
        text,
    )


def spliced(rng: random.Random, text: str) -> str:
    """Two plans in one answer, one after the other or within each other."""
    other, at = a_form(rng, a_plan(rng)), rng.randint(0, len(text))
    return rng.choice(
        [
            f"Draft: {text}\nFinal plan:\n{other}",
            f"<think>{text}</think>{other}",
            f"{text[:at]}{other}",
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


MUTATIONS: list[Callable[[random.Random, str], str]] = [
    lambda rng, text: text,
    lambda rng, text: text[: rng.randint(0, len(text))],
    lambda rng, text: (
        f'Here is 12" of "plan": {text.replace("}", ",}").replace(chr(34), chr(39))} }} done'
    ),
    with_less,
    with_more,
    a_form,
    lambda rng, text: with_more(rng, with_less(rng, a_form(rng, text))),
    otherwise_named,
    oddly_filled,
    spliced,
    torn,
]


ASKED = request("do it", file("image 1", "a.jpg"), file("sound 1", "s.wav"))


def check(text: str, rng: random.Random) -> int | None:
    """Read it, and hold what came out against what a plan must be: how many tasks it has, None when it was refused."""
    try:
        reading = read_plan(text, ASKED)
    except PlanError:
        return None
    plan = reading.plan  # raises ValueError for a circle
    tasks = {task.id: task for task in plan.tasks}
    for task in plan.tasks:
        for slot in task.kind.takes:
            given = task.args.get(slot.name, ())
            assert given or not slot.required
            assert all(suits(types_of(arg, tasks), slot) for arg in given), (text, task, slot)
    _nothing_else(text, reading)
    _streamed_alike(text, reading, rng)
    return len(tasks)


def _nothing_else(text: str, reading: Reading) -> None:
    """Each task was written, or is told to be put in or done for each file; each word and file was written or sent."""
    asked = Counter(
        kind.name for one in read_rough(text).tasks if (kind := kind_named(one.name, KINDS))
    )
    for told in (repair.what for repair in reading.repairs):
        if told.id == "plan-inserted":
            asked[str(told.args["inserted"])] += MOST
        if told.id == "plan-kind-by-type":
            asked[str(told.args["kind"])] += 1
        if told.id == "plan-unfolded":
            asked[str(told.args["kind"])] += MOST
    made = Counter(task.kind.name for task in reading.plan.tasks)
    assert made <= asked, (text, made - asked)
    sent = {named.attachment for named in ASKED.files}
    written = re.sub(r"\W", "", f"{text} {ASKED.text}")
    for arg in (arg for task in reading.plan.tasks for args in task.args.values() for arg in args):
        if isinstance(arg, Media):
            assert arg.attachment in sent, (text, arg)
        if isinstance(arg, Text):
            said = arg.text.replace("\\n", " ")  # of an object where words should be
            assert all(word in written for word in re.findall(r"\w+", said)), (text, arg)


def _streamed_alike(text: str, reading: Reading, rng: random.Random) -> None:
    """Read while it is written, the same tasks are handed over, and no other."""
    early = EarlyReader(ASKED, KINDS)
    tasks: dict[TaskId, Task] = {}
    rest = text
    while rest:
        size = rng.randint(1, 80)
        for part in early.feed(rest[:size]):
            assert isinstance(part, Proposed)
            tasks[part.task.id] = part.task
        rest = rest[size:]
    for last in remaining(reading, early):
        if isinstance(last, Withdrawn):
            del tasks[last.task]
        elif isinstance(last, Proposed):
            tasks[last.task.id] = last.task
    standing = {task.id: task for task in reading.plan.tasks}
    assert len(tasks) == len(standing), text
    assert Counter(t.kind.name for t in tasks.values()) == Counter(
        t.kind.name for t in standing.values()
    ), text


def test_two_thousand_mutated_plans_are_read_or_refused() -> None:
    rng = random.Random(20261120)

    found = [check(rng.choice(MUTATIONS)(rng, a_plan(rng)), rng) for _ in range(2000)]

    assert sum(tasks is not None for tasks in found) > 1000


def test_deep_and_endless_brackets_end_soon() -> None:
    blank = f'[{{"task": "translation", "args": ["<{" " * 30_000}"]}}]'
    long = ("[" * 50_000, "{" * 50_000, '{"task":' * 20_000, '"' * 50_000, "{}" * 50_000)
    for text in (*long, blank, "```" * 13_000):
        with suppress(PlanError):
            read_plan(text, ASKED)
