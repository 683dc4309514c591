"""Parameters in plans: typed, bounded, repeated by count; several pictures for one edit."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from pipeline.domain import Arg, Number, Text
from pipeline.planning.validate import ValidatedPlan
from tests.pipeline.planning.builders import args, file, kinds, media, read, request, told, words

PHOTO = file("image 1", "a.jpg")
OTHER = file("image 2", "b.jpg")


def plan(*tasks: tuple[str, dict[str, Any]]) -> str:
    rows = [{"task": name, "id": at, "args": given} for at, (name, given) in enumerate(tasks)]
    return json.dumps(rows)


def numbers(values: Iterable[Arg]) -> list[float]:
    return [value.value for value in values if isinstance(value, Number)]


def read_text(arg: Arg) -> str:
    assert isinstance(arg, Text)
    return arg.text


def draw(**parameters: object) -> ValidatedPlan:
    return read(plan(("text-to-image", {"text": "a cat", **parameters})))


def test_a_count_gives_copies_with_consecutive_seeds() -> None:
    read_as = draw(count=4, aspect_ratio="16:9", seed=42)

    copies = [task.args for task in read_as.plan.tasks]
    assert [numbers(copy["seed"]) for copy in copies] == [[42], [43], [44], [45]]
    assert all(copy["aspect_ratio"] == words("16:9") for copy in copies)
    assert all("count" not in copy for copy in copies)
    assert read_as.repairs == ()


def test_seeds_begin_again_after_the_largest() -> None:
    copies = draw(count=2, seed=2147483647).plan.tasks

    assert [numbers(copy.args["seed"]) for copy in copies] == [[2147483647], [0]]


def test_each_picture_of_a_count_goes_on_by_itself() -> None:
    rows = plan(
        ("text-to-image", {"text": "a cat", "count": "2"}),
        ("image-text-to-image", {"image": "<GENERATED>-0", "text": "add a hat"}),
    )

    edits = read(rows).plan.tasks[2:]

    assert [[ref.task for ref in edit.refs] for edit in edits] == [[0], [101]]


def test_copies_for_files_and_by_count_have_a_common_limit() -> None:
    files = [file(f"image {at}", f"{at}.jpg") for at in range(1, 8)]
    edit = {"image": [each.name for each in files], "text": "sketch", "count": 3}

    read_as = read(plan(("image-to-image", edit)), request("x", *files))

    assert len(read_as.plan.tasks) == 7 * 2
    assert told(read_as) == {"plan-unfolded", "plan-parameter-bounded"}


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("size", "1024 x 768 px", "1024x768"),
        ("size", "800×600", "800x600"),
        ("aspect_ratio", "16/9", "16:9"),
        ("negative_prompt", "blurry, 16:9", "blurry, 16:9"),
        ("guidance_scale", "7.5", 7.5),
        ("seed", 2147483647, 2147483647),
    ],
)
def test_a_parameter_is_read_by_its_type(name: str, given: object, value: str | float) -> None:
    read_as = draw(**{name: given})

    (arg,) = args(read_as, 0)[name]
    assert value == (arg.value if isinstance(arg, Number) else read_text(arg))
    assert read_as.repairs == ()


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("size", "large"),
        ("size", "20x20"),
        ("aspect_ratio", "16:0"),
        ("aspect_ratio", "100:1"),
        ("seed", "4.5"),
        ("guidance_scale", "nan"),
        ("seed", "<GENERATED>-7"),
    ],
)
def test_a_parameter_that_cannot_be_read_is_dropped_and_told(name: str, given: str) -> None:
    read_as = draw(**{name: given})

    assert args(read_as, 0).keys() == {"text"}
    assert "plan-parameter-unread" in told(read_as)


@pytest.mark.parametrize(("given", "value"), [("99", 30), ("-1", 0)])
def test_a_number_out_of_bounds_becomes_the_nearest_bound(given: str, value: float) -> None:
    read_as = draw(guidance_scale=given)

    assert numbers(args(read_as, 0)["guidance_scale"]) == [value]
    assert told(read_as) == {"plan-parameter-bounded"}


def test_only_an_argument_of_its_name_fills_a_parameter() -> None:
    written = json.dumps([{"task": "text-to-speech", "id": 0, "args": ["Good morning", "de"]}])

    assert args(read(written), 0) == {"text": words("Good morning"), "language": words("de")}


def test_pictures_listed_for_one_edit_are_combined() -> None:
    edit = {"image": ["a.jpg", "b.jpg"], "text": "put the cat of the first into the second"}

    read_as = read(plan(("image-text-to-image", edit)), request("x", PHOTO, OTHER))

    assert args(read_as, 0)["image"] == (*media(PHOTO), *media(OTHER))
    assert kinds(read_as) == ["image-text-to-image"]


def test_pictures_that_an_edit_does_not_name_are_edited_one_by_one() -> None:
    rows = plan(("image-text-to-image", {"text": "make it night"}))

    read_as = read(rows, request("x", PHOTO, OTHER))

    assert [task.files for task in read_as.plan.tasks] == [media(PHOTO), media(OTHER)]
