"""The `llm` place: texts and pictures by chat, the rest by the endpoint's own models."""

import base64
import io
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from PIL import ExifTags, Image

from adapters.media.local import LocalMedia
from adapters.media.table_engine import DuckTables
from adapters.openai.catalogue import OpenAiCatalogue
from adapters.openai.chat_calls import OWN_ESTIMATE, parse_reply
from adapters.openai.expert import OpenAiExpert
from adapters.openai.llm import OpenAiLlm
from adapters.openai.media_calls import MEDIA_CALLS
from adapters.openai.server import Endpoint, open_server
from pipeline.domain import Blob, ExpertOutput, Label, Labels, Spans, Text, Type
from pipeline.errors import (
    BadInput,
    ExpertError,
    ExpertGarbled,
    ExpertRefused,
    ExpertUnavailable,
    PlaceRefused,
)
from pipeline.parameters import list_unused
from pipeline.ports import Job
from pipeline.prompts.chat_tasks import CHAT_TASKS, DESCRIPTIONS
from pipeline.task_kinds import KINDS
from pipeline.text.names import sniff
from tests.fakes.jobs import job, picture, tone
from tests.fakes.outside import FakeWorkers
from tests.fakes.stages import FakeMedia
from tests.servers.openai import Fault, OpenAiServer
from tests.servers.openai.server import PICTURE, WAV

TABLE = Blob(b"a,b\n1,2\n", "text/csv", "t.csv")
TEXT_FILE = Blob(b"words", "text/plain", "t.txt")
PDF = Blob(b"%PDF-", "application/pdf", "bill.pdf")


@pytest.fixture
async def expert(server: OpenAiServer) -> AsyncIterator[OpenAiExpert]:
    endpoint = Endpoint("played", server.base, seconds=5, sees_images=True)
    async with open_server(endpoint) as opened:
        yield OpenAiExpert(opened, tables=DuckTables(FakeWorkers()))


async def test_a_text_is_worked_on_as_data(expert: OpenAiExpert, server: OpenAiServer) -> None:
    server.replies = ["Hallo Welt"]

    made = await expert.run(job("translation", text="Hello >>> world", language="German"))

    assert made.slots == {"text": Text("Hallo Welt")}
    assert "text: <<<<\nHello >>> world\n>>>>" in server.asked[0].text
    assert "language: <<<\nGerman\n>>>" in server.asked[0].text


@pytest.mark.parametrize("kind", ["text-generation", "text2text-generation", "conversational"])
async def test_an_order_is_no_data(kind: str, expert: OpenAiExpert, server: OpenAiServer) -> None:
    order = "Write a limerick about printers."

    await expert.run(job(kind, text=order, locale="de"))
    await expert.run(job(kind, text=f"{order}\n<<<\npaper jam\n>>>", locale="de"))

    system, user = server.asked[0].body["messages"]
    assert user["content"] == order
    assert "never an instruction" not in system["content"]
    assert "never an instruction" in server.asked[1].body["messages"][0]["content"]


@pytest.mark.parametrize("kind", sorted(CHAT_TASKS))
async def test_the_language_of_the_reader_is_not_that_of_the_work(
    kind: str, expert: OpenAiExpert, server: OpenAiServer
) -> None:
    samples = {Type.IMAGE: picture(), Type.TABLE: TABLE, Type.DOCUMENT: TEXT_FILE}
    slots = [slot for slot in KINDS[kind].takes if slot.required]
    given = {slot.name: (samples.get(slot.types[0], Text("words")),) for slot in slots}
    asked = replace(job(kind, model="played"), args=given, request="Was ist das?")
    server.replies = ["words"] * 2

    for locale in ("pt", "ja"):
        with suppress(ExpertGarbled, ExpertRefused):
            await expert.run(replace(asked, locale=locale))

    first, second = (chat.body["messages"] for chat in server.chats[-2:])
    is_into_the_readers = kind == "translation"
    assert (first == second) is not is_into_the_readers
    assert ("Was ist das?" in str(first)) is (kind in DESCRIPTIONS)


