"""The table in docs/tasks.md, out of the code's own tables. `python -m tests.house.tasks_page`
writes it anew.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from huggingface_hub.inference._providers import PROVIDERS

from adapters.embedded.experts.expert import embedded_models
from adapters.huggingface.tags import TAGS, find_task
from adapters.local.kinds import LOCAL_KINDS
from adapters.wire.formats import WIRE_FORMATS
from pipeline.domain import Place
from pipeline.prompts.chat_tasks import CHAT_TASKS
from pipeline.selection.curated import find_order, load_known_models
from pipeline.selection.known_models import load_known
from pipeline.task_kinds import KINDS
from tests.fakes.places import EMBEDDED, HOSTED, LLM, LOCAL

PAGE = Path(__file__).parents[2] / "docs/tasks.md"
NONE = "-"
OFFERED_BY_NOBODY = frozenset(
    {
        "audio-classification",
        "audio-to-audio",
        "sentence-similarity",
        "zero-shot-image-classification",
    }
)
"""Tasks for which the Hub listed no live model when last looked at (August 2026)."""
_MANY = 4
_TABLE = re.compile(r"^\| kind of task \|.*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)


def table() -> str:
    heads = ["kind of task", *map(str, _CELLS)]
    rows = [heads, ["---"] * len(heads)]
    rows += ([name, *(describe(name) for describe in _CELLS.values())] for name in KINDS)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def written() -> str:
    """The table as it stands in the page."""
    found = _TABLE.search(PAGE.read_text("utf-8"))
    return found[0] if found else ""


def without_any_place() -> Iterator[str]:
    for name in KINDS:
        if all(describe(name) == NONE for describe in _CELLS.values()):
            yield name


def _hosted(kind: str) -> str:
    if kind not in TAGS or kind in OFFERED_BY_NOBODY:
        return NONE
    task = find_task(TAGS[kind])
    names = [
        name
        for name, tasks in PROVIDERS.items()
        if task in tasks and not (name == "hf-inference" and kind not in WIRE_FORMATS)
    ]
    told = ", ".join(names) if len(names) <= _MANY else f"{len(names)} providers"
    return f"{_usual(kind, HOSTED)}{told} (p)"


def _llm(kind: str) -> str:
    if kind in CHAT_TASKS:
        return "the controller (p)"
    named = [pattern for pattern, kinds in load_known().media.items() if kind in kinds]
    return "image and audio models of the endpoint (p)" if named else NONE


def _local(kind: str) -> str:
    return f"{_usual(kind, LOCAL)}(t)" if kind in LOCAL_KINDS else NONE


def _embedded(kind: str) -> str:
    return f"`{embedded_models()[kind].id}` (r)" if kind in embedded_models() else NONE


def _usual(kind: str, place: Place) -> str:
    """The first choice at a place, by the table of curated models."""
    known = [model for model in load_known_models([place]) if model.kind == kind]
    return f"`{min(known, key=find_order).id}` " if known else ""


_CELLS: Mapping[Place, Callable[[str], str]] = {
    HOSTED: _hosted,
    LLM: _llm,
    LOCAL: _local,
    EMBEDDED: _embedded,
}
"""What a place has for a kind: the columns. A place whose kinds only its list knows has none."""


if __name__ == "__main__":
    PAGE.write_text(_TABLE.sub(lambda _: table(), PAGE.read_text("utf-8")), "utf-8")
