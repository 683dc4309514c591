"""With keys in every combination: 40 everyday requests against services that refuse what the real
ones refuse. One key more never makes the answers worse.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from pathlib import Path

import pytest

from bot.app import App, open_app
from bot.setting_sources import read_settings
from evaluation.trials import Trial, carry_out
from pipeline.domain import FILE_TYPES, Attempt, Done, Failed, Text
from pipeline.task_kinds import KINDS
from pipeline.text.languages import find_language
from tests.e2e.everyday import Everyday, list_offered, plan, read_requests, write_files
from tests.fakes.experts import Memory, remember_embedded
from tests.fakes.outside import FakeWorkers
from tests.servers.experts import ExpertServer
from tests.servers.experts.server import experts_at_work
from tests.servers.hub import HubServer, hub_at_work
from tests.servers.hub.official import official_hub
from tests.servers.openai import Asked, openai_at_work
from tests.servers.openai.official import OfficialServer

SERVED = {
    "facebook/nllb-200-distilled-600M": "translation",
    "facebook/bart-large-cnn": "summarization",
    "distilbert/distilbert-base-uncased-finetuned-sst-2-english": "text-classification",
    "dslim/bert-base-NER": "token-classification",
    "deepset/roberta-base-squad2": "question-answering",
    "HuggingFaceTB/SmolLM3-3B": "text-generation",
    "Salesforce/blip-image-captioning-large": "image-to-text",
    "Salesforce/blip-vqa-base": "visual-question-answering",
    "PekingU/rtdetr_v2_r50vd": "object-detection",
    "stabilityai/stable-diffusion-xl-base-1.0": "text-to-image",
    "timbrooks/instruct-pix2pix": "image-text-to-image",
    "openai/whisper-large-v3": "automatic-speech-recognition",
    "suno/bark-small": "text-to-speech",
    "Wan-AI/Wan2.1-T2V-1.3B-Diffusers": "text-to-video",
}
"""What the expert server runs."""
_OF_T5 = ("de", "fr", "ro")
_OF_BARK = ("en", "de", "es", "fr", "hi", "it", "ja", "ko", "pl", "pt", "ru", "tr", "zh")
WRITTEN: Mapping[str, Sequence[str]] = {
    "google-t5/t5-small": _OF_T5,
    "google-t5/t5-base": _OF_T5,
    "Helsinki-NLP/opus-mt-en-de": ("de",),
    "hexgrad/Kokoro-82M": ("en", "es", "fr", "hi", "it", "ja", "pt", "zh"),
    "suno/bark-small": _OF_BARK,
}
"""The languages that models write or speak, by their cards; others: all that are asked for."""
FOR_FACES = {"haar-faces"}
"""Finds no other things, which a language model is told."""
TRANSLATORS = {"German": {"Helsinki-NLP/opus-mt-en-de"}, "French": {"google-t5/t5-small"}}
"""Which of the Hub's translators is for which language; for others there is none."""
KEYS = ("OpenAI", "HF", "experts")
COMBINATIONS = [*map(frozenset, ((), ("OpenAI",), ("HF",), ("OpenAI", "HF"), ("experts",), KEYS))]


@dataclass
class Combination:
    """What became of the requests with these keys."""

    keys: frozenset[str]
    trials: dict[str, Trial] = field(default_factory=dict)
    able: set[str] = field(default_factory=set)
    """The kinds that some model can do."""
    offered: list[Sequence[str]] = field(default_factory=list)
    """The kinds in each schema that was sent."""

    @cached_property
    def states(self) -> Mapping[str, str]:
        return {each.id: judge(each, self.trials[each.id]) for each in read_requests()}

    def list_by(self, state: str) -> set[str]:
        return {id_ for id_, each in self.states.items() if each == state}