@pytest.mark.parametrize(
    ("data", "name", "sent"),
    [
        (b"OggS" + bytes(60), "PTT-20260304-WA0001.opus", "PTT-20260304-WA0001.ogg"),
        (b"OggS" + bytes(60), "voice.oga", "voice.ogg"),
        (b"OggS" + bytes(60), "noext", "noext.ogg"),
        (b"OggS" + bytes(60), "", "audio.ogg"),
        (b"\0\0\0\x18ftypM4A " + bytes(60), "really_mp4.ogg", "really_mp4.m4a"),
        (tone().data, "a.b.mp3", "a.b.wav"),
        (b"#!AMR\n" + bytes(60), "note.amr", "note.mp3"),
    ],
)
async def test_a_recording_is_sent_under_the_name_of_its_container(
    server: OpenAiServer, data: bytes, name: str, sent: str
) -> None:
    asked = job("automatic-speech-recognition", audio=Blob(data, "audio/x-unknown", name))
    async with open_server(Endpoint("played", server.base, seconds=5)) as opened:
        await OpenAiExpert(opened, media=FakeMedia()).run(asked)

    assert server.asked[-1].body["file"] == sent


def _draw(form: str, mode: str = "RGB", turned: int = 1) -> bytes:
    """A wide picture: white at the left, else black, or clear where the mode allows it."""
    picture = Image.new(mode, (80, 40), (0, 0, 0, 0)[: len(mode)])
    picture.paste((255,) * len(mode), (0, 0, 40, 40))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = turned
    file = io.BytesIO()
    picture.save(file, form, exif=exif)
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (_draw("TIFF"), (80, 40)),
        (_draw("AVIF"), (80, 40)),
        (_draw("JPEG", turned=6), (40, 80)),
        (_draw("PNG", "RGBA"), (80, 40)),
    ],
)
async def test_a_model_sees_every_picture_upright_and_on_a_ground(
    server: OpenAiServer, data: bytes, size: tuple[int, int]
) -> None:
    media = LocalMedia(FakeWorkers(), ffmpeg=lambda: None)
    seeing = Endpoint("played", server.base, seconds=5, sees_images=True)
    photo = Blob(data, sniff(data), "photo")
    async with open_server(seeing) as opened:
        expert = OpenAiExpert(opened, media=media)
        await expert.run(job("image-to-text", model="played", image=photo))
        await expert.run(job("image-text-to-image", model="gpt-image-1", image=photo, text="Red"))

    url = server.chats[0].body["messages"][1]["content"][1]["image_url"]["url"]
    head, _, encoded = url.partition(",")
    assert head == "data:image/jpeg;base64"
    seen = Image.open(io.BytesIO(base64.b64decode(encoded)))
    low, high = seen.convert("L").getextrema()
    assert (seen.size, dict(seen.getexif())) == (size, {})
    assert int(str(high)) - int(str(low)) > 150  # what is white stands out
    assert server.asked[-1].body["image"].endswith((".png", ".jpg"))


async def test_a_text_that_was_not_finished_says_so(
    expert: OpenAiExpert, server: OpenAiServer
) -> None:
    server.end, server.replies = "length", ["One, two,"]

    made = await expert.run(job("summarization", text="One, two, three.", locale="en"))

    assert made.slots == {"text": Text("One, two,")}
    assert made.is_unfinished


async def test_a_document_is_told_by_its_text_where_one_can_read_it(server: OpenAiServer) -> None:
    asked = job("document-question-answering", question="The total?", document=PDF, locale="en")

    async def read(document: Blob, language: str) -> tuple[str, str]:
        return f"Total 30.75 in {document.name}", f"Not read: two pictures ({language})."

    async with open_server(Endpoint("played", server.base, seconds=5)) as opened:
        server.replies = ["30.75"]
        made = await OpenAiExpert(opened, read).run(asked)
        with pytest.raises(ExpertRefused):
            await OpenAiExpert(opened).run(asked)

    assert made.slots == {"text": Text("30.75")}
    assert "Not read: two pictures (en)." in made.note
    assert "document: <<<\nTotal 30.75 in bill.pdf\n>>>" in server.chats[-1].text


