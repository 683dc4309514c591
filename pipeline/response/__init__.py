"""Stage 4: from what came out of the tasks to the answer."""

from pipeline.response.checking import check, check_reply
from pipeline.response.llm import LlmResponder
from pipeline.response.plain import PlainResponder

__all__ = ["LlmResponder", "PlainResponder", "check", "check_reply"]
