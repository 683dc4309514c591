"""The 24 requests of the paper suite through the program, planned by scripted language models.

Calls are counted on the wire. No expert of this program is a language model, so a request takes two
calls (plan and answer), and one more for a further round of planning or a repaired plan.
"""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from jsonschema import ValidationError, validate

from bot.app import App, open_app
from bot.setting_sources import read_settings
from evaluation.trials import FOLDER, Trial, carry_out, read_paper_suite
from pipeline.domain import Done, Type
from tests.evaluation.paper_controller import LATER, PLANS, Scripted, write_plan
from tests.fakes.experts import play_embedded
from tests.fakes.known_experts import known_experts
from tests.fakes.outside import FakeWorkers
from tests.servers.experts import ExpertServer, Fault, experts_at_work
from tests.servers.experts.server import EVER
from tests.servers.openai import Asked, OpenAiServer, openai_at_work
from tests.servers.openai.official import OfficialServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

Message = tuple[str, int]
"""The id of a request and the number of a message in it."""
Json = dict[str, Any]
_REQUESTS = {request.id: request for request in read_paper_suite().requests}
_TURNS = {
    (request.id, number): turn
    for request in _REQUESTS.values()
    for number, turn in enumerate(request.turns, 1)
}
_NO_POSES = "I can't take over poses here, so I changed the picture itself."
_POSED: Sequence[Scripted] = [
    ("openpose-control", {"image": "image 1"}),
    ("openpose-text-to-image", {"text": "a girl reading a book", "image": "<GENERATED>-0"}),
    ("image-to-text", {"image": "<GENERATED>-1"}),
    ("text-to-speech", {"text": "<GENERATED>-2"}),
]


@dataclass
class Controller:
    """Plans each request rightly, in a manner of its own."""

    manner: Callable[[Json, Asked], str]
    looks_first: bool = False
    """Plans what needs no results, and the rest when they are there."""

    def reply(self, asked: Asked) -> str:
        if not is_planning(asked):
            return "Here it is."
        message, is_later = find_message(asked), is_further_round(asked)
        whole: Json = json.loads(write_plan(PLANS[message]))
        later: Json = json.loads(write_plan(LATER.get(message, ()), first=len(whole["tasks"])))
        now = [task for task in whole["tasks"] if not (self.looks_first and task["dep"])]
        rest = [task for task in whole["tasks"] if task not in now] + later["tasks"]
        is_open = not is_later and (self.looks_first or bool(rest))
        plan = {**whole, "tasks": rest if is_later else now, "continue": is_open}
        return self.manner(plan, asked)


def is_planning(asked: Asked) -> bool:
    return '"tasks"' in json.dumps(asked.body.get("response_format", ""))


def is_further_round(asked: Asked) -> bool:
    return "Results so far: <<<" in asked.texts[1]


def find_message(asked: Asked) -> Message:
    """The message whose words stand last in the prompt."""
    return max(_TURNS, key=lambda each: asked.text.rfind(f"<<<\n{_TURNS[each].text}\n>>>"))


def write_strictly(plan: Json, asked: Asked) -> str:
    """With the last candidate for each kind; what the schema does not allow is refused."""
    offered = list_candidates(asked)
    tasks = [{**task, "model": offered.get(task["task"], "")} for task in plan["tasks"]]
    plan = {**plan, "tasks": tasks}
    try:
        validate(plan, asked.body["response_format"]["json_schema"]["schema"])
    except ValidationError as error:
        plan = {**plan, "action": "reply", "say": error.message, "tasks": []}
    return json.dumps(plan)


def list_candidates(asked: Asked) -> Mapping[str, str]:
    """Kind → the last of its candidates."""
    lines = asked.text.partition('Candidates for "model", by kind: <<<\n')[2].splitlines()
    last: dict[str, str] = {}
    kinds: list[str] = []
    for line in takewhile(lambda line: line != ">>>", lines):
        if line.startswith("- "):
            last |= dict.fromkeys(kinds, line[2:].partition(": ")[0].partition(" (")[0])
        else:
            kinds = line.split(", ")
    return last


def write_lazily(plan: Json, _asked: Asked) -> str:
    """Without a thought, and with no model named."""
    assert {task["model"] for task in plan["tasks"]} <= {""}
    return json.dumps(plan)


def write_weakly(plan: Json, _asked: Asked) -> str:
    """As small models write: amid prose, with wrong types, and with half of it missing."""
    tasks = [
        {
            "id": str(task["id"]),
            "task": task["task"].replace("-", "_").title(),
            "args": {**join_arguments(task["args"]), "confidence": 7},
            **({"dep": str(task["dep"][0])} if len(task["dep"]) == 1 else {}),
        }
        for task in plan["tasks"]
    ]
    whole = json.dumps({"tasks": tasks, "continue": str(plan["continue"])}, indent=1)
    return f"Sure! Here is the plan:\n```json\n{whole}\n```\nLet me know if it helps."


