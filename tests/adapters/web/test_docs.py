import asyncio
import json
import re
from pathlib import Path

from adapters.web.chat import build_application
from adapters.web.openapi import describe
from adapters.web.options import STATE
from pipeline.domain import Action
from tests.adapters.web.asking import answer_all
from tests.adapters.web.curl import Curl, read_examples
from tests.adapters.web.described import PROBLEM
from tests.adapters.web.scene import WebScene, web_scene
from tests.fakes.setup import FakeSetup

PAGE = (Path(__file__).parents[3] / "docs" / "web.md").read_text(encoding="utf-8")


async def test_every_address_is_in_the_documentation_and_nothing_else() -> None:
    async with web_scene() as scene:
        app = build_application(scene.chat.state, scene.listener)
        routes = {
            f"{route.method} {route.resource.canonical}"
            for route in app.router.routes()
            if route.resource is not None and route.method != "HEAD"
        }

        described = {
            f"{method.upper()} {path}"
            for path, operations in describe(app.router.routes())["paths"].items()
            for method in operations
        }

    assert STATE in app
    assert {route for route in routes if " /api" in route or " /files" in route} == described
    assert set(re.findall(r"`((?:GET|POST|PATCH|DELETE) /[^`]*)`", PAGE)) == routes


def test_every_button_is_in_the_documentation() -> None:
    assert all(f"`{action}`" in PAGE for action in Action)


async def test_the_examples_of_the_documentation_work() -> None:
    async with web_scene(setup=FakeSetup()) as scene, asyncio.TaskGroup() as group:
        scene.page.cookie_jar.clear()  # a program has none
        answering = group.create_task(answer_all(scene))
        file = await scene.keep(b"RIFF")
        known = {"TROUPE": "", "FILE": f"/files/{file}/answer.wav"}
        count = 0
        for request in read_examples(PAGE, known):
            known |= await ask(scene, request)
            count += 1
        answering.cancel()

    assert count > 10


async def ask(scene: WebScene, request: Curl) -> dict[str, str]:
    """Send a request; gives the run and the conversation of its answer."""
    async with scene.page.request(
        request.method, request.path, data=request.data, headers=request.headers
    ) as response:
        assert response.ok, (request, await response.text())
        text = await response.text()
        told = json.loads(text) if response.content_type == "application/json" else {}
    return {name.upper(): told[name] for name in ("run", "thread") if told.get(name)}


async def test_the_json_of_the_documentation_is_as_described() -> None:
    async with web_scene() as scene:
        chat = scene.described.find("POST", "/api/chat")
        threads = scene.described.find("GET", "/api/threads")
    assert chat is not None
    assert threads is not None
    problems = []
    for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL):
        body = json.loads(block)
        if "status" in body:
            problems += scene.described.violations(chat, body["status"], PROBLEM, body)
        else:
            operation = threads if "threads" in body else chat
            problems += scene.described.violations(operation, 200, "application/json", body)

    assert problems == []
