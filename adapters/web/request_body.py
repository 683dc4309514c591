"""The body of a POST: text and files, as JSON or as a form, parsed once into values."""

from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager

from aiohttp import web

from adapters.web.form_body import read_form
from adapters.web.json_body import read_json
from adapters.web.message_body import MessageBody, check_files
from adapters.web.options import Refused, WebState


@asynccontextmanager
async def read_message(request: web.Request, state: WebState) -> AsyncIterator[MessageBody]:
    """The message in a request; its files are there until the context exits.

    Raises Refused if it is malformed or over a limit, and what `receive` raises.
    """
    options = state.options
    with ExitStack() as spools:
        if request.content_type == "multipart/form-data":
            body = await read_form(request, options, spools)
        elif request.content_type == "application/json":
            body = await read_json(request, state, spools)
        else:
            raise Refused(415, "web-wrong-media-type", media_type=request.content_type)
        check_files(body.files, options)
        if len(body.text) > options.max_text:
            raise Refused(413, "web-text-too-long", limit=options.max_text)
        if not body.text.strip() and not body.files:
            raise Refused(400, "web-empty")
        yield body
