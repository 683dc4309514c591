"""Fakes of the ports to models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.domain import ExpertOutput, Model, Place, TaskKind, Text
from pipeline.errors import ExpertError
from pipeline.ports import Job
from pipeline.task_kinds import KINDS


@dataclass
class FakeExpert:
    """Returns or raises the answer for the model, for the kind, or `answer`. Records its jobs."""

    place: Place = Place.EMBEDDED
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
    return FakeCatalogue([*models, *(Model(f"any/{k}", k, (Place.HOSTED,)) for k in KINDS)])