def join_arguments(args: Sequence[Mapping[str, str]]) -> Json:
    """Arguments as an object, with a list for a name that stands several times."""
    values: dict[str, list[str]] = {}
    for arg in args:
        values.setdefault(arg["name"], []).append(arg["value"])
    return {name: given if len(given) > 1 else given[0] for name, given in values.items()}


def write_wrongly_first(plan: Json, asked: Asked) -> str:
    """With a kind that does not exist, until the error is quoted."""
    if len(asked.texts) == 2:
        plan = {**plan, "tasks": [{**task, "task": "magic"} for task in plan["tasks"]]}
    return json.dumps(plan)


CONTROLLERS = {
    "strict": Controller(write_strictly),
    "lazy": Controller(write_lazily),
    "weak": Controller(write_weakly),
    "looking first": Controller(write_lazily, looks_first=True),
}


@dataclass
class Scene:
    """The program before a played language model and played experts."""

    app: App
    llm: OpenAiServer
    experts: ExpertServer

    async def carry_out(self, reply: Callable[[Asked], str], *requests: str) -> list[Trial]:
        """The trials of these requests, which run at the same time."""
        self.llm.asked.clear()
        self.llm.reply = reply
        async with asyncio.TaskGroup() as group:
            runs = [
                group.create_task(carry_out(_REQUESTS[id_], FOLDER, self.app)) for id_ in requests
            ]
        return [trial for run in runs for trial in run.result()]

    @property
    def calls(self) -> Mapping[Message, int]:
        """Message → the calls of the language model that its answer took."""
        return Counter(map(find_message, self.llm.asked))


