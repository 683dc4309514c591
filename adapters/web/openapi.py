"""The OpenAPI description of the HTTP API, generated from the routes and their docstrings."""

import inspect
from collections.abc import Iterable
from typing import Any

from aiohttp import web

from adapters.web.request_body import JsonBody

_RESPONSES = {
    "200": "The answer",
    "400": "The request cannot be read",
    "401": "The token is missing",
    "403": "Not allowed",
    "404": "There is no such thing, or it is not yours",
    "413": "Too much",
    "429": "Too often",
    "500": "The request failed; `reference` finds it in the log",
}
_BODY = {
    "required": True,
    "content": {
        "application/json": {"schema": {"$ref": "#/components/schemas/Message"}},
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "thread": {"type": "string"},
                    "file": {"type": "array", "items": {"type": "string"}},
                },
            }
        },
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
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in names
        ],
        "responses": {status: {"description": text} for status, text in _RESPONSES.items()},
        **({"requestBody": _BODY} if path in ("/api/chat", "/api/plan") else {}),
    }
