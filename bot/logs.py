"""The log: what it looks like, and what it may hold."""

import logging
import sys

import structlog


def begin_logging(level: str) -> None:
    """Log to standard error: short readable lines on a terminal, JSON otherwise.

    Tracebacks show no values, which may be secrets or messages.
    """
    terminal = sys.stderr.isatty()
    number = getattr(logging, level.upper())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False)
        if terminal
        else structlog.processors.TimeStamper(fmt="iso"),
    ]
    structlog.configure(
        processors=[*shared, *list_log_renderers(terminal=terminal)],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    libraries = logging.StreamHandler(sys.stderr)
    libraries.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, _note_library],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *list_log_renderers(terminal=terminal),
            ],
        )
    )
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[libraries])
    logging.getLogger("discord.http").setLevel(logging.ERROR)  # warnings name webhooks' tokens


def _note_library(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Name the library that logs."""
    return {**event, "logger": event["_record"].name}


def list_log_renderers(*, terminal: bool) -> list[structlog.typing.Processor]:
    """The last structlog processors: they render the line."""
    if terminal:
        return [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
