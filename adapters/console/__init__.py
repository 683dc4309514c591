"""The terminal."""

from adapters.console.chat import ConsoleChat

__all__ = ["ConsoleChat"]
