"""How a model counts tokens, learned from the usage that its server tells, and remembered over restarts."""

import json

from pipeline.ports import Cache, Prompt, Usage
from pipeline.prompts import Measure

_CHANGED = 0.05


class Learner:
    """The measure of one model at one endpoint. Without a cache it is forgotten with the program."""

    def __init__(self, name: str, cache: Cache | None) -> None:
        self._key = f"tokens {name}"
        self._cache = cache
        self._measure: Measure | None = None
        self._kept = Measure()

    async def measure(self) -> Measure:
        if self._measure is None:
            kept = await self._cache.get(self._key) if self._cache else None
            self._measure = self._kept = _read(kept.value) if kept else Measure()
        return self._measure

    async def learn(self, prompt: Prompt, usage: Usage) -> None:
        """Only from text alone: servers differ in whether they count a schema, and pictures are counted by their own rules."""
        if prompt.schema is not None or any(message.images for message in prompt.messages):
            return
        text = "\n".join(message.text for message in prompt.messages)
        self._measure = (await self.measure()).taught(text, usage.prompt_tokens)
        pairs = zip(self._measure.factors, self._kept.factors, strict=True)
        if self._cache and any(abs(now / before - 1) > _CHANGED for now, before in pairs):
            self._kept = self._measure
            await self._cache.put(self._key, json.dumps(self._measure.factors))


def _read(text: str) -> Measure:
    """The measure that was kept; a fresh one where it cannot be read."""
    try:
        first, second, third = map(float, json.loads(text))
        return Measure((first, second, third)).within_bounds
    except (ValueError, TypeError):
        return Measure()
