"""The commands, for every surface."""

from bot.commands.context import CommandContext
from bot.commands.table import (
    complete,
    execute,
    find_permission,
    list_commands,
    make_form,
    parse,
)

__all__ = [
    "CommandContext",
    "complete",
    "execute",
    "find_permission",
    "list_commands",
    "make_form",
    "parse",
]
