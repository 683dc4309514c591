"""What is made beside results, and what is written into files."""

import pytest

from pipeline.domain import (
    Blob,
    Choice,
    Done,
    ExpertOutput,
    ExpertValue,
    Label,
    Labels,
    LocalizedText,
    Media,
    Model,
    Plan,
    Task,
    TaskId,
)
from pipeline.execution.execute import attempt
from pipeline.ports import Job
from pipeline.response.media_results import collect_files
from tests.fakes.places import LOCAL
from tests.fakes.stages import ActingExpert, Bench, task

PICTURE = Blob(b"picture", "image/png", "a.png")
GREY = Blob(b"grey", "image/png")
MAKER = Model("org/maker", "x", (LOCAL,), revision="r1", licence="mit")


async def _done(one: Task, made: ExpertOutput) -> tuple[Done, Bench]:
    async def act(_job: Job) -> ExpertOutput:
        return made

    bench = Bench(experts=[ActingExpert(act)])
    job = Job(one.kind, MAKER, {"image": (PICTURE,)})
    choice = Choice(MAKER, LocalizedText("chosen-only"))
    done = await attempt(one, choice, job, bench.tools, bench.events.append)
    assert isinstance(done, Done)
    return done, bench


def _alts(one: Task, done: Done) -> list[str]:
    return [file.alt for file in collect_files("en", Plan((one,)), {TaskId(0): done})]


def _labels(count: int) -> Labels:
    return Labels(tuple(Label(f"class {number}", 0.5) for number in range(count)))


@pytest.mark.parametrize(("count", "charts"), [(3, 0), (4, 1)])
async def test_many_labels_are_shown_as_a_chart(count: int, charts: int) -> None:
    one = task(0, "image-classification", image="x")

    done, _ = await _done(one, ExpertOutput({"labels": _labels(count)}))

    assert len(done.extras) == charts
    assert all(alt.startswith("Chart of the model") for alt in _alts(one, done))


async def test_depth_is_shown_in_colours_and_handed_on_in_grey() -> None:
    one = task(0, "depth-estimation", image="x")

    done, bench = await _done(one, ExpertOutput({"image": GREY}))

    value = done.output.slots["image"]
    assert isinstance(value, Media)
    assert bench.files.kept[value.attachment.hash] == b"grey"
    (file,) = collect_files("en", Plan((one,)), {TaskId(0): done})
    assert bench.files.kept[file.attachment.hash] == b"grey in colours"
    assert file.alt.startswith("Depth")


@pytest.mark.parametrize(
    ("kind", "slot", "blob", "beginning"),
    [
        ("tabular-regression", "table", Blob(b"a,b", "text/csv", "p.csv"), "The first rows"),
        ("text-to-video", "video", Blob(b"film", "video/mp4"), "First frame"),
    ],
)
async def test_tables_and_films_get_a_picture(
    kind: str, slot: str, blob: ExpertValue, beginning: str
) -> None:
    one = task(0, kind, text="x")

    done, _ = await _done(one, ExpertOutput({slot: blob}))

    assert len(done.extras) == 1
    assert _alts(one, done)[1].startswith(beginning)


async def test_subtitles_are_shown_beside_the_transcript() -> None:
    one = task(0, "automatic-speech-recognition", audio="x")
    srt = Blob(b"1\n00:00", "application/x-subrip", "subtitles.srt")

    done, _ = await _done(one, ExpertOutput({"labels": _labels(1)}, extras=(srt,)))

    assert [extra.name for extra in done.extras] == ["subtitles.srt"]


async def test_who_made_a_file_is_written_into_it() -> None:
    _, bench = await _done(task(0, "text-to-image", text="x"), ExpertOutput({"image": GREY}))

    assert bench.media.labelled == [
        {"model": "org/maker", "revision": "r1", "licence": "mit", "task": "text-to-image"}
    ]


async def test_who_made_a_file_is_written_into_what_shows_it_too() -> None:
    _, bench = await _done(task(0, "depth-estimation", image="x"), ExpertOutput({"image": GREY}))

    assert [facts["task"] for facts in bench.media.labelled] == ["depth-estimation"] * 2


async def test_what_was_sent_in_stays_as_it_is() -> None:
    _, bench = await _done(
        task(0, "object-detection", image="x"), ExpertOutput({"labels": _labels(1)})
    )

    assert bench.media.labelled == []


async def test_no_two_files_of_an_answer_have_the_same_name() -> None:
    tasks = [task(number, "image-to-image", image="x") for number in range(3)]
    blobs = [
        Blob(data, "image/png", name)
        for data, name in ((b"a", "cat.png"), (b"b", "Cat.png"), (b"c", "cat.png"))
    ]
    done = {
        one.id: (await _done(one, ExpertOutput({"image": blob})))[0]
        for one, blob in zip(tasks, blobs, strict=True)
    }

    files = collect_files("en", Plan(tuple(tasks)), done)

    assert [file.attachment.name for file in files] == ["cat.png", "Cat-2.png", "cat-3.png"]