async def test_a_text_file_is_told_in_its_own_encoding(server: OpenAiServer) -> None:
    words = Blob("Größe: 5 m".encode("cp1252"), "text/plain", "a.txt")
    asked = job("document-question-answering", question="Wie groß?", document=words)

    async with open_server(Endpoint("played", server.base, seconds=5)) as opened:
        server.replies = ["5 m"]
        await OpenAiExpert(opened).run(asked)

    assert "Größe: 5 m" in server.chats[-1].text


@pytest.mark.parametrize(
    "written",
    [
        '{"labels": [{"label": "good", "score": 0.9}]}',
        '```json\n{"labels": [{"label": "good", "score": "0.9"}]}\n```\nThat is all.',
        "{'labels': [{'label': 'good', 'score': 0.9},]}",
        '[{"label": "good", "score": 0.9}]',
        '{"labels": [{"label": "good", "score": 90}]}',
        '{"labels": [{"label": "good", "score": "90 %"}]}',
    ],
)
def test_labels_are_read_as_small_models_write_them(written: str) -> None:
    slots = parse_reply(KINDS["text-classification"], written, "")

    assert slots == {"labels": Labels((Label("good", 0.9),))}


@pytest.mark.parametrize("score", ["-0.1", "101", "null", '"high"', "NaN"])
def test_labels_without_a_score_that_can_be_are_refused(score: str) -> None:
    written = f'{{"labels": [{{"label": "good", "score": {score}}}]}}'

    with pytest.raises(ValueError, match="labels"):
        parse_reply(KINDS["text-classification"], written, "")


async def test_labels_come_sorted_and_as_an_estimate(
    expert: OpenAiExpert, server: OpenAiServer
) -> None:
    rows = [{"label": "NEGATIVE", "score": 0.1}, {"label": "POSITIVE", "score": 0.9}]
    server.replies = [json.dumps({"labels": rows})]

    made = await expert.run(job("text-classification", text="lovely"))

    assert made.slots == {"labels": Labels((Label("POSITIVE", 0.9), Label("NEGATIVE", 0.1)))}
    assert made.note == OWN_ESTIMATE


async def test_only_names_that_stand_in_the_text_count(
    expert: OpenAiExpert, server: OpenAiServer
) -> None:
    rows = [
        {"text": "Ann", "label": "PER", "score": 0.9},
        {"text": "Atlantis", "label": "LOC", "score": 0.9},
        {"text": "Ann", "label": "PER", "score": 0.8},
    ]
    server.replies = [f"```json\n{json.dumps({'spans': rows})}\n```"]

    made = await expert.run(job("token-classification", text="Ann met Ann"))

    spans = made.slots["spans"]
    assert isinstance(spans, Spans)
    assert [(span.text, span.start, span.end) for span in spans.items] == [
        ("Ann", 0, 3),
        ("Ann", 8, 11),
    ]


async def test_a_picture_is_looked_at(expert: OpenAiExpert, server: OpenAiServer) -> None:
    server.replies = ["red"]

    made = await expert.run(
        job("visual-question-answering", model="played", image=picture(), question="What colour?")
    )

    assert made.slots == {"text": Text("red")}
    assert server.asked[0].images == 1


async def test_a_text_file_is_read_and_a_pdf_is_left_to_others(expert: OpenAiExpert) -> None:
    letter = Blob(b"Total: 5", "text/plain", "letter.txt")
    pdf = Blob(b"%PDF-", "application/pdf", "letter.pdf")

    made = await expert.run(job("document-question-answering", document=letter, question="Total?"))

    assert made.slots == {"text": Text("Hello!")}
    with pytest.raises(ExpertRefused):
        await expert.run(job("document-question-answering", document=pdf, question="Total?"))


async def test_a_model_that_sees_nothing_says_so(server: OpenAiServer) -> None:
    async with open_server(Endpoint("played", server.base, sees_images=False)) as blind:
        with pytest.raises(ExpertRefused):
            await OpenAiExpert(blind).run(job("image-to-text", model="played", image=picture()))

    assert server.asked == []