def judge(request: Everyday, trial: Trial) -> str:
    """Done: with the kinds that it needs, and with the file that it asks for. Declined: with the
    reason, or a question. Everything else failed.
    """
    answer, outcomes = trial.answer, trial.outcomes
    if answer is None or not answer.text or not all(map(is_done, outcomes.values())):
        return "failed"
    is_said = any(notice.id.startswith("not-possible-") for notice in answer.notices)
    if not request.suite.turns[0].accepts(trial.kinds):
        return "declined" if is_said or not trial.kinds else "failed"
    makes_file = KINDS[trial.kinds[-1]].makes[0].type in FILE_TYPES
    return "done" if answer.files or not makes_file else "failed"


def is_done(outcome: object) -> bool:
    return isinstance(outcome, Done)


def list_attempts(trial: Trial) -> list[Attempt]:
    return [
        attempt
        for outcome in trial.outcomes.values()
        if isinstance(outcome, Done | Failed)
        for attempt in outcome.tried
    ]


def answer_as_model(asked: Asked) -> str:
    """Plans by what is offered; whatever else it is asked for, it has."""
    form = asked.body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    match form:
        case {"properties": {"tasks": _}}:
            return plan(asked)
        case {"properties": {"labels": _}}:
            return json.dumps({"labels": [{"label": "friendly", "score": 0.9}]})
        case {"properties": {"spans": _}}:
            return json.dumps({"spans": []})
        case {"properties": {"sql": _}}:
            return json.dumps({"sql": "SELECT count(*) FROM t1"})
        case _:
            return "Here it is."


@asynccontextmanager
async def open_combination(
    keys: frozenset[str], home: Path, combination: Combination
) -> AsyncIterator[App]:
    """The program with these keys, and the services that they open."""
    settings = {
        "TROUPE_HOME": str(home),
        "TROUPE_FETCH_ALLOW_PRIVATE": "true",
        "TROUPE_ATTEMPT_SECONDS": "120",
        "TROUPE_TASK_SECONDS": "120",
    }

    def reply(asked: Asked) -> str:
        if offered := list_offered(asked):
            combination.offered.append(offered)
        return answer_as_model(asked)

    async with AsyncExitStack() as stack:
        if "OpenAI" in keys:
            openai = await stack.enter_async_context(openai_at_work(OfficialServer(reply=reply)))
            stack.enter_context(pytest.MonkeyPatch.context()).setenv("OPENAI_BASE_URL", openai.base)
            settings |= {"OPENAI_API_KEY": "sk-ann"}
        if "HF" in keys:
            hub = await stack.enter_async_context(hub_at_work(official_hub()))
            hub.chat.reply = reply
            settings |= name_hub(hub)
        if "experts" in keys:
            server = ExpertServer(kinds=dict(SERVED))
            experts = await stack.enter_async_context(experts_at_work(server))
            settings |= {"TROUPE_EXPERTS_URL": experts.base}
        app = await stack.enter_async_context(open_app(read_settings(settings), FakeWorkers()))
        if "HF" in keys:
            await wait_for_hub(app)
        yield app


def name_hub(hub: HubServer) -> dict[str, str]:
    return {"HF_TOKEN": "hf_ann", "HF_ENDPOINT": hub.base, "HF_ROUTER_URL": hub.base}


async def wait_for_hub(app: App) -> None:
    """It is asked in the background, first for what no known model does."""
    async with asyncio.timeout(20):
        while not await app.tools.candidates.catalogue.search("opus-mt-en-de"):  # noqa: ASYNC110 - the port cannot tell
            await asyncio.sleep(0.01)


async def carry_out_all(keys: frozenset[str], folder: Path, memory: Memory) -> Combination:
    combination = Combination(keys)
    home = folder / "-".join(["home", *sorted(keys)])
    async with open_combination(keys, home, combination) as opened:
        app = replace(opened, tools=remember_embedded(opened.tools, memory))

        async def carry_out_one(request: Everyday) -> None:
            (trial,) = await carry_out(request.suite, folder, app)
            combination.trials[request.id] = trial

        async with asyncio.TaskGroup() as group:
            for request in read_requests():
                group.create_task(carry_out_one(request))
        for kind in KINDS.values():
            if await app.tools.candidates.catalogue.candidates(kind, limit=1):
                combination.able.add(kind.name)
    return combination


