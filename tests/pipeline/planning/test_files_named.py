"""Files of earlier turns by the names people use, for both planners."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from adapters.embedded.planner import EmbeddedPlanner
from pipeline.domain import (
    Context,
    Media,
    NamedFile,
    Person,
    Proposed,
    Request,
    Turn,
)
from pipeline.task_kinds import KINDS
from tests.fakes.llm import FakeLlm
from tests.pipeline.planning.builders import ANNA, file, media, planning_prompt, request
from tests.pipeline.planning.test_planner import a_plan, planned

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
BOT = Person("troupe", "Troupe", is_bot=True)


def made(name: str, own: str, about: str) -> NamedFile:
    found = file(name, own)
    return replace(found, attachment=replace(found.attachment, description=about))


BEACH, CITY = file("image 1", "beach.jpg"), file("image 2", "city at night.jpg")
INVOICE, REPORT = file("document 1", "invoice.pdf"), file("document 2", "report 2026.pdf")
BOAT = made("image 3", "out.jpg", "Image made from: a red boat")
SENT = (BEACH, CITY, INVOICE, REPORT)
TURNS = (
    Turn(key="t1", person=ANNA, text="look at these", files=SENT, at=NOON),
    Turn(
        key="t2",
        person=BOT,
        text="Here is the boat.",
        files=(BOAT,),
        at=NOON + timedelta(minutes=1),
    ),
)


BEFORE = Context(TURNS)


def asked(text: str, context: Context = BEFORE) -> Request:
    return replace(request(text), context=context)


def told(wanted: Request) -> str:
    return planning_prompt(wanted).messages[1].text


def test_earlier_files_are_listed_with_both_names_and_what_is_in_them() -> None:
    words = told(asked("and now?"))

    assert "image 2 (city at night.jpg)" in words
    assert "document 1 (invoice.pdf)" in words
    assert "image 3 (out.jpg): Image made from: a red boat" in words


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("image 2", CITY),
        ("Image-2", CITY),
        ("city at night.jpg", CITY),
        ("city at night", CITY),
        ("invoice", INVOICE),
        ("Invoice.PDF", INVOICE),
        ("report 2026", REPORT),
        ("document 2", REPORT),
    ],
)
async def test_a_plan_may_call_a_file_by_any_of_its_names(name: str, meant: NamedFile) -> None:
    kind = "image-to-text" if "image" in meant.name else "document-to-text"
    slot = KINDS[kind].takes[0].name
    row = {"task": kind, "id": 0, "dep": [], "args": [{"name": slot, "value": name}], "model": ""}

    parts = await planned(FakeLlm([a_plan(row)]), asked("do it"))

    task = next(part.task for part in parts if isinstance(part, Proposed))
    assert task.args[slot] == media(meant)


async def test_the_built_in_planner_does_not_take_image_1_for_image_12() -> None:
    many = tuple(file(f"image {at}", f"p{at}.jpg") for at in range(1, 15))
    context = Context((Turn(key="t1", person=ANNA, text="look", files=many, at=NOON),))

    parts = [part async for part in EmbeddedPlanner().plan(asked("describe image 12", context))]

    tasks = [part.task for part in parts if isinstance(part, Proposed)]
    assert [task.args["image"] for task in tasks] == [media(many[11])]


def test_a_name_of_nothing_is_no_file() -> None:
    assert asked("x").file("") is None
    assert asked("x").file("invoice 2") is None


def test_words_are_no_result_although_its_name_was_made_of_them() -> None:
    drawn = Turn(key="t3", person=BOT, text="", files=(file("image 4", "red-boat.png"),), at=NOON)
    wanted = asked("draw a red boat", Context((*TURNS, drawn)))

    assert wanted.file("red boat") is None
    assert wanted.file("red-boat.png") == wanted.file("image 4") == drawn.files[0]


def test_files_from_before_the_told_turns_are_listed_when_they_are_named() -> None:
    older = tuple(file(f"image {at}", f"pic{at}.jpg") for at in range(10, 40))
    context = Context(TURNS, older=(file("image 9", "sunset.jpg"), *older))

    assert "sunset" not in told(asked("describe it", context))
    assert "image 9 (sunset.jpg)" in told(asked("describe image 9", context))
    assert "image 9 (sunset.jpg)" in told(asked("what is in the Sunset picture?", context))
    assert asked("x", context).file("image 9") == file("image 9", "sunset.jpg")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("describe image 2", CITY),
        ("caption beach.jpg", BEACH),
        ("describe the second picture", CITY),
        ("what is the total of document 1?", INVOICE),
        ("what is the total in invoice.pdf?", INVOICE),
        ("beschreibe Bild 1", BEACH),
        ("décris la photo 2", CITY),
        ("描述一下图片2", CITY),
        ("what does the invoice pdf say in total?", INVOICE),
        ("what is the total of the invoice?", INVOICE),
    ],
)
async def test_the_built_in_planner_takes_the_file_that_is_named(
    text: str, meant: NamedFile
) -> None:
    parts = [part async for part in EmbeddedPlanner().plan(asked(text))]

    used = {
        arg.attachment
        for part in parts
        if isinstance(part, Proposed)
        for args in part.task.args.values()
        for arg in args
        if isinstance(arg, Media)
    }
    assert used == {meant.attachment}
