"""Plans as they may be written, well and badly, and what becomes of them."""

import asyncio
import hashlib
import json
import random
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.domain import (
    Attachment,
    Blob,
    Box,
    Boxes,
    Done,
    ExpertOutput,
    ExpertValue,
    Failed,
    FileHash,
    Label,
    Labels,
    NamedFile,
    Outcome,
    Outcomes,
    Plan,
    Request,
    Skipped,
    Slot,
    Text,
    Type,
)
from pipeline.errors import ExpertRefused, LlmUnavailable, TroupeError
from pipeline.planning.planner import LlmPlanner
from pipeline.ports import Job, Prompt, Usage
from pipeline.result_reuse import fingerprint
from pipeline.selection.candidates import Candidates
from pipeline.task_kinds import KINDS
from pipeline.tools import RunLimits
from tests.fakes.experts import full_catalogue
from tests.fakes.stages import ActingExpert, Bench, model, request

NAMES = (
    "image-to-text",
    "object-detection",
    "image-to-image",
    "text-to-image",
    "image-classification",
    "visual-question-answering",
    "automatic-speech-recognition",
    "audio-to-audio",
    "text-to-speech",
    "translation",
    "summarization",
    "text-classification",
    "text-generation",
)
SENT = {
    "image 1": ("image/png", "a.png"),
    "audio 1": ("audio/wav", "a.wav"),
}
WORDS = ("a cat", "in German", "the red one", "a poem about rain", "what is it?")


def asked() -> Request:
    """A request with a picture and a sound."""
    files = tuple(
        NamedFile(
            name, Attachment(hash=FileHash(name[0] * 64), media_type=media_type, name=own, size=3)
        )
        for name, (media_type, own) in SENT.items()
    )
    return request("all of it", files=files)


