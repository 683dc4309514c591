"""Runs every embedded expert once: as a program, `here` in this process or in `workers`."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from adapters.embedded.experts.expert import EmbeddedExpert, embedded_models
from adapters.workers.pool import process_workers
from bot.environment import child_environment
from pipeline.domain import Blob
from pipeline.ports import Job, Workers
from tests.e2e.everyday import FILES
from tests.fakes.jobs import job, sheet, tone
from tests.fakes.outside import FakeWorkers

_TEXT = "Otters live in rivers. They eat fish. They sleep on their backs."
_TYPES = {"receipt": "image/png", "pdf": "application/pdf", "speech": "audio/mpeg"}


def list_jobs() -> Sequence[Job]:
    receipt, pdf, speech = map(_make, _TYPES)
    rows = [
        f"{'daisy' if number % 2 else 'rose'},{number % 2 * 5 + number % 3},{number}"
        for number in range(40)
    ]
    flowers = sheet("kind,length,price", *rows, ",5,7")
    return [
        job("text-to-speech", text="hello"),
        job("automatic-speech-recognition", audio=speech),
        job("audio-to-audio", audio=tone(1.0)),
        job("optical-character-recognition", image=receipt),
        job("document-to-text", document=pdf),
        job("document-question-answering", document=pdf, question="When is the deadline?"),
        job("question-answering", context=_TEXT, question="What do otters eat?"),
        job("summarization", text=_TEXT * 4),
        job("sentence-similarity", sentences=("an otter", "two otters")),
        job("object-detection", image=receipt),
        job("image-to-image", image=receipt, text="blur it"),
        *(job(f"{kind}-control", image=receipt) for kind in ("canny", "mlsd", "hed", "scribble")),
        job("text-classification", text="I love it!"),
        job("table-question-answering", table=flowers, question="What is the average length?"),
        job("tabular-classification", table=flowers, target="kind"),
        job("tabular-regression", table=flowers, target="price"),
        job("media-conversion", file=speech, text="convert to wav"),
        job("document-conversion", documents=(pdf, receipt), text="merge these"),
        job("table-conversion", table=flowers, text="sort by price, as xlsx"),
        job("table-to-chart", table=flowers, text="bar chart of price by kind"),
    ]


def _make(name: str) -> Blob:
    file, _, make = FILES[name]
    return Blob(make(), _TYPES[name], file)


@asynccontextmanager
async def _open_workers(where: str) -> AsyncIterator[Workers]:
    if where == "here":
        yield FakeWorkers()
        return
    async with process_workers(1, child_environment()) as workers:
        yield workers


async def main(where: str) -> None:
    jobs = list_jobs()
    assert {each.kind.name for each in jobs} == embedded_models().keys()
    async with _open_workers(where) as workers:
        for each in jobs:
            try:
                await EmbeddedExpert(workers).run(each)
            except Exception as error:
                raise AssertionError(each.kind.name) from error


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
