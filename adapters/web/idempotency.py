"""Requests that are sent again under the same `Idempotency-Key` do what the first one did, once."""

import hashlib
import hmac
import json
import re
from dataclasses import astuple, dataclass

from aiohttp import web

from adapters.web import sessions
from adapters.web.options import STATE, Refused

HEADER = "Idempotency-Key"
MAX_KEY = 255
"""Characters."""
KEY_HEADER = {
    HEADER: {
        "type": "string",
        "pattern": f"^[!-~]{{1,{MAX_KEY}}}$",
        "description": "The same key gives the same run, never a second one.",
    }
}
"""The header in the description of the API."""
_KEY = re.compile(rf"[!-~]{{1,{MAX_KEY}}}")


@dataclass(frozen=True, slots=True)
class Names:
    """What a request is known by: the id of its message or click, and its conversation's name."""

    id: str
    thread: str = ""


async def find_names(request: web.Request, content: str, names: Names) -> Names:
    """The names of the first request of this person with this key; `names` if this is the first.

    They are stored before anything is done under them, and the inbox takes an id once: so a request
    that is sent again, be it after a restart, begins nothing new. Raises Refused if the key is
    malformed, or came with other content before.
    """
    key = request.headers.get(HEADER)
    if key is None:
        return names
    if not _KEY.fullmatch(key):
        raise Refused(400, "web-bad-key", limit=MAX_KEY)
    state, person = request.app[STATE], sessions.find_person(request).id
    owned = hashlib.sha256(f"{person}\n{key}".encode()).hexdigest()
    name = f"web request {owned}"
    digest = hmac.digest(key.encode(), content.encode(errors="replace"), "sha256").hex()
    stored = await state.ports.cache.claim(name, json.dumps([digest, *astuple(names)]))
    before, *first = json.loads(stored)
    if before != digest:
        raise Refused(422, "web-key-used")
    return Names(*first)
