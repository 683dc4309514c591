"""Addresses of the page that people hand on."""

from aiohttp import web

from adapters.web.options import STATE


def make_url(request: web.Request, path: str) -> str:
    """The whole address of a path: where the page is reached from outside, else as the caller did.

    >>> make_url(request, "/shared/x1")
    'https://troupe.example/shared/x1'
    """
    public = request.app[STATE].options.public_url.rstrip("/")
    return f"{public or f'{request.scheme}://{request.host}'}{path}"
