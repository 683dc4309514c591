"""The doctor's question to an expert server."""

import pytest

from adapters.local.doctor import examine
from adapters.network.proxies import DIRECT
from tests.servers.experts import ExpertServer, experts_at_work


@pytest.mark.parametrize(
    ("kinds", "sentence"),
    [({}, "doctor-server-empty"), ({"org/a": "summarization"}, "doctor-server-good")],
)
async def test_a_server_without_models_is_not_good(kinds: dict[str, str], sentence: str) -> None:
    async with experts_at_work(ExpertServer(kinds=kinds)) as server:
        checks = [check async for check in examine(server.base, "", DIRECT)]

    assert [(check.what.id, check.good) for check in checks] == [
        (sentence, sentence == "doctor-server-good")
    ]
