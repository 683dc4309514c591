"""Reads queries and small bodies of JSON as models; what does not fit is refused."""

from typing import TypeVar

from aiohttp import web
from pydantic import BaseModel, ValidationError

from adapters.bounds import read_body
from adapters.web.options import Refused

_MAX_BODY = 1 << 16
"""Bytes of JSON that is not a message."""
Model = TypeVar("Model", bound=BaseModel)


def read_query(request: web.Request, model: type[Model]) -> Model:
    """The query of a request. Raises Refused(400) if it does not fit."""
    query = {name: request.query[name] for name in model.model_fields if name in request.query}
    try:
        return model.model_validate(query)
    except ValidationError as error:
        raise explain_misfit(error, "web-bad-query") from error


async def read_model(request: web.Request, model: type[Model], most: int = _MAX_BODY) -> Model:
    """A body of JSON of at most so many bytes. Raises Refused if it is none, or does not fit."""
    if request.content_type != "application/json":
        raise Refused(415, "web-wrong-media-type", media_type=request.content_type)
    body = await read_body(request, most)
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        raise explain_misfit(error) from error


def explain_misfit(error: ValidationError, sentence: str = "web-bad-shape") -> Refused:
    """The refusal that says where an input does not fit."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "$"
    is_json = first["type"] != "json_invalid"
    return Refused(400, sentence if is_json else "web-bad-json", where=where, problem=first["msg"])
