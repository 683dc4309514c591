"""Every prompt with its places filled: nothing open, nothing left over, its version told."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import pipeline.prompts
from pipeline.domain import Model, Place, Plan, Proposed, Request
from pipeline.planning import choosing
from pipeline.planning.prompting import CHOOSABLE, SCHEMA, plan_prompt
from pipeline.prompts import Room, render, sections, versions
from pipeline.response.llm import respond_prompt
from pipeline.table import KINDS
from tests.fakes.llm import FakeLlm
from tests.fakes.stages import task
from tests.pipeline.planning.builders import request

PROMPTS = sorted(path.stem for path in Path(pipeline.prompts.__file__).parent.glob("*.md"))
PLACES = {
    "choose": {},
    "fold": {},
    "judge": {},
    "judge-answer": {},
    "plan": {"kinds": "KINDS", "others": "OTHERS", "demonstrations": "SHOWN"},
    "repair": {"errors": "ERRORS"},
    "respond": {},
}
LARGE = Model("acme/large-model", "translation", (Place.HOSTED,), "careful, slow")
SMALL = Model("acme/small-model", "translation", (Place.HOSTED,), "quick")


def test_every_prompt_is_rendered_here() -> None:
    assert {*PLACES, "demonstrations"} == set(PROMPTS)


@pytest.mark.parametrize("name", PLACES)
def test_a_prompt_has_all_its_places_filled_and_nothing_left_over(name: str) -> None:
    written = render(name, **PLACES[name])

    assert all(value in written for value in PLACES[name].values())
    assert "$" not in written
    assert "version" not in written
    assert "{{" not in written
    assert written == written.strip()


@pytest.mark.parametrize("name", [name for name, places in PLACES.items() if places])
def test_a_place_left_open_is_an_error(name: str) -> None:
    with pytest.raises(KeyError):
        render(name)


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_begins_with_its_version(name: str) -> None:
    assert re.search(rf"\b{name} [1-9]\d*(?:,|$)", versions())


def test_demonstrations_are_whole_plans_of_the_schema() -> None:
    for heading, body in sections("demonstrations"):
        said = json.loads(body.partition("\n")[2])

        assert set(said) == set(SCHEMA["properties"])
        tasks = SCHEMA["properties"]["tasks"]["items"]["properties"]
        assert all(set(one) == set(tasks) for one in said["tasks"])
        assert heading == "talk" or said["tasks"]


def _objects(schema: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from _objects(value)


@pytest.mark.parametrize("schema", [SCHEMA, choosing.SCHEMA])
def test_a_schema_keeps_the_rules_of_strict_mode(schema: Mapping[str, Any]) -> None:
    found = list(_objects(schema))

    assert found
    for one in found:
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])


async def test_the_prompt_that_chooses_names_the_tasks_and_their_models() -> None:
    llm = FakeLlm(['{"choices": []}'])
    open_task = choosing.Open(Proposed(task(3, "translation", text="x")), (LARGE, SMALL))

    await choosing.chosen(llm, request("into German"), [open_task])

    assert "Task 3, translation" in llm.asked
    assert "acme/large-model: careful, slow" in llm.asked
    assert "$" not in llm.asked


def _plan_prompt(asked: Request, models: Mapping[str, Sequence[Model]]) -> str:
    likely = sorted(KINDS.values(), key=lambda kind: kind.name != "translation")
    prompt = plan_prompt(asked, likely, models, room=Room(16_000)).prompt
    return "\n".join(message.text for message in prompt.messages)


def test_models_are_told_without_their_owner_unless_two_share_a_name() -> None:
    twin = Model("other/small-model", "translation", (Place.HOSTED,), "quick")

    alone = _plan_prompt(request(), {"translation": (LARGE, SMALL)})
    shared = _plan_prompt(request(), {"translation": (LARGE, SMALL, twin)})

    assert "\n large-model careful, slow\n small-model quick\n" in alone
    assert "\n acme/small-model quick\n other/small-model quick\n" in shared


def test_the_longer_the_request_the_less_is_told_of_kinds_and_models() -> None:
    models = dict.fromkeys(KINDS, (LARGE, SMALL, LARGE))

    short, long = (_plan_prompt(request("word " * count), models) for count in (1, 250))

    assert len(long) - len("word " * 249) < len(short)
    assert all(kind in long for kind in KINDS if "-control" not in kind and "-to-image" not in kind)
    assert short.count("acme/large-model") >= CHOOSABLE


def test_answers_are_asked_for_with_the_request_and_the_results() -> None:
    prompt = respond_prompt(request("how many?"), Plan(), {}, room=Room(4000))

    assert "how many?" in prompt.messages[1].text
    assert prompt.schema is None
