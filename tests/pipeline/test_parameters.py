"""Parameters on their way to a model: sizes by ratio, what a server refuses, what is told."""

import pytest

from pipeline.domain import Attachment, Blob, ExpertOutput, LocalizedText, Media, Number
from pipeline.domain.conversions import as_text
from pipeline.errors import ExpertRefused, InputRefused
from pipeline.parameters import choose_size, read_parameters
from pipeline.ports import Job
from pipeline.words import LOCALES, say
from tests.fakes.jobs import job, picture
from tests.fakes.places import LOCAL
from tests.fakes.stages import ActingExpert, Bench, model, planning, request, task

SEED, OTHER_SEED = Number(42), Number(43)


@pytest.mark.parametrize(
    ("ratio", "size"),
    [("16:9", (1280, 720)), ("9:16", (720, 1280)), ("1:1", (1024, 1024)), ("3:2", (1248, 832))],
)
def test_a_ratio_stands_for_a_size_near_a_megapixel(ratio: str, size: tuple[int, int]) -> None:
    assert choose_size({"aspect_ratio": ratio}) == size


def test_a_size_counts_more_than_a_ratio() -> None:
    assert choose_size({"aspect_ratio": "16:9", "size": "800x600"}) == (800, 600)
    assert choose_size({}) is None


def test_a_large_seed_is_shown_with_all_its_digits() -> None:
    assert as_text(Number(4294967295.0)) == "4294967295"
    assert as_text(Number(0.25)) == "0.25"


def test_parameters_are_read_as_plain_values() -> None:
    asked = job("text-to-image", text="a cat", seed=42, guidance_scale=7, size="800x600")

    read = read_parameters(asked.kind, asked.args)

    assert read == {"size": "800x600", "seed": 42, "guidance_scale": 7.0}


def _bench(expert: ActingExpert) -> Bench:
    copies = (
        task(0, "text-to-image", text="a cat", seed=SEED, aspect_ratio="16:9"),
        task(1, "text-to-image", text="a cat", seed=OTHER_SEED, aspect_ratio="16:9"),
    )
    models = [model("org/painter", "text-to-image", LOCAL)]
    return Bench(planners=[planning(*copies)], experts=[expert], models=models)


async def test_what_no_model_was_given_is_told_once_and_kept() -> None:
    async def paint(job: Job) -> ExpertOutput:
        (seed,) = job.args["seed"]
        drawn = picture((1, 1, 43 if seed == OTHER_SEED else 42))
        return ExpertOutput({"image": drawn}, used=frozenset({"aspect_ratio"}))

    bench = _bench(ActingExpert(paint))
    answer = await bench.answers(request())

    name = LocalizedText("parameter", {"name": "seed"})
    notice = LocalizedText("respond-unused", {"model": "org/painter", "names": name})
    assert answer.notices == (notice,)
    assert len(answer.files) == 2
    assert all("seed" not in facts for facts in bench.media.labelled)


async def test_a_file_is_labelled_with_the_seed_that_the_model_was_given() -> None:
    async def paint(job: Job) -> ExpertOutput:
        return ExpertOutput({"image": picture()}, used=frozenset(job.args))

    bench = _bench(ActingExpert(paint))
    await bench.answers(request())

    assert sorted(facts["seed"] for facts in bench.media.labelled) == ["42", "43"]


async def test_what_a_server_refuses_with_parameters_is_asked_again_without() -> None:
    async def paint(job: Job) -> ExpertOutput:
        if "seed" in job.args:
            raise InputRefused("expert-input-refused", model=job.model.id)
        return ExpertOutput({"image": picture()}, used=frozenset({"text", "seed"}))

    expert = ActingExpert(paint)
    bench = _bench(expert)
    answer = await bench.answers(request())

    assert [sorted(job.args) for job in expert.jobs].count(["text"]) == 2
    (notice,) = answer.notices
    told = [say(language, notice) for language in LOCALES]
    assert "aspect ratio, seed" in say("en", notice)
    assert len(set(told)) == len(LOCALES)


@pytest.mark.parametrize("error", [InputRefused, ExpertRefused])
async def test_a_refusal_that_parameters_cannot_explain_is_final(
    error: type[ExpertRefused],
) -> None:
    async def refuse(job: Job) -> ExpertOutput:
        raise error("expert-input-refused", model=job.model.id)

    expert = ActingExpert(refuse)
    plain = planning(task(0, "text-to-image", text="a cat"))
    bench = Bench(planners=[plain], experts=[expert], models=[model("m", "text-to-image")])
    await bench.answers(request())

    assert len(expert.jobs) == 1


async def test_several_pictures_reach_the_expert_and_dropped_ones_are_told() -> None:
    first, second = picture((1, 2, 3)), picture((4, 5, 6))

    async def edit(_job: Job) -> ExpertOutput:
        return ExpertOutput({"image": picture()})

    expert = ActingExpert(edit)
    bench = Bench(experts=[expert], models=[model("m", "image-text-to-image")])
    names = [await bench.files.put(blob.data) for blob in (first, second)]
    files = tuple(
        Media(Attachment(hash=name, media_type="image/png", name="a.png", size=9)) for name in names
    )
    bench.planners = [planning(task(0, "image-text-to-image", image=files, text="combine"))]
    answer = await bench.answers(request())

    (asked,) = expert.jobs
    assert [image.data for image in asked.args["image"] if isinstance(image, Blob)] == [
        first.data,
        second.data,
    ]
    assert [notice.id for notice in answer.notices] == ["respond-unused"]
