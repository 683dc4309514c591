"""The places of the program, for tests."""

from adapters.embedded.place import EMBEDDED
from adapters.huggingface.place import HOSTED
from adapters.local.place import LOCAL
from adapters.openai.place import LLM

PLACES = (HOSTED, LLM, LOCAL, EMBEDDED)

__all__ = ["EMBEDDED", "HOSTED", "LLM", "LOCAL", "PLACES"]
