"""Any OpenAI-compatible endpoint: the controller, and the `llm` place.

Imported only when one is configured.
"""

from adapters.openai.catalogue import OpenAiCatalogue
from adapters.openai.client import Endpoint, open_client
from adapters.openai.expert import OpenAiExpert
from adapters.openai.llm import OpenAiLlm

__all__ = ["Endpoint", "OpenAiCatalogue", "OpenAiExpert", "OpenAiLlm", "open_client"]
