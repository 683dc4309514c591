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
from dataclasses import astuple, dataclass

from aiohttp import web

from pipeline.domain import Audience, Channel, Person, Thread
from pipeline.ports import Cache, ChatLog

PLATFORM = "web"
PROGRAMS = "programs"
SESSION_COOKIE = "troupe_session"
OLD_COOKIE = "troupe_person"
"""A secret that the browser kept in the first edition; it only counts for persons who exist."""
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
"""The session of a request, where it has one."""
HOLDS_TOKEN = web.RequestKey("holds token", bool)
"""Whether a request came with the token itself, or with a signed link."""


async def find_session(cache: Cache, secret: str) -> Session | None:
    """The session with this secret; None when there is none, or it has expired."""
    if not 0 < len(secret) <= _MAX_COOKIE or (cached := await cache.get(_key(secret))) is None:
        return None
    session = Session(*json.loads(cached.value))
    return session if session.expires > time.time() else None


async def open_session(
    cache: Cache, *, person: str = "", signed_in: bool = False
) -> tuple[str, Session]:
    """A new session and its secret, of a new person unless one is given."""
    secret = secrets.token_urlsafe(32)
    session = Session(person or secrets.token_hex(10), time.time() + LIFETIME, signed_in)
    await cache.put(_key(secret), json.dumps(astuple(session)))
    return secret, session


async def close_session(cache: Cache, secret: str) -> None:
    """Sign out: the secret opens nothing any more."""
    if session := await find_session(cache, secret):
        await cache.put(_key(secret), json.dumps([session.person, 0.0, False]))


def _key(secret: str) -> str:
    return f"web session {_digest(secret)}"


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


async def find_old_person(request: web.Request, chat_log: ChatLog) -> str:
    """Who has conversations here and a cookie of the first edition; "" for anybody else."""
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
    """A browser's conversations are one person's; programs do not know of each other."""
    return Audience.CHANNEL if person.id == PROGRAMS else Audience.WORKSPACE


def new_thread(person: Person) -> Thread:
    return thread_of(person, secrets.token_urlsafe(16))


def thread_of(person: Person, name: str) -> Thread:
    """The person's conversation with this name."""
    return Thread(Channel(PLATFORM, person.id, name), name)


def is_thread_name(name: str) -> bool:
    return _THREAD_NAME.fullmatch(name) is not None


def may_see(person: Person, thread: Thread) -> bool:
    """Their own conversations, or one that a program began, whose name is its secret."""
    return thread.channel.workspace in (person.id, PROGRAMS)
