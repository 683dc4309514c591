"""Nothing happens at import."""

import subprocess
import sys

_LOOK = """
import sys
from bot import commands, conversation, wiring
from pipeline import words
sys.exit(words._bundle.cache_info().currsize)
"""


def test_no_words_are_read_until_something_is_said() -> None:
    looked = subprocess.run([sys.executable, "-c", _LOOK], check=False)

    assert looked.returncode == 0
