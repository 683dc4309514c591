"""The table of commands: their words, their options, what they do."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache

from bot.commands import about, forgetting, learned, runs, settings
from bot.commands.desk import Desk, worded
from pipeline.domain import Command, Incoming, Invocation, Option, Reply

Run = Callable[[Desk, Invocation], Awaitable[Reply]]
Complete = Callable[[Desk, str, str], Awaitable[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Row:
    """A command, what it does, and what completes its options."""

    command: Command
    run: Run
    complete: Complete | None = None


async def _ask(_desk: Desk, invocation: Invocation) -> Reply:
    """`ask` becomes a message in the conversation before it comes here; alone it has nothing to say."""
    return Reply(worded(invocation.person.locale, "ask-nothing"))


def _command(name: str, *options: Option, private: bool = True) -> Command:
    return Command(name, worded("en", f"command-{name}"), options, private)


def _option(
    name: str,
    *,
    required: bool = False,
    choices: tuple[str, ...] = (),
    completed: bool = False,
    file: bool = False,
) -> Option:
    return Option(name, worded("en", f"option-{name}"), required, choices, completed, file)


@cache
def rows() -> tuple[Row, ...]:
    """Every command. Made when they are first asked for, since their descriptions are read from the words."""
    return (
        Row(
            _command(
                "ask", _option("text", required=True), _option("file", file=True), private=False
            ),
            _ask,
        ),
        Row(
            _command("models", _option("kind", completed=True), _option("search")),
            about.models,
            about.complete,
        ),
        Row(
            _command("model", _option("id", required=True, completed=True)),
            about.model,
            about.complete,
        ),
        Row(_command("tasks"), about.tasks),
        Row(_command("plan"), runs.plan),
        Row(_command("status"), runs.status),
        Row(_command("stop"), runs.stop),
        Row(
            _command("forget", _option("what", required=True, choices=("me", "thread", "channel"))),
            forgetting.forget,
        ),
        Row(
            _command("settings", _option("name", completed=True), _option("value", completed=True)),
            settings.settings,
            settings.complete,
        ),
        Row(
            _command("learned", _option("do", choices=("forget",)), _option("entry")),
            learned.learned,
        ),
        Row(_command("help"), about.help_),
        Row(_command("whoami"), about.whoami),
    )


def commands() -> tuple[Command, ...]:
    return tuple(row.command for row in rows())


def find(name: str) -> Row | None:
    return next((row for row in rows() if row.command.name == name), None)


def parse(message: Incoming) -> Invocation | None:
    """A message that is a command ("status", "model openai/whisper-large-v3"), as after a mention in a Slack thread.

    Only what reads as one: words that are no arguments of the command make it a plain request ("plan a trip to Rome").
    Behind a slash there is no doubt: the last argument takes what is left over, and where one is missing there is help.
    """
    text = message.text.strip()
    first, _, rest = text.lstrip("/!").partition(" ")
    row = find(first.lower())
    if row is None or row.command.name == "ask" or message.files:
        return None
    name, meant = row.command.name, text.startswith("/")
    most = len(row.command.options)
    words = rest.split(maxsplit=most - 1) if meant and most else rest.split()
    args = _arguments(row.command, words)
    if args is None and meant and not words:
        name, args = "help", {}
    if args is None:
        return None
    return Invocation(message.id, name, args, message.person, message.thread)


def _arguments(command: Command, words: list[str]) -> dict[str, str] | None:
    options = command.options
    required = sum(option.required for option in options)
    if not required <= len(words) <= len(options):
        return None
    args = dict(zip((option.name for option in options), words, strict=False))
    for option in options:
        if option.choices and args.get(option.name, option.choices[0]) not in option.choices:
            return None
    return args if command.name != "settings" or settings.known(args) else None


def right(invocation: Invocation) -> str:
    """What the gate is asked about: the command, with what is to be forgotten; whether settings are only looked at."""
    args = invocation.args
    match invocation.command:
        case "forget":
            return f"forget {args.get('what', '')}"
        case "learned" if args.get("entry") == "all":
            return "learned forget all"
        case "settings" if not args.get("value"):
            return "settings shown"
        case command:
            return command