def describe(results: Sequence[Combination]) -> str:
    """The counts as a table, and what failed."""
    states = ("done", "declined", "failed")
    lines = ["", f"| keys | {' | '.join(states)} | attempts refused |", "| --- |" + " --- |" * 4]
    for each in results:
        counts = [len(each.list_by(state)) for state in states]
        refused = sum(bool(a.error) for t in each.trials.values() for a in list_attempts(t))
        names = " + ".join(key for key in KEYS if key in each.keys) or "none"
        lines.append(f"| {names} | {' | '.join(map(str, (*counts, refused)))} |")
    for each in results:
        for name, trial in each.trials.items():
            if name in each.list_by("failed") or any(a.error for a in list_attempts(trial)):
                lines.append(
                    f"{sorted(each.keys)} {name}: {trial.kinds} {trial.outcomes} {trial.end}"
                )
    return "\n".join(lines)


@pytest.mark.limit(150)
async def test_one_key_more_never_makes_the_answers_worse(tmp_path: Path) -> None:
    write_files(tmp_path)
    memory = Memory()

    results = [await carry_out_all(keys, tmp_path, memory) for keys in COMBINATIONS]

    told = describe(results)
    for each in results:
        assert not each.list_by("failed"), told
        for trial in each.trials.values():
            assert set(trial.kinds) <= each.able, told
            assert not any(attempt.error for attempt in list_attempts(trial)), told
            check_languages(trial)
            used = {attempt.model for attempt in list_attempts(trial)}
            assert not (each.offered and used & FOR_FACES), told
        assert all(set(offered) == each.able for offered in each.offered), told
        assert bool(each.offered) == bool(each.keys & {"OpenAI", "HF"}), told
    for small, large in product(results, results):
        if small.keys < large.keys:
            assert small.list_by("done") <= large.list_by("done"), told
    assert len(results[-1].list_by("done")) == len(read_requests()), told


def check_languages(trial: Trial) -> None:
    """No model was asked for a language that it does not know."""
    tasks = {task.id: task for task in trial.planned.plan.tasks}
    for id_, outcome in trial.outcomes.items():
        words = [arg.text for arg in tasks[id_].args.get("language", ()) if isinstance(arg, Text)]
        language = find_language(" ".join(words))
        if language and isinstance(outcome, Done | Failed):
            for attempt in outcome.tried:
                assert language in WRITTEN.get(attempt.model, {language}), (trial.turn, attempt)


@pytest.mark.parametrize("controller", ["auto", "off"])
async def test_small_translators_get_only_the_languages_that_they_write(
    controller: str, tmp_path: Path
) -> None:
    async with hub_at_work(official_hub()) as hub:
        hub.chat.reply = answer_as_model
        settings = {
            "TROUPE_HOME": str(tmp_path / "home"),
            "TROUPE_PLACES": "hosted,embedded",
            "TROUPE_CONTROLLER": controller,
        }
        async with open_app(read_settings({**settings, **name_hub(hub)}), FakeWorkers()) as app:
            await wait_for_hub(app)
            wanted = [each for each in read_requests() if each.language and not each.files]
            trials = {}
            for request in wanted:
                (trials[request.language],) = await carry_out(request.suite, tmp_path, app)

    for language, trial in trials.items():
        check_languages(trial)
        done = {each.model.id for each in trial.outcomes.values() if isinstance(each, Done)}
        assert done == TRANSLATORS.get(language, set())
        assert trial.answer is not None
        reasons = [notice.id for notice in trial.answer.notices]
        assert done or not trial.kinds or "not-possible-language" in reasons
