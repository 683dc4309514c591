"""What the embedded planner makes of everyday requests."""

from typing import cast

import pytest

from adapters.embedded.planner import EmbeddedPlanner
from adapters.embedded.planner import tasks as plan_tasks
from adapters.embedded.planner.view import view
from pipeline.domain import (
    LocalizedText,
    Media,
    Noticed,
    Plan,
    Proposed,
    Ref,
    Repaired,
    Replied,
    Request,
    RunId,
    Task,
    TaskId,
    Text,
    Type,
)
from pipeline.planning.validate import MOST_TASKS
from pipeline.ports import PlanExample
from pipeline.task_kinds import KINDS
from pipeline.words import LOCALES, say
from tests.adapters.embedded.planner.builders import kinds, planned, request, told

READS_ALOUD = ["document-question-answering", "text-to-speech"]
HEARD = "automatic-speech-recognition"


@pytest.mark.parametrize(
    ("text", "sent", "expected"),
    [
        ("read the total aloud", ["image"], READS_ALOUD),
        ("what was said? read it back to me", ["audio"], [HEARD, "text-to-speech"]),
        ("What is the notice period?", ["document"], ["document-question-answering"]),
        ("mark the faces", ["image"], ["object-detection"]),
        ("describe this picture", ["image"], ["image-to-text"]),
        ("was steht auf dem schild?", ["image"], ["optical-character-recognition"]),
        ("résume ce document", ["document"], ["document-to-text", "summarization"]),
        ("帮我把背景去掉", ["image"], ["image-segmentation"]),
        ("この録音を文字起こしして", ["audio"], [HEARD]),
        ("dibuja un gato astronauta", [], ["text-to-image"]),
        ("write a poem about rain", [], ["text-generation"]),
        ("caption this", ["image"], ["image-to-text"]),
        ("what does he say?", ["audio"], [HEARD]),
        ("was sagt sie in dem video?", ["video"], ["media-conversion", HEARD]),
        ("quita el fondo", ["image"], ["image-segmentation"]),
        ("mets-la en noir et blanc", ["image"], ["image-to-image"]),
        ("which month had the highest sales?", ["table"], ["table-question-answering"]),
    ],
)
def test_everyday_requests_become_the_tasks_they_ask_for(
    text: str, sent: list[str], expected: list[str]
) -> None:
    assert kinds(text, *sent) == expected


@pytest.mark.parametrize("text", ["hello", "danke dir", "谢谢", "what can you do?", "bonjour"])
def test_plain_talk_needs_no_task(text: str) -> None:
    assert told(text).id.startswith("planner-")


def test_a_follow_up_takes_the_picture_of_the_thread() -> None:
    (task,) = planned("now make it a pencil sketch", before=["image"])

    assert task.kind.name == "image-to-image"
    assert _file(task, "image") == "old0"


def test_the_second_one_is_the_second_picture() -> None:
    (task,) = planned("make the second one black and white", before=["image", "image", "image"])

    assert _file(task, "image") == "old1"


def test_a_file_is_found_by_its_name_in_the_thread() -> None:
    task, *_ = planned("describe image 1", before=["image", "image"])

    assert _file(task, "image") == "old0"


def test_three_pictures_and_two_wishes_make_six_tasks_that_wait_for_nothing() -> None:
    made = planned("caption and detect objects in each", "image", "image", "image")

    assert len(made) == 6
    assert {task.kind.name for task in made} == {"image-to-text", "object-detection"}
    assert not any(task.needs for task in made)


def test_speech_speaks_what_was_made_of_the_recording() -> None:
    made = planned("summarise this voice message and read the summary aloud", "audio")

    assert [task.kind.name for task in made] == [HEARD, "summarization", "text-to-speech"]
    assert made[1].args["text"] == (Ref(made[0].id, "text"),)
    assert made[2].args["text"] == (Ref(made[1].id, "text"),)


def test_a_quoted_text_is_what_is_translated_and_the_language_is_a_code() -> None:
    (task,) = planned('how do you say "where is the station" in Japanese?')

    assert task.args["text"] == (Text("where is the station"),)
    assert task.args["language"] == (Text("ja"),)


def test_and_now_in_german_means_the_last_answer() -> None:
    (task,) = planned("and now in German", said="The shop is closed.")

    assert task.args["text"] == (Text("The shop is closed."),)
    assert task.args["language"] == (Text("de"),)


def test_offered_labels_become_labels() -> None:
    (task,) = planned("is it a husky, a malamute or a wolf?", "image")

    assert [cast("Text", label).text for label in task.args["labels"]] == [
        "husky",
        "malamute",
        "wolf",
    ]


def test_faces_become_the_label_that_detectors_know() -> None:
    (task,) = planned("markiere alle gesichter", "image")

    assert task.args["labels"] == (Text("face"),)


