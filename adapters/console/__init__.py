"""The chat in the terminal."""

from adapters.console.chat import ConsoleChat

__all__ = ["ConsoleChat"]
