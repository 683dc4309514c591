"""Twenty runs at once in twenty Slack channels, with Slack's documented limits in force.

Run: python -m benchmarks.slack_load
"""

import asyncio
import statistics
import time
from collections.abc import AsyncIterator

import structlog

from pipeline.domain import (
    Answer,
    Answered,
    Apologised,
    Choice,
    Chose,
    Event,
    Incoming,
    Model,
    Place,
    Plan,
    Planned,
    Progressed,
    RunId,
    Sentence,
    Started,
    Task,
    TaskId,
)
from pipeline.table import KINDS
from tests.adapters.slack.stage import BOT, Stage, listening
from tests.servers.slack import SlackServer
from tests.servers.slack.workspace import ANNA, BOT_USER, Channel

RUNS, SECONDS = 20, 6.0
MODEL = Model("org/model", "text-to-image", (Place.LOCAL,))
TASK = Task(TaskId(1), KINDS["text-to-image"], {})


class Clock:
    """When what happened."""

    def __init__(self) -> None:
        self.told: dict[str, float] = {}
        self.seen: dict[str, list[float]] = {"acknowledged": [], "plan": [], "end": []}

    def note(self, what: str, run: str) -> None:
        self.seen[what].append((time.perf_counter() - self.told[f"{what} {run}"]) * 1000)


async def events(run: RunId, clock: Clock, *, stopped: bool) -> AsyncIterator[Event]:
    clock.told[f"plan {run}"] = time.perf_counter()
    yield Planned(Plan((TASK,)))
    yield Chose(TASK.id, Choice(MODEL, Sentence("chosen-only")))
    yield Started(TASK.id, MODEL.id, Place.LOCAL)
    for step in range(int(SECONDS * 2)):
        await asyncio.sleep(0.5)
        yield Progressed(TASK.id, step / (SECONDS * 2))
    clock.told[f"end {run}"] = time.perf_counter()
    if stopped:
        yield Apologised(Sentence("stopped"), "R-1")
    else:
        yield Answered(Answer(run, "Here is the answer."))


async def one(stage: Stage, message: Incoming, run: RunId, clock: Clock) -> None:
    slack, channel, root = stage.slack, message.thread.channel.id, message.thread.root
    async with asyncio.TaskGroup() as tasks:
        stopped = hash(run) % 4 == 0
        tasks.create_task(stage.chat.follow(message, run, events(run, clock, stopped=stopped)))
        await slack.until(lambda: slack.said(channel, root))
        clock.note("plan", run)
        end = "Stopped." if stopped else "Here is the answer."
        await slack.until(lambda: slack.said(channel, root)[0].text == end)
        clock.note("end", run)


async def measure() -> None:
    structlog.configure(processors=[_silent])
    async with SlackServer() as slack:
        slack.limits.on = True
        for number in range(RUNS):
            channel = Channel(f"C0CHANNEL{number:02d}", f"c{number}", members={ANNA, BOT_USER})
            slack.space.channels[channel.id] = channel
        stage, clock = Stage(slack, ping=5, real=True), Clock()
        async with listening(stage):
            for channel_id in [c for c in slack.space.channels if c.startswith("C0CHANNEL")]:
                clock.told[f"acknowledged {channel_id}"] = time.perf_counter()
                slack.people.say(f"{BOT} draw", channel=channel_id)
            acknowledged = 0
            while acknowledged < RUNS:
                count = acknowledged
                await slack.until(lambda count=count: len(slack.space.statuses) > count)  # type: ignore[misc]
                for status in slack.space.statuses[acknowledged:]:
                    clock.note("acknowledged", status["channel_id"])
                acknowledged = len(slack.space.statuses)
            async with asyncio.TaskGroup() as tasks:
                for message, run in stage.listener.heard:
                    tasks.create_task(one(stage, message, run, clock))
        _print(slack, clock)


def _print(slack: SlackServer, clock: Clock) -> None:
    for what, times in clock.seen.items():
        median, most = statistics.median(times), max(times)
        print(f"{what:14} {len(times):3}  median {median:7.0f} ms   most {most:7.0f} ms")
    print(f"calls {len(slack.calls.made)}, edits {slack.calls.count('chat.update')}")
    print(f"over a limit {slack.limits.exceeded}, asked too soon {slack.limits.called_too_soon}")
    print(f"invalid calls {slack.violations}")


def _silent(*_: object) -> dict[str, str]:
    raise structlog.DropEvent


if __name__ == "__main__":
    asyncio.run(measure())
