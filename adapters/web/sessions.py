"""Sessions: who the caller is, and which conversations are theirs.

Each browser is a person, known by its session: a signed cookie, which expires and ends at logout.
Nothing is stored for it but its end. The cookie says which person it is, signed with the
installation's secret, and that the person has signed in, signed with the secret and the token: with
a new token everybody has to sign in again, with a new secret no cookie counts any more. That of
the owner, who runs the program, is signed with the secret and both tokens. Callers without a
session (programs) share one person. A person's conversations are in that person's workspace, so no
other session reaches them.
"""

import hashlib
import hmac
import ipaddress
import json
import re
import secrets
import time
from dataclasses import dataclass

from aiohttp import HttpVersion11, web

from adapters.web.health import is_named
from adapters.web.options import STATE, Refused, WebOptions, WebState
from adapters.web.run_logs import PLATFORM
from pipeline.domain import INSTALLER, OWNER, Audience, Channel, Person, Thread

PROGRAMS = "programs"
SESSION_COOKIE = "troupe_session"
OLD_COOKIE = "troupe_person"
"""The first edition's cookie; it counts only for a person who has conversations."""
LIFETIME = 90 * 24 * 3600
"""Seconds that a session lasts."""
_MAX_COOKIE = 300
"""Characters; a longer cookie is none of ours."""
THREAD_NAME = r"[A-Za-z0-9_-]{16,64}"
_THREAD_NAME = re.compile(THREAD_NAME)
_LOCALE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}")
_COOKIE = re.compile(r"([0-9a-f]{20})\.([0-9]{1,12})\.([0-9a-f]{64})\.([0-9a-f]{64})(?:\.(owner))?")
"""Person, expiry in seconds since 1970, the two signatures, and whether it is the owner's."""
_FORWARDED = frozenset(
    {
        "cf-connecting-ip",
        "fastly-client-ip",
        "forwarded",
        "true-client-ip",
        "via",
        "x-client-ip",
        "x-cluster-client-ip",
        "x-forwarded",
        "x-real-ip",
    }
)
"""Headers by which proxies tell that they are there, besides X-Forwarded-…"""
_ENDED = "[]"
"""What is stored for a cookie whose session was ended by logout."""


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that the server knows. `signed_in`: with the token that is in force."""

    person: str
    signed_in: bool
    is_owner: bool = False


SESSION = web.RequestKey("session", Session)
"""The session of a request, if it has one."""
SHOWN_SESSION = web.RequestKey("shown session", Session)
"""The session as the cookie of a request showed it."""
HOLDS_TOKEN = web.RequestKey("holds token", bool)
"""Whether a request came with a token itself."""
HOLDS_OWNER_TOKEN = web.RequestKey("holds owner token", bool)
"""Whether that was the owner's."""
LINKED_RUN = web.RequestKey("linked run", str)
"""The run whose answer has the signed link that a request came with."""


def open_session(
    options: WebOptions, person: str, *, is_owner: bool = False
) -> tuple[str, Session]:
    """The cookie of a session that is signed in with the token in force. "" is a new person."""
    person, expires = person or secrets.token_hex(10), str(int(time.time()) + LIFETIME)
    signatures = _sign(options, person, expires, is_owner=is_owner)
    cookie = ".".join((person, expires, *signatures, *(["owner"] if is_owner else ())))
    return cookie, Session(person, signed_in=True, is_owner=is_owner)


def _sign(options: WebOptions, person: str, expires: str, *, is_owner: bool) -> tuple[str, str]:
    """The signature of who it is, and that of the sign-in.

    The second differs for the owner's session: without its last part, its cookie is not signed in.
    """
    secret, said = options.secret(), f"{person}.{expires}"
    grant = f"web sign-in {said}.{options.token}"
    if is_owner:
        grant = f"web owner {said}.{options.token}.{options.owner_token}"
    return (
        hmac.digest(secret, f"web session {said}".encode(), "sha256").hex(),
        hmac.digest(secret, grant.encode(), "sha256").hex(),
    )


async def find_session(request: web.Request) -> Session | None:
    """The session of a request; None if there is none, or if it has expired or ended."""
    state, cookie = request.app[STATE], request.cookies.get(SESSION_COOKIE, "")
    if not 0 < len(cookie) <= _MAX_COOKIE:
        return None
    match = _COOKIE.fullmatch(cookie)
    if match is None:
        return await _find_stored(state, cookie)
    person, expires, *signatures, owner = match.groups("")
    is_owner = bool(owner)
    right = _sign(state.options, person, expires, is_owner=is_owner)
    is_person, is_signed_in = map(hmac.compare_digest, right, signatures)
    if not is_person or int(expires) < time.time():
        return None
    for ended in (_name_session(cookie), cookie):  # an earlier version ended it as it was sent
        if await state.ports.cache.get(_key(ended)) is not None:
            return None
    is_signed_in = is_signed_in and (not is_owner or state.options.owner_token != "")
    return Session(person, is_signed_in, is_signed_in and is_owner)


def _name_session(cookie: str) -> str:
    """What a cookie says: the same, whichever other signatures somebody puts behind it."""
    match = _COOKIE.fullmatch(cookie)
    return f"{match[1]}.{match[2]}" if match else cookie


