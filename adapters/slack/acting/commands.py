"""The commands that people type after a slash."""

from collections.abc import Sequence
from difflib import get_close_matches

from pipeline.domain import Command
from pipeline.errors import RequestError

ASK = "ask"
_HELP = "help"
_ALIKE = 0.8
"""From this similarity on, an unknown word before others is taken for a misspelt command."""
_ALIKE_ALONE = 0.7
"""From this similarity on, one that stands alone is."""


def parse_command(
    words: str, commands: Sequence[Command], slash: str
) -> tuple[Command, dict[str, str]]:
    """The command in what was typed after the slash, and its arguments by name.

    The first word names the command: "models text-to-image cats" is `models` with the arguments
    `{"kind": "text-to-image", "search": "cats"}`. Other text is a request: "draw a cat" is `ask`
    with `{"text": "draw a cat"}`. `slash` is the app's own name for its command.

    Raises RequestError for what looks like a misspelt command, or lacks an argument.
    """
    first, _, rest = words.partition(" ")
    name, known = first.lower(), {command.name: command for command in commands}
    if name not in known:
        alike = get_close_matches(name, known, 1, _ALIKE if rest else _ALIKE_ALONE)
        if alike:
            names = {"name": first, "nearest": alike[0], "slash": slash}
            raise RequestError("slack-unknown-command", **names)
        if words.isascii() and words and not rest:  # other scripts write requests in one word
            raise RequestError("slack-unknown-word", name=first, slash=slash)
        name, rest = (ASK, words) if words else (_HELP, "")
    elif rest and not known[name].options:  # "plan a trip to Rome"
        name, rest = ASK, words
    command = known[name]
    args = _assign_words(command, rest)
    missing = [each for each in command.options if each.required and each.name not in args]
    if missing:
        usage = "|".join(missing[0].choices) or missing[0].name
        raise RequestError("slack-usage", usage=f"{slash} {command.name} <{usage}>")
    return command, args


def _assign_words(command: Command, words: str) -> dict[str, str]:
    """Assign the words of a command to its options; the last option takes the rest."""
    options = [option.name for option in command.options if not option.file]
    parts = words.strip().split(maxsplit=max(0, len(options) - 1))
    return dict(zip(options, parts, strict=False))
