"""Who calls, and whose conversation is whose.

Every browser is a person of its own, by a secret cookie. Callers without a cookie (programs) share one. A person's conversations
lie in a workspace of that person, so nobody else's cookie reaches them, even with their ids.
"""

import hashlib
import re
import secrets

from aiohttp import web

from pipeline.domain import Audience, Channel, Person, Thread

COOKIE = "troupe_person"
PLATFORM = "web"
PROGRAMS = "programs"
_YEAR = 365 * 24 * 3600
_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
_LOCALE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def person_of(request: web.Request) -> Person:
    """The person behind a request."""
    secret = request.cookies.get(COOKIE, "")
    name = hashlib.sha256(secret.encode()).hexdigest()[:20] if secret else PROGRAMS
    return Person(name, "you", locale_of(request))


def locale_of(request: web.BaseRequest) -> str:
    """The language the caller likes best."""
    first = request.headers.get("Accept-Language", "").split(",")[0].partition(";")[0].strip()
    return first if _LOCALE.fullmatch(first) else "en"


def remember(request: web.Request, response: web.StreamResponse, *, secure: bool) -> None:
    """Give a browser that has none its secret."""
    if COOKIE not in request.cookies:
        response.set_cookie(
            COOKIE,
            secrets.token_urlsafe(24),
            max_age=_YEAR,
            httponly=True,
            samesite="Lax",
            secure=secure,
        )


def audience_of(person: Person) -> Audience:
    """A browser's conversations are all one person's; programs do not know of each other."""
    return Audience.CHANNEL if person.id == PROGRAMS else Audience.WORKSPACE


def new_thread(person: Person) -> Thread:
    return thread_of(person, secrets.token_urlsafe(16))


def thread_of(person: Person, name: str) -> Thread:
    """The person's conversation with this name."""
    return Thread(Channel(PLATFORM, person.id, name), name)


def is_name(name: str) -> bool:
    """Whether this can be the name of a conversation at all."""
    return _ID.fullmatch(name) is not None


def thread_behind(key: str) -> Thread | None:
    """The conversation behind the key of a thread, if it is one of ours."""
    platform, _, rest = key.partition(":")
    workspace, _, names = rest.partition(":")
    channel, _, root = names.partition(":")
    if platform != PLATFORM or not root:
        return None
    return Thread(Channel(platform, workspace, channel), root)


def may_see(person: Person, thread: Thread) -> bool:
    """Whether a person may see a conversation: their own, or one that a program began, whose name is its secret."""
    return thread.channel.platform == PLATFORM and thread.channel.workspace in (
        person.id,
        PROGRAMS,
    )
