"""What the `llm` place can do, and what it costs.

The chat model has its own kinds; the endpoint may list further models for pictures and sounds.
"""

import re
from collections.abc import Iterator, Sequence

from adapters.openai.place import LLM
from adapters.openai.server import Server
from pipeline.domain import Model, Price, TaskKind, Type
from pipeline.ports import Usage
from pipeline.prompts.chat_tasks import CHAT_TASKS
from pipeline.selection.catalogues import ListedCatalogue
from pipeline.selection.curated import complete
from pipeline.selection.known_models import load_known
from pipeline.task_kinds import KINDS

_MAX_NAME = 200


class OpenAiCatalogue(ListedCatalogue):
    """The server's models, as far as it has listed them."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self._server = server
        self._listed_of: tuple[object, ...] = ()

    async def renew(self) -> None:
        """Rebuild the list only if the server's own has changed: planning asks often."""
        server = self._server
        if self._listed_of != (state := (server.models, server.model, server.seeing_model)):
            self._listed_of = state
            self.replace(self._find_models())

    def _find_models(self) -> Iterator[Model]:
        server = self._server
        names = [str(row["id"]) for row in server.models if row.get("id")]
        chats = [
            Model(model, kind, (LLM,), prices={"": price} if price else {})
            for kind in CHAT_TASKS
            if (model := _choose_model(server, KINDS[kind]))
            for price in (server.find_price(model),)
        ]
        media = [Model(name, kind, (LLM,)) for name in names for kind in _find_media_kinds(name)]
        return map(complete, (*chats, *media))


def _choose_model(server: Server, kind: TaskKind) -> str:
    """The model for a kind, one that sees if a picture may come; "" if only such a one can."""
    types = [slot.types for slot in kind.takes]
    if not any(Type.IMAGE in each for each in types):
        return server.model
    return server.seeing_model or ("" if (Type.IMAGE,) in types else server.model)


def _find_media_kinds(name: str) -> Sequence[str]:
    """What a model does, by its name."""
    name = name[:_MAX_NAME].casefold()
    return [
        kind
        for pattern, kinds in load_known().media.items()
        if re.search(pattern, name)
        for kind in kinds
    ]


def cost_of(price: Price | None, usage: Usage | None) -> float | None:
    """What a call cost in US dollars; None where the price or the tokens are not known."""
    if price is None or usage is None or min(usage.prompt_tokens, usage.completion_tokens) < 0:
        return None
    return price.of(usage.prompt_tokens, usage.completion_tokens)
