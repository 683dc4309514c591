"""Names and rights of people and channels, as Slack tells them."""

import asyncio
from dataclasses import dataclass, field
from itertools import islice
from weakref import WeakValueDictionary

import structlog
from cachetools import TLRUCache

from adapters.slack.reading.entities import find_mentions, find_unnamed_channels, resolve_entities
from adapters.slack.web_api.client import Json, SlackClient
from adapters.slack.web_api.errors import SlackGone
from pipeline.domain import Person
from pipeline.errors import ChatError

_HOUR = 3600
"""Seconds for which a record is kept."""
_SOON = 2.0
"""Seconds after which Slack is asked again for a record that it did not return."""
_MOST = 10_000
"""Records that are kept."""
_NAME_SECONDS = 1.2
"""How long a lookup may hold up an event."""
_MOST_NAMES = 50
"""Most people, and most channels, that are looked up for one message."""
_CHANNEL_LETTERS = "CDG"

log = structlog.get_logger()


@dataclass(slots=True)
class Directory:
    """Names of people and channels, cached for an hour. A slow lookup never holds up an event."""

    client: SlackClient
    _cards: TLRUCache[str, Json] = field(default_factory=lambda: TLRUCache(_MOST, _keep_until))
    _lookups: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def find_person(self, user: str) -> Person:
        """A person by id: name, language, and whether they are an admin of the bot's workspace.

        While Slack does not tell, the id is the name.
        """
        card = await self._find_card("users.info", "user", user)
        profile = card.get("profile") or {}
        name = profile.get("display_name") or card.get("real_name") or card.get("name") or user
        is_own = not card.get("is_stranger")  # others may be admins of their own workspace
        is_admin = is_own and (card.get("is_admin") or card.get("is_owner"))
        return Person(
            user,
            str(name),
            locale=str(card.get("locale") or "en"),
            is_bot=bool(card.get("is_bot")),
            roles=frozenset({"admin"} if is_admin else ()),
        )

    async def find_team(self, user: str) -> str:
        """The workspace of a person: of a shared channel, it may be another one."""
        card = await self._find_card("users.info", "user", user)
        return str(card.get("team_id") or self.client.me.team)

    async def may_read(self, user: str, channel: str, *, with_bot: bool = False) -> bool:
        """Whether a person may read a channel: a member, or anybody of us if it is public.

        `with_bot`: and the bot is in it. Raises ChatError if Slack does not say.
        """
        try:
            answer = await self.client.call("conversations.info", channel=channel)
            card, about = answer["channel"], await self._find_card("users.info", "user", user)
            if with_bot and not card.get("is_member", True):
                return False
            is_guest = about.get("is_restricted") or about.get("is_stranger") or not about
            if _is_public(card) and not is_guest:
                return True
            members = self.client.read_pages("conversations.members", "members", channel=channel)
            async for member in members:
                if str(member) == user:
                    return True
        except SlackGone as gone:
            log.info("channel not read", channel=channel, why=gone.code)
        return False

    async def resolve(self, text: str, here: str) -> str:
        """Write names for the ids in a text; the bot's own mention is left out.

        "<@U0TROUPE1> ask <@U0ANNA001> in <#C0GENERAL>" becomes "ask @anna in #general".
        The name of a private channel is for its members: only `here`, in itself, is written.
        """
        bot = self.client.me.user
        people = islice(find_mentions(text) - {bot}, _MOST_NAMES)
        ids = (*people, *islice(find_unnamed_channels(text), _MOST_NAMES))
        async with asyncio.TaskGroup() as tasks:
            names = {id_: tasks.create_task(self._find_name(id_, here)) for id_ in ids}
        known = {id_: task.result() for id_, task in names.items()}
        return resolve_entities(text, known, bot)

    async def _find_name(self, id_: str, here: str) -> str:
        if id_[0] not in _CHANNEL_LETTERS:
            return (await self.find_person(id_)).name
        card = await self._find_card("conversations.info", "channel", id_)
        return str(((_is_public(card) or id_ == here) and card.get("name")) or id_)

    async def _find_card(self, method: str, part: str, id_: str) -> Json:
        """Slack's record of a person or channel; empty if Slack does not return it in time."""
        async with self._lookups.setdefault(id_, asyncio.Lock()):
            card: Json | None = self._cards.get(id_)
            if card is None:
                try:
                    async with asyncio.timeout(_NAME_SECONDS):
                        args: Json = {part: id_, "include_locale": True}
                        answer = await self.client.call(method, tries=2, **args)
                except (ChatError, TimeoutError):
                    answer = {}
                card = self._cards[id_] = answer.get(part) or {}
            return card


def _is_public(card: Json) -> bool:
    return bool(card.get("is_channel")) and not card.get("is_private")


def _keep_until(_: str, card: Json, now: float) -> float:
    """Slack is asked again soon for a record that it did not return."""
    return now + (_HOUR if card else _SOON)
