"""Places, and providers at them, that cannot be used at the moment."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from pipeline.domain import LocalizedText, Model, Place
from pipeline.errors import ExpertError, PlaceRefused, PlaceUnreachable

REFUSED_SECONDS = 300.0
UNREACHABLE_SECONDS = 5.0
"""How long a place that is not reached is left alone at first."""
_LONGEST_UNREACHABLE = 60.0
"""How long it is left alone at most, in seconds."""
_FAILED_CONNECTIONS = 3
"""In a row, that close a place."""
_ALL = ""
"""Stands for all providers of a place."""


class PlaceHealth:
    """Which providers refused our key and which places were not reached: both rest for a while.

    Kept in memory only. A model that fails does not concern the others: see `TrackRecord`.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._closed: dict[tuple[Place, str], tuple[float, LocalizedText]] = {}
        self._unreached: Counter[Place] = Counter()
        self.unlisted: dict[Place, LocalizedText] = {}
        """Places whose list of models cannot be had, and why: more may be possible there."""
        self.dead: set[Place] = set()
        """Places that the last check of all found not to work; a success since then counts more."""

    def note_failure(self, place: Place, provider: str, error: ExpertError) -> None:
        """Close a provider, or the place, for a while if the error concerns all of its models.

        `provider` is empty where a place has only one.
        """
        if isinstance(error, PlaceRefused):
            self._closed[place, provider] = self._clock() + REFUSED_SECONDS, error.sentence
        elif isinstance(error, PlaceUnreachable) and self.is_open(place, _ALL):
            self._unreached[place] += 1
            times = self._unreached[place] - _FAILED_CONNECTIONS
            if times >= 0:
                seconds = min(UNREACHABLE_SECONDS * 2**times, _LONGEST_UNREACHABLE)
                self._closed[place, _ALL] = self._clock() + seconds, error.sentence

    def note_success(self, place: Place, provider: str) -> None:
        self.dead.discard(place)
        self._unreached.pop(place, None)
        self._closed.pop((place, _ALL), None)
        self._closed.pop((place, provider), None)

    def is_open(self, place: Place, provider: str) -> bool:
        now = self._clock()
        routes = ((place, _ALL), (place, provider))
        return all(self._closed[route][0] <= now for route in routes if route in self._closed)

    def explain(self, place: Place) -> LocalizedText | None:
        """Why the place, or a provider there, is closed; None if all of it is open."""
        now, closed = self._clock(), self._closed.items()
        reasons = (why for (where, _), (until, why) in closed if where == place and until > now)
        return next(reasons, None)

    def narrow(self, model: Model) -> Model:
        """The model with only the places and providers that are open."""
        if not self._closed:
            return model
        routed = [place for place in model.places if place.has_providers]
        providers = tuple(
            provider
            for provider in model.providers
            if all(self.is_open(place, provider.partition(":")[0]) for place in routed)
        )
        places = (
            place
            for place in model.places
            if self.is_open(place, _ALL)
            and (not place.has_providers or providers or not model.providers)
        )
        return replace(model, places=tuple(places), providers=providers)