async def _find_stored(state: WebState, cookie: str) -> Session | None:
    """A session of an earlier version, which was stored. To sign in takes the token again."""
    stored = await state.ports.cache.get(_key(cookie))
    if stored is None or stored.value == _ENDED or state.options.is_secret_renewed:
        return None
    person, expires, _ = json.loads(stored.value)
    return Session(person, signed_in=False) if expires > time.time() else None


async def has_ended(request: web.Request) -> bool:
    """Whether the session of a request, which may be long under way, counts no more."""
    shown: Session | None = request.get(SHOWN_SESSION)
    if shown is None or request.get(HOLDS_TOKEN):
        return False
    return await find_session(request) != shown


async def end_session(request: web.Request) -> None:
    """Sign out: the cookie is no longer valid."""
    state, session = request.app[STATE], await find_session(request)
    if session is None:
        return
    # A session that was never used needs no end, and anybody can have as many as they ask for.
    if has_signed_in(state.options, session) or await _is_known(state, session.person):
        cookie = request.cookies[SESSION_COOKIE]
        await state.ports.cache.put(_key(_name_session(cookie)), _ENDED)


def has_signed_in(options: WebOptions, session: Session | None) -> bool:
    """Whether somebody entered a token for this session, and so can sign out."""
    if session is None:
        return False
    return session.is_owner or (bool(options.token) and session.signed_in)


def _key(cookie: str) -> str:
    return f"web session {_digest(cookie)}"


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


async def _is_known(state: WebState, person: str) -> bool:
    return await state.ports.store.is_known(f"{PLATFORM}:{person}")


async def find_old_person(request: web.Request) -> str:
    """The person of a first-edition cookie, if they have conversations here; else ""."""
    state, secret = request.app[STATE], request.cookies.get(OLD_COOKIE, "")
    if not 0 < len(secret) <= _MAX_COOKIE or state.options.is_secret_renewed:
        return ""
    person = _digest(secret)[:20]
    return person if await _is_known(state, person) else ""


def set_cookie(response: web.StreamResponse, cookie: str, *, secure: bool) -> None:
    """Give a browser the cookie of its session."""
    response.set_cookie(
        SESSION_COOKIE, cookie, max_age=LIFETIME, httponly=True, samesite="Lax", secure=secure
    )
    response.del_cookie(OLD_COOKIE)


def find_person(request: web.Request) -> Person:
    """The person behind a request that passed the middleware."""
    session = request.get(SESSION)
    roles = {OWNER} if is_owner(request) else set[str]()
    if session is not None and may_set_up(request):
        roles.add(INSTALLER)
    name = session.person if session else PROGRAMS
    return Person(name, "you", locale=read_locale(request), roles=frozenset(roles))


def is_owner(request: web.Request) -> bool:
    """Whether a request that passed the middleware comes from who runs the program.

    That is everybody on a page that only this machine can reach and that has no token, else who
    signed in with the owner's token, or sent it along.
    """
    session = request.get(SESSION)
    is_known = request.get(HOLDS_OWNER_TOKEN, False) or (session is not None and session.is_owner)
    return is_known or request.app[STATE].options.is_private


def check_owner(request: web.Request) -> None:
    """Raises Refused for anybody but the owner."""
    if not is_owner(request):
        raise Refused(403, "web-owner-only")


def may_set_up(request: web.Request) -> bool:
    """Whether a request may reach the set-up, which writes keys and tells what is on this machine.

    Besides the owner's session that takes a page that only this machine can reach, a connection
    from this machine, and no proxy in between: through one, anybody could seem to be here.
    """
    state, transport = request.app[STATE], request.transport
    peer = transport.get_extra_info("peername") if transport else None
    names = {name.lower() for name in request.headers}
    is_forwarded = any(name in _FORWARDED or name.startswith("x-forwarded-") for name in names)
    return (
        state.ports.setup is not None
        and is_owner(request)
        and state.options.loopback
        and peer is not None
        and ipaddress.ip_address(peer[0]).is_loopback
        and is_named(request.host, state.options.local_names)
        and not is_forwarded
        and request.version >= HttpVersion11  # proxies speak the older one unless they are told
    )


def read_locale(request: web.Request) -> str:
    """The language that the caller prefers."""
    match = _LOCALE.match(request.headers.get("Accept-Language", ""))
    return match.group() if match else "en"


def find_audience(person: Person) -> Audience:
    """The whole workspace for a browser; programs share one, so only the conversation itself."""
    return Audience.CHANNEL if person.id == PROGRAMS else Audience.WORKSPACE


def start_thread(person: Person) -> Thread:
    return find_thread(person, secrets.token_urlsafe(16))


def find_thread(person: Person, name: str) -> Thread:
    """The person's conversation with this name."""
    return Thread(Channel(PLATFORM, person.id, name), name)


def is_thread_name(name: str) -> bool:
    return _THREAD_NAME.fullmatch(name) is not None


def may_see(person: Person, thread: Thread) -> bool:
    """Whether a thread is the person's own. Programs are one person."""
    return thread.channel.workspace == person.id
