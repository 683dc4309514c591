"""A program that asks at the API."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from pipeline.domain import Answer, Answered, AnswerFile, Event, LocalizedText, RunId
from tests.adapters.web.scene import WebScene


async def story(*events: Event) -> AsyncIterator[Event]:
    for event in events:
        yield event


async def answer_all(scene: WebScene, *events: Event) -> None:
    """Answer every message, by these events first."""
    number = 0
    while True:
        number += 1
        message, run = await scene.listener.next(number)
        await scene.chat.follow(message, run, story(*events, Answered(Answer(run, "Done."))))


async def answered(scene: WebScene, body: Any, *events: Event) -> tuple[int, dict[str, Any]]:
    """What a program gets whose message is answered by these events."""
    async with asyncio.TaskGroup() as group:
        asking = group.create_task(post(scene, "/api/chat", body))
        message, run = await scene.listener.next(len(scene.listener.received) + 1)
        told = [
            Answered(
                Answer(
                    run, event.answer.text, files=event.answer.files, notices=event.answer.notices
                )
            )
            if isinstance(event, Answered)
            else event
            for event in events
        ]
        await scene.chat.follow(message, run, story(*told))
    return asking.result()


async def post(scene: WebScene, path: str, body: Any, **headers: str) -> tuple[int, dict[str, Any]]:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = {"Content-Type": "application/json", **headers}
    async with scene.page.post(path, data=raw, headers=sent) as response:
        return response.status, await response.json()


async def get(scene: WebScene, path: str) -> tuple[int, Any]:
    async with scene.page.get(path) as response:
        return response.status, await response.json()


def whole(
    text: str = "Done.", *files: AnswerFile, notices: tuple[LocalizedText, ...] = ()
) -> Answered:
    return Answered(Answer(RunId(""), text, files=files, notices=notices))