def test_a_picture_in_the_same_pose_is_made_once() -> None:
    made = kinds("generate an image of a girl reading a book in the same pose as the boy", "image")

    assert made == ["openpose-control", "openpose-text-to-image"]


def test_the_words_of_a_film_are_heard_in_the_film_itself() -> None:
    made = planned("what does he say in the clip, in german please", "video")

    assert [task.kind.name for task in made] == ["media-conversion", HEARD, "translation"]
    assert _file(made[0], "file") == "new0"
    assert made[0].args["text"] == (Text("extract the audio as wav"),)
    assert made[1].args["audio"] == (Ref(made[0].id, "file"),)


def test_an_answer_is_read_aloud() -> None:
    asked, spoken = planned("What color is the car? read the answer to me", "image")

    assert asked.args["question"] == (Text("What color is the car?"),)
    assert spoken.kind.name == "text-to-speech"
    assert spoken.args["text"] == (Ref(asked.id, "text"),)


def test_what_stands_after_the_colon_is_spoken() -> None:
    text = "make this picture black and white and read aloud: hello from the bot"
    spoken = next(task for task in planned(text, "image") if task.kind.name == "text-to-speech")

    assert spoken.args["text"] == (Text("hello from the bot"),)


@pytest.mark.parametrize(
    "head",
    ["Summarize this: ", "Please summarize the following text:\n", "Résume ça : ", "tl;dr: "],
)
def test_a_short_text_after_its_head_is_what_is_meant(head: str) -> None:
    text = "The meeting is moved to Friday because the room is taken."
    (task,) = planned(f"{head}{text}")

    assert (task.kind.name, task.args["text"]) == ("summarization", (Text(text),))


def test_a_wish_does_not_begin_with_the_word_it_hangs_on() -> None:
    *_, drawn = planned("find the faces and turn it into a pencil sketch", "image")

    assert (Text("turn it into a pencil sketch"),) in drawn.args.values()


@pytest.mark.parametrize(
    "text",
    [
        "Resize it to 800 px and make it black and white",
        "make it black and white and resize it to 800 px",
    ],
)
def test_each_of_two_wishes_keeps_all_of_its_words(text: str) -> None:
    told = {
        task.kind.name: cast("Text", task.args["text"][0]).text for task in planned(text, "image")
    }

    assert told["media-conversion"].lower() == "resize it to 800 px"
    assert told["image-to-image"] == "make it black and white"


def test_speech_is_not_in_the_language_of_another_wish() -> None:
    made = planned("caption this and read it aloud, then translate the caption to German", "image")
    spoken = next(task for task in made if task.kind.name == "text-to-speech")
    translated = next(task for task in made if task.kind.name == "translation")

    assert translated.args["language"] == (Text("de"),)
    assert spoken.args.get("language") in (None, translated.args["language"])
    assert (spoken.args.get("language") is not None) == (translated.id in spoken.needs)


def test_pictures_are_compared_by_what_they_show() -> None:
    *shown, compared = planned("how similar are these two pictures", "image", "image")

    assert [task.kind.name for task in shown] == ["image-to-text"] * 2
    assert compared.args["sentences"] == tuple(Ref(task.id, "text") for task in shown)


def test_a_sound_is_asked_for_where_one_shall_be_cleaned() -> None:
    assert told("remove the noise from the recording").args["type"] == "audio"


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("What is the total? Who is the sender?", ["What is the total?", "Who is the sender?"]),
        ("what is the total and who sent it?", ["what is the total", "who sent it?"]),
    ],
)
def test_each_question_is_asked_by_itself(text: str, questions: list[str]) -> None:
    made = planned(text, "document")

    assert [task.args["question"] for task in made] == [(Text(one),) for one in questions]


@pytest.mark.parametrize(
    ("text", "sent", "expected"),
    [
        (
            "Describe the picture. What breed is the dog?",
            ["image"],
            ["image-to-text", "image-classification"],
        ),
        (
            "Translate 'good morning' to German. Also draw a picture of a fox.",
            [],
            ["translation", "text-to-image"],
        ),
    ],
)
def test_each_of_two_wishes_is_planned(text: str, sent: list[str], expected: list[str]) -> None:
    assert kinds(text, *sent) == expected


def test_an_unclear_order_is_asked_in_the_person_s_own_words() -> None:
    asked = told("draw the edges, blur it and flip it", "image")

    assert asked.id == "planner-unsure-order"
    assert set(asked.args) == {"first", "second"}


def test_a_missing_file_is_asked_for() -> None:
    assert told("transcribe the recording").id == "planner-lacks-file"


def test_an_empty_message_with_a_file_is_asked_about() -> None:
    assert told("", "image").id == "planner-empty-with-files"


