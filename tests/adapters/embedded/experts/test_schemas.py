"""What every built-in expert makes, in the official schema of its kind."""

from collections.abc import Mapping

import pytest

from adapters.embedded.experts.expert import EmbeddedExpert, embedded_models
from pipeline.domain import Blob
from pipeline.ports import Job
from tests.adapters.embedded.experts.drawn_files import head, invoice, page
from tests.adapters.wire.samples import sample_jobs
from tests.fakes.jobs import job, picture, sheet
from tests.schemas import officially, violations

_FLATS = sheet("rooms,price", *(f"{n % 5 + 1},{(n % 5 + 1) * 100 + n % 3}" for n in range(40)))
_STAFF = sheet("size,kind", *(f"{n % 7},{'big' if n % 7 > 3 else 'small'}" for n in range(40)))
_JOBS: Mapping[str, Job] = sample_jobs() | {
    one.kind.name: one
    for one in (
        job("question-answering", question="Who is the customer?", context="Customer: Ada"),
        job("table-question-answering", question="total people", table=sheet("a,people", "x,3")),
        job("document-question-answering", question="What is the total?", document=invoice()),
        job("document-to-text", document=sheet("a,b", "1,2")),
        job("object-detection", image=head()),
        job("optical-character-recognition", image=page("TOTAL 42")),
        job("tabular-classification", table=_STAFF, target="kind"),
        job("tabular-regression", table=_FLATS, target="price"),
        job("media-conversion", file=picture(), text="rotate it"),
        job("document-conversion", documents=picture(), text="as pdf"),
        job("table-conversion", table=_FLATS, text="as json"),
        job("table-to-chart", table=_FLATS, text="scatter plot of price over rooms"),
    )
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(embedded_models()))
async def test_results_follow_the_schema(kind: str, expert: EmbeddedExpert) -> None:
    assert kind in _JOBS, "add a job of this kind to _JOBS, or to tests/adapters/wire/samples.py"
    one = _JOBS[kind]
    if kind == "automatic-speech-recognition":
        spoken = await expert.run(job("text-to-speech", text="go forward ten meters"))
        audio = spoken.slots["audio"]
        assert isinstance(audio, Blob)
        one = job(kind, audio=audio)

    made = await expert.run(one)

    assert violations(officially(one, made), kind, "output") == []
