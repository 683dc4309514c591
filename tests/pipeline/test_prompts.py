"""Every prompt with its places filled: nothing open, nothing left over, its version told."""

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate

import pipeline.prompts
from pipeline.domain import Model, Plan, Request
from pipeline.planning.planner import CHOICE_SCHEMA
from pipeline.planning.prompt import describe_model
from pipeline.planning.schema import plan_schema
from pipeline.ports import Prompt
from pipeline.prompts import fence, render, sections, tokens, versions
from pipeline.response.llm import respond_prompt
from pipeline.task_kinds import KINDS
from tests.fakes.places import HOSTED
from tests.pipeline.planning.builders import file, planning_prompt, request

PROMPTS = sorted(path.stem for path in Path(pipeline.prompts.__file__).parent.glob("*.md"))
PLACES = {
    "choose": {},
    "fold": {},
    "judge": {},
    "judge-answer": {},
    "plan": {"sight": "SIGHT", "kinds": "KINDS", "missing": "MISSING", "demonstrations": "SHOWN"},
    "repair": {"errors": "ERRORS"},
    "respond": {},
}
SCHEMA = plan_schema(KINDS.values())
LARGE = Model("acme/large-model", "translation", (HOSTED,), description="careful, slow")
SMALL = Model("acme/small-model", "translation", (HOSTED,), description="quick")


def test_every_prompt_is_rendered_here() -> None:
    assert {*PLACES, "demonstrations", "kinds", "sight"} == set(PROMPTS)


@pytest.mark.parametrize("name", PLACES)
def test_a_prompt_has_all_its_places_filled_and_nothing_left_over(name: str) -> None:
    written = render(name, **PLACES[name])

    assert all(value in written for value in PLACES[name].values())
    assert "$" not in written
    assert "<!--" not in written
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
    for _, body in sections("demonstrations"):
        validate(json.loads(body.rpartition("\n")[2]), SCHEMA)


def test_every_kind_is_described() -> None:
    described = [line.partition(": ")[0] for line in dict(sections("kinds"))["kinds"].splitlines()]

    assert described == list(dict.fromkeys(described))
    assert {*described} == {*KINDS}, "each kind has its line in pipeline/prompts/kinds.md"


def _objects(schema: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from _objects(value)


@pytest.mark.parametrize("schema", [SCHEMA, CHOICE_SCHEMA])
def test_a_schema_keeps_the_rules_of_strict_mode(schema: Mapping[str, Any]) -> None:
    found = list(_objects(schema))

    assert found
    for one in found:
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])


def _prompt(asked: Request, models: Mapping[str, Sequence[Model]], size: int = 16_000) -> Prompt:
    return planning_prompt(asked, models, room=size)


def test_the_system_message_is_the_same_for_every_request() -> None:
    one = _prompt(request("hi"), {"translation": (LARGE, SMALL)})
    other = _prompt(
        request("sum this up", file("document 1", "a.pdf")), {"translation": (LARGE, SMALL)}
    )

    assert one.messages[0] == other.messages[0]
    assert all(f"\n{kind.name}(" in one.messages[0].text for kind in KINDS.values())


def test_models_are_offered_by_their_ids_where_there_is_a_choice() -> None:
    models = {"text-to-image": (LARGE, SMALL), "image-to-text": (LARGE,)}
    user = _prompt(request(), models).messages[1]

    listed = "text-to-image\n- acme/large-model: careful, slow\n- acme/small-model: quick\n"
    assert user.text.startswith("Candidates for")
    assert listed in user.text
    assert "image-to-text" not in user.text


@pytest.mark.parametrize("size", [4096, 8192, 16_000])
def test_the_smaller_the_context_the_less_is_told_of_kinds_and_models(size: int) -> None:
    models = dict.fromkeys(KINDS, (LARGE, SMALL, LARGE))

    prompt = _prompt(request("please describe it"), models, size)

    system, user = prompt.messages
    assert len(system.text) // 4 + tokens(user.text) + prompt.max_tokens < size
    assert all(kind in prompt.messages[0].text for kind in KINDS)


def test_answers_are_asked_for_with_the_request_and_the_results() -> None:
    prompt = respond_prompt(request("how many?"), Plan(), {}, room=4000)

    assert "how many?" in prompt.messages[1].text
    assert prompt.schema is None


@pytest.mark.parametrize(
    ("text", "width"), [("", 3), ("a << b >> c", 3), ("<<<< >>>", 5), ("<" * 99_000, 99_001)]
)
def test_a_fence_is_wider_than_any_run_inside_it(text: str, width: int) -> None:
    assert fence(text) == f"{'<' * width}\n{text}\n{'>' * width}"


@pytest.mark.parametrize("piece", ["<", "<>", "<<<<a", ">" * 40 + "<", "a"])
def test_fencing_takes_time_in_proportion_to_the_text(piece: str) -> None:
    text = (piece * 100_000)[:100_000]

    began = time.process_time()
    for _ in range(10):
        fence(text)

    assert time.process_time() - began < 1


def test_a_model_is_described_in_whole_words_with_the_size_of_large_ones() -> None:
    words = "Draws plants with fine lines, " * 10
    large = Model(
        "acme/large", "text-to-image", (), description=words, licence="mit", size=13_000_000_000
    )
    small = replace(large, id="acme/small", description="Quick.", size=22_000_000)

    line = describe_model(large)

    assert line.startswith("acme/large (mit; 13.0 GB): Draws plants")
    about = line.partition(": ")[2]
    assert len(about) >= 120
    assert set(about.rstrip("…").split()) <= {*words.replace(",", " ").split(), *words.split()}
    assert describe_model(small) == "acme/small (mit): Quick."