@pytest.mark.parametrize(
    "text",
    [" ", "🙏", "\\", "{{}}", "<GENERATED>-0", "a" * 40000, "lorem ipsum " * 9000, "ᚠᚢᚦ", "???"],
)
def test_strange_words_break_nothing(text: str) -> None:
    for sent in ((), ("image",), ("audio", "document")):
        assert plan_tasks(view(request(text, *sent)))


async def test_the_plan_is_streamed_and_stands() -> None:
    said = request("describe the photo in Spanish and read it to me", "image")

    parts = [part async for part in EmbeddedPlanner().plan(said)]

    tasks = [part.task for part in parts if isinstance(part, Proposed)]
    assert len(tasks) == len(parts)
    assert Plan(tuple(tasks)).ends[0].kind.name == "text-to-speech"


async def test_plain_talk_is_replied_to_in_words() -> None:
    parts = [part async for part in EmbeddedPlanner().plan(request("hello!"))]

    assert isinstance(parts[0], Replied)
    assert "file" in parts[0].text


def _file(task: Task, slot: str) -> str:
    return str(cast("Media", task.args[slot][0]).attachment.hash)


@pytest.mark.parametrize(
    ("sample", "sent", "expected"),
    [
        ("page-try-invoice-text", ["image"], ["document-question-answering", "text-to-speech"]),
        ("page-try-sketch-text", ["image"], ["image-to-image"]),
        ("page-try-mood-text", [], ["text-classification"]),
    ],
)
def test_what_the_page_offers_to_try_is_understood_in_every_language(
    sample: str, sent: list[str], expected: list[str]
) -> None:
    texts = [say(locale, LocalizedText(sample)) for locale in LOCALES]

    assert len(texts) == len(LOCALES)
    assert {text: kinds(text, *sent) for text in texts} == dict.fromkeys(texts, expected)


PICTURE = request("", "image").files[0].attachment
LIKED = Plan(
    (
        Task(TaskId(0), KINDS["object-detection"], {"image": (Media(PICTURE),)}),
        Task(TaskId(1), KINDS["text-to-speech"], {"text": (Ref(TaskId(0), "boxes"),)}),
    )
)


def test_a_word_repeated_hundreds_of_times_is_planned_without_overflow() -> None:
    assert kinds("draw " * 480) == ["text-to-image"]


async def taught(_request: Request) -> tuple[PlanExample, ...]:
    return (
        PlanExample(run=RunId("r"), text="Describe this picture.", sent=(Type.IMAGE,), plan=LIKED),
    )


async def test_a_request_that_was_liked_before_takes_the_kinds_and_links_it_had_then() -> None:
    told, look, speak = [
        part
        async for part in EmbeddedPlanner(taught).plan(request("describe THIS picture", "image"))
    ]

    assert isinstance(told, Noticed)
    assert isinstance(look, Proposed)
    assert isinstance(speak, Proposed)
    assert (look.task.kind.name, speak.task.kind.name) == ("object-detection", "text-to-speech")
    assert _file(look.task, "image") == PICTURE.hash
    assert speak.task.refs[0].task == look.task.id


@pytest.mark.parametrize(
    "asked",
    [
        request("describe this picture", "image", "image"),
        request("describe this picture in German", "image"),
        request("describe this picture", "document"),
    ],
    ids=["more files", "other words", "other files"],
)
async def test_another_request_is_planned_as_ever(asked: Request) -> None:
    parts = [part async for part in EmbeddedPlanner(taught).plan(asked)]

    assert parts == [part async for part in EmbeddedPlanner().plan(asked)]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Read the total and the due date", "Read the total and the due date"),
        ("What's the total? Read it aloud.", "What's the total?"),
    ],
)
def test_words_that_the_next_step_does_not_need_belong_to_the_question(
    text: str, question: str
) -> None:
    asking, reading = planned(text, "document")

    assert asking.args["question"] == (Text(question),)
    assert reading.args["text"] == (Ref(asking.id, "text"),)


@pytest.mark.parametrize(("sent", "tasks"), [(25, 25), (MOST_TASKS + 3, MOST_TASKS)])
async def test_each_file_gets_its_task_and_those_beyond_the_most_are_told(
    sent: int, tasks: int
) -> None:
    asked = request("make them black and white", *["image"] * sent)

    parts = [part async for part in EmbeddedPlanner().plan(asked)]

    told = [part.repair.what.args["count"] for part in parts if isinstance(part, Repaired)]
    assert sum(isinstance(part, Proposed) for part in parts) == tasks
    assert told == ([sent - tasks] if sent > tasks else [])


@pytest.mark.parametrize(
    "text",
    [
        "sort it by salary, highest first",
        "sort by price, cheapest first",
        "sortiere nach Gehalt, höchstes zuerst",
    ],
)
def test_which_rows_come_first_is_part_of_the_order(text: str) -> None:
    (task,) = planned(text, "table")

    assert (task.kind.name, task.args["text"]) == ("table-conversion", (Text(text),))
