"""Nothing happens at import."""

import subprocess
import sys

_LOOK = """
import sys
from bot import app, commands, conversation
from pipeline import words
sys.exit(words._bundle.cache_info().currsize)
"""


def test_no_words_are_read_until_something_is_said() -> None:
    looked = subprocess.run([sys.executable, "-c", _LOOK], check=False)

    assert looked.returncode == 0


_HEAVY = """
import sys
from bot import app, cli, platforms
print(*{"alembic", "discord", "huggingface_hub", "numpy", "openai", "PIL", "slack_sdk"} & sys.modules.keys())
"""  # noqa: E501


def test_what_not_every_start_needs_is_not_imported_at_the_start() -> None:
    looked = subprocess.run([sys.executable, "-c", _HEAVY], check=True, capture_output=True)

    assert looked.stdout.split() == []
