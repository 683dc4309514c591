"""Who and what is called how in a workspace, asked for once an hour."""

import asyncio
from collections.abc import Iterable
from weakref import WeakValueDictionary

from cachetools import TTLCache

from adapters.slack.access import Json
from adapters.slack.calls import SlackCalls
from adapters.slack.refusals import Refused
from pipeline.domain import Person
from pipeline.errors import ChatError

_HOUR, _MOST = 3600, 10_000
_PATIENCE, _REST = 1.5, 10


class Directory:
    """People and channels by id. What cannot be had in time goes by its id, so that no event waits for a name."""

    def __init__(self, calls: SlackCalls) -> None:
        self._calls = calls
        self._people: TTLCache[str, Person] = TTLCache(_MOST, _HOUR)
        self._channels: TTLCache[str, str] = TTLCache(_MOST, _HOUR)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._resting: TTLCache[str, bool] = TTLCache(_MOST, _REST)

    async def person(self, user: str) -> Person:
        async with self._locks.setdefault(user, asyncio.Lock()):
            if user not in self._people:
                card = await self._asked("users.info", "user", user=user, include_locale=True)
                if card is None:
                    return Person(user, user)
                self._people[user] = _person(user, card)
            return self._people[user]

    async def names(self, people: Iterable[str], channels: Iterable[str]) -> dict[str, str]:
        """Names by id."""
        async with asyncio.TaskGroup() as tasks:
            asked = {user: tasks.create_task(self.person(user)) for user in people}
            places = {place: tasks.create_task(self._channel(place)) for place in channels}
        named = {user: task.result().name for user, task in asked.items()}
        return named | {place: task.result() for place, task in places.items()}

    async def _channel(self, channel: str) -> str:
        if channel not in self._channels:
            card = await self._asked("conversations.info", "channel", channel=channel)
            if card is None:
                return channel
            self._channels[channel] = str(card.get("name") or channel)
        return self._channels[channel]

    async def _asked(self, method: str, part: str, **args: object) -> Json | None:
        if method in self._resting:
            return None
        try:
            async with asyncio.timeout(_PATIENCE):
                answer = await self._calls.ask(method, tries=2, **args)
        except Refused:
            return None
        except (ChatError, TimeoutError):
            self._resting[method] = True
            return None
        card = answer.get(part)
        return card if isinstance(card, dict) else None


def _person(user: str, card: Json) -> Person:
    profile = card.get("profile") or {}
    name = profile.get("display_name") or card.get("real_name") or card.get("name") or user
    rules = card.get("is_admin") or card.get("is_owner")
    return Person(
        user,
        str(name),
        str(card.get("locale") or "en"),
        is_bot=bool(card.get("is_bot")),
        roles=frozenset({"admin"} if rules else ()),
    )
