"""What the planner asked before is not what is worked on; the files that it asked about are."""

import pytest

from adapters.embedded.planner import tasks
from adapters.embedded.planner.view import view
from pipeline.domain import LocalizedText, Media, Task, Text
from pipeline.words import say
from tests.adapters.embedded.planner.builders import kinds, planned, request

ASKS = (
    LocalizedText("planner-empty-with-files"),
    LocalizedText("planner-unsure"),
    LocalizedText("planner-unsure-files"),
    LocalizedText("planner-unread"),
    LocalizedText("planner-unsure-order", {"first": "edges", "second": "blur it"}),
)
READ = "optical-character-recognition"


@pytest.mark.parametrize("asked", ASKS, ids=lambda one: one.id)
def test_who_is_asked_what_to_do_with_a_file_need_not_send_it_again(asked: LocalizedText) -> None:
    for text, kind, expected in (
        ("translate it into German", "image", [READ, "translation"]),
        ("read it aloud", "document", ["document-to-text", "text-to-speech"]),
        ("summarize it", "audio", ["automatic-speech-recognition", "summarization"]),
    ):
        made = planned(text, before=[kind], said=asked)

        assert [task.kind.name for task in made] == expected
        assert isinstance(next(iter(made[0].args.values()))[0], Media)
        assert say("en", asked) not in _texts(made)


def test_what_was_asked_for_is_not_what_is_worked_on() -> None:
    for asked in (
        LocalizedText("planner-lacks-file", {"kind": "summarization", "type": "document"}),
        LocalizedText("planner-lacks-text", {"kind": "translation", "slot": "text"}),
        LocalizedText("planner-lacks-file", {"type": "table"}),
        LocalizedText("planner-absent-name", {"name": "report.pdf"}),
    ):
        made = tasks(view(request("translate it into German", said=asked)))

        assert isinstance(made, LocalizedText), (asked, made)


@pytest.mark.parametrize("id_", ["planner-hello", "planner-welcome", "planner-no-talk"])
def test_small_talk_is_nothing_to_go_on_from(id_: str) -> None:
    said = LocalizedText(id_)

    (made,) = planned("translate 'good morning' into German", said=said)

    assert made.args["text"] == (Text("good morning"),)
    assert say("en", said) not in _texts(planned("make it shorter", said=said))


def test_an_answer_is_gone_on_from_though_a_file_came_before_it() -> None:
    (made,) = planned("translate it into German", before=["image"], said="A red bridge.")

    assert made.args["text"] == (Text("A red bridge."),)
    assert kinds("read it aloud", before=["image"], said="A red bridge.") == ["text-to-speech"]


def _texts(made: object) -> list[str]:
    assert isinstance(made, list | tuple)
    found = [
        arg
        for task in made
        if isinstance(task, Task)
        for args in task.args.values()
        for arg in args
    ]
    return [arg.text for arg in found if isinstance(arg, Text)]
