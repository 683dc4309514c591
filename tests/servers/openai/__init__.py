"""A local server that plays an OpenAI-compatible endpoint: chat, pictures, speech, transcription,
and its faults; and Hugging Face's router.
"""

from tests.servers.openai.faults import Fault
from tests.servers.openai.router import RouterServer, offer, served
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work

__all__ = ["Asked", "Fault", "OpenAiServer", "RouterServer", "offer", "openai_at_work", "served"]
