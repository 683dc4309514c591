import re
from pathlib import Path

from adapters.web.chat import build_application
from adapters.web.openapi import describe
from adapters.web.options import STATE
from pipeline.domain import Action
from tests.adapters.web.scene import web_scene

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
