"""A plan alone, with nothing run: for `troupe plan` and the web's /api/plan."""

import uuid

from bot.wiring import House
from pipeline.domain import Incoming, Planned, RunId, Sketch
from pipeline.ports import Chat
from pipeline.run import Draft, planned
from pipeline.tools import Memory


async def plan_of(message: Incoming, chat: Chat, house: House) -> Sketch:
    """The plan for a message, what was mended in it, and what is said where there is none. Raises RequestError."""
    run = RunId(uuid.uuid4().hex)
    memory = Memory(run, house.tools.journal, {})
    request = await house.conversation.intake.preview(message, chat, memory)
    draft = Draft(lambda _event: None)
    async for part in planned(request, house.tools.planners):
        draft.note(part)
    return Sketch(Planned(draft.plan, tuple(draft.repairs)), draft.reply, tuple(draft.notices))
