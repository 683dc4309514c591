"""Stage 4 with a language model: it gets the request and the results as data."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from pipeline.domain import Blob, Media, NamedFile, Outcomes, Plan, Request, Run, find_slots
from pipeline.evidence import format_evidence
from pipeline.pictures import PICTURE_TOKENS, LoadPictures, load_no_pictures
from pipeline.ports import Llm, Message, Prompt, stream_text
from pipeline.prompts import cut_middle, fence, format_history, render, tokens

FindRun = Callable[[Request], Awaitable[Run | None]]
"""Finds the last run of a request's thread that had tasks."""

_ANSWER_TOKENS = 1024
_FRAME = 50
"""Tokens around the messages."""
_SHORTEST_PART = 40
"""Tokens of the shortest part that is worth including."""
_TEXT_TOKENS = (1200, 400, 150, 50, 15)
"""Limits for each text of a result, tried in order until everything fits."""
_HISTORY_TOKENS = 1000
"""Tokens of the thread's turns."""
_EARLIER_TOKENS = 500
"""Tokens of the results of an earlier run."""
_EARLIER_TEXT_TOKENS = 60
"""Limit for each text of an earlier result."""


async def find_no_run(_request: Request) -> Run | None:
    """The default `FindRun`."""
    return None


@dataclass(frozen=True, slots=True)
class LlmResponder:
    """Lets a language model write the answer from the results of the tasks."""

    llm: Llm
    load_pictures: LoadPictures = load_no_pictures
    find_earlier: FindRun = find_no_run

    @property
    def name(self) -> str:
        return self.llm.name

    async def respond(
        self, request: Request, plan: Plan, outcomes: Outcomes
    ) -> AsyncGenerator[str]:
        """Raises LlmError."""
        room = await self.llm.room()
        most = room // 4 // PICTURE_TOKENS if self.llm.sees_images else 0
        pictures = await self.load_pictures(_list_pictures(request, plan, outcomes)) if most else ()
        earlier = await self.find_earlier(request)
        prompt = respond_prompt(
            request, plan, outcomes, room=room, earlier=earlier, pictures=pictures[:most]
        )
        async with aclosing(stream_text(self.llm, prompt)) as pieces:
            async for piece in pieces:
                yield piece


def _list_pictures(request: Request, plan: Plan, outcomes: Outcomes) -> Sequence[NamedFile]:
    """The pictures that the tasks made, the last first, then those that they were given."""
    made = [
        NamedFile(f"made by task {task.id}", value.attachment)
        for task in reversed(plan.tasks)
        for value in find_slots(outcomes, task.id).values()
        if isinstance(value, Media)
    ]
    given = {file.attachment.hash for file in plan.files}
    return [*made, *(file for file in request.known_files if file.attachment.hash in given)]


def respond_prompt(
    request: Request,
    plan: Plan,
    outcomes: Outcomes,
    *,
    room: int,
    earlier: Run | None = None,
    pictures: Sequence[Blob] = (),
) -> Prompt:
    """Build the prompt that asks for the answer; `room` is the context in tokens.

    What does not fit is left out or cut: first what was before, then long results, and the text of
    the request last.
    """
    reply = min(_ANSWER_TOKENS, room // 4)
    system = render("respond")
    remaining = room - reply - tokens(system) - _FRAME - len(pictures) * PICTURE_TOKENS
    shortest = format_evidence(request, plan, outcomes, most=_TEXT_TOKENS[-1])
    for_text = remaining - min(tokens(shortest), remaining // 2)
    text = cut_middle(request.text, max(_SHORTEST_PART, for_text))
    remaining -= tokens(text)
    before = _format_before(request, earlier, min(remaining // 4, remaining - tokens(shortest)))
    remaining -= tokens(before)
    variants = (format_evidence(request, plan, outcomes, most=limit) for limit in _TEXT_TOKENS)
    results = next((lines for lines in variants if tokens(lines) <= remaining), shortest)
    results = cut_middle(results, max(_SHORTEST_PART, remaining))
    names = ", ".join(picture.name for picture in pictures)
    spoken = " (spoken: some words may be misheard)" if request.voice else ""
    parts = (
        before,
        f"Request{spoken}: {fence(text)}",
        f"Results: {fence(results)}",
        f"Pictures, in this order: {names}" if names else "",
    )
    user = Message("user", "\n".join(part for part in parts if part), tuple(pictures))
    return Prompt((Message("system", system), user), max_tokens=reply, effort="low")


def _format_before(request: Request, earlier: Run | None, limit: int) -> str:
    """The history, and the results of the thread's last run, in `limit` tokens."""
    results = ""
    if earlier is not None and limit > _SHORTEST_PART:
        lines = format_evidence(request, earlier.plan, earlier.outcomes, most=_EARLIER_TEXT_TOKENS)
        lines = cut_middle(lines, min(_EARLIER_TOKENS, limit // 2))
        results = f"Results of the last request: {fence(lines)}"
    history = format_history(request, min(_HISTORY_TOKENS, limit - tokens(results)))
    return "\n".join(part for part in (history, results) if part)