@pytest.mark.parametrize("kind", ["text-to-image", "image-text-to-image", "image-to-image"])
async def test_pictures_are_made_and_changed(expert: OpenAiExpert, kind: str) -> None:
    asked = job(kind, model="gpt-image-1", text="a red boat")
    if kind != "text-to-image":
        asked = job(kind, model="gpt-image-1", text="a red boat", image=picture())

    made = await expert.run(asked)

    image = made.slots["image"]
    assert isinstance(image, Blob)
    assert (image.data, image.media_type, image.alt) == (PICTURE, "image/png", "a red boat")


async def test_a_picture_is_named_for_what_it_is(
    expert: OpenAiExpert, server: OpenAiServer
) -> None:
    server.paints = "JPEG"

    made = await expert.run(job("text-to-image", model="flux", text="a boat", size="512x512"))

    image = made.slots["image"]
    assert isinstance(image, Blob)
    assert image.media_type == "image/jpeg"


def _unused(asked: Job, made: ExpertOutput) -> set[str]:
    return {*list_unused(asked.kind, asked.args, made.used)}


@pytest.mark.parametrize(
    ("model", "given", "size", "unused"),
    [
        ("gpt-image-2", {"aspect_ratio": "16:9", "seed": 42}, "1280x720", {"seed"}),
        ("gpt-image-2", {"size": "1000x500"}, "992x496", set()),
        ("gpt-image-1", {"aspect_ratio": "3:2"}, "1536x1024", set()),
        ("gpt-image-1", {"aspect_ratio": "16:9"}, "1536x1024", {"aspect_ratio"}),
        ("gpt-image-1-mini", {"size": "1024x1024"}, "1024x1024", set()),
        ("dall-e-3", {"aspect_ratio": "16:9"}, "1792x1024", set()),
        ("dall-e-3", {"size": "600x560"}, "1024x1024", {"size"}),
    ],
)
async def test_a_size_is_one_that_the_model_makes(
    expert: OpenAiExpert,
    server: OpenAiServer,
    model: str,
    given: dict[str, Any],
    size: str,
    unused: set[str],
) -> None:
    asked = job("text-to-image", model=model, text="a boat", **given)

    made = await expert.run(asked)

    assert server.asked[0].body["size"] == size
    assert _unused(asked, made) == unused


@pytest.mark.parametrize(
    ("model", "field", "unused"),
    [("gpt-image-2", "image[]", set()), ("dall-e-2", "image", {"image"})],
)
async def test_several_pictures_are_combined_where_the_model_does_that(
    expert: OpenAiExpert, server: OpenAiServer, model: str, field: str, unused: set[str]
) -> None:
    both = (picture((1, 2, 3)), picture((4, 5, 6)))
    asked = job("image-text-to-image", model=model, image=both, text="put them together")

    made = await expert.run(asked)

    assert server.asked[0].body[field] == ("picture.png" if unused else "2 files")
    assert _unused(asked, made) == unused


async def test_a_voice_is_passed_on(expert: OpenAiExpert, server: OpenAiServer) -> None:
    asked = job("text-to-speech", model="tts-1", text="hello", voice="nova")

    made = await expert.run(asked)

    assert server.asked[0].body["voice"] == "nova"
    assert _unused(asked, made) == set()


async def test_an_endpoint_that_always_sends_the_picture_itself_is_understood(
    expert: OpenAiExpert, server: OpenAiServer
) -> None:
    server.refuses = {"response_format"}

    made = await expert.run(job("text-to-image", model="gpt-image-1", text="a boat"))

    assert isinstance(made.slots["image"], Blob)


async def test_a_text_is_read_aloud_and_a_long_one_in_parts(
    expert: OpenAiExpert, server: OpenAiServer
) -> None:
    made = await expert.run(job("text-to-speech", model="tts-1", text="word " * 1000))

    audio = made.slots["audio"]
    assert isinstance(audio, Blob)
    assert audio.data == WAV * 2
    assert len(server.asked) == 2


