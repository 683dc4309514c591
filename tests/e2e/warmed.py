"""What every program reads at its start, read once for all that are forked; and none of it looked through for garbage."""

import gc

from pipeline.words import known

assert known("kind-summarization")
gc.freeze()
