"""Logs: structured, on standard error; never a secret, and no message's text."""

import logging
import sys

import structlog


def begin_logging(level: str) -> None:
    """Lines for people on a terminal, JSON otherwise. Tracebacks never show values, which may be secrets."""
    number = getattr(logging, level.upper())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
    ]
    structlog.configure(
        processors=[*shared, *rendering(terminal=sys.stderr.isatty())],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=max(number, logging.WARNING), stream=sys.stderr)


def rendering(*, terminal: bool) -> list[structlog.typing.Processor]:
    """The last steps of a line on its way."""
    if terminal:
        return [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
