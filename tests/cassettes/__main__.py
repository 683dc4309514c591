"""Record played.jsonl anew, from played servers: `python -m tests.cassettes`."""

import asyncio
from pathlib import Path

from tests.cassettes.played import record_played

_PATH = Path(__file__).with_name("played.jsonl")
_PATH.unlink(missing_ok=True)
asyncio.run(record_played(_PATH))
