"""Which messages are for the bot."""

from pipeline.domain import Incoming


def is_addressed(message: Incoming, mention: str) -> bool | None:
    """Whether a message is for the bot. None: only if the bot takes part in its thread.

    Mentions and direct messages are; messages by bots never are. Follow-ups without a mention are,
    unless they mention somebody else or the channel requires mentions (`mention` is "always").
    """
    addressing = message.addressing
    if message.person.is_bot:
        return False
    if addressing.direct or addressing.mentioned:
        return True
    if mention == "always" or addressing.others_mentioned:
        return False
    return True if addressing.replied_to_bot else None
