"""Whether a message is meant for the bot."""

from pipeline.domain import Incoming


def meant_for_us(message: Incoming, *, takes_part: bool, mention: str) -> bool:
    """A mention or a direct message always is, what bots say never.

    Without a mention a follow-up in a thread we take part in is, unless somebody else is spoken to or the channel wants mentions.
    """
    heard = message.heard
    if message.person.is_bot:
        return False
    if heard.direct or heard.mentioned:
        return True
    if mention == "always" or heard.others_mentioned:
        return False
    return heard.replied_to_bot or takes_part
