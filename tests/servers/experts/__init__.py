"""A local server that plays experts in Hugging Face's inference format, over real HTTP."""

from tests.servers.experts.answers import ANSWERS, Asked
from tests.servers.experts.faults import Fault
from tests.servers.experts.server import ExpertServer, experts_at_work

__all__ = ["ANSWERS", "Asked", "ExpertServer", "Fault", "experts_at_work"]
