"""Text utilities: names, languages, tables, and cutting long texts."""

from pipeline.text.splitting import Measure, Span, cut, defuse, shorten, unlink

__all__ = ["Measure", "Span", "cut", "defuse", "shorten", "unlink"]
