"""Opens the export of traces where OpenTelemetry's own variables ask for it; else costs nothing."""

from contextlib import AsyncExitStack

import structlog

from adapters.telemetry.spans import TraceSender
from bot import VERSION
from bot.environment import is_traced
from bot.setting_sources import adopt_telemetry_settings
from pipeline.domain import LocalizedText
from pipeline.errors import SettingsError
from pipeline.words import say

log = structlog.get_logger()


async def open_traces(stack: AsyncExitStack) -> TraceSender | None:
    """Where traces go until the stack closes; None where nothing asks for them.

    What keeps them from being sent is logged, and the program goes on without: often the variables
    are set for all programs of a machine.
    """
    environment = adopt_telemetry_settings()
    if not is_traced(environment):
        return None
    try:
        from adapters.telemetry.export import open_export  # noqa: PLC0415 - an extra
    except ImportError:
        log.warning("no traces", why=say("en", LocalizedText("telemetry-extra")))
        return None
    try:
        return await stack.enter_async_context(open_export(environment, VERSION))
    except SettingsError as error:
        log.warning("no traces", why=say("en", error.sentence))
        return None
