"""What choosing models costs, and how often ranking alone is right. `python -m benchmarks.choosing [cards.jsonl]`."""

import asyncio
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from adapters.embedded.experts import embedded_models
from adapters.huggingface import JoinedCatalogue, ListedCatalogue, known_models
from pipeline.domain import Model, Place, Proposed
from pipeline.naming import named, unheeded
from pipeline.policy import Rules
from pipeline.ports import TrackRecord
from pipeline.selection import select
from pipeline.shortlist import Shelf
from pipeline.table import KINDS
from tests.fakes.stages import request, task

_ID = re.compile(r"[\w.-]+(/[\w.-]+)?")
"""Some rows hold code or whole calls in place of a model's id; they are left out."""

EIGHT = (
    "text-to-image",
    "image-to-text",
    "translation",
    "text-to-speech",
    "object-detection",
    "summarization",
    "automatic-speech-recognition",
    "image-text-to-image",
)


async def cost(rounds: int = 300) -> None:
    """Choosing for a plan of eight tasks, everything known: no call of a model, no question to a database."""
    listed = (*known_models([Place.HOSTED, Place.LOCAL]), *embedded_models())
    catalogue = JoinedCatalogue([ListedCatalogue(listed)], places=list(Place))
    records = {(model.id, model.kind): TrackRecord(9, 1, 2.0, 3, 1, 2.0) for model in listed}
    shelf = Shelf(catalogue, Rules(commercial=True, deny=("evil/*",)), records)
    asked = request("do it all, with whisper-large and flux.1, please")
    took = []
    for _ in range(rounds):
        began = time.perf_counter()
        names = named(asked)
        for number, kind in enumerate(EIGHT):
            await select(Proposed(task(number, kind)), asked, shelf, names)
        await unheeded(names, [KINDS[kind] for kind in EIGHT], asked, shelf)
        took.append(time.perf_counter() - began)
    took.sort()
    print(
        f"choosing for 8 tasks: p50 {median(took) * 1e3:.2f} ms, p99 {took[-rounds // 100] * 1e3:.2f} ms"
    )


def cards(path: Path) -> Iterator[Model]:
    """The cards of models that the Gorilla paper collected, each with the kind its heading names."""
    for line in path.read_text("utf-8").splitlines():
        card = json.loads(line)
        if (kind := _kind(card["domain"])) and _ID.fullmatch(card["api_name"]):
            yield Model(card["api_name"], kind, (Place.LOCAL,), str(card.get("description", "")))


def _kind(domain: str) -> str:
    told = domain.lower().replace("-", " ")
    names = sorted(KINDS, key=len, reverse=True)
    return next((name for name in names if told.endswith(name.replace("-", " "))), "")


async def named_models(path: Path) -> None:
    """Every model of the file asked for by its id and by its short name, in a plain sentence."""
    models = tuple(cards(path))
    shelf = Shelf(ListedCatalogue(models))
    short = Counter(model.id.rpartition("/")[2].casefold() for model in models)
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for model in models:
        part = model.id.rpartition("/")[2]
        words = {"id": model.id, **({"short name": part} if short[part.casefold()] == 1 else {})}
        for way, name in words.items():
            wanted = request(f"please do this with {name}")
            step = await select(Proposed(task(0, model.kind)), wanted, shelf, named(wanted))
            asked[way] += 1
            honoured = bool(step.choice and step.choice.model.id == model.id)
            right[way] += honoured
            if not honoured:
                print(f"  not honoured: {name} ({model.kind})")
    for way, count in asked.items():
        print(f"asked for by {way}: {right[way]} of {count} honoured ({right[way] / count:.1%})")


if __name__ == "__main__":
    asyncio.run(cost())
    for given in sys.argv[1:]:
        asyncio.run(named_models(Path(given)))
