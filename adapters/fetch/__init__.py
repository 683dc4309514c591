"""Guarded downloads: port `Fetch`."""

from adapters.fetch.http import HttpFetch
from adapters.fetch.policy import Policy

__all__ = ["HttpFetch", "Policy"]
