"""The OpenAPI description, made from the routes, their docstrings and their declarations."""

import inspect
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Literal

from aiohttp import web
from aiohttp.typedefs import Handler
from pydantic import ConfigDict, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from adapters.web.operations import Operation, declare, find_operation
from adapters.web.problems import PROBLEM, Problem
from adapters.web.sessions import SESSION_COOKIE, THREAD_NAME
from pipeline.domain import Action

Json = dict[str, Any]
_Mode = Literal["serialization", "validation"]
_SENT: _Mode = "serialization"
_TAKEN: _Mode = "validation"
_REFERENCE = "#/components/schemas/{model}"
_CONFIG = ConfigDict(use_attribute_docstrings=True)
_PATH: Mapping[str, Json] = {
    "thread": {"type": "string", "pattern": f"^{THREAD_NAME}$"},
    "action": {"type": "string", "enum": [*Action]},
    "hash": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
}
"""Parts of addresses; any other is a text."""
_DESCRIBED = ("/api/", "/files/")
_TEXT: Json = {"type": "string", "minLength": 1}
_ABOUT = (
    "Everything the page does, a program can do. Send a message to `/api/chat`; the answer comes "
    "whole, as server-sent events, or later (`Prefer: respond-async`). Errors are problem details "
    "(RFC 9457). Programs send the installation's token as a bearer token; a page that only its "
    "own machine can reach may have none."
)
_PROBLEMS = {"4XX": "Refused", "5XX": "Failed"}


@declare(Operation(gives={200: Json}, is_public=True))
async def openapi(request: web.Request) -> web.Response:
    """GET /api/openapi.json: this description."""
    return web.json_response(describe(request.app.router.routes()))


def describe(routes: Iterable[web.AbstractRoute]) -> Json:
    """An OpenAPI 3.1 document with every route below /api and /files."""
    described = (
        (route.method.lower(), route.resource.canonical, route.handler)
        for route in routes
        if route.resource is not None and route.method != "HEAD"
    )
    return _describe_all(tuple(each for each in described if each[1].startswith(_DESCRIBED)))


@lru_cache(maxsize=4)
def _describe_all(described: Collection[tuple[str, str, Handler]]) -> Json:
    schemas = _Schemas([find_operation(handler) for *_, handler in described])
    paths: dict[str, Json] = {}
    for method, path, handler in described:
        paths.setdefault(path, {})[method] = _describe(handler, path, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Troupe", "version": "1", "description": _ABOUT},
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": schemas.definitions,
            "responses": {how: _describe_problem(how, schemas) for how in _PROBLEMS.values()},
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {"type": "apiKey", "in": "cookie", "name": SESSION_COOKIE},
            },
        },
        "security": [{"token": []}, {"session": []}, {}],
    }


