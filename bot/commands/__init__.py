"""The commands, for every surface."""

from bot.commands.context import CommandContext
from bot.commands.table import complete, execute, list_commands, parse, permission_for

__all__ = ["CommandContext", "complete", "execute", "list_commands", "parse", "permission_for"]
