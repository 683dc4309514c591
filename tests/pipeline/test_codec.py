"""Every value comes back from its JSON as it went in."""

from dataclasses import replace

import pytest

from pipeline.codec import VERSION, dump, load, register_places
from pipeline.domain import (
    Attachment,
    Box,
    Boxes,
    Done,
    Event,
    FileHash,
    Finished,
    Incoming,
    LocalizedText,
    Mask,
    Masks,
    Media,
    Model,
    Outcome,
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
    Skipped,
    Task,
    TaskId,
    Text,
)
from pipeline.task_kinds import KINDS
from tests.fakes.places import EMBEDDED

PICTURE = Media(Attachment(hash=FileHash("aa"), media_type="image/png", name="a.png", size=3))
FIND = Task(TaskId(0), KINDS["object-detection"], {"image": (PICTURE,)})
SPEAK = Task(
    TaskId(1),
    KINDS["text-to-speech"],
    {"text": (Text("I see "), Ref(TaskId(0), "boxes"))},
    frozenset({TaskId(0)}),
)
FOUND = Done(
    Output(
        {
            "boxes": Boxes((Box("face", 0.5, xmin=1, ymin=2, xmax=3, ymax=4),)),
            "image": PICTURE,
            "masks": Masks((Mask("face", None, PICTURE),)),
        }
    ),
    took=1.5,
    model=Model("m", "object-detection", (EMBEDDED,)),
    place=EMBEDDED,
)


def test_a_run_comes_back_as_it_went_in() -> None:
    run = Run(
        id=RunId("r"),
        thread="thread",
        person="person",
        text="find and say",
        state=RunState.ANSWERED,
        plan=Plan((FIND, SPEAK)),
        repairs=(Repair(LocalizedText("stopped"), TaskId(0)),),
        outcomes={TaskId(0): FOUND, TaskId(1): Skipped(TaskId(0))},
    )

    assert load(Run, dump(run)) == run


def test_a_member_of_a_union_comes_back_as_the_same_class() -> None:
    event = Finished(TaskId(0), FOUND)
    parts = (Proposed(FIND), Replied("hello"))

    assert load(Event, dump(event, Event)) == event
    assert load(tuple[PlanPart, ...], dump(parts, tuple[PlanPart, ...])) == parts


def test_a_sentence_may_hold_sentences() -> None:
    sentence = LocalizedText(
        "fallback-planner", {"reason": LocalizedText("task-too-long", {"seconds": 3})}
    )

    assert load(LocalizedText, dump(sentence)) == sentence


def test_what_is_no_such_value_is_refused() -> None:
    with pytest.raises(ValueError, match="Run"):
        load(Run, '{"id": 3}')


def test_a_message_of_the_first_edition_is_upgraded() -> None:
    stored = (
        '{"id":"1","thread":{"channel":{"platform":"slack","workspace":"T","id":"C"},"root":"1"},'
        '"person":{"id":"U","name":"Ann"},"text":"hi","files":[],"at":"2026-01-01T00:00:00+00:00",'
        '"heard":{"mentioned":true}}'
    )

    message = load(Incoming, stored)

    assert message.addressing.mentioned


def test_a_value_of_a_newer_version_is_not_read() -> None:
    stored = dump(FOUND, Outcome).replace(f'"version":{VERSION}', f'"version":{VERSION + 1}')

    with pytest.raises(ValueError, match="newer"):
        load(Outcome, stored)


def test_a_kind_that_no_longer_exists_is_not_read() -> None:
    stored = dump(Plan((FIND,))).replace("object-detection", "object-divination")

    with pytest.raises(ValueError, match="not a"):
        load(Plan, stored)


def test_a_place_is_stored_by_name_and_loaded_as_it_was_registered() -> None:
    register_places([EMBEDDED])

    loaded = load(Outcome, dump(FOUND, Outcome))

    assert '"place":"embedded"' in dump(FOUND, Outcome)
    assert loaded.place is EMBEDDED


def test_a_place_that_is_not_known_any_more_keeps_its_name() -> None:
    stored = dump(replace(FOUND, place=Place(name="gone")), Outcome)

    assert load(Outcome, stored).place.name == "gone"