class _Untitled(GenerateJsonSchema):
    """Schemas whose fields have no titles, which would only repeat their names."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ANN401, ARG002 - pydantic's
        return False


class _Schemas:
    """The schemas of all types that are declared."""

    def __init__(self, operations: Collection[Operation | None]) -> None:
        shapes = {id(Problem): (Problem, _SENT)}
        for operation in operations:
            shapes |= {id(each): (each, mode) for each, mode in _list_shapes(operation)}
        inputs: list[Any] = [
            # In a tuple, as types with fields of their own take no configuration.
            (key, mode, TypeAdapter(tuple[shape], config=_CONFIG))  # type: ignore[valid-type]
            for key, (shape, mode) in shapes.items()
        ]
        made, whole = TypeAdapter.json_schemas(
            inputs, ref_template=_REFERENCE, schema_generator=_Untitled
        )
        self._made: dict[Any, Json] = {
            key: schema["prefixItems"][0] for (key, _), schema in made.items()
        }
        self.definitions: dict[str, Json] = whole.get("$defs", {})
        queries = {each.query for each in operations if each and each.query}
        self._queries: dict[int, Json] = {
            id(each): self.definitions.pop(self._name(each)) for each in queries
        }

    def of(self, shape: object) -> Json:
        return self._made[id(shape)]

    def of_query(self, model: object) -> Json:
        """The schema of a query, whose fields become parameters."""
        return self._queries[id(model)]

    def _name(self, model: object) -> str:
        return str(self.of(model)["$ref"]).rpartition("/")[2]


def _list_shapes(operation: Operation | None) -> Iterator[tuple[Any, _Mode]]:
    if operation is None:
        return
    for sent in (*operation.gives.values(), *operation.streams.values()):
        if sent is not None and not isinstance(sent, str):
            yield sent, _SENT
    for taken in (operation.query, operation.takes, operation.form):
        if taken is not None:
            yield taken, _TAKEN


def _describe(handler: object, path: str, schemas: _Schemas) -> Json:
    assert callable(handler)
    operation = find_operation(handler) or Operation()
    _, _, about = (inspect.getdoc(handler) or "").partition(": ")
    summary, _, description = about.partition("\n")
    body = _describe_body(operation, schemas)
    problems = {
        status: {"$ref": f"#/components/responses/{how}"} for status, how in _PROBLEMS.items()
    }
    return {
        "operationId": getattr(handler, "__name__", ""),
        "summary": summary.rstrip("."),
        **({"description": text} if (text := description.strip()) else {}),
        "parameters": [*_list_parameters(operation, path, schemas)],
        **({"requestBody": body} if body else {}),
        "responses": {
            **_describe_successes(operation, schemas),
            **problems,
        },
        **({"security": [{}]} if operation.is_public else {}),
    }


def _list_parameters(operation: Operation, path: str, schemas: _Schemas) -> Iterator[Json]:
    for part in path.split("/"):
        if part.startswith("{"):
            name = part.strip("{}")
            yield {"name": name, "in": "path", "required": True, "schema": _PATH.get(name, _TEXT)}
    if operation.query is not None:
        model = schemas.of_query(operation.query)
        for name, schema in model["properties"].items():
            required = name in model.get("required", ())
            yield {"name": name, "in": "query", "required": required, "schema": schema}
    for name, schema in operation.headers.items():
        yield {"name": name, "in": "header", "required": False, "schema": schema}


def _describe_body(operation: Operation, schemas: _Schemas) -> Json:
    taken = {"application/json": operation.takes, "multipart/form-data": operation.form}
    content = {
        media_type: {"schema": schemas.of(model)}
        for media_type, model in taken.items()
        if model is not None
    }
    return {"required": True, "content": content} if content else {}


def _describe_successes(operation: Operation, schemas: _Schemas) -> Json:
    responses: dict[str, Json] = {}
    for status, shape in operation.gives.items():
        if shape is None:
            content: Json = {}
        elif isinstance(shape, str):
            content = {media_type: {} for media_type in shape.split(", ")}
        else:
            content = {"application/json": {"schema": schemas.of(shape)}}
        about = {"description": HTTPStatus(status).phrase}
        responses[str(status)] = about | ({"content": content} if content else {})
    if operation.streams:
        ok = responses.setdefault("200", {"description": "OK"})
        events = [_describe_event(name, schemas.of(it)) for name, it in operation.streams.items()]
        ok.setdefault("content", {})["text/event-stream"] = {"schema": {"oneOf": events}}
    return responses or {"200": {"description": "OK"}}


def _describe_event(name: str, data: Json) -> Json:
    """The schema of a server-sent event, as OpenAPI 3.2 gives it."""
    text = {
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": data,
    }
    return {
        "type": "object",
        "properties": {"event": {"const": name}, "data": text},
        "required": ["event", "data"],
    }


def _describe_problem(how: str, schemas: _Schemas) -> Json:
    content = {PROBLEM: {"schema": schemas.of(Problem)}}
    return {"description": f"{how}: `detail` says why", "content": content}