def a_script(rng: random.Random) -> list[str]:
    """What a language model writes: the plan, and its second try when its errors are quoted."""
    good = [_task(rng, at, range(at)) for at in range(rng.randint(1, 8))]
    first, again = [dict(task) for task in good], [dict(task) for task in good]
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
        rng.choice(_FAULTS)(rng, first)
    if rng.random() < 0.4:
        at = rng.randrange(len(again))
        again[at] = _task(rng, at, range(at))
    text = _written(rng, first)
    if rng.random() < 0.1:
        text = text[: rng.randrange(len(text) // 2, len(text))]
    second = "I cannot." if rng.random() < 0.2 else _written(rng, again)
    if rng.random() < 0.1:
        text = f"<think>Perhaps {_written(rng, again)}?</think>{text}"
    if rng.random() < 0.1:
        text = text[: rng.randrange(len(text) // 2, len(text))] + BREAKS
    return [text, second, second]


def _task(rng: random.Random, at: int, before: Sequence[int]) -> dict[str, Any]:
    kind = KINDS[rng.choice(NAMES)]
    args = {slot.name: _arg(rng, slot, before) for slot in kind.takes if slot.required}
    return {"task": kind.name, "id": at, "dep": [], "args": args, "model": ""}


def _arg(rng: random.Random, slot: Slot, before: Sequence[int]) -> str:
    if before and rng.random() < 0.6:
        return rng.choice(("<GENERATED>-{}", "<resource>-{}")).format(rng.choice(before))
    files = [name for name in SENT if name.startswith(slot.type.value)]
    return rng.choice(files) if files else rng.choice(WORDS)


def _bad_kind(rng: random.Random, tasks: list[dict[str, Any]]) -> None:
    bad = {"task": "mind-reading", "id": 50, "dep": [], "args": {"text": "?"}, "model": ""}
    tasks.insert(rng.randint(0, len(tasks)), bad)


def _without_ids(_rng: random.Random, tasks: list[dict[str, Any]]) -> None:
    for task in tasks:
        task.pop("id", None)


def _shuffled(rng: random.Random, tasks: list[dict[str, Any]]) -> None:
    rng.shuffle(tasks)


def _twice(rng: random.Random, tasks: list[dict[str, Any]]) -> None:
    tasks.append(dict(rng.choice(tasks)))


def _astray(rng: random.Random, tasks: list[dict[str, Any]]) -> None:
    task = rng.choice(tasks)
    task["args"] = dict.fromkeys(task["args"], f"<GENERATED>-{rng.choice((9, task.get('id', 3)))}")


def _nowhere(rng: random.Random, tasks: list[dict[str, Any]]) -> None:
    task = rng.choice(tasks)
    task["args"] = dict.fromkeys(task["args"], "nowhere.png")


def _from_one(_rng: random.Random, tasks: list[dict[str, Any]]) -> None:
    text = re.sub(r"-(\d+)", lambda one: f"-{int(one[1]) + 1}", json.dumps(tasks))
    tasks[:] = [{**task, "id": task.get("id", 0) + 1} for task in json.loads(text)]


def _bare(rng: random.Random, tasks: list[dict[str, Any]]) -> None:
    rng.choice(tasks)["args"] = {}


_FAULTS = (
    *(_bad_kind, _bad_kind, _without_ids, _shuffled, _twice),
    *(_astray, _nowhere, _bare, _from_one),
)
BREAKS = "\0"  # stands where the connection breaks


def _written(rng: random.Random, tasks: list[dict[str, Any]]) -> str:
    if rng.random() < 0.2:
        return f"Here is the plan:\n```json\n{json.dumps(tasks, indent=1)}\n```"
    return json.dumps({"reply": None, "tasks": tasks})


@dataclass
class PiecewiseLlm:
    """Says its replies one after the other, broken at random places."""

    replies: list[str]
    rng: random.Random
    name: str = "piecewise"
    context_size: int = 16_000
    sees_images: bool = True
    calls: int = 0
    whole: bool = False

    async def room(self) -> int:
        return self.context_size

    async def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        reply = self.replies[self.calls]
        self.calls += 1
        while reply:
            size = (
                len(reply) if self.whole and BREAKS not in reply else self.rng.choice((1, 2, 7, 40))
            )
            if BREAKS in reply[:size]:
                raise LlmUnavailable("llm-unreachable", model=self.name)
            yield reply[:size]
            reply = reply[size:]
            for _ in range(self.rng.choice((0, 0, 1, 5))):
                await asyncio.sleep(0)


@dataclass
class NotingResponder:
    """Keeps what it was given."""

    name: str = "noting"
    plan: Plan = field(default_factory=Plan)
    outcomes: Outcomes = field(default_factory=dict)

    async def respond(
        self, request: Request, plan: Plan, outcomes: Outcomes
    ) -> AsyncGenerator[str]:
        self.plan, self.outcomes = plan, outcomes
        yield "Done."


@dataclass(frozen=True, slots=True)
class Ending:
    """A request's tasks by what they were made from, its files and notices, or why it failed."""

    tasks: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    told: frozenset[str] = frozenset()
    apology: str = ""
    calls: int = 0
    corrected: bool = False


async def ending(script: list[str], seed: int, *, whole: bool = False) -> Ending:
    """Plan, run and answer with experts in memory. `seed` says where the plan is cut."""
    llm = PiecewiseLlm(script, random.Random(seed), whole=whole)
    responder = NotingResponder()
    bench = Bench(
        planners=[LlmPlanner(llm, Candidates(full_catalogue()))],
        responders=[responder],
        experts=[ActingExpert(_acts)],
        models=[model(name, name) for name in KINDS],
        limits=RunLimits(backoff=0.0, replans=0),
    )
    wanted = asked()
    for file in wanted.files:
        bench.files.kept[file.attachment.hash] = file.name.encode()
    try:
        answer = await bench.answers(wanted)
    except TroupeError as error:
        return Ending(apology=str(error.sentence.id), calls=llm.calls)
    told = frozenset(f"{notice.id} {dict(notice.args)}" for notice in answer.notices)
    corrected = frozenset(one for one in told if one.startswith("plan-corrected"))
    return Ending(
        _tasks(responder.plan, responder.outcomes),
        tuple(sorted(f"{file.attachment.hash} {file.alt}" for file in answer.files)),
        told - corrected,
        calls=llm.calls,
        corrected=bool(corrected),
    )


async def _acts(job: Job) -> ExpertOutput:
    """Another result for every input, the same for the same; some inputs fail."""
    told = repr([(name, [_bytes(one) for one in job.args[name]]) for name in sorted(job.args)])
    digest = hashlib.sha256(f"{job.kind.name}{told}".encode()).hexdigest()
    for _ in range(int(digest[0], 16)):
        await asyncio.sleep(0)
    if digest[1] == "0":
        raise ExpertRefused("task-bug", reference=digest[:4])
    return ExpertOutput({slot.name: _value(slot.type, digest) for slot in job.kind.makes})


def _bytes(given: ExpertValue) -> ExpertValue | bytes:
    return given.data if isinstance(given, Blob) else given


def _value(type_: Type, digest: str) -> ExpertValue:
    match type_:
        case Type.LABELS:
            return Labels((Label(digest[:4], 0.9),))
        case Type.BOXES:
            return Boxes((Box(digest[:4], 0.9, xmin=0, ymin=0, xmax=2, ymax=2),))
        case Type.IMAGE:
            return Blob(digest.encode(), "image/png")
        case Type.AUDIO:
            return Blob(digest.encode(), "audio/wav")
        case _:
            return Text(digest[:8])


def _tasks(plan: Plan, outcomes: Outcomes) -> tuple[str, ...]:
    """Each task by what it does and what became of it, whatever its number."""
    names: dict[int, str] = {}
    for task in plan.tasks:
        after = sorted(names[one] for one in task.after)
        names[task.id] = fingerprint(task, lambda ref: [names[ref.task], ref.slot], *after)
    return tuple(
        sorted(
            f"{task.kind.name} {names[task.id]} {_end(outcomes[task.id], names)}"
            for task in plan.tasks
        )
    )


def _end(outcome: Outcome, names: dict[int, str]) -> str:
    match outcome:
        case Done(output):
            return f"done {sorted((name, _plain(value)) for name, value in output.slots.items())}"
        case Failed(reason):
            return f"failed {reason}"
        case Skipped(because_of):
            return f"skipped {names[because_of]}"
        case _:
            return "stopped"


def _plain(value: object) -> str:
    """A value without the names of files, which tell the number of the task."""
    attachment = getattr(value, "attachment", None)
    return attachment.hash if isinstance(attachment, Attachment) else repr(value)
