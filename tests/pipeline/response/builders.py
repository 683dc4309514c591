"""Answers about records, for the tests of the response stage."""

from dataclasses import replace

from pipeline.domain import (
    Answer,
    AnswerPart,
    Done,
    Event,
    Model,
    NamedFile,
    Outcomes,
    Output,
    Plan,
    Text,
)
from pipeline.response.respond import respond
from tests.fakes.places import HOSTED
from tests.fakes.stages import FakeResponder, task
from tests.pipeline.planning.builders import ANNA, file, request
from tests.pipeline.response.true_answers import TrueAnswer


async def answer_about(row: TrueAnswer) -> tuple[Answer, str]:
    """The answer of a model that says this about this record, and what was streamed of it."""
    files = [NamedFile(f"file {at}", file(name).attachment) for at, name in enumerate(row.files)]
    asked = replace(request(row.asked, *files), person=replace(ANNA, locale=row.locale))
    steps = [task(at, "image-to-text", image="x") for at, _ in enumerate(row.found)]
    model = Model("acme/one", "image-to-text", (HOSTED,))
    outcomes: Outcomes = {
        step.id: Done(Output({"text": Text(words)}), took=1.0, model=model, place=HOSTED)
        for step, words in zip(steps, row.found, strict=True)
    }
    events: list[Event] = []
    pieces = [row.answer[at : at + 5] for at in range(0, len(row.answer), 5)]
    responder = FakeResponder(pieces)
    answer = await respond(asked, Plan(tuple(steps)), outcomes, [responder], events.append)
    return answer, "".join(event.text for event in events if isinstance(event, AnswerPart))