@asynccontextmanager
async def open_scene(
    home: Path, llm: OpenAiServer, experts: ExpertServer, **settings: str
) -> AsyncIterator[Scene]:
    async with openai_at_work(llm), experts_at_work(experts):
        own = {
            "TROUPE_HOME": str(home),
            "OPENAI_BASE_URL": llm.base,
            "TROUPE_EXPERTS_URL": experts.base,
            "TROUPE_PLACES": "local,embedded",
        }
        async with open_app(read_settings({**own, **settings}), FakeWorkers()) as app:
            yield Scene(replace(app, tools=play_embedded(app.tools)), llm, experts)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def on(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    home = tmp_path_factory.mktemp("home")
    async with open_scene(home, OpenAiServer(), known_experts()) as scene:
        yield scene


@pytest.mark.parametrize("name", CONTROLLERS)
async def test_every_request_completes_in_two_calls_or_three_with_a_round(
    on: Scene, name: str
) -> None:
    controller = CONTROLLERS[name]

    trials = await on.carry_out(controller.reply, *_REQUESTS)

    assert [trial.request for trial in trials if not trial.measure()["completed"]] == []
    for trial in trials:
        message = (trial.request, trial.number)
        right = [kind for kind, _ in (*PLANS[message], *LATER.get(message, ()))]
        assert trial.kinds == right
        assert {each.what.id for each in trial.planned.repairs} <= {"plan-extra"}
    rounds = {each: 2 if controller.looks_first or each in LATER else 1 for each in _TURNS}
    assert on.calls == {each: rounds[each] + 1 for each in _TURNS}


async def test_a_model_that_the_plan_names_does_the_task(on: Scene) -> None:
    (trial,) = await on.carry_out(CONTROLLERS["strict"].reply, "12")

    named = list_candidates(on.llm.chats[0])["text-to-image"]
    drawn = list(trial.outcomes.values())[-1]
    assert isinstance(drawn, Done)
    assert drawn.model.id == named


async def test_a_plan_with_an_invented_kind_costs_one_call_more(on: Scene) -> None:
    trials = await on.carry_out(Controller(write_wrongly_first).reply, "1", "6")

    assert all(trial.measure()["completed"] for trial in trials)
    assert set(on.calls.values()) == {3}


def plan_a_pose(asked: Asked) -> str:
    """In the boy's pose where that can run and has not failed; else an edited picture."""
    if not is_planning(asked):
        return "Here she is."
    possible, _, impossible = asked.texts[0].partition("# Not possible here")
    can_run = "openpose-text-to-image(" in possible
    assert can_run != ("openpose" in impossible)
    if can_run and not is_further_round(asked):
        return write_plan(_POSED)
    first = len(_POSED) if is_further_round(asked) else 0
    plan = json.loads(write_plan(edit_instead(first), first=first))
    return json.dumps({**plan, "say": _NO_POSES})


def edit_instead(first: int) -> Sequence[Scripted]:
    """The next best plan; `first` is the number of its first task."""
    (edit, args), _describe, _speak = PLANS["8", 1]
    return [
        (edit, args),
        ("image-to-text", {"image": f"<GENERATED>-{first}"}),
        ("text-to-speech", {"text": f"<GENERATED>-{first + 1}"}),
    ]


def list_types(trial: Trial) -> Sequence[Type]:
    return [file.attachment.type for file in trial.files]


def list_remarks(trial: Trial) -> Sequence[object]:
    assert trial.answer is not None
    return [each.args["text"] for each in trial.answer.notices if each.id == "plan-remark"]


async def test_a_pose_is_taken_over_where_a_model_does_that(on: Scene) -> None:
    (trial,) = await on.carry_out(plan_a_pose, "8")

    assert trial.measure()["completed"]
    assert trial.kinds == [kind for kind, _ in _POSED]
    assert on.calls == {("8", 1): 2}


async def test_without_a_model_for_poses_the_picture_is_edited_and_that_is_told(
    tmp_path: Path,
) -> None:
    experts = known_experts()
    experts.kinds = {id_: kind for id_, kind in experts.kinds.items() if "openpose" not in kind}
    async with open_scene(tmp_path, OpenAiServer(), experts) as on:
        (trial,) = await on.carry_out(plan_a_pose, "8")

    assert trial.measure()["completed"]
    assert trial.kinds == ["image-text-to-image", "image-to-text", "text-to-speech"]
    assert (list_types(trial), list_remarks(trial)) == ([Type.IMAGE, Type.AUDIO], [_NO_POSES])
    assert on.calls == {("8", 1): 2}


async def test_after_a_pose_that_failed_the_picture_is_edited_and_both_are_told(on: Scene) -> None:
    on.experts.goes_wrong(Fault.UNFIT, on="openpose-text-to-image", times=EVER)

    (trial,) = await on.carry_out(plan_a_pose, "8")

    on.experts.mended()
    assert trial.answer is not None
    assert trial.kinds[4:] == ["image-text-to-image", "image-to-text", "text-to-speech"]
    done = [isinstance(outcome, Done) for outcome in trial.outcomes.values()]
    assert done == [True, False, False, False, True, True, True]
    assert list_types(trial)[-2:] == [Type.IMAGE, Type.AUDIO]
    assert list_remarks(trial) == [_NO_POSES]
    assert [each.id for each in trial.answer.notices] == ["respond-failed", "plan-remark"]
    assert trial.answer.notices[0].args["kind"] == "openpose-text-to-image"
    assert on.calls == {("8", 1): 3}


async def test_the_beginning_of_every_planning_call_is_the_same_on_the_wire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experts, settings = known_experts(), {"OPENAI_BASE_URL": "", "OPENAI_API_KEY": "sk-played"}
    async with openai_at_work(OfficialServer()) as llm:
        monkeypatch.setenv("OPENAI_BASE_URL", llm.base)  # what the SDK takes for OpenAI's own
        async with open_scene(tmp_path, llm, experts, **settings) as on:
            trials = await on.carry_out(CONTROLLERS["looking first"].reply, "12", "17")

    assert all(trial.measure()["completed"] for trial in trials)
    plans = [asked for asked in on.llm.chats if is_planning(asked)]
    assert len(plans) == 4
    assert len({asked.texts[1] for asked in plans}) == 4
    for name in ("response_format", "prompt_cache_key", "temperature"):
        assert len({json.dumps(asked.body[name]) for asked in plans}) == 1
    assert {json.dumps(asked.body["messages"][0]) for asked in plans} == {
        json.dumps({"role": "system", "content": plans[0].texts[0]})
    }
    assert plans[0].body["temperature"] == 0


async def test_an_expert_starts_while_the_plan_is_written_and_no_call_comes_first(
    on: Scene,
) -> None:
    """The rest of the plan is sent when an expert is at work."""
    started, order = asyncio.Event(), list[str]()
    describe = on.experts.answers["image-to-text"]

    def start(asked: Any) -> Any:
        order.append("expert")
        started.set()
        return describe(asked)

    async def wait(sent: str) -> None:
        if '"tasks"' in sent and sent.count('"model": ""') == 1:
            await started.wait()

    def reply(asked: Asked) -> str:
        order.append("plan" if is_planning(asked) else "answer")
        return CONTROLLERS["lazy"].reply(asked)

    on.experts.answers["image-to-text"], on.llm.before_piece = start, wait
    (trial,) = await on.carry_out(reply, "3")
    on.experts.answers["image-to-text"], on.llm.before_piece = describe, None

    assert trial.measure()["completed"]
    assert order == ["plan", "expert", "answer"]
