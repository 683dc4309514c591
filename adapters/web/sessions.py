"""Sessions: who the caller is, and which conversations are theirs.

Each browser is a person, known by its session: a random secret in a cookie, which expires and ends
at logout. Callers without a session (programs) share one person. A person's conversations are in
that person's workspace, so no other session reaches them.
"""

import hashlib
import json
import re
import secrets
import time
from dataclasses import astuple, dataclass

from aiohttp import web

from pipeline.domain import Audience, Channel, Person, Thread
from pipeline.ports import Cache, ChatLog

PLATFORM = "web"
PROGRAMS = "programs"
SESSION_COOKIE = "troupe_session"
OLD_COOKIE = "troupe_person"
"""The first edition's cookie; it counts only for a person who has conversations."""
LIFETIME = 90 * 24 * 3600
_MAX_COOKIE = 200
_THREAD_NAME = re.compile(r"[A-Za-z0-9_-]{16,64}")
_LOCALE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}")


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that the server knows. `expires` in seconds since 1970."""

    person: str
    expires: float
    signed_in: bool


SESSION = web.RequestKey("session", Session)
"""The session of a request, if it has one."""
HOLDS_TOKEN = web.RequestKey("holds token", bool)
"""Whether a request came with the token itself, or with a signed link."""


async def find_session(cache: Cache, secret: str) -> Session | None:
    """The session with this secret; None if there is none, or it has expired."""
    if not 0 < len(secret) <= _MAX_COOKIE or (cached := await cache.get(_key(secret))) is None:
        return None
    session = Session(*json.loads(cached.value))
    return session if session.expires > time.time() else None


async def open_session(
    cache: Cache, *, person: str = "", signed_in: bool = False
) -> tuple[str, Session]:
    """Create a session, for a new person unless one is given; return its secret first."""
    secret = secrets.token_urlsafe(32)
    session = Session(person or secrets.token_hex(10), time.time() + LIFETIME, signed_in)
    await cache.put(_key(secret), json.dumps(astuple(session)))
    return secret, session


async def close_session(cache: Cache, secret: str) -> None:
    """Sign out: the secret is no longer valid."""
    if session := await find_session(cache, secret):
        await cache.put(_key(secret), json.dumps([session.person, 0.0, False]))


def _key(secret: str) -> str:
    return f"web session {_digest(secret)}"


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


async def find_old_person(request: web.Request, chat_log: ChatLog) -> str:
    """The person of a first-edition cookie, if they have conversations here; else ""."""
    secret = request.cookies.get(OLD_COOKIE, "")
    person = _digest(secret)[:20]
    is_possible = 0 < len(secret) <= _MAX_COOKIE
    return person if is_possible and await chat_log.is_known(f"{PLATFORM}:{person}") else ""


def set_cookie(response: web.StreamResponse, secret: str, *, secure: bool) -> None:
    """Give a browser the secret of its session."""
    response.set_cookie(
        SESSION_COOKIE, secret, max_age=LIFETIME, httponly=True, samesite="Lax", secure=secure
    )
    response.del_cookie(OLD_COOKIE)


def person_of(request: web.Request) -> Person:
    """The person behind a request that passed the middleware."""
    session = request.get(SESSION)
    return Person(session.person if session else PROGRAMS, "you", locale_of(request))


def locale_of(request: web.Request) -> str:
    """The language that the caller prefers."""
    match = _LOCALE.match(request.headers.get("Accept-Language", ""))
    return match.group() if match else "en"


def audience_of(person: Person) -> Audience:
    """The whole workspace for a browser; programs share one, so only the conversation itself."""
    return Audience.CHANNEL if person.id == PROGRAMS else Audience.WORKSPACE


def new_thread(person: Person) -> Thread:
    return thread_of(person, secrets.token_urlsafe(16))


def thread_of(person: Person, name: str) -> Thread:
    """The person's conversation with this name."""
    return Thread(Channel(PLATFORM, person.id, name), name)


def is_thread_name(name: str) -> bool:
    return _THREAD_NAME.fullmatch(name) is not None


def may_see(person: Person, thread: Thread) -> bool:
    """Whether a thread is the person's own. Programs are one person."""
    return thread.channel.workspace == person.id
