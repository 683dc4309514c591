"""What a route takes and gives, declared at its handler, for the OpenAPI description."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from aiohttp.typedefs import Handler
from pydantic import BaseModel

_NAME = "__operation__"
AnyHandler = TypeVar("AnyHandler", bound=Handler)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """What a route takes and gives. Types are TypedDicts, models of pydantic, or unions of them.

    `gives`: the JSON of a success, by status; a text is the media type of another body ("text/html,
    application/zip": either), None an empty body. `streams`: the data of its server-sent events, by
    name. `query` and `takes`: models of the query and of a body of JSON; `form`: of the fields of a
    form. `headers`: the schema of each.
    """

    gives: Mapping[int, Any] = field(default_factory=dict)
    streams: Mapping[str, Any] = field(default_factory=dict)
    query: type[BaseModel] | None = None
    takes: type[BaseModel] | None = None
    form: type[BaseModel] | None = None
    headers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    is_public: bool = False
    """Whether it needs no token."""


def gives(shape: Any, *, status: int = 200, **more: Any) -> Callable[[AnyHandler], AnyHandler]:  # noqa: ANN401 - a type, or a union of types
    """Declare the JSON that a handler gives, and by keyword what else `Operation` knows."""
    return declare(Operation(gives={status: shape}, **more))


def declare(operation: Operation) -> Callable[[AnyHandler], AnyHandler]:
    """Declare what a handler takes and gives.

    >>> class Count(TypedDict):
    ...     count: int
    >>> @declare(Operation(gives={200: Count}))
    ... async def count(request: web.Request) -> web.Response:
    ...     "GET /api/count: how many there are."
    """

    def mark(handler: AnyHandler) -> AnyHandler:
        setattr(handler, _NAME, operation)
        return handler

    return mark


def find_operation(handler: object) -> Operation | None:
    """What was declared at a handler."""
    return getattr(handler, _NAME, None)
