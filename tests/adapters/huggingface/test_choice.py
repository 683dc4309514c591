"""Which model is chosen when the Hub's lists are as misleading as they were in August 2026."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio

from adapters.huggingface.catalogue import HubCatalogue
from adapters.huggingface.hub import open_hub
from pipeline.domain import ChannelSettings, Choice, Model, Proposed, Task
from pipeline.ports import Catalogue
from pipeline.selection.candidates import Candidates
from pipeline.selection.catalogues import JoinedCatalogue, ListedCatalogue
from pipeline.selection.choice import select
from pipeline.selection.curated import load_known_models
from pipeline.task_kinds import KINDS
from tests.fakes.persistence import FakeCache
from tests.fakes.places import HOSTED, LLM
from tests.fakes.stages import request, task
from tests.servers.hub import HubServer, hub_at_work, row
from tests.servers.hub.rows import Row

pytestmark = pytest.mark.asyncio(loop_scope="module")

CHAT = "org/chat-model"
T5 = "google-t5/t5-small"
NSFW, VIT = "Falconsai/nsfw_image_detection", "google/vit-base-patch16-224"
RERANKER = "BAAI/bge-reranker-v2-m3"
PII, NER = "OpenMed/privacy-filter-multilingual", "dslim/bert-base-NER"
SST, KOKORO = "distilbert/distilbert-base-uncased-finetuned-sst-2-english", "hexgrad/Kokoro-82M"
SEES, TALKS = "google/gemma-4-31B-it", "deepseek-ai/DeepSeek-V4-Flash-0731"


def _own(id_: str, tag: str, downloads: int, *languages: str, tags: tuple[str, ...] = ()) -> Row:
    made = row(id_, tag, "hf-inference", downloads=downloads, languages=languages)
    return {**made, "tags": [*made["tags"], *tags]}


LIVE = (
    _own(NSFW, "image-classification", 90_000),
    _own(VIT, "image-classification", 3_000),
    _own(RERANKER, "text-classification", 90_000, "multilingual"),
    _own("org/quiet-model", "text-classification", 80_000, "en", tags=("text-ranking",)),
    _own(SST, "text-classification", 5_000, "en"),
    _own(PII, "token-classification", 90_000, "en", "de"),
    _own(NER, "token-classification", 3_000, "en"),
    _own(T5, "translation", 90_000, "en", "fr", "ro", "de", "multilingual"),
    _own("Helsinki-NLP/opus-mt-zh-en", "translation", 8_000, "zh", "en"),
    _own("Helsinki-NLP/opus-mt-de-en", "translation", 8_000, "de", "en"),
    _own("Helsinki-NLP/opus-mt-en-jap", "translation", 7_000, "en", "ja"),
    _own("facebook/mms-tts-deu", "text-to-speech", 90_000),
    _own("facebook/mms-tts-eng", "text-to-speech", 90_000),
    row(KOKORO, "text-to-speech", "replicate", downloads=900, languages=("en",)),
    row(SEES, "image-text-to-text", "novita", task="conversational", downloads=10),
    row(TALKS, "text-generation", "novita", task="conversational", downloads=9_000_000),
)
LANGUAGES = {
    "Japanese": "ja",
    "German": "de",
    "French": "fr",
    "Spanish": "es",
    "Chinese": "zh",
    "Arabic": "ar",
    "Korean": "ko",
    "Russian": "ru",
    "Hindi": "hi",
    "Swahili": "sw",
    "Polish": "pl",
    "English": "en",
}


@dataclass
class Scene:
    """The live Hub, alone or with a chat model beside it."""

    hub: HubCatalogue

    def candidates(self, *, chat: bool = False) -> Candidates:
        kinds = ("translation", "conversational", "text-classification", "image-classification")
        chats = [Model(CHAT, kind, (LLM,), languages=("multilingual",)) for kind in kinds]
        parts: list[Catalogue] = [self.hub, ListedCatalogue(chats if chat else ())]
        return Candidates(JoinedCatalogue(parts, places=[HOSTED, LLM]))

    async def choose(self, work: Task, *, chat: bool = False, picked: str = "") -> Choice | None:
        step = await select(Proposed(work, picked), request(), self.candidates(chat=chat))
        return step.choice


@asynccontextmanager
async def _hub(rows: list[Row]) -> AsyncIterator[HubCatalogue]:
    async with hub_at_work(HubServer(rows)) as server, open_hub(server.base) as pages:
        known = load_known_models([HOSTED])
        keep = timedelta(hours=1)
        live = HubCatalogue(
            pages, FakeCache(), known=known, clock=lambda: datetime.now(UTC), keep=keep
        )
        assert await live.refresh()
        yield live


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def scene() -> AsyncIterator[Scene]:
    async with _hub(list(LIVE)) as live:
        yield Scene(live)


def _ids(choice: Choice | None) -> list[str]:
    return [model.id for model in (choice.model, *choice.runners_up)] if choice else []


@pytest.mark.parametrize(
    ("work", "chosen", "traps"),
    [
        (task(0, "image-classification"), VIT, {NSFW}),
        (task(0, "text-classification", text="good"), SST, {RERANKER, "org/quiet-model"}),
        (task(0, "token-classification", text="Ann"), NER, {PII}),
    ],
    ids=lambda value: value.kind.name if isinstance(value, Task) else None,
)
async def test_what_is_most_downloaded_for_another_purpose_is_not_even_a_fallback(
    work: Task, chosen: str, traps: set[str], scene: Scene
) -> None:
    choice = await scene.choose(work)

    assert _ids(choice)[0] == chosen
    assert not traps & {*_ids(choice)}
    assert choice is not None
    assert choice.reason.id in ("chosen-recommended", "chosen-only")


async def test_who_names_such_a_model_gets_it(scene: Scene) -> None:
    named = await scene.hub.find(NSFW, kind="image-classification")

    work = Proposed(task(0, "image-classification"))
    step = await select(work, request(), scene.candidates(), named)

    assert _ids(step.choice)[0] == NSFW


async def test_a_planner_that_picks_such_a_model_does_not_get_it(scene: Scene) -> None:
    choice = await scene.choose(task(0, "image-classification"), picked=NSFW)

    assert _ids(choice) == [VIT]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_chat_model_translates_into_every_language(language: str, scene: Scene) -> None:
    work = task(0, "translation", text="hello", language=language)

    choice = await scene.choose(work, chat=True, picked=T5 if language == "Japanese" else "")

    assert _ids(choice)[0] == CHAT


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_text_is_translated_only_by_models_that_know_the_language(
    language: str, scene: Scene
) -> None:
    able = {
        "de": [T5],
        "fr": [T5],
        "en": ["Helsinki-NLP/opus-mt-zh-en", "Helsinki-NLP/opus-mt-de-en"],
        "ja": ["Helsinki-NLP/opus-mt-en-jap"],
    }
    work = task(0, "translation", text="hello", language=language)

    assert _ids(await scene.choose(work)) == able.get(LANGUAGES[language], [])


@pytest.mark.parametrize(
    ("source", "target", "able"),
    [
        ("German", "English", ["Helsinki-NLP/opus-mt-de-en"]),
        ("de", "fr", [T5]),
        ("Japanese", "German", []),
        ("chinois", "anglais", ["Helsinki-NLP/opus-mt-zh-en"]),
    ],
)
async def test_the_language_of_the_text_counts_where_it_is_known(
    source: str, target: str, able: list[str], scene: Scene
) -> None:
    work = task(0, "translation", text="x", source_language=source, language=target)

    assert _ids(await scene.choose(work)) == able


@pytest.mark.parametrize(
    ("language", "able"),
    [
        ("Japanese", [KOKORO]),
        ("Deutsch", ["facebook/mms-tts-deu"]),
        ("English", [KOKORO, "facebook/mms-tts-eng"]),
        ("Korean", []),
    ],
)
async def test_a_text_is_spoken_only_by_models_that_speak_the_language(
    language: str, able: list[str], scene: Scene
) -> None:
    work = task(0, "text-to-speech", text="hello", language=language)

    assert _ids(await scene.choose(work)) == able


async def test_a_channels_model_is_not_taken_for_a_language_that_it_does_not_know(
    scene: Scene,
) -> None:
    here = request(settings=ChannelSettings(models={"translation": T5}))

    for language, chosen in (("Japanese", CHAT), ("German", T5)):
        work = Proposed(task(0, "translation", text="hello", language=language))
        step = await select(work, here, scene.candidates(chat=True))
        assert _ids(step.choice)[0] == chosen


async def test_pictures_go_to_models_that_see(scene: Scene) -> None:
    for kind in ("image-to-text", "visual-question-answering", "document-question-answering"):
        assert [m.id for m in await scene.candidates().shortlist(KINDS[kind], request())] == [SEES]


async def test_a_curated_model_is_found_although_the_hub_does_not_list_it_first() -> None:
    crowd = [_own(f"org/sort-{n}", "image-classification", 9_000 + n) for n in range(30)]

    async with _hub([*crowd, *LIVE]) as live:
        choice = await Scene(live).choose(task(0, "image-classification"))

    assert _ids(choice)[0] == VIT


async def test_a_curated_model_that_nobody_serves_is_not_taken() -> None:
    rows = [row for row in LIVE if row["id"] != VIT]
    dead = row(VIT, "image-classification", "hf-inference", status="error", downloads=5_000)
    other = _own("org/things", "image-classification", 10)

    async with _hub([*rows, dead, other]) as live:
        choice = await Scene(live).choose(task(0, "image-classification"))

    assert _ids(choice) == ["org/things"]
    assert choice is not None
    assert choice.reason.id == "chosen-only"


async def test_a_curated_model_is_described_by_the_table(scene: Scene) -> None:
    for model in await scene.candidates().shortlist(KINDS["conversational"], request()):
        assert len(model.description) >= 120
        assert model.licence
        assert model.size > 0


async def test_every_choice_has_a_fallback_at_another_place(scene: Scene) -> None:
    work = task(0, "image-classification")

    choice = await scene.choose(work, chat=True)

    assert _ids(choice) == [VIT, CHAT]
