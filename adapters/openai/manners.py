"""What an endpoint understands: the ladder from strict JSON schema down to the plain prompt, found out once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pipeline.ports import Prompt

FORMATS = ("json_schema", "json_object", "")


@dataclass(frozen=True, slots=True)
class Manners:
    """How an endpoint likes to be asked. `format` is how JSON is asked for, "" only in the prompt."""

    format: str = FORMATS[0]
    usage: bool = True
    limit: str = "max_completion_tokens"

    def options(self, prompt: Prompt) -> dict[str, Any]:
        """The options of a call."""
        options: dict[str, Any] = {self.limit: prompt.max_tokens} if self.limit else {}
        if self.usage:
            options["stream_options"] = {"include_usage": True}
        if prompt.schema is not None and self.format:
            options["response_format"] = _response_format(self.format, prompt.schema)
        return options


def _response_format(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    if name == "json_object":
        return {"type": name}
    return {"type": name, "json_schema": {"name": "reply", "strict": True, "schema": dict(schema)}}


def plainer(manners: Manners, prompt: Prompt, message: str) -> Manners | None:
    """The next manners to try after a refusal with this message; None when there is nothing left to give up."""
    steps = dict(_steps(manners, prompt))
    named = next((steps[word] for word in steps if word in message), None)
    return named or next(iter(steps.values()), None)


def _steps(manners: Manners, prompt: Prompt) -> Iterator[tuple[str, Manners]]:
    """What can be given up, by the word that a refusal of it holds; the likeliest first."""
    if prompt.schema is not None and manners.format:
        below = FORMATS[FORMATS.index(manners.format) + 1]
        for word in ("response_format", "json_schema", "json_object", "schema"):
            yield word, replace(manners, format=below)
    if manners.usage:
        yield "stream_options", replace(manners, usage=False)
    if manners.limit == "max_completion_tokens":
        yield manners.limit, replace(manners, limit="max_tokens")
    elif manners.limit == "max_tokens":
        yield manners.limit, replace(manners, limit="")
