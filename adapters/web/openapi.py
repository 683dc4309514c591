"""The OpenAPI description, made from the routes and their docstrings."""

import inspect
from collections.abc import Iterable
from typing import Any

from aiohttp import web

from adapters.web.json_body import JsonBody

_RESPONSES = {
    "200": {"description": "The answer"},
    "4XX": {"description": "Refused; `error` says why"},
    "5XX": {"description": "Failed; `error` says why, `reference` finds it in the log"},
}
_TEXT = {"type": "string"}
_FORM = {"text": _TEXT, "thread": _TEXT, "file": {"type": "array", "items": _TEXT}}
_BODY = {
    "required": True,
    "content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/Message"}},
        "multipart/form-data": {"schema": {"type": "object", "properties": _FORM}},
    },
}


async def openapi(request: web.Request) -> web.Response:
    """GET /api/openapi.json: this description."""
    return web.json_response(describe(request.app.router.routes()))


def describe(routes: Iterable[web.AbstractRoute]) -> dict[str, Any]:
    """An OpenAPI 3.1 document with every route below /api and /files."""
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        path = route.resource.canonical if route.resource is not None else ""
        if path.startswith(("/api/", "/files/")) and route.method != "HEAD":
            paths.setdefault(path, {})[route.method.lower()] = _operation(route, path)
    schema = JsonBody.model_json_schema(ref_template="#/components/schemas/{model}")
    return {
        "openapi": "3.1.0",
        "info": {"title": "Troupe", "version": "1"},
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": {**schema.pop("$defs"), "Message": schema},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}, {}],
    }


def _operation(route: web.AbstractRoute, path: str) -> dict[str, Any]:
    _, _, summary = (inspect.getdoc(route.handler) or "").partition(": ")
    names = [part.strip("{}") for part in path.split("/") if part.startswith("{")]
    return {
        "operationId": route.handler.__name__,
        "summary": summary.partition("\n")[0].rstrip("."),
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": _TEXT} for name in names
        ],
        "responses": _RESPONSES,
        **({"requestBody": _BODY} if path in ("/api/chat", "/api/plan") else {}),
    }
