"""The places of the program, for tests."""

from adapters.embedded.place import EMBEDDED
from adapters.huggingface.place import HOSTED
from adapters.local.place import LOCAL
from adapters.openai.place import LLM

PLACES = (HOSTED, LLM, LOCAL, EMBEDDED)
"""Those for which the fakes have models and experts. Import a further place from its package."""

__all__ = ["EMBEDDED", "HOSTED", "LLM", "LOCAL", "PLACES"]
