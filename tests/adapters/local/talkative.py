"""The played table, by a library that prints more than a pipe holds."""

import sys

from tests.adapters.local.played import TABLE

__all__ = ["TABLE"]

sys.stdout.write("welcome!\n" * 100_000)
