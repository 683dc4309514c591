"""The replicas of the program that serve the same shards, by what they tell each other."""

import json
from dataclasses import dataclass, field
from time import monotonic

import structlog

from pipeline.ports import Notifications, Topic

_MOST_MEMBERS = 100

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Member:
    held: int
    heard: float
    """When it last told of itself, on our clock."""


@dataclass(slots=True, kw_only=True)
class Members:
    """The other replicas that connect shards, and how many shards each of them holds.

    A wrong count makes shares uneven for some seconds, and nothing else: leases decide who has a
    shard. A replica that tells nothing for `patience` seconds is dead.
    """

    notifications: Notifications
    count: int
    """Of shards; replicas that were told another number share other ones."""
    patience: float
    _others: dict[str, _Member] = field(default_factory=dict)
    _other_counts: set[int] = field(default_factory=set)
    """Of which the log has told."""

    @property
    def id(self) -> str:
        """By which the others know this replica."""
        return self.notifications.program

    async def announce(self, held: int, *, leaves: bool = False, frees: bool = False) -> None:
        """Tell the others how many shards are held here.

        `leaves`: this replica takes none any more. `frees`: it has just given one up.
        """
        facts = {"id": self.id, "count": self.count, "held": held}
        facts |= {"leaves": leaves, "frees": frees}
        await self.notifications.publish(Topic.SHARDS, json.dumps(facts))

    def hear(self, text: str | None) -> bool:
        """Note what another replica told. Whether that is a reason to look for shards at once."""
        if text is None:  # some were not heard: nobody is dead for that
            now = monotonic()
            self._others = {id_: _Member(each.held, now) for id_, each in self._others.items()}
            return True
        facts = json.loads(text)
        id_ = str(facts["id"])
        if id_ == self.id:
            return False
        if facts["count"] != self.count:
            self._warn_once(int(facts["count"]))
            return False
        is_new = id_ not in self._others
        if facts["leaves"]:
            return self._others.pop(id_, None) is not None
        if len(self._others) < _MOST_MEMBERS or not is_new:
            self._others[id_] = _Member(int(facts["held"]), monotonic())
        return is_new or bool(facts["frees"])

    def _warn_once(self, count: int) -> None:
        if count not in self._other_counts:
            self._other_counts.add(count)
            log.warning("replicas count other shards: restart all", here=self.count, there=count)

    def list_loads(self) -> dict[str, int]:
        """How many shards each of the others holds, by their ids."""
        dead = monotonic() - self.patience
        self._others = {id_: each for id_, each in self._others.items() if each.heard > dead}
        return {id_: each.held for id_, each in self._others.items()}

    def is_one_silent(self, seconds: float) -> bool:
        """Whether one of them has told nothing for so long: it may be dead."""
        late = monotonic() - seconds
        return any(each.heard < late for each in self._others.values())
