"""Who calls, and whose conversation is whose.

A browser is a person of its own, by a session that the server made: a random secret in a cookie,
which expires and can be signed out. Callers without a session (programs) share one person. A
person's conversations lie in a workspace of that person, so nobody else's session reaches them.
"""

import hashlib
import json
import re
import secrets
import time
from dataclasses import dataclass

from aiohttp import web
from cachetools import TTLCache

from pipeline.domain import Audience, Channel, Person, Thread
from pipeline.ports import Cache

PLATFORM = "web"
PROGRAMS = "programs"
SESSION_COOKIE = "troupe_session"
OLD_COOKIE = "troupe_person"
"""A secret that the browser kept in the first edition; it only counts for persons who exist."""
LIFETIME = 90 * 24 * 3600
_MAX_COOKIE = 200
_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_LOCALE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}")


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that the server knows. `expires` in seconds since 1970."""

    person: str
    expires: float
    signed_in: bool


SESSION = web.RequestKey("session", Session)
"""The session of a request, where it has one."""
HOLDS_TOKEN = web.RequestKey("holds token", bool)
"""Whether a request came with the token itself, or with a signed link."""


class Sessions:
    """The sessions, in memory and in the cache table, by the hash of their secret."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._recent: TTLCache[str, Session | None] = TTLCache(10_000, 300)

    async def find(self, secret: str) -> Session | None:
        """The session with this secret; None when there is none, or it has expired."""
        if not 0 < len(secret) <= _MAX_COOKIE:
            return None
        key = _key(secret)
        if key not in self._recent:
            cached = await self._cache.get(key)
            self._recent[key] = _parse(cached.value) if cached else None
        session = self._recent[key]
        return session if session and session.expires > time.time() else None

    async def open(self, *, person: str = "", signed_in: bool = False) -> str:
        """A new session, of a new person unless one is given. Returns its secret."""
        secret = secrets.token_urlsafe(32)
        session = Session(person or secrets.token_hex(10), time.time() + LIFETIME, signed_in)
        await self._save(secret, session)
        return secret

    async def close(self, secret: str) -> None:
        """Sign out: the secret opens nothing any more."""
        if session := await self.find(secret):
            await self._save(secret, Session(session.person, 0.0, signed_in=False))

    async def _save(self, secret: str, session: Session) -> None:
        value = [session.person, session.expires, session.signed_in]
        await self._cache.put(_key(secret), json.dumps(value))
        self._recent[_key(secret)] = session


def _key(secret: str) -> str:
    return f"web session {_digest(secret)}"


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def _parse(value: str) -> Session | None:
    try:
        person, expires, signed_in = json.loads(value)
        return Session(str(person), float(expires), bool(signed_in))
    except (ValueError, TypeError):
        return None


def old_person(request: web.Request) -> str:
    """The person of a browser that has a cookie of the first edition; "" without one."""
    secret = request.cookies.get(OLD_COOKIE, "")
    return _digest(secret)[:20] if 0 < len(secret) <= _MAX_COOKIE else ""


def set_cookie(response: web.StreamResponse, secret: str, *, secure: bool) -> None:
    """Give a browser the secret of its session."""
    response.set_cookie(
        SESSION_COOKIE, secret, max_age=LIFETIME, httponly=True, samesite="Lax", secure=secure
    )


def person_of(request: web.Request) -> Person:
    """The person behind a request that passed the middleware."""
    session = request.get(SESSION)
    return Person(session.person if session else PROGRAMS, "you", locale_of(request))


def locale_of(request: web.BaseRequest) -> str:
    """The language that the caller prefers."""
    header = request.headers.get("Accept-Language", "")[:_MAX_COOKIE]
    first = header.split(",")[0].partition(";")[0].strip()
    return first if _LOCALE.fullmatch(first) else "en"


def audience_of(person: Person) -> Audience:
    """A browser's conversations are one person's; programs do not know of each other."""
    return Audience.CHANNEL if person.id == PROGRAMS else Audience.WORKSPACE


def new_thread(person: Person) -> Thread:
    return thread_of(person, secrets.token_urlsafe(16))


def thread_of(person: Person, name: str) -> Thread:
    """The person's conversation with this name."""
    return Thread(Channel(PLATFORM, person.id, name), name)


def is_thread_name(name: str) -> bool:
    return _ID.fullmatch(name) is not None


def parse_thread(key: str) -> Thread | None:
    """The conversation behind the key of a thread, if it is one of the web's."""
    platform, _, rest = key.partition(":")
    workspace, _, names = rest.partition(":")
    channel, _, root = names.partition(":")
    if platform != PLATFORM or not root:
        return None
    return Thread(Channel(platform, workspace, channel), root)


def may_see(person: Person, thread: Thread) -> bool:
    """Their own conversations, or one that a program began, whose name is its secret."""
    channel = thread.channel
    return channel.platform == PLATFORM and channel.workspace in (person.id, PROGRAMS)
