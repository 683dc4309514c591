"""Stage 2: whose word counts, and what is told when somebody's does not."""

from dataclasses import replace

import pytest

from pipeline.domain import ChannelSettings, LocalizedText, Model, Proposed, Request, Step
from pipeline.model_mentions import explain_unused, find_mentioned, find_mentions
from pipeline.selection.candidates import Candidates
from pipeline.selection.choice import select
from pipeline.selection.policy import Rules
from pipeline.task_kinds import KINDS
from tests.fakes.experts import FakeCatalogue
from tests.fakes.places import HOSTED, LOCAL
from tests.fakes.stages import request, task

HEAR, PAINT = "audio-classification", "text-to-image"  # the table has no Whisper for the first
FAST = Model("org/fast-ears", HEAR, (HOSTED,), licence="mit")
WHISPER = Model("openai/whisper-large-v3", HEAR, (HOSTED, LOCAL), licence="apache-2.0")
TURBO = Model("openai/whisper-large-v3-turbo", HEAR, (HOSTED,), licence="cc-by-nc-4.0")
FLUX = Model("black-forest-labs/FLUX.1-dev", PAINT, (HOSTED,))
GONE = Model("suno/bark-small", "text-to-speech", ())
SHELF = Candidates(FakeCatalogue([FAST, WHISPER, TURBO, FLUX, GONE]))
LISTEN = Proposed(task(0, HEAR, audio="x"))


async def _chosen(
    asked: Request, part: Proposed = LISTEN, shelf: Candidates = SHELF
) -> tuple[Step, list[LocalizedText]]:
    names = find_mentions(asked)
    mentioned = await find_mentioned(names, part.task.kind, asked, shelf)
    step = await select(part, asked, shelf, mentioned)
    return step, await explain_unused(names, [part.task.kind], asked, shelf)


def _model(step: Step) -> tuple[str, str]:
    assert step.choice is not None
    return step.choice.model.id, step.choice.reason.id


async def test_by_itself_the_first_of_the_ranking_is_taken() -> None:
    step, told = await _chosen(request("transcribe this"))

    assert _model(step) == ("org/fast-ears", "chosen-ranked")
    assert step.choice is not None
    assert [model.id for model in step.choice.runners_up] == [WHISPER.id, TURBO.id]
    assert told == []


@pytest.mark.parametrize(
    "words",
    [
        "transcribe this with whisper-large-v3",
        "transcribe this with Whisper Large v3, please",
        "use openai/whisper-large-v3 for this",
        "mit whisper-large-v3 abschreiben",
        "whisper-large で文字起こし",
        "transcris avec « whisper »",
        "please transcribe using `whisper-large`",
        "transcribe via `whisper`.",
    ],
)
async def test_a_model_that_the_person_names_is_taken(words: str) -> None:
    planned = replace(LISTEN, model=FAST.id)

    step, told = await _chosen(request(words), planned)

    assert _model(step) == (WHISPER.id, "chosen-named")
    assert told == []


async def test_the_longer_name_means_the_other_model() -> None:
    step, _ = await _chosen(request("transcribe with whisper-large-v3-turbo"))

    assert _model(step)[0] == TURBO.id


@pytest.mark.parametrize(
    "words",
    [
        "draw a cat with a hat",
        "read it by tomorrow 12/11 and/or later",
        "look at https://example.com/a/b and send it via e-mail",
        "transcribe with care, use the second one",
        "what is in photo-2024-01.png",
        "summarize what it says on covid-19, with black-and-white pictures",
    ],
)
async def test_plain_words_are_no_names(words: str) -> None:
    step, told = await _chosen(request(words))

    assert _model(step)[0] == FAST.id
    assert told == []


async def test_a_named_model_that_the_rules_forbid_is_told_with_the_reason() -> None:
    strict = replace(SHELF, rules=Rules(commercial=True))

    step, told = await _chosen(request("use whisper-large-v3-turbo"), shelf=strict)

    assert _model(step)[0] == FAST.id
    assert [sentence.id for sentence in told] == ["named-unused"]
    reason = told[0].args["reason"]
    assert isinstance(reason, LocalizedText)
    assert reason.id == "policy-licence"


