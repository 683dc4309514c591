"""What a request speaks of and does not hold is asked for."""

import pytest

from adapters.embedded.planner import tasks
from adapters.embedded.planner.view import view
from pipeline.domain import LocalizedText
from tests.adapters.embedded.planner.builders import ANN, BOT, kinds, scene, taken, told


@pytest.mark.parametrize(
    ("text", "sent", "asked"),
    [
        ("summarize the pdf", [], ("planner-lacks-file", "document")),
        ("fass das PDF zusammen", [], ("planner-lacks-file", "document")),
        ("résume le pdf", [], ("planner-lacks-file", "document")),
        ("traduce el documento al inglés", [], ("planner-lacks-file", "document")),
        ("把这份文档翻译成英文", [], ("planner-lacks-file", "document")),
        ("その文書を英語に翻訳して", [], ("planner-lacks-file", "document")),
        ("which product sold best in the csv", [], ("planner-lacks-file", "table")),
        ("what's in the picture?", [], ("planner-lacks-file", "image")),
        ("was ist auf dem Bild zu sehen?", [], ("planner-lacks-file", "image")),
        ("what is he saying in the video", ["image"], ("planner-lacks-file", "video")),
        ("transcribe the recording", ["image"], ("planner-lacks-file", "audio")),
        ("summarize the report.pdf", [], ("planner-absent-name", "")),
        ("compare these two pictures", ["image"], ("planner-lacks-text", "")),
        ("summarize it", [], ("planner-lacks-text", "text")),
        ("summarize this thread and read it aloud", [], ("planner-lacks-text", "text")),
        ("fass diesen Thread zusammen und lies ihn vor", [], ("planner-lacks-text", "text")),
        ("translate it into German", [], ("planner-lacks-text", "text")),
        ("lies das vor", [], ("planner-lacks-text", "text")),
        ("lee la carta en voz alta", [], ("planner-lacks-text", "text")),
        ("PDFを要約して", [], ("planner-lacks-text", "text")),
        ("classify this text as spam or ham", [], ("planner-lacks-text", "text")),
    ],
)
def test_what_is_spoken_of_and_is_not_there_is_asked_for(
    text: str, sent: list[str], asked: tuple[str, str]
) -> None:
    sentence = told(text, *sent)

    assert (sentence.id, asked[1] and sentence.args["type"]) == asked


@pytest.mark.parametrize(
    ("text", "sent", "expected"),
    [
        ("translate good morning to German", [], ["translation"]),
        ("read aloud hello everyone", [], ["text-to-speech"]),
        ("what does the document say", ["image"], ["optical-character-recognition"]),
        ("write a short poem about the picture on our wall", [], ["text-generation"]),
        ("what is said in this clip", ["audio"], ["automatic-speech-recognition"]),
    ],
)
def test_what_is_there_in_another_form_is_not_asked_for(
    text: str, sent: list[str], expected: list[str]
) -> None:
    assert kinds(text, *sent) == expected


def test_a_name_that_no_file_has_is_asked_for_unless_it_is_still_to_be_made() -> None:
    before = ((ANN, "look", "invoice.pdf"), (BOT, "The total is 5.", ""))

    asked = tasks(view(scene("summarize report.pdf", "", *before)))
    named = tasks(view(scene("convert it to summary.mp3", "song.ogg", *before)))

    assert asked == LocalizedText("planner-absent-name", {**asked.args, "name": "report.pdf"})  # type: ignore[union-attr]
    assert taken(named) == ["song.ogg"]


@pytest.mark.parametrize(
    ("text", "before", "expected"),
    [
        ("read that aloud", "document", ["document-to-text", "text-to-speech"]),
        ("lies das mal vor", "document", ["document-to-text", "text-to-speech"]),
        ("y ahora en francés", "audio", ["automatic-speech-recognition", "translation"]),
    ],
)
def test_the_text_that_is_lacking_is_read_out_of_a_file_that_nothing_was_said_of(
    text: str, before: str, expected: list[str]
) -> None:
    assert kinds(text, before=[before]) == expected
    assert kinds(text, before=[before], said="A tower.") == expected[-1:]


@pytest.mark.parametrize("text", ["do you keep the pictures?", "can you do videos too?"])
def test_who_asks_about_files_in_general_is_not_asked_for_one(text: str) -> None:
    assert told(text).id != "planner-lacks-file"


@pytest.mark.parametrize("text", ["what's in the second photo?", "is the old photo of a cat?"])
def test_a_word_may_stand_between_the_article_and_the_file_that_is_asked_for(text: str) -> None:
    assert told(text).id == "planner-lacks-file"


def test_the_name_that_a_result_shall_have_is_not_asked_for() -> None:
    assert kinds("save it as result.mp3", before=["audio"]) == ["media-conversion"]
