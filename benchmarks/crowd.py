"""Many people at once with the built-in experts: who waits how long, and who is finished first.

    python -m benchmarks.crowd [--people 36]

The program runs in its own process with two workers, the built-in planner and experts, and gets
requests over its HTTP API, 20 ms apart: text in a picture read aloud, text in a picture summarised,
edges of a picture. Times count from the first request.

* work: the processor time of the program and its workers. Half of it is done at the median answer
  if requests are finished one after the other, whatever else the machine does.
* overtaken: the share of pairs that finished in reverse order.
"""

import argparse
import asyncio
import base64
import io
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import median

from aiohttp import ClientSession, ClientTimeout
from PIL import Image, ImageDraw, ImageFont

from benchmarks.orchestration import processor
from tests.e2e.program import Program, at_work

WISHES = (
    "Read the text in this picture and read it aloud.",
    "Extract the text of this picture and summarize it.",
    "Draw the edges of this picture.",
)
LINES = (
    "The meeting of the housing committee begins at nine.",
    "Please bring the plans of the second floor with you.",
    "Afterwards there is coffee in the room by the garden.",
    "The minutes of the last meeting are on the notice board.",
)


def draw(person: int) -> str:
    """A page of text, different for each person, as base64."""
    page = Image.new("RGB", (1400, 1000), "white")
    font = ImageFont.load_default(32)
    for number in range(16):
        line = f"{person}.{number} {LINES[number % len(LINES)]}"
        ImageDraw.Draw(page).text((40, 30 + 58 * number), line, "black", font)
    png = io.BytesIO()
    page.save(png, "PNG")
    return base64.b64encode(png.getvalue()).decode()


@dataclass(frozen=True)
class Reply:
    """When an answer came, the processor time until then, and how each step ended."""

    at: float
    work: float
    ends: tuple[str, ...]


async def ask(session: ClientSession, program: Program, person: int, picture: str) -> Reply:
    file = {"name": "page.png", "data_base64": picture}
    body = {"text": WISHES[person % len(WISHES)], "attachments": [file]}
    async with session.post(f"{program.address}/api/chat", json=body) as response:
        answer = await response.json()
    outcomes = answer.get("outcomes", ())
    return Reply(
        time.perf_counter(),
        processor(program.process.pid),
        tuple(str(outcome.get("reason") or outcome["state"]) for outcome in outcomes)
        or (str(answer.get("error", answer)),),
    )


async def measure(people: int) -> None:
    pictures = [draw(person) for person in range(people)]
    async with ClientSession(timeout=ClientTimeout(total=1200)) as session:
        with tempfile.TemporaryDirectory() as home:
            async with at_work(Path(home)) as program:
                for person, picture in enumerate(pictures[: len(WISHES)]):
                    print((await ask(session, program, person, picture)).ends)
                before, began = processor(program.process.pid), time.perf_counter()
                async with asyncio.TaskGroup() as group:
                    asked = []
                    for person, picture in enumerate(pictures):
                        asked.append(group.create_task(ask(session, program, person, picture)))
                        await asyncio.sleep(0.02)
    report([task.result() for task in asked], began, before)


def report(replies: Sequence[Reply], began: float, before: float) -> None:
    ends = Counter(end for reply in replies for end in reply.ends)
    times = [reply.at - began for reply in replies]
    pairs = list(combinations(times, 2))
    overtaken = sum(later < earlier for earlier, later in pairs) / len(pairs)
    print(f"{len(replies)} at once, steps: {dict(ends)}")
    work = [reply.work - before for reply in replies]
    print(
        f"first {min(times):.1f} s, median {median(times):.1f} s, last {max(times):.1f} s, "
        f"work {max(work):.1f} s, done at the median answer {median(work) / max(work):.0%}, "
        f"overtaken {overtaken:.0%}"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--people", type=int, default=36)
    asyncio.run(measure(options.parse_args().people))


if __name__ == "__main__":
    main()