async def test_a_named_model_that_nobody_serves_or_knows_or_that_does_something_else_is_told() -> (
    None
):
    for words, expected in (
        ("transcribe with suno/bark-small", "named-unused"),
        ("transcribe with whisper-large-v9", "named-unknown"),
        ("transcribe with flux.1-dev", "named-other-kind"),
    ):
        step, told = await _chosen(request(words))

        assert _model(step)[0] == FAST.id
        assert [sentence.id for sentence in told] == [expected], words


async def test_the_channels_own_model_goes_before_the_planners() -> None:
    here = ChannelSettings(models={HEAR: "openai/whisper-large-v3"})

    step, _ = await _chosen(request(settings=here), replace(LISTEN, model=FAST.id))

    assert _model(step) == (WHISPER.id, "chosen-channel")


async def test_the_planners_pick_is_taken_with_its_reason_if_it_is_allowed() -> None:
    picked = Proposed(LISTEN.task, TURBO.id, "it is quick")

    step, _ = await _chosen(request(), picked)
    strict, _ = await _chosen(
        request(settings=ChannelSettings(policy={"licence": "commercial"})), picked
    )

    assert _model(step) == (TURBO.id, "chosen-because")
    assert _model(strict) == (FAST.id, "chosen-ranked")
    assert strict.choice is not None
    assert TURBO not in strict.choice.runners_up


async def test_another_try_avoids_what_was_used_before() -> None:
    step, _ = await _chosen(request(avoid=(FAST.id,)), replace(LISTEN, model=FAST.id))

    assert _model(step)[0] == WHISPER.id


async def test_a_channel_that_allows_only_its_own_machines_gets_only_those() -> None:
    step, _ = await _chosen(request(settings=ChannelSettings(places=("local",))))

    assert step.choice is not None
    assert step.choice.model == replace(WHISPER, places=(LOCAL,))
    assert step.choice.runners_up == ()


async def test_what_nothing_can_do_here_has_no_choice() -> None:
    step, _ = await _chosen(request(), Proposed(task(0, "depth-estimation", image="x")))

    assert step.choice is None


def test_the_names_of_files_are_no_models() -> None:
    assert find_mentions(request("resize photo-1.jpeg with cat.png")).names == ()
    assert find_mentions(request("do text-to-image with style")).names == ()


@pytest.mark.parametrize("piece", ["a", "a-", "a/", "use a-1 ", "with ", "a.b_", "1-"])
def test_any_text_is_searched_for_names_at_once(piece: str) -> None:
    assert len(find_mentions(request(piece * 50_000)).names) <= 6


async def test_a_kind_can_run_when_a_model_for_it_is_allowed_and_has_a_place() -> None:
    strict = Candidates(SHELF.catalogue, Rules(deny=("black-forest-labs/*",)))

    assert await SHELF.find_places(KINDS[PAINT], request("x"))
    assert not await strict.find_places(KINDS[PAINT], request("x"))
    assert not await SHELF.find_places(KINDS["text-to-speech"], request("x"))


@pytest.mark.parametrize(
    ("language", "able"),
    [
        ("German", {"pair", "open", "all"}),
        ("Chinese (Simplified)", {"open", "all"}),
        ("Mandarin", {"open", "all"}),
        ("Klingonese of the north", {"open", "all"}),
        ("", {"pair", "open", "all"}),
    ],
)
async def test_a_model_for_two_languages_gets_no_task_in_a_third_nor_in_an_unknown_one(
    language: str, able: set[str]
) -> None:
    listed: dict[str, tuple[str, ...]] = {"pair": ("en", "de"), "open": (), "all": ("mul",)}
    models = [
        Model(name, "translation", (HOSTED,), languages=languages)
        for name, languages in listed.items()
    ]
    asked = replace(request(), person=replace(request().person, locale="de"))
    work = task(0, "translation", text="hello", language=language)

    found = await Candidates(FakeCatalogue(models)).shortlist(work.kind, asked, task=work)

    assert {model.id for model in found} == able
