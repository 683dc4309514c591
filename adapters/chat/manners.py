"""The manners that all chats share: who is shown a sign that a message was taken."""

from pipeline.domain import Incoming
from pipeline.ports import ChatLog

_LAST = 2
"""Turns of a thread: what somebody said, and the bot's answer to it."""


async def is_expected(message: Incoming, chat_log: ChatLog) -> bool:
    """Whether a message is surely for the bot, so that its author is shown that it was taken.

    It is if it is addressed to the bot, or if the bot spoke last, to the same person. What people
    say to each other may get no answer either, and gets no sign.
    """
    if not message.addressing.is_overheard:
        return True
    context = await chat_log.context(message.thread, before=message.key, turns=_LAST, tail=0)
    match [turn.person for turn in context.turns]:
        case [asker, answerer]:
            return answerer.is_bot and asker.id == message.person.id
        case _:
            return False
