"""The one table of commands, for every surface."""

from bot.commands.desk import Desk
from bot.commands.table import COMMANDS, Row, find, parse

__all__ = ["COMMANDS", "Desk", "Row", "find", "parse"]
