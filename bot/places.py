"""The places where models can run, in the order of the default of TROUPE_PLACES."""

from adapters.embedded.place import EMBEDDED
from adapters.huggingface.place import HOSTED
from adapters.local.place import LOCAL
from adapters.openai.place import LLM

__all__ = ["EMBEDDED", "HOSTED", "LLM", "LOCAL", "PLACES"]

PLACES = (HOSTED, LLM, LOCAL, EMBEDDED)
