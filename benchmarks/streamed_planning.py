"""What it brings to start tasks while the plan is still being written.

    python -m benchmarks.streamed_planning [--pace TOKENS_PER_SECOND] [--expert SECONDS]

A local server writes a plan of 8 tasks with depth 4 at 50 tokens a second; experts take 2 s. Prints the wall time of
planning then running, of both at once, the floor (the schedule in which each task starts the moment its text and its
inputs exist), and the processor time of the whole request.
"""

import argparse
import asyncio
import json
import re
import time

from adapters.openai import Endpoint, OpenAiLlm, connected
from pipeline.domain import Blob, Finished, Made, NamedFile, Text
from pipeline.domain.talk import Attachment, FileHash
from pipeline.planning.planner import LlmPlanner
from pipeline.ports import Job
from pipeline.response import PlainResponder
from pipeline.tools import Pace
from tests.fakes.experts import FakeCatalogue
from tests.fakes.stages import ActingExpert, Bench, model, request
from tests.servers.openai import OpenAiServer, openai_at_work

_TASKS: tuple[tuple[str, dict[str, str]], ...] = (
    ("image-to-text", {"image": "image 1"}),
    ("object-detection", {"image": "image 1"}),
    ("image-to-image", {"image": "image 1", "text": "pencil sketch"}),
    ("translation", {"text": "<GENERATED>-0", "language": "German"}),
    ("text-to-image", {"text": "<GENERATED>-0"}),
    ("text-to-speech", {"text": "<GENERATED>-3"}),
    ("image-to-text", {"image": "<GENERATED>-4"}),
    ("text-to-speech", {"text": "<GENERATED>-6"}),
)
_KINDS = sorted({kind for kind, _ in _TASKS})
_FILE = NamedFile("image 1", Attachment(FileHash("0" * 64), "image/png", "a.png", 3))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pace", type=float, default=50.0)
    parser.add_argument("--expert", type=float, default=2.0)
    options = parser.parse_args()
    asyncio.run(_measured(options.pace, options.expert))


async def _measured(pace: float, expert: float) -> None:
    plan = _plan()
    floor = _floor(plan, pace, expert)
    print(f"plan                {len(_pieces(plan))} tokens, {len(_TASKS)} tasks")
    print(f"floor               {floor:.2f} s")
    for early in (False, True):
        took, cpu, done = await _once(plan, pace, expert, early=early)
        name = "while it is written" if early else "planning, then all "
        print(
            f"{name} {took:.2f} s ({took / floor:.3f} of the floor), {done} tasks done, {cpu:.3f} CPU s"
        )


async def _once(plan: str, pace: float, expert: float, *, early: bool) -> tuple[float, float, int]:
    async def acts(job: Job) -> Made:
        await asyncio.sleep(expert)
        return Made(
            {slot.name: _made(slot.type.value) for slot in job.kind.makes[:1]} | _image(job)
        )

    async with openai_at_work(OpenAiServer(pace=pace, reply=lambda _: plan)) as server:
        endpoint = Endpoint("played", server.base)
        async with connected(endpoint) as client:
            planner = LlmPlanner(OpenAiLlm(client, endpoint), FakeCatalogue(), early=early)
            bench = Bench(
                planners=[planner],
                responders=[PlainResponder()],
                experts=[ActingExpert(acts)],
                models=[model(kind, kind) for kind in _KINDS],
                pace=Pace(streamed=early),
            )
            bench.files.kept[_FILE.attachment.hash] = b"png"
            began, cpu = time.perf_counter(), time.process_time()
            await bench.answers(request("all of it", files=(_FILE,)))
            took, cpu = time.perf_counter() - began, time.process_time() - cpu
    return took, cpu, sum(isinstance(event, Finished) for event in bench.events)


def _made(name: str) -> Blob | Text:
    return (
        Text("a cat")
        if name == "text"
        else Blob(b"made", f"{name}/{'wav' if name == 'audio' else 'png'}")
    )


def _image(job: Job) -> dict[str, Blob]:
    return {
        slot.name: Blob(b"made", "image/png") for slot in job.kind.makes if slot.name == "image"
    }


def _plan() -> str:
    tasks = [
        {
            "task": kind,
            "id": at,
            "dep": [],
            "args": [{"name": name, "value": value} for name, value in args.items()],
            "model": "",
        }
        for at, (kind, args) in enumerate(_TASKS)
    ]
    return json.dumps({"reply": None, "tasks": tasks})


def _pieces(text: str) -> list[str]:
    return re.findall(r"\s*\w{1,5}|\s*[^\w\s]|\s+", text)


def _floor(plan: str, pace: float, expert: float) -> float:
    """When the last task, or the plan, is done at the earliest."""
    written = [
        len(_pieces(plan[: match.end()])) / pace for match in re.finditer(r'"model": ""\}', plan)
    ]
    ends: list[float] = []
    for (_, args), at in zip(_TASKS, written, strict=True):
        needs = [
            int(found)
            for value in args.values()
            for found in re.findall(r"<GENERATED>-(\d)", value)
        ]
        ends.append(max([at, *(ends[need] for need in needs)]) + expert)
    return max(*ends, len(_pieces(plan)) / pace)


if __name__ == "__main__":
    main()
