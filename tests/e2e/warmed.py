"""What every program reads at its start, read once for all that are forked; and none of it looked
through for garbage.
"""

import gc

from pipeline.words import has_message

assert has_message("kind-summarization")
gc.freeze()
