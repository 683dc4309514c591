"""Places that refuse our key or are not reached are left alone for a while."""

from dataclasses import dataclass, replace

from pipeline.domain import (
    Choice,
    Done,
    ExpertOutput,
    Failed,
    LocalizedText,
    Model,
    Outcome,
    Proposed,
    Text,
)
from pipeline.errors import (
    ExpertError,
    ExpertRefused,
    ExpertUnavailable,
    PlaceRefused,
    PlaceUnreachable,
)
from pipeline.execution.execute import attempt
from pipeline.ports import Job
from pipeline.selection.candidates import Candidates
from pipeline.selection.catalogues import JoinedCatalogue, ListedCatalogue
from pipeline.selection.choice import select
from pipeline.selection.health import REFUSED_SECONDS, UNREACHABLE_SECONDS, PlaceHealth
from pipeline.task_kinds import KINDS
from pipeline.tools import RunLimits, Tools
from tests.fakes.experts import FakeExpert
from tests.fakes.places import HOSTED, LOCAL
from tests.fakes.stages import Bench, request, task

KIND = KINDS["summarization"]
FAL = Model("a/one", KIND.name, (HOSTED,), providers=("fal-ai:x", "nscale:y"))
NSCALE = Model("a/two", KIND.name, (HOSTED,), providers=("nscale:z",))
OWN = Model("own", KIND.name, (LOCAL,))
DONE = ExpertOutput({"text": Text("short")})
REFUSED = PlaceRefused("expert-credit-used-up", model="a/one")
UNREACHED = PlaceUnreachable("expert-unreachable", model="own")


