"""Stage 4: from what came out of the tasks to the answer."""

from pipeline.response.llm import LlmResponder
from pipeline.response.plain import PlainResponder

__all__ = ["LlmResponder", "PlainResponder"]
