"""Run the program once: forked ones find all imported and read, and exempt from collection."""

import asyncio
import gc
from tempfile import TemporaryDirectory

from bot.logs import begin_logging
from tests.e2e.forked import start

begin_logging("critical")
with TemporaryDirectory() as _home:
    asyncio.run(start(_home))
gc.freeze()
