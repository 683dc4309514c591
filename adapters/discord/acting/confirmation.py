"""The question whether to delete for good, and its two buttons."""

from dataclasses import dataclass, replace

import discord

from adapters.chat.erasure import ask_to_erase
from adapters.discord.showing.buttons import PREFIX
from adapters.discord.web_api.calls import make_nonce, retry_call
from pipeline.domain import Incoming, LocalizedText
from pipeline.ports import Ledger, Posting
from pipeline.words import say

_COMMAND = "command"
"""Stands in the id of a button where those of a run have an action."""


@dataclass(frozen=True, slots=True)
class CommandButton:
    """A button that carries out a command, for the person who gave it."""

    person: str
    root: str
    """The message on which the thread of the command starts; "" outside threads."""
    words: str
    """The command with its arguments; "" to carry out none."""

    @property
    def id(self) -> str:
        """The id of the button, which holds all state: it works after a restart."""
        return f"{PREFIX}:{_COMMAND}:{self.person}:{self.root}:{self.words}"


def parse_command_button(custom_id: str) -> CommandButton | None:
    """The command of a button id; None when it is not one of these."""
    match custom_id.split(":"):
        case [prefix, kind, person, root, words] if (prefix, kind) == (PREFIX, _COMMAND):
            return CommandButton(person, root, words)
        case _:
            return None


def make_confirmation(command: CommandButton, locale: str) -> discord.ui.View:
    """The buttons below the question whether to delete for good; their ids hold all state."""
    choices = {
        "erase-yes": (command, discord.ButtonStyle.danger),
        "erase-no": (replace(command, words=""), discord.ButtonStyle.secondary),
    }
    view = discord.ui.View(timeout=None)
    for id_, (button, style) in choices.items():
        label = say(locale, LocalizedText(id_))
        view.add_item(discord.ui.Button(label=label, style=style, custom_id=button.id))
    view.stop()
    return view


async def ask_before_erasing(
    message: discord.Message, incoming: Incoming, words: str, ledger: Ledger
) -> None:
    """Ask once, below a message, whether to carry out its command that deletes. Raises ChatError.

    `words` is the command with its arguments.
    """
    key, locale = f"{incoming.key}:erase", incoming.person.locale
    if (await ledger.begin(key))[0] is Posting.POSTED:
        return
    question = CommandButton(incoming.person.id, incoming.thread.root, words)
    text, view = say(locale, ask_to_erase(words)), make_confirmation(question, locale)
    nonce = make_nonce(key)
    sent = await retry_call(lambda: message.channel.send(text, view=view, nonce=nonce))
    await ledger.done(key, str(sent.id))
