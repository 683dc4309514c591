"""Fakes of the ports of a run: planners, responders, media, and a bench with all of them."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.domain import (
    Answer,
    Arg,
    Blob,
    Boxes,
    Event,
    ExpertOutput,
    FileDescription,
    Labels,
    LocalizedText,
    Masks,
    Model,
    Outcome,
    Outcomes,
    Person,
    Place,
    Plan,
    PlanPart,
    Proposed,
    Ref,
    Request,
    RunId,
    Source,
    Task,
    TaskId,
    Text,
    Thread,
)
from pipeline.domain.conversation import Channel
from pipeline.errors import MediaError, TroupeError
from pipeline.ports import (
    Expert,
    Job,
    Planner,
    Records,
    Responder,
    Results,
)
from pipeline.run.answer import answer
from pipeline.selection.candidates import Candidates
from pipeline.task_kinds import KINDS
from pipeline.tools import ReadText, RunLimits, Tools, open_run_journal, read_plain_text
from tests.fakes.experts import FakeCatalogue
from tests.fakes.persistence import FakeFiles, FakeJournal
from tests.fakes.places import LOCAL

ANN = Person("ann", "Ann")
THREAD = Thread(Channel("fake", "team", "general"), "1")


def request(text: str = "please", **more: object) -> Request:
    return Request(run=RunId("run"), thread=THREAD, person=ANN, text=text, **more)  # type: ignore[arg-type]


def task(number: int, kind: str, *after: int, **args: str | Arg | tuple[Arg, ...]) -> Task:
    """A task. Strings become Text."""
    pieces = {
        name: arg if isinstance(arg, tuple) else (Text(arg) if isinstance(arg, str) else arg,)
        for name, arg in args.items()
    }
    return Task(TaskId(number), KINDS[kind], pieces, frozenset(map(TaskId, after)))


def ref(number: int, slot: str) -> Ref:
    return Ref(TaskId(number), slot)


def model(name: str, kind: str, *places: Place) -> Model:
    return Model(name, kind, places or (LOCAL,))


@dataclass
class FakePlanner:
    """Yields the parts, then raises the error if there is one. Records its requests."""

    parts: Sequence[PlanPart] = ()
    error: TroupeError | None = None
    name: str = "fake"
    requests: list[Request] = field(default_factory=list)
    closed_early: int = 0
    """Plans that were closed before their end."""

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        self.requests.append(request)
        try:
            for part in self.parts:
                yield part
        except GeneratorExit:
            self.closed_early += 1
            raise
        if self.error is not None:
            raise self.error


@dataclass
class FakeResponder:
    """Yields the pieces, then raises the error if there is one. Records the outcomes."""

    pieces: Sequence[str] = ("Here ", "you are.")
    error: TroupeError | None = None
    name: str = "fake"
    outcomes: list[Outcomes] = field(default_factory=list)

    async def respond(
        self, request: Request, plan: Plan, outcomes: Outcomes
    ) -> AsyncGenerator[str]:
        self.outcomes.append(outcomes)
        for piece in self.pieces:
            yield piece
        if self.error is not None:
            raise self.error


@dataclass
class FakeMedia:
    """Trusts the type of a file; an empty one is unreadable. Records what it drew."""

    seconds: float = 0.0
    """The length of every file."""
    drawn: list[str] = field(default_factory=list)
    labelled: list[dict[str, str]] = field(default_factory=list)
    left_out: LocalizedText | None = None
    """The note of every conversion."""

    async def describe(self, blob: Blob) -> FileDescription:
        if not blob.data:
            raise MediaError("task-input-unreadable", file=blob.name)
        words = f"{blob.type}, {len(blob.data)} bytes"
        return FileDescription(blob.media_type, words, self.seconds)

    async def convert(self, blob: Blob, media_type: str) -> Blob:
        self.drawn.append(media_type)
        return Blob(b"as " + media_type.encode(), media_type, blob.name, note=self.left_out)

    async def fit(self, blob: Blob, max_bytes: int) -> Blob:
        return Blob(blob.data[:max_bytes], blob.media_type, blob.name)

    async def preview(self, image: Blob, side: int) -> Blob:
        if not image.data:
            raise MediaError("media-broken", kind="picture")
        self.drawn.append("preview")
        return Blob(image.data, "image/jpeg", image.name)

    async def find_cut_out(self, picture: Blob) -> Blob | None:
        return Blob(b"alpha", "image/png") if b"transparent" in picture.data else None

    async def draw_boxes(self, image: Blob, boxes: Boxes) -> Blob:
        self.drawn.append("boxes")
        return Blob(image.data + b" with boxes", "image/png")

    async def draw_masks(self, image: Blob, masks: Masks) -> Blob:
        self.drawn.append("masks")
        return Blob(image.data + b" with masks", "image/png")

    async def chart(self, labels: Labels) -> Blob:
        return Blob(b"chart", "image/png")

    async def draw_depth(self, depth: Blob) -> Blob:
        self.drawn.append("depth")
        return Blob(depth.data + b" in colours", "image/png")

    async def draw_table(self, table: Blob) -> Blob:
        self.drawn.append("table")
        return Blob(b"table", "image/png")

    async def label(self, blob: Blob, made: Mapping[str, str]) -> Blob:
        self.labelled.append(dict(made))
        return blob


Play = Callable[[Job], Awaitable[ExpertOutput]]


@dataclass
class ActingExpert:
    """Runs the test's function. Records its jobs and how many ran at once, at most."""

    act: Play
    place: Place = LOCAL
    jobs: list[Job] = field(default_factory=list)
    working: int = 0
    most: int = 0

    async def run(self, job: Job) -> ExpertOutput:
        self.jobs.append(job)
        self.working += 1
        self.most = max(self.most, self.working)
        try:
            return await self.act(job)
        finally:
            self.working -= 1


class FakeResults:
    """No results of earlier runs."""

    async def find_results(self, thread: Thread) -> Mapping[str, Source]:
        return {}

    async def load_outcome(self, source: Source) -> Outcome | None:
        return None


@dataclass
class Bench:
    """Tools made of fakes, and the events of the runs."""

    planners: Sequence[Planner] = ()
    responders: Sequence[Responder] = field(default_factory=lambda: (FakeResponder(),))
    experts: Sequence[Expert] = ()
    models: Sequence[Model] = ()
    limits: RunLimits = field(default_factory=lambda: RunLimits(backoff=0.0))
    journal: FakeJournal = field(default_factory=FakeJournal)
    files: FakeFiles = field(default_factory=FakeFiles)
    media: FakeMedia = field(default_factory=FakeMedia)
    results: Results = field(default_factory=FakeResults)
    records: Records = field(default_factory=dict)
    read_text: ReadText = read_plain_text
    events: list[Event] = field(default_factory=list)

    async def answers(self, request: Request) -> Answer:
        """Run a request through the stages, with its journal."""
        journal = await open_run_journal(request.run, self.journal)
        return await answer(request, self.tools, journal, self.events.append)

    @property
    def tools(self) -> Tools:
        return Tools(
            planners=tuple(self.planners),
            responders=tuple(self.responders),
            candidates=Candidates(FakeCatalogue(self.models), records=self.records),
            experts={expert.place: expert for expert in self.experts},
            files=self.files,
            media=self.media,
            journal=self.journal,
            results=self.results,
            limits=self.limits,
            read_text=self.read_text,
        )


def planning(*tasks: Task) -> FakePlanner:
    return FakePlanner([Proposed(task) for task in tasks])


async def never() -> None:
    """Waits until cancelled."""
    await asyncio.Event().wait()
