"""A local server that plays an OpenAI-compatible endpoint: chat, pictures, speech, transcription,
and its faults.
"""

from tests.servers.openai.faults import Fault
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work

__all__ = ["Asked", "Fault", "OpenAiServer", "openai_at_work"]
