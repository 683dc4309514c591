"""The one table of commands, for every surface."""

from bot.commands.desk import Desk
from bot.commands.table import Row, commands, find, parse, right

__all__ = ["Desk", "Row", "commands", "find", "parse", "right"]
