"""What people hide behind a click: words and files."""

import re

from pipeline.domain import Incoming

_SPOILER = re.compile(r"\|\|.+?\|\|", re.DOTALL)
"""Words between double bars, which people see after a click."""
_SPOILER_FILE = "SPOILER_"
"""How the name of a hidden file begins."""


def hide_spoilers(text: str) -> str:
    """A text for a place that shows everything, such as the name of a thread."""
    return _SPOILER.sub("▒▒▒", text)


def has_spoilers(message: Incoming) -> bool:
    """Whether the people who wrote a message, or what it replies to, hid anything of it."""
    above = message.replied_to.text if message.replied_to else ""
    names = (link.name for link in (*message.files, *message.earlier))
    has_hidden_file = any(name.startswith(_SPOILER_FILE) for name in names)
    return has_hidden_file or bool(_SPOILER.search(f"{message.text}\n{above}"))


def mark_hidden(name: str, *, is_hidden: bool) -> str:
    """The name of a file that is hidden begins so; results are named after it, and hidden, too."""
    return f"{_SPOILER_FILE}{name}" if is_hidden and not name.startswith(_SPOILER_FILE) else name