async def test_speech_is_written_down(expert: OpenAiExpert, server: OpenAiServer) -> None:
    server.replies = ["good morning"]

    made = await expert.run(job("automatic-speech-recognition", model="whisper-1", audio=tone()))

    assert made.slots == {"text": Text("good morning")}
    assert server.asked[0].body["file"] == "tone.wav"


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault.BROKEN, ExpertUnavailable),
        (Fault.BUSY, ExpertUnavailable),
        (Fault.KEY, PlaceRefused),
        (Fault.QUOTA, PlaceRefused),
        (Fault.GONE, ExpertRefused),
        (Fault.DROPS, ExpertUnavailable),
    ],
)
@pytest.mark.parametrize("kind", ["summarization", "text-to-image"])
async def test_what_goes_wrong_is_told_as_an_expert_tells_it(
    expert: OpenAiExpert, server: OpenAiServer, kind: str, fault: Fault, error: type[ExpertError]
) -> None:
    server.goes_wrong(fault)

    with pytest.raises(error):
        await expert.run(job(kind, text="something"))

    assert len(server.asked) == 1


async def test_what_is_no_json_is_garbled(expert: OpenAiExpert) -> None:
    with pytest.raises(ExpertGarbled):
        await expert.run(job("text-classification", text="lovely"))


async def test_nothing_to_work_on_is_bad_input(expert: OpenAiExpert) -> None:
    with pytest.raises(BadInput):
        await expert.run(job("summarization"))


async def test_a_kind_that_it_cannot_do_is_refused(expert: OpenAiExpert) -> None:
    with pytest.raises(ExpertRefused):
        await expert.run(job("depth-estimation", image=picture()))


async def test_the_catalogue_lists_the_chat_model_and_what_the_endpoint_has_asked_once(
    server: OpenAiServer,
) -> None:
    server.models = [{"id": "played"}, {"id": "whisper-1"}, {"id": "gpt-image-1"}, {"id": "tts-1"}]
    async with open_server(Endpoint("played", server.base)) as opened:
        catalogue = OpenAiCatalogue(opened)
        found = {
            kind: [model.id for model in await catalogue.candidates(KINDS[kind], limit=5)]
            for kind in (
                "summarization",
                "image-to-text",
                "text-to-image",
                "text-to-speech",
                "automatic-speech-recognition",
                "depth-estimation",
            )
        }

    assert found == {
        "summarization": ["played"],
        "image-to-text": ["played"],
        "text-to-image": ["gpt-image-1"],
        "text-to-speech": ["tts-1"],
        "automatic-speech-recognition": ["whisper-1"],
        "depth-estimation": [],
    }
    assert server.listed == 1


async def test_without_sight_and_models_only_texts_are_offered(server: OpenAiServer) -> None:
    async with open_server(Endpoint("played", server.base, sees_images=False)) as opened:
        catalogue = OpenAiCatalogue(opened)
        kinds = {kind.name for kind in KINDS.values() if await catalogue.candidates(kind, limit=1)}

    assert "summarization" in kinds
    assert not kinds & {"image-to-text", "text-to-image", "text-to-speech"}


async def test_models_of_a_server_that_was_down_at_first_are_offered_after_the_next_request(
    server: OpenAiServer,
) -> None:
    server.models, server.down = [{"id": "gpt-image-1"}], True
    async with open_server(Endpoint("played", server.base)) as opened:
        catalogue = OpenAiCatalogue(opened)
        before = await catalogue.candidates(KINDS["text-to-image"], limit=1)
        server.down = False
        await OpenAiLlm(opened).room()
        after = await catalogue.candidates(KINDS["text-to-image"], limit=1)

    assert not before
    assert after[0].id == "gpt-image-1"


def test_what_is_offered_is_in_the_task_table() -> None:
    assert {*CHAT_TASKS, *MEDIA_CALLS} <= KINDS.keys()
    for kind in map(KINDS.__getitem__, CHAT_TASKS):
        made = {slot.name for slot in kind.makes if slot.required}
        assert made == parse_reply(kind, '{"labels": [], "spans": []}', "").keys(), kind.name
