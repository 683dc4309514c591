"""Reads the commands that people write as messages."""

from bot.commands.settings import is_known
from bot.commands.table import COMMANDS
from pipeline.domain import Command, Incoming, Invocation

_COMMANDS = {command.name: command for command in COMMANDS}


def parse_command(message: Incoming) -> Invocation | None:
    """The command in a message ("status", "model openai/whisper-large-v3"), if it is one.

    Words that do not fit the command's options make it a plain request ("plan a trip to Rome").
    After a slash it is always a command: the last option takes all remaining words, and if a
    required one is missing, the reply is the help. What erases is a command only if the bot is
    addressed: people say "forget me" to each other, too.
    """
    first, _, rest = message.bare_text.partition(" ")
    name, is_certain = first.lower(), message.text.lstrip().startswith("/")
    if name not in _COMMANDS or name == "ask" or message.files:
        return None
    command = _COMMANDS[name]
    count = len(command.options)
    words = rest.split(maxsplit=count - 1) if is_certain and count else rest.split()
    args = _match_arguments(command, words)
    if args is None and is_certain and not words:
        name, args = "help", {}
    if args is None or (command.erases(args) and message.addressing.is_overheard):
        return None
    return Invocation(
        id=message.id, command=name, args=args, person=message.asker, thread=message.thread
    )


def _match_arguments(command: Command, words: list[str]) -> dict[str, str] | None:
    options = command.options
    required = sum(option.required for option in options)
    if not required <= len(words) <= len(options):
        return None
    args = dict(zip((option.name for option in options), words, strict=False))
    for option in options:
        if option.choices and args.get(option.name, option.choices[0]) not in option.choices:
            return None
    return args if command.name != "settings" or is_known(args) else None
