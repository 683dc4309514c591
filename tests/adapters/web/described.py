"""Compares what the API sends with its own description."""

import re
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import aiohttp
from jsonschema import Draft202012Validator

PROBLEM = "application/problem+json"
JSON = frozenset({"application/json", PROBLEM})
STREAM = "text/event-stream"
_STREAMS: WeakKeyDictionary[aiohttp.ClientResponse, tuple["Description", dict[str, Any]]]
_STREAMS = WeakKeyDictionary()
"""What each open stream is compared with."""


@dataclass
class Description:
    """The OpenAPI description of an application, as a judge of its responses.

    Stricter than the document: a field that it does not name is a violation, too.
    """

    document: dict[str, Any]
    _paths: dict[str, re.Pattern[str]] = field(init=False)

    def __post_init__(self) -> None:
        self._paths = {path: _as_pattern(path) for path in self.document["paths"]}

    def find(self, method: str, path: str) -> dict[str, Any] | None:
        """The operation of a request; None if there is none."""
        for template, pattern in self._paths.items():
            if pattern.fullmatch(path):
                operations: dict[str, Any] = self.document["paths"][template]
                return operations.get(method.lower())
        return None

    def violations(
        self, operation: dict[str, Any], status: int, media_type: str, body: Any
    ) -> list[str]:
        """What a response has that the description has not. `body`: JSON, if it is that."""
        responses = operation["responses"]
        response = responses.get(str(status), responses.get(f"{status // 100}XX"))
        if response is None:
            return [f"status {status} is not described"]
        content = self._resolve(response).get("content", {})
        if not content:
            return []
        if media_type not in content and "*/*" not in content:
            return [f"{media_type} is not described for {status}"]
        return self._compare(content[media_type]["schema"], body) if media_type in JSON else []

    def event_violations(self, operation: dict[str, Any], name: str, data: Any) -> list[str]:
        for event in operation["responses"]["200"]["content"][STREAM]["schema"]["oneOf"]:
            if event["properties"]["event"]["const"] == name:
                return self._compare(event["properties"]["data"]["contentSchema"], data)
        return [f"the event {name} is not described"]

    def _resolve(self, schema: dict[str, Any]) -> Any:
        found: Any = self.document
        for part in schema.get("$ref", "").split("/")[1:]:
            found = found[part]
        return found if "$ref" in schema else schema

    def _compare(self, schema: dict[str, Any], body: Any) -> list[str]:
        whole = {**_close(schema), "components": _close(self.document["components"])}
        errors = Draft202012Validator(whole).iter_errors(body)
        return [f"{error.json_path}: {error.message[:500]}" for error in errors]


def _as_pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)))


def _close(schema: Any) -> Any:
    """The schema with no field allowed but those it names."""
    if isinstance(schema, list):
        return [_close(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _close(each) for name, each in schema.items()}
    is_object = closed.get("type") == "object" and "properties" in closed
    return {"additionalProperties": False, **closed} if is_object else closed


def check_responses(description: Description) -> aiohttp.ClientMiddlewareType:
    """A middleware of a client that fails where a response is not as described."""

    async def check(
        request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        response = await handler(request)
        operation = description.find(request.method, request.url.path)
        if operation is not None:
            media_type = response.content_type
            body = await response.json(content_type=None) if media_type in JSON else None
            wrong = description.violations(operation, response.status, media_type, body)
            assert not wrong, (request.method, str(request.url), wrong, body)
            if media_type == STREAM:
                _STREAMS[response] = description, operation
        return response

    return check


def check_event(response: aiohttp.ClientResponse, name: str, data: Any) -> None:
    """Fail where an event of a stream is not as described."""
    description, operation = _STREAMS[response]
    wrong = description.event_violations(operation, name, data)
    assert not wrong, (name, wrong, data)