@dataclass
class Seconds:
    """A clock that goes when told."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def _catalogue(health: PlaceHealth) -> JoinedCatalogue:
    models = ListedCatalogue([FAL, NSCALE, OWN])
    return JoinedCatalogue([models], places=[HOSTED, LOCAL], health=health)


async def _listed(health: PlaceHealth) -> list[tuple[str, tuple[str, ...]]]:
    models = await _catalogue(health).candidates(KIND, limit=9)
    return [(model.id, model.providers) for model in models]


async def test_a_provider_that_refused_our_key_is_not_offered_for_some_minutes() -> None:
    clock = Seconds()
    health = PlaceHealth(clock)

    health.note_failure(HOSTED, "nscale", REFUSED)

    assert await _listed(health) == [("a/one", ("fal-ai:x",)), ("own", ())]
    clock.now += REFUSED_SECONDS
    assert len(await _listed(health)) == 3


async def test_a_place_that_refused_our_key_is_not_offered() -> None:
    health = PlaceHealth()

    health.note_failure(LOCAL, "", PlaceRefused("expert-key-refused", model="own"))

    assert [id_ for id_, _ in await _listed(health)] == ["a/one", "a/two"]


async def test_a_place_is_closed_by_three_failed_connections_in_a_row() -> None:
    clock = Seconds()
    health = PlaceHealth(clock)

    for _ in range(2):
        health.note_failure(LOCAL, "", UNREACHED)
    assert health.is_open(LOCAL, "")
    health.note_failure(LOCAL, "", UNREACHED)

    assert not health.is_open(LOCAL, "")
    clock.now += UNREACHABLE_SECONDS
    assert health.is_open(LOCAL, "")


async def test_a_place_that_stays_away_is_left_alone_for_longer_and_longer() -> None:
    clock = Seconds()
    health, closed = PlaceHealth(clock), list[float]()

    for _ in range(9):
        began = clock.now
        health.note_failure(LOCAL, "", UNREACHED)
        health.note_failure(LOCAL, "", UNREACHED if closed else ExpertRefused("task-bug"))
        while not health.is_open(LOCAL, ""):
            clock.now += 1
        closed += [clock.now - began] if clock.now > began else []

    assert closed == [5, 10, 20, 40, 60, 60, 60]


async def test_a_kind_of_a_place_whose_list_is_away_is_not_told_as_impossible() -> None:
    tools = Bench(experts=[FakeExpert(LOCAL, DONE)], models=[]).tools
    tools.health.unlisted[LOCAL] = LocalizedText("list-unreached-local")

    missing = await tools.explain_missing(KIND)

    assert missing.id == "not-possible-now"
    assert missing.args["reason"] == LocalizedText("list-unreached-local")


async def test_a_call_that_works_opens_the_place_again() -> None:
    health = PlaceHealth()
    for _ in range(2):
        health.note_failure(LOCAL, "", UNREACHED)
    health.note_success(LOCAL, "")
    health.note_failure(LOCAL, "", UNREACHED)
    health.note_failure(HOSTED, "nscale", REFUSED)

    health.note_success(HOSTED, "nscale")

    assert health.is_open(LOCAL, "")
    assert health.is_open(HOSTED, "nscale")


async def test_what_concerns_one_model_closes_nothing() -> None:
    health = PlaceHealth()

    for error in (ExpertRefused("task-bug"), ExpertUnavailable("expert-busy", model="own")):
        for _ in range(9):
            health.note_failure(LOCAL, "", error)

    assert health.is_open(LOCAL, "")


def _tools(hosted: ExpertOutput | ExpertError, own: ExpertOutput | ExpertError) -> Tools:
    experts = [FakeExpert(HOSTED, hosted), FakeExpert(LOCAL, own)]
    limits = RunLimits(backoff=0.001)
    tools = Bench(experts=experts, limits=limits).tools
    return replace(tools, candidates=Candidates(_catalogue(tools.health)))


async def _attempt(tools: Tools) -> Outcome:
    work, choice = task(0, KIND.name, text="long"), await _choose(tools)
    return await attempt(work, choice, Job(KIND, OWN, {}), tools, lambda _: None)


async def _choose(tools: Tools) -> Choice:
    step = await select(Proposed(task(0, KIND.name, text="long")), request(), tools.candidates)
    assert step.choice is not None
    return step.choice


async def test_a_run_does_not_try_a_provider_again_that_refused_the_key() -> None:
    tools = _tools(REFUSED, DONE)

    outcome = await _attempt(tools)

    assert isinstance(outcome, Done)
    tried = [(each.model, each.provider) for each in outcome.tried]
    assert tried == [("a/one", "fal-ai"), ("a/one", "nscale"), ("own", "")]


async def test_the_next_run_does_not_choose_a_closed_place() -> None:
    tools = _tools(REFUSED, DONE)
    await _attempt(tools)

    choice = await _choose(tools)

    assert choice.model == OWN
    assert choice.runners_up == ()


async def test_a_kind_whose_places_are_all_closed_cannot_run_and_it_is_told_why() -> None:
    tools = _tools(REFUSED, UNREACHED)
    outcome = await _attempt(tools)

    assert isinstance(outcome, Failed)
    assert not await tools.candidates.find_places(KIND, request())
    missing = await tools.explain_missing(KIND)
    assert missing.id == "not-possible-now"
    assert missing.args["reason"] == REFUSED.sentence


async def test_a_task_in_a_language_that_no_model_knows_is_told_so() -> None:
    english = Model("en/de", "translation", (LOCAL,), languages=("en", "de"))
    experts = [FakeExpert(LOCAL, DONE)]
    tools = Bench(experts=experts, models=[english]).tools
    work = task(0, "translation", text="hello", language="Japanese")

    missing = await tools.explain_missing(work.kind, work)

    assert missing.id == "not-possible-language"
    assert missing.args["language"] == "Japanese"


async def test_models_made_for_something_else_are_not_told_as_forbidden_by_rules() -> None:
    reranker = Model("acme/reranker", "text-classification", (LOCAL,))
    tools = Bench(experts=[FakeExpert(LOCAL, DONE)], models=[reranker]).tools

    missing = await tools.explain_missing(KINDS["text-classification"])

    assert missing.id == "not-possible-here"


async def test_a_place_that_is_closed_while_a_run_waits_is_skipped() -> None:
    tools = _tools(DONE, DONE)
    choice = await _choose(tools)
    for provider in ("fal-ai", "nscale"):
        tools.health.note_failure(HOSTED, provider, REFUSED)

    work = task(0, KIND.name, text="long")
    outcome = await attempt(work, choice, Job(KIND, OWN, {}), tools, lambda _: None)

    assert isinstance(outcome, Done)
    assert [each.model for each in outcome.tried] == ["own"]


async def test_candidates_without_a_place_to_run_are_no_candidates() -> None:
    health = PlaceHealth()
    for _ in range(3):
        health.note_failure(HOSTED, "", UNREACHED)

    models = await Candidates(_catalogue(health)).shortlist(KIND, request())

    assert models == [OWN]
