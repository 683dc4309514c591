"""A planner and experts that all platforms' tests share: pictures, sounds, or a reply."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from adapters.embedded.planner import EmbeddedPlanner
from pipeline.domain import Blob, ExpertOutput, PlanPart, Proposed, Replied, Request, Task, Text
from pipeline.ports import Job
from tests.fakes.stages import ActingExpert, Bench, model, never, task

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 40
WAV = b"RIFF____WAVE"


@dataclass
class Obliging:
    """Plans a picture and a sound for "picture", a sound for "aloud", else a reply."""

    name: str = "obliging"

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        tasks: list[Task] = []
        if "picture" in request.text:
            tasks.append(task(1, "text-to-image", text=request.text))
        if "picture" in request.text or "aloud" in request.text:
            tasks.append(task(2, "text-to-speech", text=request.text))
        for each in tasks:
            yield Proposed(each)
        if not tasks:
            files = ", ".join(file.attachment.name for file in request.files)
            yield Replied(f"You said: {request.text} {files}".strip())


async def _make(job: Job) -> ExpertOutput:
    if job.kind.name == "text-to-image":
        return ExpertOutput({"image": Blob(PNG + b"made", "image/png", "picture.png")})
    return ExpertOutput({"audio": Blob(WAV + repr(job.args).encode(), "audio/wav", "sound.wav")})


async def stall(_: Job) -> ExpertOutput:
    await never()
    raise AssertionError


async def _shorten(job: Job) -> ExpertOutput:
    (text,) = job.args["text"]
    assert isinstance(text, Text)
    return ExpertOutput({"text": Text(f"In short: {text.text}")})


def summarizing(expert: ActingExpert) -> Bench:
    """The built-in planner, and an expert for summaries."""
    models = [model("shortener", "summarization")]
    return Bench(planners=[EmbeddedPlanner()], experts=[expert], models=models)


def shortener() -> ActingExpert:
    """An expert that sums up nothing, but keeps what it was given."""
    return ActingExpert(_shorten)


def obliging(expert: ActingExpert | None = None) -> Bench:
    models = [model("painter", "text-to-image"), model("speaker", "text-to-speech")]
    return Bench(planners=[Obliging()], experts=[expert or ActingExpert(_make)], models=models)
