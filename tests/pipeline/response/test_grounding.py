"""What a language model wrote is no evidence for a link; what people sent, and what is read, is."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pipeline.domain import (
    Answer,
    Arg,
    Attachment,
    Blob,
    Context,
    Done,
    ExpertOutput,
    FileHash,
    Media,
    NamedFile,
    Outcomes,
    Output,
    Person,
    Place,
    Plan,
    Request,
    Task,
    TaskId,
    Text,
    Turn,
    Type,
)
from pipeline.errors import ExpertRefused
from pipeline.ports import Job
from pipeline.response.respond import ReplyStream, respond
from pipeline.task_kinds import KINDS
from tests.fakes.places import EMBEDDED, HOSTED, LLM, LOCAL
from tests.fakes.stages import (
    ANN,
    ActingExpert,
    Bench,
    FakeResponder,
    model,
    planning,
    ref,
    request,
    task,
)

LINK = "https://there.example/report"
SAYING = f"See {LINK} and made.pdf."
BOT = Person("troupe", "Troupe", is_bot=True)
LETTER = NamedFile(
    "document 1",
    Attachment(hash=FileHash("d"), media_type="application/pdf", name="letter.pdf", size=9),
)
PHOTO = NamedFile(
    "image 1", Attachment(hash=FileHash("i"), media_type="image/png", name="photo.png", size=9)
)
ASKED = request("what does it say?", files=(LETTER, PHOTO))


def turn(text: str, by: Person, *files: NamedFile, **more: tuple[str, ...]) -> Turn:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Turn(key="t", person=by, text=text, files=files, at=at, **more)  # type: ignore[arg-type]


def done(kind: str, place: Place, *, quotes: tuple[str, ...] = ()) -> Done:
    """The task succeeded, with the link in its result."""
    slot = KINDS[kind].makes[0]
    file = Attachment(hash=FileHash(f"of {kind}"), media_type="image/png", name="new.png", size=9)
    made = Text(SAYING) if slot.type is Type.TEXT else Media(file)
    return Done(
        Output({slot.name: made}, quotes=quotes),
        took=0.1,
        model=model("m", kind, place),
        place=place,
    )


async def say(
    asked: Request, tasks: Sequence[Task] = (), outcomes: Outcomes | None = None
) -> Answer:
    """The answer of a language model that names the link."""
    responder = FakeResponder([SAYING])
    return await respond(asked, Plan(tuple(tasks)), outcomes or {}, [responder], lambda _: None)


def has_link(answer: Answer) -> bool:
    assert (LINK in answer.text) == ("made.pdf" in answer.text) == bool(answer.references)
    return LINK in answer.text


@pytest.mark.parametrize(
    "kind",
    ["text-generation", "text2text-generation", "conversational", "summarization", "translation"],
)
@pytest.mark.parametrize("place", [LLM, HOSTED, LOCAL, EMBEDDED])
async def test_what_a_model_wrote_from_a_plan_is_no_evidence(kind: str, place: Place) -> None:
    written = task(0, kind, text=f"Write {SAYING}")

    answer = await say(request(), [written], {TaskId(0): done(kind, place)})

    assert not has_link(answer)
    assert [notice.id for notice in answer.notices] == ["check-struck"]


@pytest.mark.parametrize(
    ("kind", "args", "place", "is_known"),
    [
        ("document-to-text", {"document": LETTER}, EMBEDDED, True),
        ("optical-character-recognition", {"image": PHOTO}, EMBEDDED, True),
        ("optical-character-recognition", {"image": PHOTO}, HOSTED, True),
        ("optical-character-recognition", {"image": PHOTO}, LLM, False),
        ("image-to-text", {"image": PHOTO}, LLM, False),
        ("visual-question-answering", {"image": PHOTO, "question": "?"}, LLM, False),
        ("visual-question-answering", {"image": PHOTO, "question": "?"}, HOSTED, False),
        ("document-question-answering", {"document": LETTER, "question": "?"}, LLM, False),
        (
            "document-question-answering",
            {"document": LETTER, "question": "?"},
            EMBEDDED,
            True,
        ),
        (
            "document-question-answering",
            {"document": SAYING, "question": "?"},
            EMBEDDED,
            False,
        ),
        ("question-answering", {"context": SAYING, "question": "?"}, EMBEDDED, False),
        ("automatic-speech-recognition", {"audio": LETTER}, LLM, True),
    ],
)
async def test_what_is_read_in_a_person_s_file_is_known(
    kind: str,
    args: Mapping[str, NamedFile | str],
    place: Place,
    is_known: bool,  # noqa: FBT001
) -> None:
    pieces: Mapping[str, str | Arg] = {
        name: Media(arg.attachment) if isinstance(arg, NamedFile) else arg
        for name, arg in args.items()
    }
    asking = task(0, kind, **pieces)

    answer = await say(ASKED, [asking], {TaskId(0): done(kind, place)})

    assert has_link(answer) is is_known


async def test_a_model_s_result_counts_for_what_it_quotes_of_a_person_s_file() -> None:
    reading = task(
        0, "document-question-answering", document=Media(LETTER.attachment), question="?"
    )
    quoting = done("document-question-answering", LLM, quotes=(LINK, "made.pdf"))

    assert has_link(await say(ASKED, [reading], {TaskId(0): quoting}))
    assert not has_link(await say(request(), [reading], {TaskId(0): quoting}))


async def test_a_summary_of_a_letter_may_name_the_links_of_the_letter() -> None:
    tasks = (
        task(0, "document-to-text", document=Media(LETTER.attachment)),
        task(1, "summarization", text=ref(0, "text")),
    )
    outcomes = {
        TaskId(0): done("document-to-text", EMBEDDED),
        TaskId(1): done("summarization", LLM),
    }

    assert has_link(await say(ASKED, tasks, outcomes))


@pytest.mark.parametrize(
    ("making", "slot", "reading", "takes"),
    [
        ("text-to-image", "image", "optical-character-recognition", "image"),
        ("text-to-speech", "audio", "automatic-speech-recognition", "audio"),
        ("image-to-image", "image", "image-to-text", "image"),
    ],
)
async def test_a_link_that_a_plan_had_written_into_a_file_is_not_read_from_it(
    making: str, slot: str, reading: str, takes: str
) -> None:
    tasks = (task(0, making, text=SAYING), task(1, reading, **{takes: ref(0, slot)}))
    outcomes = {TaskId(0): done(making, HOSTED), TaskId(1): done(reading, EMBEDDED)}

    assert not has_link(await say(ASKED, tasks, outcomes))


async def test_a_file_that_the_bot_made_earlier_is_no_evidence() -> None:
    reading = task(0, "optical-character-recognition", image=Media(PHOTO.attachment))
    outcomes = {TaskId(0): done("optical-character-recognition", EMBEDDED)}
    by_bot = Context((turn("here you are", BOT, PHOTO),))
    by_ann = Context((turn("look", ANN, PHOTO),))

    assert not has_link(await say(request(context=by_bot), [reading], outcomes))
    assert has_link(await say(request(context=by_ann), [reading], outcomes))


@pytest.mark.parametrize("where", ["turns", "earlier", "channel"])
async def test_an_earlier_answer_counts_for_the_links_that_were_known_then(where: str) -> None:
    def context(*said: Turn) -> Request:
        return request(context=Context(**{where: said}))  # type: ignore[arg-type]

    assert has_link(await say(context(turn(SAYING, ANN))))
    assert not has_link(await say(context(turn(SAYING, BOT))))
    assert has_link(await say(context(turn("Yes.", BOT, references=(LINK, "made.pdf")))))
    assert not has_link(await say(request(context=Context(summary=SAYING))))


async def test_plain_talk_names_no_link_that_only_the_bot_has_said() -> None:
    asked = request(context=Context((turn(SAYING, BOT),)))

    assert not has_link(await ReplyStream(asked, lambda _: None).finish(SAYING))
    again = ReplyStream(replace(asked, text=SAYING), lambda _: None)
    assert has_link(await again.finish(SAYING))


async def test_the_description_of_a_file_may_be_a_model_s_and_does_not_count() -> None:
    described = replace(PHOTO, attachment=replace(PHOTO.attachment, description=SAYING))

    assert not has_link(await say(request(files=(described,))))


async def _answer(said: str, stands: str, place: Place = LLM) -> tuple[Answer, list[str]]:
    """The answer about a letter, and what libraries read for it."""
    read: list[str] = []

    async def read_text(file: Blob) -> str:
        read.append(file.name)
        if not stands:
            raise ExpertRefused("embedded-no-text")
        return stands

    async def act(_: Job) -> ExpertOutput:
        return ExpertOutput({"text": Text(said)})

    kind = "document-question-answering"
    asking = task(0, kind, document=Media(LETTER.attachment), question="?")
    bench = Bench(
        [planning(asking)],
        [FakeResponder([SAYING])],
        [ActingExpert(act, place=place)],
        [model("m", kind, place)],
        read_text=read_text,
    )
    bench.files.kept[LETTER.attachment.hash] = b"%PDF"
    return await bench.answers(ASKED), read


async def test_a_file_is_read_only_if_a_model_names_a_link_in_it() -> None:
    assert (await _answer("It says hello. Node.js, too.", SAYING))[1] == []
    assert (await _answer(SAYING, SAYING, EMBEDDED))[1] == []
    assert (await _answer(SAYING, SAYING))[1] == ["letter.pdf"]


@pytest.mark.parametrize(
    ("stands", "is_known"), [(SAYING, True), ("https://elsewhere.example", False), ("", False)]
)
async def test_a_link_that_a_chat_model_quotes_must_stand_in_the_file(
    stands: str,
    is_known: bool,  # noqa: FBT001
) -> None:
    assert has_link((await _answer(SAYING, stands))[0]) is is_known
