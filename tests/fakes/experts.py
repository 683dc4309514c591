"""Fakes of the ports to models."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pipeline.domain import ExpertOutput, Model, Place, TaskKind, Text
from pipeline.errors import ExpertError
from pipeline.ports import Expert, Job
from pipeline.task_kinds import KINDS
from pipeline.tools import Tools
from tests.fakes.jobs import picture, sheet, tone
from tests.fakes.places import EMBEDDED, HOSTED


@dataclass
class FakeExpert:
    """Returns or raises the answer for the model, for the kind, or `answer`. Records its jobs."""

    place: Place = EMBEDDED
    answer: ExpertOutput | ExpertError = field(
        default_factory=lambda: ExpertOutput({"text": Text("done")})
    )
    answers: Mapping[str, ExpertOutput | ExpertError] = field(default_factory=dict)
    jobs: list[Job] = field(default_factory=list)

    async def run(self, job: Job) -> ExpertOutput:
        self.jobs.append(job)
        by_kind = self.answers.get(job.kind.name, self.answer)
        answer = self.answers.get(job.model.id, by_kind)
        if isinstance(answer, ExpertError):
            raise answer
        return answer


@dataclass
class FakeCatalogue:
    """Lists the given models, in order."""

    models: Sequence[Model] = ()

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        return [model for model in self.models if model.kind == kind.name][:limit]

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        name = model.casefold()
        of_kind = [known for known in self.models if kind in ("", known.kind)]
        exact = [known for known in of_kind if known.id.casefold() == name]
        short = [known for known in of_kind if known.id.casefold().endswith(f"/{name}")]
        matches = exact or (short if len({known.id for known in short}) == 1 else [])
        return matches[0] if matches else None

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        return [
            model
            for model in self.models
            if kind in ("", model.kind)
            and all(
                word in f"{model.id} {model.description}".lower() for word in words.lower().split()
            )
        ][:limit]


def full_catalogue(*models: Model) -> FakeCatalogue:
    """These models, and one more for each kind: every kind can run."""
    return FakeCatalogue([*models, *(Model(f"any/{k}", k, (HOSTED,)) for k in KINDS)])


@dataclass(frozen=True)
class Memory:
    """What was made of which job."""

    outputs: dict[str, ExpertOutput] = field(default_factory=dict)
    locks: dict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))


@dataclass(frozen=True)
class RememberingExpert:
    """An expert that works once for equal jobs."""

    expert: Expert
    memory: Memory

    @property
    def place(self) -> Place:
        return self.expert.place

    async def run(self, job: Job) -> ExpertOutput:
        name = f"{job.kind.name} {job.locale} {sorted(job.args.items())!r}"
        async with self.memory.locks[name]:
            if name not in self.memory.outputs:
                self.memory.outputs[name] = await self.expert.run(job)
        return self.memory.outputs[name]


def remember_embedded(tools: Tools, memory: Memory) -> Tools:
    """The same tools, whose embedded expert works once for equal jobs."""
    embedded = RememberingExpert(tools.experts[EMBEDDED], memory)
    return replace(tools, experts={**tools.experts, EMBEDDED: embedded})


_TEXT = ExpertOutput({"text": Text("Fresh bread every day.")})
_PICTURE = ExpertOutput({"image": picture()})
_BUILT_IN = {
    "audio-to-audio": ExpertOutput({"audio": tone()}),
    "canny-control": _PICTURE,
    "document-to-text": _TEXT,
    "optical-character-recognition": _TEXT,
    "scribble-control": _PICTURE,
    "tabular-classification": ExpertOutput({"table": sheet("survived", "yes")}),
}


def play_embedded(tools: Tools) -> Tools:
    """The same tools, whose embedded expert does at once what the paper's requests ask of it.

    The real one would hold up everything else where it works in this process.
    """
    embedded = FakeExpert(EMBEDDED, answers=_BUILT_IN)
    return replace(tools, experts={**tools.experts, EMBEDDED: embedded})
