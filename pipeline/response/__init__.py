"""Stage 4: from the outcomes of the tasks to the answer."""

from pipeline.response.llm import FindRun, LlmResponder
from pipeline.response.plain import PlainResponder
from pipeline.response.respond import list_heard, list_problems, reply, respond

__all__ = [
    "FindRun",
    "LlmResponder",
    "PlainResponder",
    "list_heard",
    "list_problems",
    "reply",
    "respond",
]
