"""The well-known HuggingGPT requests, with a scripted language model and simulated experts."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.inside import stage
from tests.e2e.visitor import Stage, planned
from tests.fakes.jobs import picture


@pytest.fixture
async def on(tmp_path: Path) -> AsyncIterator[Stage]:
    async with stage(tmp_path) as running:
        yield running


def _kinds(answer: dict) -> list[tuple[str, str]]:  # type: ignore[type-arg]
    return [(outcome["kind"], outcome["state"]) for outcome in answer["outcomes"]]


async def test_which_image_is_more_like_b(on: Stage) -> None:
    on.plans(
        planned(0, "image-to-text", image="image 1"),
        planned(1, "image-to-text", image="image 2"),
        planned(2, "image-to-text", image="image 3"),
        planned(
            3,
            "sentence-similarity",
            0,
            1,
            2,
            sentences="<GENERATED>-1, <GENERATED>-0, <GENERATED>-2",
        ),
        reply="A is more like B.",
    )

    answer = await on.troupe.ask(
        "which image is more like B: A or C?",
        picture((200, 0, 0)),
        picture((180, 20, 20)),
        picture((0, 0, 200)),
    )

    assert answer["message"] == "A is more like B."
    assert [state for _, state in _kinds(answer)] == ["done"] * 4
    compared = on.experts.calls("sentence-similarity")[0].inputs
    assert len(compared["sentences"]) == 2


async def test_a_girl_in_the_pose_of_the_boy_described_aloud(on: Stage) -> None:
    on.plans(
        planned(0, "openpose-control", image="example.jpg"),
        planned(
            1, "openpose-text-to-image", 0, text="a girl reading a book", image="<GENERATED>-0"
        ),
        planned(2, "image-to-text", 1, image="<GENERATED>-1"),
        planned(3, "text-to-speech", 2, text="<GENERATED>-2"),
        reply="Here she is.",
    )
    boy = picture((10, 200, 10))
    example = type(boy)(boy.data, boy.media_type, "example.jpg")

    answer = await on.troupe.ask(
        "generate an image of a girl reading a book in the same pose as the boy in example.jpg, "
        "then describe it with your voice",
        example,
    )

    assert [state for _, state in _kinds(answer)] == ["done"] * 4
    assert [file["media_type"].partition("/")[0] for file in answer["files"]] == ["image", "audio"]
    caption = next(o["output"] for o in answer["outcomes"] if o["kind"] == "image-to-text")
    assert on.experts.calls("text-to-speech")[0].words == caption
    assert answer["files"][0]["alt"] == caption


async def test_describe_an_image_in_as_much_detail_as_possible(on: Stage) -> None:
    on.plans(
        planned(0, "image-to-text", image="image 1"),
        planned(1, "image-classification", image="image 1"),
        planned(2, "object-detection", image="image 1"),
        planned(3, "image-segmentation", image="image 1"),
        planned(4, "visual-question-answering", image="image 1", question="What is happening?"),
        reply="All about it.",
    )

    answer = await on.troupe.ask("describe this image in as much detail as possible", picture())

    assert [state for _, state in _kinds(answer)] == ["done"] * 5
    said = on.llm.chats[-1].text
    for outcome in answer["outcomes"]:
        assert outcome["kind"] in said
    assert [file["kind"] for file in answer["files"]][:2] == [
        "object-detection",
        "image-segmentation",
    ]


async def test_replace_the_cat_with_a_dog(on: Stage) -> None:
    on.plans(
        planned(0, "image-text-to-image", image="image 1", text="replace the cat with a dog"),
        reply="A dog now.",
    )

    answer = await on.troupe.ask("replace the cat with a dog in example.jpg", picture())

    assert _kinds(answer) == [("image-text-to-image", "done")]
    assert answer["files"][0]["media_type"].startswith("image/")


async def test_the_third_message_refers_to_a_picture_made_in_the_first(on: Stage) -> None:
    on.plans(planned(0, "text-to-image", text="a lighthouse"), reply="A lighthouse.")
    first = await on.troupe.ask("draw a lighthouse")
    on.llm.reply = lambda _asked: '{"reply": "You are welcome.", "tasks": []}'
    await on.troupe.ask("thank you")
    on.plans(planned(0, "image-to-text", image="image 1"), reply="It is a lighthouse.")

    third = await on.troupe.ask("what is in the picture you made?")

    assert _kinds(third) == [("image-to-text", "done")]
    drawn = await on.troupe.file(first["files"][0])
    assert on.experts.calls("image-to-text")[0].body == drawn


async def test_three_pictures_at_once_are_six_tasks_side_by_side(on: Stage) -> None:
    on.experts.latency = 0.05
    on.plans(
        *(
            planned(number, kind, image=f"image {number // 2 + 1}")
            for number, kind in enumerate(["image-to-text", "object-detection"] * 3)
        ),
        reply="All six.",
    )

    answer = await on.troupe.ask(
        "caption and detect", picture((1, 2, 3)), picture((4, 5, 6)), picture((7, 8, 9))
    )

    assert [state for _, state in _kinds(answer)] == ["done"] * 6
    assert on.experts.most_at_once == 6
