from typing import NotRequired

import pytest
from aiohttp import web
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from adapters.web.chat import build_application
from adapters.web.inputs import read_model, read_query
from adapters.web.openapi import describe
from adapters.web.operations import find_operation, gives
from tests.adapters.web.described import PROBLEM, Description
from tests.adapters.web.scene import web_scene


class Leaf(TypedDict):
    """A leaf."""

    colour: str
    """What it looks like."""
    holes: NotRequired[int]


class Wanted(BaseModel):
    most: int = Field(10, ge=1, le=50)


@gives(Leaf, status=201, query=Wanted)
async def leaf(request: web.Request) -> web.Response:
    """POST /api/trees/{tree}/leaves: grow a leaf.

    It takes its time.
    """
    return web.json_response({})


OPERATION = {"path": "/api/trees/oak/leaves", "method": "POST"}


def tree() -> Description:
    app = web.Application()
    app.add_routes([web.post("/api/trees/{tree}/leaves", leaf), web.get("/elsewhere", leaf)])
    return Description(describe(app.router.routes()))


def test_a_declared_route_is_described_with_its_types() -> None:
    description = tree()
    operation = description.find(**OPERATION)

    assert [*description.document["paths"]] == ["/api/trees/{tree}/leaves"]
    assert operation is not None
    assert (operation["summary"], operation["description"]) == ("grow a leaf", "It takes its time.")
    path, query = operation["parameters"]
    assert (path["name"], path["in"], path["required"]) == ("tree", "path", True)
    assert query["name"] == "most"
    assert query["schema"] == {"type": "integer", "minimum": 1, "maximum": 50, "default": 10}
    shape = description.document["components"]["schemas"]["Leaf"]
    assert shape["properties"]["colour"]["description"] == "What it looks like."
    assert shape["required"] == ["colour"]


@pytest.mark.parametrize(
    ("status", "media_type", "body", "count"),
    [
        (201, "application/json", {"colour": "red"}, 0),
        (201, "application/json", {"colour": "red", "holes": 1}, 0),
        (201, "application/json", {}, 1),
        (201, "application/json", {"colour": 7}, 1),
        (201, "application/json", {"colour": "red", "legs": 6}, 1),
        (201, "text/html", None, 1),
        (200, "application/json", {"colour": "red"}, 1),
        (404, "application/json", {"error": "No."}, 1),
        (404, PROBLEM, {"error": "No."}, 1),
    ],
)
def test_a_response_is_compared_with_its_description(
    status: int, media_type: str, body: object, count: int
) -> None:
    description = tree()
    operation = description.find(**OPERATION)

    assert operation is not None
    assert bool(description.violations(operation, status, media_type, body)) is bool(count)


async def test_every_route_of_the_api_is_declared_under_a_name_of_its_own() -> None:
    async with web_scene() as scene:
        routes = [
            route
            for route in build_application(scene.chat.state, scene.listener).router.routes()
            if route.resource and route.resource.canonical.startswith(("/api/", "/files/"))
        ]
        operations = [
            operation
            for path in scene.described.document["paths"].values()
            for operation in path.values()
        ]

    assert [route for route in routes if find_operation(route.handler) is None] == []
    assert all(operation["summary"] for operation in operations)
    names = [operation["operationId"] for operation in operations]
    assert len(names) == len(set(names))


async def test_no_two_shapes_have_one_name_so_none_is_called_by_its_module() -> None:
    async with web_scene() as scene:
        schemas = scene.described.document["components"]["schemas"]

    assert [name for name in schemas if "__" in name] == []


@pytest.mark.parametrize(
    ("query", "body", "status"),
    [
        ("", b"{}", 200),
        ("most=50&other=x", b'{"most": 1}', 200),
        ("most=51", b"{}", 400),
        ("most=x", b"{}", 400),
        ("", b'{"most": 0}', 400),
        ("", b"{", 400),
        ("", b"[]", 400),
        ("", b'{"most": 1' + b" " * 100_000 + b"}", 413),
    ],
)
async def test_a_query_and_a_body_are_read_by_their_models(
    query: str, body: bytes, status: int
) -> None:
    async def read(request: web.Request) -> web.Response:
        """POST /leaves: read both."""
        read_query(request, Wanted)
        await read_model(request, Wanted)
        return web.Response()

    async with web_scene(extra_routes=(web.post("/leaves", read),)) as scene:
        headers = {"Content-Type": "application/json"}
        address = f"/leaves?{query}"
        async with scene.page.post(address, data=body, headers=headers) as response:
            assert response.status == status
