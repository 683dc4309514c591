"""The least that can be deployed on Ray Serve, which benchmarks/cluster.py compares ours with."""

from typing import Any

from ray import serve
from starlette.requests import Request


class Bare:
    """Reads the body and answers."""

    async def __call__(self, request: Request) -> list[dict[str, str]]:
        await request.body()
        return [{"generated_text": "hello"}]


def build(_arguments: dict[str, object]) -> Any:  # noqa: ANN401 - Ray's
    return serve.deployment(max_ongoing_requests=4)(Bare).bind()
