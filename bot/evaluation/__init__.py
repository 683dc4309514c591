"""`troupe evaluate`: the paper's tables for a controller over labelled requests."""

from bot.evaluation.evaluating import evaluate

__all__ = ["evaluate"]
