"""What is logged of a call that is repeated."""

import pytest
from stamina.instrumentation import RetryDetails
from structlog.testing import capture_logs

from adapters.chat.retrying import log_retry
from pipeline.errors import ChatError, SettingsError


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (SettingsError("store-crowded", url="postgresql://host/db"), "Raise its max_connections"),
        (ChatError("chat-gone"), "chat-gone"),
        (ValueError("what somebody typed"), "ValueError"),
    ],
)
def test_settings_that_may_be_wrong_are_told_and_nothing_that_people_typed(
    error: Exception, told: str
) -> None:
    details = RetryDetails("post", ("what somebody typed",), {}, 1, 0.5, 0.0, error)

    with capture_logs() as lines:
        log_retry(details)

    assert told in str(lines)
    assert "what somebody typed" not in str(lines)
