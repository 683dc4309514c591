"""Stage 4: from the outcomes of the tasks to the answer."""

from pipeline.response.llm import LlmResponder
from pipeline.response.plain import PlainResponder
from pipeline.response.respond import list_problems, reply, respond

__all__ = ["LlmResponder", "PlainResponder", "list_problems", "reply", "respond"]
