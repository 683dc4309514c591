"""Whether the program can take messages now, and what is down."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from math import inf

from pipeline.domain import LocalizedText
from pipeline.errors import cause
from pipeline.outage import limit_patience
from pipeline.words import say

_PROBE_TIMEOUT = 3.0
"""Seconds after which a probe has failed."""
_PROBE_PATIENCE = 1.0
"""Seconds that a probe waits for a store that is away."""
_PROBE_SECONDS = 1.0
"""How long the result of the probes counts: anybody may ask for it."""


@dataclass(slots=True)
class Health:
    """What is down right now. The web page serves it at /readyz."""

    probes: Mapping[str, Callable[[], Awaitable[None]]]
    """By name: raises if messages cannot be kept there."""
    chats: tuple[str, ...] = ()
    """The platforms of all configured chats."""
    down: dict[str, LocalizedText] = field(default_factory=dict)
    """Why a platform is down."""
    _broken: dict[str, str] = field(default_factory=dict)
    """What the probes found last."""
    _probed_at: float = -inf
    _probing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def check(self) -> tuple[bool, Mapping[str, str]]:
        """Whether messages can be accepted, and what is down, with the reason.

        Not ready: messages cannot be written and read back, or every chat platform is down, not
        counting the web page, which serves this check.
        """
        async with self._probing:  # whoever asks at the same time gets the same answer
            if time.monotonic() - self._probed_at > _PROBE_SECONDS:
                self._broken = await self._probe()
                self._probed_at = time.monotonic()
        platforms = set(self.chats) - {"web"}
        is_reached = not platforms or not platforms <= self.down.keys()
        problems = {name: say("en", why) for name, why in self.down.items()} | self._broken
        return is_reached and not self._broken, problems

    async def _probe(self) -> dict[str, str]:
        async with asyncio.TaskGroup() as group:
            problems = {
                name: group.create_task(_find_problem(probe)) for name, probe in self.probes.items()
            }
        return {name: problem for name, task in problems.items() if (problem := task.result())}


async def _find_problem(probe: Callable[[], Awaitable[None]]) -> str:
    """Why a probe fails; "" if it does not."""
    try:
        with limit_patience(_PROBE_PATIENCE):
            async with asyncio.timeout(_PROBE_TIMEOUT):
                await probe()
    except TimeoutError:
        return say("en", LocalizedText("store-gone"))
    except Exception as error:  # noqa: BLE001 - nothing can be kept, for whatever reason
        known = cause(error)
        return say("en", known.sentence) if known else type(error).__name__
    return ""
