"""The thread and its messages as what a request is about, in six languages."""

import pytest

from adapters.embedded.planner import EmbeddedPlanner, tasks
from adapters.embedded.planner.view import view
from pipeline.domain import (
    LocalizedText,
    Person,
    Plan,
    Proposed,
    Request,
    RunId,
    Task,
    TaskId,
    Text,
)
from pipeline.ports import PlanExample
from pipeline.task_kinds import KINDS
from pipeline.words import say
from tests.adapters.embedded.planner.builders import BOT, scene

ANNA, BEN = Person("a", "Anna Berg"), Person("b", "Ben")
TALK = (
    (ANNA, "Shall we meet on Friday?", ""),
    (BEN, "No, Monday suits me better.", ""),
    (ANNA, "Monday at ten then.", ""),
)
WHOLE = "\n".join(f"{person.name}: {text}" for person, text, _ in TALK)


def planned(text: str, *turns: tuple[Person, str, str]) -> Task:
    made = tasks(view(scene(text, "", *(turns or TALK))))
    assert not isinstance(made, LocalizedText), made
    return made[0]


@pytest.mark.parametrize(
    "text",
    [
        "summarize this thread",
        "please summarise the thread for me",
        "can you give me a summary of this thread?",
        "summarize the discussion above",
        "fasse diesen Thread zusammen",
        "bitte die Unterhaltung zusammenfassen",
        "résume ce fil",
        "peux-tu résumer cette discussion ?",
        "resume este hilo",
        "¿puedes resumir la conversación?",
        "このスレッドを要約して",
        "この会話をまとめて",
        "总结这个讨论串",
        "把聊天记录总结一下",
    ],
)
def test_a_thread_is_summed_up_from_its_messages(text: str) -> None:
    task = planned(text)

    assert task.kind.name == "summarization"
    assert task.args["text"] == (Text(WHOLE),)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "ja", "zh"])
def test_the_wish_in_the_menu_of_a_message_means_its_thread(language: str) -> None:
    task = planned(say(language, LocalizedText("menu-thread-wish")))

    assert task.kind.name == "summarization"
    assert task.args["text"] == (Text(WHOLE),)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("translate Anna's message into German", "de"),
        ("übersetze Annas Nachricht ins Englische", "en"),
        ("übersetze die Nachricht von Anna ins Englische", "en"),
        ("traduis le message d'Anna en anglais", "en"),
        ("traduce el mensaje de Anna al inglés", "en"),
        ("Annaさんのメッセージを英語に翻訳して", "en"),
        ("把Anna的消息翻译成英文", "en"),
    ],
)
def test_somebodys_last_message_is_translated(text: str, language: str) -> None:
    task = planned(text)

    assert task.kind.name == "translation"
    assert task.args["text"] == (Text("Monday at ten then."),)
    assert task.args["language"] == (Text(language),)


@pytest.mark.parametrize(
    "text",
    [
        "summarize this thread",
        "please summarise the thread for me",
        "résume ce fil",
        "resume este hilo",
        "このスレッドを要約して",
        "总结这个讨论串",
    ],
)
def test_where_nothing_was_written_the_words_of_the_wish_are_no_thread(text: str) -> None:
    made = tasks(view(scene(text)))

    assert isinstance(made, LocalizedText)
    assert made.id.startswith("planner-lacks-")


def test_a_question_about_the_thread_is_answered_from_it() -> None:
    task = planned("what did we decide in this thread?")

    assert task.kind.name == "question-answering"
    assert task.args["context"] == (Text(WHOLE),)


@pytest.mark.parametrize("text", ["write a message to Anna", "schreibe eine Nachricht an Anna"])
def test_a_message_to_somebody_is_not_theirs(text: str) -> None:
    assert planned(text).args["text"] == (Text(text),)


def test_a_conversation_is_the_recording_where_there_is_one() -> None:
    sent = (BEN, "", "call.mp3")

    task = planned("transcribe the conversation", *TALK, sent)

    assert task.kind.name == "automatic-speech-recognition"


async def test_a_liked_plan_takes_the_words_of_the_thread_that_it_is_used_in() -> None:
    asked = scene("summarize this thread", "", *TALK)
    liked = Plan((Task(TaskId(0), KINDS["summarization"], {"text": (Text("Other talk."),)}),))

    async def find_liked(_: Request) -> tuple[PlanExample, ...]:
        return (PlanExample(run=RunId("r"), text=asked.text, sent=(), plan=liked),)

    _, part = [part async for part in EmbeddedPlanner(find_liked).plan(asked)]

    assert isinstance(part, Proposed)
    assert part.task.args["text"] == (Text(WHOLE),)


def test_an_earlier_answer_is_still_meant_by_its_own_name() -> None:
    answer = (BOT, "They meet on Monday.", "")
    asked = (BEN, "summarize this thread", "")

    task = planned("translate that summary into French", *TALK, asked, answer)

    assert task.args["text"] == (Text("They meet on Monday."),)
