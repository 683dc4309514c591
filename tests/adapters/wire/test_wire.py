"""Every kind over real HTTP, against the official schemas."""

import asyncio
import re
from dataclasses import replace
from typing import Any, TypeGuard
from urllib.parse import quote

import pytest

from adapters.huggingface.hosted import OWN_DIALECT
from adapters.local.client import DIALECT
from adapters.wire.expert import WireExpert, open_wire_expert
from adapters.wire.formats import WIRE_FORMATS
from pipeline.domain import (
    Blob,
    Boxes,
    ExpertOutput,
    Labels,
    Mask,
    Masks,
    Number,
    Spans,
    Text,
    Vector,
)
from pipeline.errors import BadInput, ExpertGarbled, ExpertRefused
from pipeline.queues import FIRST, Ticket
from pipeline.task_kinds import KINDS
from tests.adapters.wire.conftest import for_server
from tests.adapters.wire.samples import sample_jobs
from tests.fakes.jobs import job, picture, sheet
from tests.schemas import officially, violations
from tests.servers.experts import ANSWERS, ExpertServer
from tests.servers.experts.answers import File

JOBS = sample_jobs()
ONLY_HERE = frozenset(
    {"document-to-text", "media-conversion", "document-conversion", "table-conversion"}
    | {"table-to-chart", "tabular-classification", "tabular-regression"}
)
_ALIKE = {
    f"{name}-{rest}"
    for name in ("hed", "mlsd", "normal", "openpose", "scribble", "depth", "seg")
    for rest in ("control", "text-to-image")
}
"""Sent and read as the canny ones are."""
_DATA = {
    "labels": Labels,
    "boxes": Boxes,
    "masks": Masks,
    "spans": Spans,
    "vector": Vector,
    "number": Number,
    "text": Text,
}


def test_every_kind_but_those_that_stay_here_goes_over_the_wire() -> None:
    hint = "kinds that never leave the program: _ONLY_HERE in formats.py, ONLY_HERE in this file"
    assert WIRE_FORMATS.keys() == KINDS.keys() - ONLY_HERE, hint
    assert JOBS.keys() >= WIRE_FORMATS.keys(), "add a job to tests/adapters/wire/samples.py"
    assert WIRE_FORMATS.keys() == ANSWERS.keys(), "add an answer to tests/servers/experts"


@pytest.mark.parametrize("model", ["played/fill-mask", "org/odd name"])
async def test_a_cluster_is_told_in_a_header_which_model_is_asked_for(
    model: str, wire: WireExpert, server: ExpertServer
) -> None:
    asked = job("fill-mask", model=model, text="[MASK]")
    server.kinds[model] = "fill-mask"

    await wire.run(asked)
    await replace(wire, dialect=OWN_DIALECT).run(asked)

    named = [call.model_in_header for call in server.asked]
    assert named == [quote(model, safe="/"), ""]


@pytest.mark.parametrize(("kind", "may_repeat"), [("text-to-image", False), ("fill-mask", True)])
async def test_what_is_made_anew_is_no_earlier_answer_to_an_equal_request(
    kind: str, *, may_repeat: bool, wire: WireExpert, server: ExpertServer
) -> None:
    await wire.run(for_server(JOBS[kind], server))

    assert [asked.may_repeat for asked in server.asked] == [may_repeat]


@pytest.mark.parametrize("kind", sorted(WIRE_FORMATS.keys() - _ALIKE))
async def test_a_kind_goes_over_and_comes_back_as_its_row_and_the_schema_say(
    kind: str, wire: WireExpert, server: ExpertServer
) -> None:
    made = await wire.run(for_server(JOBS[kind], server))

    asked = server.asked[0]
    answer = server.answers[kind](asked)
    files = [one.data for pieces in JOBS[kind].args.values() for one in pieces if _is_file(one)]
    assert _makes(made, kind)
    if asked.media_type == "application/json":
        assert violations(asked.document, kind, "input") == []
    else:
        assert asked.body in files
    if not isinstance(answer, File):
        assert violations(answer, kind, "output") == []
    assert violations(officially(JOBS[kind], made), kind, "output") == []


