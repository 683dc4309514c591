"""What is said of files, and that no file does harm by being looked at."""

import pytest

from adapters.media.bounds import Bounds
from adapters.media.ffmpeg import find_ffmpeg
from adapters.media.local import LocalMedia
from adapters.workers.pool import process_workers
from bot.environment import child_environment
from pipeline.domain import JSON_ROWS, Blob
from pipeline.errors import MediaError
from pipeline.words import say
from tests.adapters.media import samples
from tests.fakes.outside import FakeWorkers
from tests.words import english

TABS = b"a\tb\n1\t2\n3\t4"
CSV = b'city,people\nBerlin,3.7\nRome,2.8\n"Paris, F",2.1\n'
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def _media(bounds: Bounds | None = None) -> LocalMedia:
    return LocalMedia(FakeWorkers(), ffmpeg=lambda: None, bounds=bounds)


@pytest.mark.parametrize(
    ("name", "data", "media_type", "description"),
    [
        ("a.png", samples.png(), "image/png", "picture, 320×240"),
        ("a.jpg", samples.jpeg(), "image/jpeg", "photo, 320×240"),
        ("a.jpg", samples.turned_photo_with_place(), "image/jpeg", "photo, 200×320"),
        ("a.jpg", samples.png(), "image/png", "picture, 320×240"),
        ("a.gif", samples.gif(), "image/gif", "animation, 40×30, 3 frames"),
        ("a.wav", samples.wav(), "audio/wav", "sound, 2.0 s"),
        ("a.pdf", samples.pdf(), "application/pdf", "PDF, 2 pages"),
        ("a.pdf", b"junk before\n" + samples.pdf(1), "application/pdf", "PDF, 1 page"),
        ("a.docx", samples.docx(), DOCX, "Word document"),
        ("a.csv", CSV, "text/csv", "table, 3 rows × 2 columns: “city, people”"),
        ("a.csv", CSV.replace(b",", b";"), "text/csv", "table, 3 rows × 2 columns: “city, people”"),
        ("a", TABS, "text/tab-separated-values", "table, 2 rows × 2 columns: “a, b”"),
        ("a.csv", b"a,b\n1,2\n", "text/csv", "table, 1 row × 2 columns: “a, b”"),
        ("a.txt", b"Dear Ann,\nBye, Bob", "text/plain", "text, 4 words: “Dear Ann, Bye, Bob”"),
        ("a.txt", "Grüße".encode("cp1252"), "text/plain", "text, 1 word: “Grüße”"),
        ("a.txt", "Grüße".encode("utf-16"), "text/plain", "text, 1 word: “Grüße”"),
        ("a.md", b"# Title\n\nwords", "text/markdown", "text, 3 words: “# Title words”"),
        ("a.html", b"<!DOCTYPE html><p>one two</p>", "text/html", "web page (HTML), 3 words"),
        ("a.json", b'{"a": [1, 2]}', "application/json", "JSON, 13 characters"),
        ("a.json", b'{"a": [{"b": 1}]}', "application/json", "JSON, 17 characters"),
        ("a.json", b'[{"a": 1, "b": 2}, {"a": 3}]', "application/json;rows",
         "table (JSON), 2 rows × 2 columns: “a, b”"),
        ("a.svg", b"<svg xmlns='http://w3.org/'/>", "application/xml", "XML, 29 characters"),
        ("a.csv", b"a,b\n1," + b"x" * 200_000, "text/plain",
         f"text, 2 words: “a,b 1,{54 * 'x'}”"),
        ("a.json", b"[" * 100_000, "text/plain", f"text, 1 word: “{60 * '['}”"),
        ("a.py", b"import os\nprint(1)", "text/plain", "text, 3 words: “import os print(1)”"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)  # fmt: skip
async def test_a_file_is_what_its_bytes_say(
    name: str, data: bytes, media_type: str, description: str
) -> None:
    found = await _media().describe(Blob(data, "application/octet-stream", name))

    assert (found.media_type, found.description) == (media_type, description)


@pytest.mark.parametrize(
    ("ending", "media_type"), [("caf", "audio/x-caf"), ("wma", "audio/x-ms-wma")]
)
async def test_a_memo_is_a_sound_whatever_it_is_called(ending: str, media_type: str) -> None:
    media = LocalMedia(FakeWorkers(), ffmpeg=find_ffmpeg)
    data = samples.memo(ending)

    found = await media.describe(Blob(data, "", "memo"))
    made = await media.convert(Blob(data, found.media_type, "memo"), "audio/mpeg")

    assert (found.media_type, found.description) == (media_type, "sound, 1.5 s")
    assert (await media.describe(made)).media_type == "audio/mpeg"


async def test_the_length_of_a_sound_is_measured() -> None:
    wav = await _media().describe(Blob(samples.wav(), "", "a.wav"))
    webm = await _media().describe(Blob(samples.voice_message(), "", "a.webm"))

    assert wav.seconds == 2.0
    assert 1.4 < webm.seconds < 1.7


@pytest.mark.parametrize("ending", ["flac", "mp3", "ogg", "opus", "m4a", "caf", "wma", "mkv"])
async def test_the_length_of_a_sound_is_read_from_every_container(ending: str) -> None:
    found = await _media().describe(Blob(samples.memo(ending), "", "memo"))

    assert found.description == "sound, 1.5 s"


async def test_a_live_recording_is_measured_to_its_end() -> None:
    recording = samples.live_recording(5.0)

    found = await _media().describe(Blob(recording, "", "a.webm"))

    assert found.description == "sound, 5.0 s"


async def test_a_sound_with_a_cover_is_no_film() -> None:
    found = await _media().describe(Blob(samples.sound_with_cover(), "", "a.mp4"))

    assert (found.media_type, found.description) == ("audio/mp4", "sound, 1.5 s")


async def test_a_wav_of_countless_chunks_is_refused_without_reading_them() -> None:
    workers, data = FakeWorkers(), b"RIFF0000WAVE" + b"abcd\0\0\0\0" * 5_000_000

    with pytest.raises(MediaError) as refused:
        await LocalMedia(workers, ffmpeg=lambda: None).describe(Blob(data, "", "a.wav"))

    assert refused.value.sentence.id == "media-broken"
    assert workers.done == []


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("empty.png", b"", english("media-empty")),
        ("blank.txt", b" \n ", english("media-blank")),
        ("cut.png", samples.png()[:400], english("media-broken", kind="picture")),
        ("cut.jpg", samples.jpeg()[:600], english("media-broken", kind="picture")),
        ("cut.wav", samples.wav()[:30], english("media-broken", kind="WAV")),
        ("bad.wav", samples.wav().replace(b"data", b"atad"), english("media-broken", kind="WAV")),
        (
            "page.png",
            b"<!doctype html><html><body>Sign in</body></html>",
            english("media-mislabelled", ending=".png", found="a web page"),
        ),
        ("words.mp3", b"not a sound", english("media-mislabelled", ending=".mp3", found="text")),
        (
            "bomb.png",
            samples.png_bomb(),
            english("media-too-many-pixels", size="60000×60000", limit="64"),
        ),
        (
            "long.gif",
            samples.endless_gif(),
            english("media-too-many-frames", frames="5,000", limit="2,000"),
        ),
        (
            "claims.png",
            samples.apng_that_claims(1_000_000),
            english("media-too-many-frames", frames="1,000,001", limit="2,000"),
        ),
        ("locked.pdf", samples.pdf(1, "secret"), english("media-encrypted")),
        ("cut.pdf", b"%PDF-1.7\nnothing", english("media-broken", kind="PDF")),
        ("files.zip", samples.zipped({"a.txt": b"a"}), english("media-archive")),
        ("program.exe", b"MZ\x90\x00" + bytes(range(256)) * 8, english("media-unknown")),
        ("random.bin", bytes(range(256)) * 8, english("media-unknown")),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)  # fmt: skip
async def test_a_file_that_cannot_be_taken_is_refused_in_a_plain_sentence(
    name: str, data: bytes, sentence: str
) -> None:
    with pytest.raises(MediaError) as refused:
        await _media().describe(Blob(data, "", name))

    assert say("en", refused.value.sentence) == sentence


async def test_a_document_that_would_unpack_to_too_much_is_refused() -> None:
    with pytest.raises(MediaError) as refused:
        await _media().describe(Blob(samples.docx_bomb(), "", "bomb.docx"))

    assert say("en", refused.value.sentence) == english("media-bomb", size="40")


async def test_a_file_beyond_the_limit_is_not_looked_into() -> None:
    with pytest.raises(MediaError) as refused:
        await _media(Bounds(size=1_000_000)).describe(Blob(b"x" * 1_500_000, "", "a.txt"))

    assert say("en", refused.value.sentence) == (english("media-too-large", size="1.5", limit="1"))


@pytest.mark.program
async def test_a_picture_that_overfills_a_worker_is_refused_and_the_worker_goes_on() -> None:
    bounds = Bounds(pixels=10_000_000_000)
    async with process_workers(1, child_environment(), memory_bytes=300 << 20) as workers:
        media = LocalMedia(workers, ffmpeg=lambda: None, bounds=bounds)

        with pytest.raises(MediaError) as refused:
            await media.describe(Blob(samples.png_bomb(40_000, 40_000), "", "a.png"))

        assert refused.value.sentence.id in ("media-lost", "media-broken")
        assert (await media.describe(Blob(samples.png(), "", "a.png"))).media_type == "image/png"


@pytest.mark.program
async def test_looking_that_takes_too_long_is_given_up() -> None:
    async with process_workers(1, child_environment()) as workers:
        media = LocalMedia(workers, ffmpeg=lambda: None, bounds=Bounds(decode_timeout=0.001))

        with pytest.raises(MediaError) as refused:
            await media.describe(Blob(samples.png(), "", "a.png"))

    assert refused.value.sentence.id == "media-too-slow"


async def test_a_list_in_json_becomes_rows() -> None:
    read = await _media().convert(Blob(b'[{"a": 1}, {"b": "x"}]', JSON_ROWS, "a.json"), "text/csv")

    assert (read.data, read.media_type) == (b"a,b\n1,\n,x\n", "text/csv")
