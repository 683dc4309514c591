"""The question whether to delete for good, and its two buttons."""

from dataclasses import dataclass, replace

import discord

from adapters.discord.showing.buttons import PREFIX
from pipeline.domain import (
    LocalizedText,
)
from pipeline.words import say

_COMMAND = "command"


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
