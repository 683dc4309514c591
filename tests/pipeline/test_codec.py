"""Every value comes back from its JSON as it went in."""

import pytest

from pipeline.codec import dump, load, load_union
from pipeline.domain import (
    Attachment,
    Box,
    Boxes,
    Done,
    Event,
    FileHash,
    Finished,
    Media,
    Model,
    Output,
    Place,
    Plan,
    PlanPart,
    Proposed,
    Ref,
    Repair,
    Replied,
    Run,
    RunId,
    RunState,
    Sentence,
    Skipped,
    Task,
    TaskId,
    Text,
)
from pipeline.table import KINDS

PICTURE = Media(Attachment(FileHash("aa"), "image/png", "a.png", 3))
FIND = Task(TaskId(0), KINDS["object-detection"], {"image": (PICTURE,)})
SPEAK = Task(
    TaskId(1),
    KINDS["text-to-speech"],
    {"text": (Text("I see "), Ref(TaskId(0), "boxes"))},
    frozenset({TaskId(0)}),
)
FOUND = Done(
    Output({"boxes": Boxes((Box("face", 0.5, 1, 2, 3, 4),)), "image": PICTURE}),
    1.5,
    Model("m", "object-detection", (Place.EMBEDDED,)),
    Place.EMBEDDED,
)


def test_a_run_comes_back_as_it_went_in() -> None:
    run = Run(
        RunId("r"),
        "thread",
        "person",
        "find and say",
        RunState.ANSWERED,
        Plan((FIND, SPEAK)),
        (Repair(Sentence("stopped"), TaskId(0)),),
        {TaskId(0): FOUND, TaskId(1): Skipped(TaskId(0))},
    )

    assert load(Run, dump(run)) == run


def test_a_member_of_a_union_comes_back_as_the_same_class() -> None:
    event = Finished(TaskId(0), FOUND)
    parts = (Proposed(FIND), Replied("hello"))

    assert load_union(Event, dump(event, Event)) == event
    assert load(tuple[PlanPart, ...], dump(parts, tuple[PlanPart, ...])) == parts


def test_a_sentence_may_hold_sentences() -> None:
    sentence = Sentence("fallback-planner", {"reason": Sentence("task-too-long", {"seconds": 3})})

    assert load(Sentence, dump(sentence)) == sentence


def test_what_is_no_such_value_is_refused() -> None:
    with pytest.raises(ValueError, match="Run"):
        load(Run, '{"id": 3}')
