"""Any OpenAI-compatible endpoint: the controller, and the `llm` place.

Imported only when one is configured.
"""

from adapters.openai.catalogue import OpenAiCatalogue
from adapters.openai.expert import OpenAiExpert
from adapters.openai.llm import OpenAiLlm, SpareLlm
from adapters.openai.server import Endpoint, open_server

__all__ = [
    "Endpoint",
    "OpenAiCatalogue",
    "OpenAiExpert",
    "OpenAiLlm",
    "SpareLlm",
    "open_server",
]
