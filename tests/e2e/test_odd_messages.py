"""Odd messages, planned by both controllers: each gives tasks or a fitting question."""

# ruff: noqa: RUF001 - what people type, in many scripts

from collections.abc import AsyncIterator, Sequence

import pytest

from adapters.embedded.planner import EmbeddedPlanner
from adapters.openai.llm import OpenAiLlm
from adapters.openai.server import Endpoint, open_server
from pipeline.domain import LocalizedText, Noticed, PlanPart, Proposed, Replied, Request
from pipeline.planning.planner import LlmPlanner
from pipeline.run.plan_draft import propose
from pipeline.selection.candidates import Candidates
from pipeline.words import say
from tests.adapters.embedded.planner.builders import request
from tests.fakes.experts import full_catalogue
from tests.servers.openai import OpenAiServer, openai_at_work
from tests.words import english

LONG = "The town closes the bridge on Monday, and the works take until autumn. "
ASKS = english("planner-empty-with-files")
"""Message, whether with a picture, and the built-in planner's sentence or kinds."""
ODD: Sequence[tuple[str, bool, str | list[str]]] = (
    ("", False, "planner-empty"),
    ("", True, "planner-empty-with-files"),
    (" \n\t ", False, "planner-empty"),
    (" \n\t ", True, "planner-empty-with-files"),
    ("👍", False, "planner-welcome"),
    ("👍", True, "planner-empty-with-files"),
    ("👋🏽", False, "planner-hello"),
    ("🎨", True, "planner-empty-with-files"),
    ("???", False, "planner-no-talk"),
    ("???", True, "planner-empty-with-files"),
    ("42", True, "planner-empty-with-files"),
    ("describe この画像 auf Deutsch 请", True, ["image-to-text", "translation"]),
    ("Übersetze 'おはよう' into English por favor", False, ["translation"]),
    ("translate this into English: صباح الخير يا أصدقائي، كيف حالكم", False, ["translation"]),
    ("صف هذه الصورة", True, "planner-unread"),
    ("תאר את התמונה הזאת", True, "planner-unread"),
    ("इस चित्र का वर्णन करें", False, "planner-unread"),
    ("опиши эту картинку", True, "planner-unread"),
    ("이 사진을 설명해 줘", True, "planner-unread"),
    ("describe \u202egnp.exe\u202c this", True, ["image-to-text"]),
    ("des\u200bcribe\x00 this", True, ["image-to-text"]),
    ("describe \ud83d this", True, ["image-to-text"]),
    ("ｄｅｓｃｒｉｂｅ　ｔｈｉｓ", True, ["image-to-text"]),
    ("DESCRIBE THIS PICTURE!!!", True, ["image-to-text"]),
    ("Summarize this:\n\n" + (LONG * 600)[:40_000], False, ["summarization"]),
    ((LONG * 600)[:40_000] + "\n\nSummarize this.", False, ["summarization"]),
    ("Résume ceci :\n\n" + (LONG * 600)[:40_000], False, ["summarization"]),
    (
        "总结一下：\n\n" + ("市议会周一决定关闭河上的桥梁。" * 3000)[:40_000],
        False,
        ["summarization"],
    ),
    ("🎉" * 20_000, True, "planner-empty-with-files"),
    ("\n" * 40_000 + "hi", False, "planner-hello"),
    ("hello" + "\n" * 39_000 + "hi", False, "planner-hello"),
    (f"read aloud:{' ' * 39_000}good morning to all of you out there", False, ["text-to-speech"]),
)


def asked(text: str, *, pictured: bool) -> Request:
    return request(text, *(["image"] if pictured else []))


@pytest.mark.parametrize(("text", "pictured", "expected"), ODD)
async def test_the_built_in_planner_comes_to_something_sensible(
    text: str, expected: str | list[str], *, pictured: bool
) -> None:
    parts = [part async for part in EmbeddedPlanner().plan(asked(text, pictured=pictured))]

    said = [part.text for part in parts if isinstance(part, Replied)]
    kinds = [part.task.kind.name for part in parts if isinstance(part, Proposed)]
    if isinstance(expected, str):
        assert (said, kinds) == ([say("en", LocalizedText(expected))], [])
    else:
        assert (said, kinds) == ([], expected)


@pytest.fixture
async def server() -> AsyncIterator[OpenAiServer]:
    async with openai_at_work() as server:
        yield server


async def by_language_model(server: OpenAiServer, message: Request) -> list[PlanPart]:
    endpoint = Endpoint("played", server.base, context=16_000)
    async with open_server(endpoint) as opened:
        llm = LlmPlanner(OpenAiLlm(opened), Candidates(full_catalogue()))
        return [part async for part in propose(message, [llm, EmbeddedPlanner()])]


@pytest.mark.parametrize(("text", "pictured", "_expected"), ODD)
async def test_the_language_model_is_asked_with_the_person_s_words(
    server: OpenAiServer, text: str, _expected: object, *, pictured: bool
) -> None:
    server.replies = [f'{{"reply": "{ASKS}", "tasks": []}}']

    parts = await by_language_model(server, asked(text, pictured=pictured))

    assert parts[-1] == Replied(ASKS)
    cut = Noticed(LocalizedText("plan-request-cut")) in parts
    assert len(parts) == 1 + cut
    told = server.chats[0].text
    assert cut or text.encode("utf-8", "replace").decode() in told
    assert not pictured or "image 1" in told


async def test_a_plan_for_an_attachment_alone_is_taken_from_the_language_model(
    server: OpenAiServer,
) -> None:
    server.replies = ['[{"task": "image-to-text", "id": 0, "dep": [-1], "args": {}}]']

    parts = await by_language_model(server, asked("", pictured=True))

    (kind,) = [part.task.kind.name for part in parts if isinstance(part, Proposed)]
    assert kind == "image-to-text"