def _is_file(piece: object) -> TypeGuard[Blob]:
    return isinstance(piece, Blob)


def _makes(made: ExpertOutput, kind: str) -> bool:
    drawn_elsewhere = {"image"} if {"boxes", "masks"} & made.slots.keys() else set()
    of_kind = KINDS[kind].makes
    made_of = made.slots.keys() | drawn_elsewhere
    is_whole = {slot.name for slot in of_kind if slot.required} <= made_of
    return (
        is_whole
        and made_of <= {slot.name for slot in of_kind}
        and all(
            isinstance(value, _DATA.get(name, Blob))
            and (not isinstance(value, Blob) or str(value.type) == name)
            for name, value in made.slots.items()
        )
    )


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("text-classification", [[{"label": "a", "score": 0.2}, {"label": "b", "score": 0.8}]]),
        ("zero-shot-classification", {"sequence": "x", "labels": ["b", "a"], "scores": [0.8, 0.2]}),
        ("fill-mask", [{"tokenStr": "b", "score": 0.8, "sequence": "", "token": 1}]),
    ],
)
async def test_classes_are_read_in_every_shape_that_servers_use(
    kind: str, answer: Any, wire: WireExpert, server: ExpertServer
) -> None:
    server.answers[kind] = lambda asked: answer

    made = await wire.run(for_server(JOBS[kind], server))

    labels = made.slots["labels"]
    assert isinstance(labels, Labels)
    assert (labels.items[0].label, labels.items[0].score) == ("b", 0.8)


@pytest.mark.parametrize(
    "answer",
    [
        {"generatedText": "a cat"},
        [{"generated_text": "a cat"}],
        {"text": " a cat "},
        [{"generated_text": "<think>A dog? No.</think>\n\na cat"}],
        {"choices": [{"message": {"content": "A dog? No.\n</think>a cat"}}]},
    ],
)
async def test_texts_are_read_in_every_shape_that_servers_use(
    answer: Any, wire: WireExpert, server: ExpertServer
) -> None:
    server.answers["image-to-text"] = lambda asked: answer

    made = await wire.run(for_server(JOBS["image-to-text"], server))

    assert made.slots["text"] == Text("a cat")


async def test_a_text_about_thoughts_is_whole(wire: WireExpert, server: ExpertServer) -> None:
    words = "A line ends in </think>, and then comes the answer."
    server.answers["image-to-text"] = lambda asked: [{"generated_text": words}]

    made = await wire.run(for_server(JOBS["image-to-text"], server))

    assert made.slots["text"] == Text(words)


async def test_thoughts_that_were_cut_off_are_no_text(
    wire: WireExpert, server: ExpertServer
) -> None:
    server.answers["image-to-text"] = lambda asked: [{"generated_text": "<think>A dog? Or"}]

    with pytest.raises(ExpertGarbled):
        await wire.run(for_server(JOBS["image-to-text"], server))


@pytest.mark.parametrize("answer", [[1, 3], [[0, 2], [2, 4]], [[[0, 2], [2, 4]]]])
async def test_an_embedding_is_one_vector_however_deep_it_comes(
    answer: Any, wire: WireExpert, server: ExpertServer
) -> None:
    server.answers["feature-extraction"] = lambda asked: answer

    made = await wire.run(for_server(JOBS["feature-extraction"], server))

    assert made.slots["vector"] == Vector((1.0, 3.0))


async def test_the_token_is_sent_and_the_model_is_named_in_the_address(
    wire: WireExpert, server: ExpertServer
) -> None:
    await wire.run(job("text-to-image", text="a cat", model="black-forest-labs/FLUX.1-schnell"))

    assert server.asked[0].token == "hf_secret"
    assert server.asked[0].model == "black-forest-labs/FLUX.1-schnell"


