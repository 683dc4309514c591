"""Commands that delete for good: recognised in a message, and asked about before."""

from collections.abc import Sequence

from pipeline.domain import Command, Incoming, LocalizedText


def find_erasing(message: Incoming, commands: Sequence[Command]) -> str:
    """The words of a command to the bot that deletes for good; "" if a message is none."""
    words = " ".join(message.bare_text.lower().split())
    erasing = [f"{command.name} {what}" for command in commands for what in command.erasing]
    return words if words in erasing and not message.addressing.is_overheard else ""


def ask_to_erase(words: str) -> LocalizedText:
    """The question whether to carry out a command that deletes: what it deletes, and where."""
    return LocalizedText("erase", {"what": words, "scope": words.partition(" ")[2]})
