"""Steps that nobody asked for and nobody uses are left out visibly; in doubt they stay."""

from pipeline.domain import Proposed, Repaired, Request, TaskKind, Withdrawn
from pipeline.planning.planner import LlmPlanner
from pipeline.table import KINDS
from tests.fakes.experts import FakeCatalogue
from tests.fakes.llm import FakeLlm
from tests.pipeline.planning.builders import file, request

REPORT = request("what are the main points of this?", file("document 1", "report.pdf"))
PICTURE = request("draw a cat and say what is on it")
TEXT_OUT = '{"task": "document-to-text", "id": 0, "dep": [-1], "args": {"document": "document 1"}}'
ASK = (
    '{"task": "document-question-answering", "id": 1, "dep": [-1], '
    '"args": {"document": "document 1", "question": "what are the main points?"}}'
)


async def _planned(
    asked: Request, plan: str, *likely: str, early: bool = False
) -> tuple[list[str], list[str]]:
    """The kinds of the tasks that stand, and what was told."""

    def foreseen(_request: Request) -> list[TaskKind]:
        return [KINDS[name] for name in likely]

    planner = LlmPlanner(FakeLlm([plan]), FakeCatalogue(), foreseen, early=early)
    parts = [part async for part in planner.plan(asked)]
    gone = {part.task for part in parts if isinstance(part, Withdrawn)}
    tasks = [part.task for part in parts if isinstance(part, Proposed)]
    told = [part.repair.what.id for part in parts if isinstance(part, Repaired)]
    told += [part.because.id for part in parts if isinstance(part, Withdrawn)]
    return [task.kind.name for task in tasks if task.id not in gone], told


async def test_a_mere_means_beside_a_step_that_takes_the_document_itself_is_left_out() -> None:
    for early in (False, True):
        kinds, told = await _planned(
            REPORT, f"[{TEXT_OUT}, {ASK}]", "document-question-answering", early=early
        )

        assert kinds == ["document-question-answering"]
        assert told == ["plan-needless"]


async def test_what_the_request_may_ask_for_stays() -> None:
    kinds, told = await _planned(
        REPORT, f"[{TEXT_OUT}, {ASK}]", "document-question-answering", "document-to-text"
    )

    assert kinds == ["document-to-text", "document-question-answering"]
    assert told == []


async def test_the_only_step_and_one_that_is_used_stay() -> None:
    summary = '{"task": "summarization", "id": 1, "dep": [0], "args": {"text": "<GENERATED>-0"}}'

    assert (await _planned(REPORT, f"[{TEXT_OUT}]"))[0] == ["document-to-text"]
    assert (await _planned(REPORT, f"[{TEXT_OUT}, {summary}]"))[0] == [
        "document-to-text",
        "summarization",
    ]


async def test_of_two_pictures_of_the_same_the_one_that_nothing_goes_on_with_is_left_out() -> None:
    plan = """[{"task": "text-to-image", "id": 0, "args": {"text": "a cat"}},
        {"task": "text-to-image", "id": 1, "args": {"text": "a cat"}},
        {"task": "image-to-text", "id": 2, "dep": [1], "args": {"image": "<GENERATED>-1"}}]"""
    for early in (False, True):
        kinds, told = await _planned(PICTURE, plan, early=early)

        assert kinds == ["text-to-image", "image-to-text"]
        assert told == ["plan-double"]


async def test_two_pictures_that_were_asked_for_and_a_comparison_of_models_stay() -> None:
    two = """[{"task": "text-to-image", "id": 0, "args": {"text": "a cat"}},
        {"task": "text-to-image", "id": 1, "args": {"text": "a cat"}}]"""
    models = """[{"task": "text-to-image", "id": 0, "args": {"text": "a cat"}, "model": "x"},
        {"task": "text-to-image", "id": 1, "args": {"text": "a cat"}, "model": "y"},
        {"task": "image-to-text", "id": 2, "dep": [1], "args": {"image": "<GENERATED>-1"}}]"""

    assert (await _planned(PICTURE, two))[1] == []
    assert (await _planned(PICTURE, models))[1] == []


async def test_a_transcript_that_stands_twice_stays_since_it_may_be_wanted_and_is_made_once() -> (
    None
):
    asked = request("write it down and sum it up", file("audio 1", "a.wav"))
    heard = '{"task": "automatic-speech-recognition", "id": %d, "args": {"audio": "audio 1"}}'
    summary = '{"task": "summarization", "id": 2, "dep": [1], "args": {"text": "<GENERATED>-1"}}'

    kinds, told = await _planned(asked, f"[{heard % 0}, {heard % 1}, {summary}]")

    assert len(kinds) == 3
    assert told == []


VOICE = request("what is this about?", file("sound 1", "s.wav"))
HEARD = (
    '{"task": "automatic-speech-recognition", "id": 0, "dep": [-1], "args": {"audio": "sound 1"}}'
)
ALOUD = '{"task": "text-to-speech", "id": 1, "dep": [0], "args": {"text": "<GENERATED>-0"}}'


def _after(kind: str, slot: str, task: int) -> str:
    return f'{{"task": "{kind}", "id": 2, "dep": [{task}], "args": {{"{slot}": "<GENERATED>-{task}"}}}}'


async def test_what_was_written_down_is_not_read_aloud_for_a_step_that_takes_words() -> None:
    for early in (False, True):
        summary = _after("summarization", "text", 1)
        kinds, told = await _planned(VOICE, f"[{HEARD}, {ALOUD}, {summary}]", early=early)

        assert kinds == ["automatic-speech-recognition", "summarization"]
        assert sorted(told) == ["plan-detour", "plan-passed-on"]


async def test_what_is_read_aloud_for_its_sound_stays() -> None:
    for last in (_after("audio-to-audio", "audio", 1), _after("summarization", "text", 0)):
        kinds, told = await _planned(VOICE, f"[{HEARD}, {ALOUD}, {last}]")

        assert kinds[:2] == ["automatic-speech-recognition", "text-to-speech"]
        assert told == []