async def test_hosted_models_that_do_several_things_are_told_which(server: ExpertServer) -> None:
    async with open_wire_expert(server.base, OWN_DIALECT) as wire:
        await wire.run(job("feature-extraction", text="hello", model="some/embedder"))

    assert (server.asked[0].model, server.asked[0].kind) == ("some/embedder", "feature-extraction")
    assert server.asked[0].token == ""


async def test_a_filter_without_words_gets_the_bytes_of_the_picture(
    wire: WireExpert, server: ExpertServer
) -> None:
    image = picture()

    await wire.run(for_server(job("image-to-image", image=image), server))

    assert server.asked[0].body == image.data
    assert server.asked[0].media_type == "image/png"


async def test_a_large_picture_goes_over_as_it_is(wire: WireExpert, server: ExpertServer) -> None:
    noisy = Blob(picture().data + b"\0" * 400_000, "image/png")

    made = await wire.run(for_server(job("image-to-image", image=noisy, text="invert"), server))

    assert "image" in made.slots


async def test_a_missing_picture_is_bad_input(wire: WireExpert) -> None:
    with pytest.raises(BadInput):
        await wire.run(job("image-to-text"))


async def test_one_sentence_cannot_be_compared(wire: WireExpert) -> None:
    with pytest.raises(BadInput):
        await wire.run(job("sentence-similarity", sentences="alone"))


async def test_a_table_is_sent_column_by_column_whatever_stands_between_its_cells(
    wire: WireExpert, server: ExpertServer
) -> None:
    table = sheet("city;people", "Rome;2,8", "Paris;2,1")
    asked = job("table-question-answering", question="how many?", table=table)

    await wire.run(for_server(asked, server))

    assert server.asked[0].inputs["table"] == {"city": ["Rome", "Paris"], "people": ["2,8", "2,1"]}


async def test_an_empty_table_is_bad_input(wire: WireExpert) -> None:
    with pytest.raises(BadInput):
        await wire.run(
            job("table-question-answering", question="how many?", table=sheet("only,a,head"))
        )


async def test_a_document_that_is_no_picture_is_left_to_other_places(wire: WireExpert) -> None:
    pdf = Blob(b"%PDF-1.7", "application/pdf")

    with pytest.raises(ExpertRefused):
        await wire.run(job("document-question-answering", document=pdf, question="the total?"))


async def test_kinds_that_never_leave_the_program_are_refused(wire: WireExpert) -> None:
    with pytest.raises(ExpertRefused):
        await wire.run(job("media-conversion", file=picture(), text="rotate"))


@pytest.mark.parametrize(
    ("labels", "sent"), [(("cat", "sofa"), 1), (("",), 1), (("sky", "sea"), 0), ((), 0)]
)
async def test_of_the_masks_those_of_what_is_named_are_painted_into(
    labels: tuple[str, ...], sent: int, wire: WireExpert, server: ExpertServer
) -> None:
    masks = Masks(tuple(Mask(label, 0.9, picture()) for label in labels))
    one = job("image-text-to-image", image=picture(), text="make the cat a dog", masks=masks)

    await wire.run(for_server(one, server))

    assert len(server.asked[0].parameters.get("mask_image", ())) == sent


async def test_our_own_server_is_asked_in_the_order_in_which_runs_began(
    server: ExpertServer,
) -> None:
    all_wait, waiting = asyncio.Event(), set[float]()

    async def ask(wire: WireExpert, began: float) -> None:
        def report(_place: int) -> None:
            waiting.add(began)
            if len(waiting) == 3:
                all_wait.set()

        asked = job("summarization", text=f"run {began:.0f}")
        await wire.run(replace(for_server(asked, server), ticket=Ticket(began, report)))

    async with (
        open_wire_expert(server.base, DIALECT, at_once=1) as wire,
        asyncio.TaskGroup() as group,
        wire.slots.slot(FIRST),
    ):
        for began in (3.0, 1.0, 2.0):
            group.create_task(ask(wire, began))
        await all_wait.wait()

    runs = [re.findall(rb"run \d", asked.body) for asked in server.asked]
    assert runs == [[b"run 1"], [b"run 2"], [b"run 3"]]
