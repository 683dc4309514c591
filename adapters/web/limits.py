"""What a message may be, for those who want to know before they send it."""

from aiohttp import web
from typing_extensions import TypedDict

from adapters.web.operations import gives
from adapters.web.options import STATE


class Limits(TypedDict):
    """The most that a message may have."""

    text: int
    """Characters."""
    files: int
    file: int
    """Bytes of one file."""
    message: int
    """Bytes of all together."""


@gives(Limits)
async def limits(request: web.Request) -> web.Response:
    """GET /api/limits: how much a message may have: characters, files, bytes."""
    options = request.app[STATE].options
    most = Limits(
        text=options.max_text,
        files=options.max_files,
        file=options.max_file,
        message=options.max_body,
    )
    return web.json_response(most)
