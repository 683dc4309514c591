"""A plan alone, with nothing run: for `troupe plan` and the web's /api/plan."""

import uuid

from bot.wiring import House
from pipeline.domain import Incoming, Planned, RunId
from pipeline.ports import Chat
from pipeline.run import Draft, planned
from pipeline.tools import Memory


async def plan_of(message: Incoming, chat: Chat, house: House) -> Planned:
    """The plan for a message, and what was mended in it. Raises RequestError."""
    run = RunId(uuid.uuid4().hex)
    memory = Memory(run, house.tools.journal, {})
    request = await house.conversation.intake.preview(message, chat, memory)
    draft = Draft(lambda _event: None)
    async for part in planned(request, house.tools.planners):
        draft.note(part)
    return Planned(draft.plan, tuple(draft.repairs))
