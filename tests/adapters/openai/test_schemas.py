"""What is asked of a chat model, and what becomes of its answers, in Hugging Face's official
schemas.
"""

import json

import pytest

from adapters.media.table_engine import DuckTables
from adapters.openai.chat_calls import find_instruction
from adapters.openai.expert import OpenAiExpert
from adapters.openai.media_calls import MEDIA_CALLS
from adapters.openai.server import Endpoint, open_server
from pipeline.prompts.chat_tasks import CHAT_TASKS
from pipeline.task_kinds import KINDS
from tests.adapters.wire.samples import sample_jobs
from tests.fakes.outside import FakeWorkers
from tests.schemas import officially, violations, violations_as_published
from tests.servers.openai import OpenAiServer

_JOBS = sample_jobs()
_LABELS = {"labels": [{"label": "sports", "score": 0.7}, {"label": "politics", "score": 0.2}]}
_SPANS = {"spans": [{"text": "Ada", "label": "PER", "score": 0.9}]}


def _reply(kind: str) -> str:
    if kind == "table-question-answering":
        return json.dumps({"sql": "SELECT count(*) FROM t1"})
    schema = find_instruction(KINDS[kind])[1] if kind in CHAT_TASKS else None
    if schema is None:
        return "so it is"
    return json.dumps(_SPANS if "spans" in schema["properties"] else _LABELS)


@pytest.mark.parametrize("kind", sorted({*CHAT_TASKS, *MEDIA_CALLS}))
async def test_results_follow_the_schema_of_the_kind(kind: str, server: OpenAiServer) -> None:
    endpoint = Endpoint(_JOBS[kind].model.id, server.base, seconds=5, sees_images=True)
    server.replies = [_reply(kind)]
    async with open_server(endpoint) as opened:
        expert = OpenAiExpert(opened, tables=DuckTables(FakeWorkers()))
        made = await expert.run(_JOBS[kind])

    assert violations(officially(_JOBS[kind], made), kind, "output") == []
    for chat in server.chats:
        assert violations_as_published(chat.body, "chat-completion", "input") == []
