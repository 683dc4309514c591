"""Text as every part of the program needs it: names, similarity, long text cut at safe places."""

from pipeline.text.splitting import Measure, Span, cut, defuse, shorten

__all__ = ["Measure", "Span", "cut", "defuse", "shorten"]
