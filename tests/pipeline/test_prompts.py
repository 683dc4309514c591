"""Every prompt with its places filled: nothing open, nothing left over, its version told."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import pipeline.prompts
from pipeline.domain import Model, Place, Plan, Proposed, Request
from pipeline.planning import choosing
from pipeline.planning.instructions import CHOOSABLE
from pipeline.planning.prompting import SCHEMA, SCHEMA_TOKENS, plan_prompt
from pipeline.prompts import Room, closely, render, sections, versions
from pipeline.response.llm import respond_prompt
from pipeline.table import KINDS
from tests.fakes.llm import FakeLlm
from tests.fakes.stages import task
from tests.pipeline.planning.builders import file, request

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


LONG = (
    ("distilbert-base-uncased-finetuned-sst-2-english", "positive or negative, English"),
    ("bert-base-multilingual-uncased-sentiment", "one to five stars, six languages"),
    ("twitter-xlm-roberta-base-sentiment-latest", "short messages, many languages"),
)
LONG_NAMED = {
    kind: [Model(f"acme/{name}", kind, (Place.HOSTED,), about) for name, about in LONG]
    for kind in KINDS
}


@pytest.mark.parametrize("words", [1, 12, 40, 80, 160])
def test_a_prompt_without_history_takes_at_most_nine_hundred_tokens(words: int) -> None:
    asked = request("please describe " * (words // 2), file("image 1", "IMG_2041.jpg"))

    written = _plan_prompt(asked, LONG_NAMED)

    assert closely(written) + SCHEMA_TOKENS <= 900
    assert asked.text in written
    assert all(
        kind in written for kind in KINDS if "-control" not in kind and "-to-image" not in kind
    )


def test_an_everyday_request_leaves_room_for_what_all_models_of_six_kinds_are_good_at() -> None:
    asked = request("what does she say? in German please", file("sound 1", "voice message.ogg"))

    written = _plan_prompt(asked, LONG_NAMED)

    assert len(re.findall(r"^ \S+ \w+", written, re.MULTILINE)) == 3 * CHOOSABLE
    assert '"task":' in written.partition("Others:")[2]


def test_a_long_name_is_told_by_a_beginning_that_tells_it_apart() -> None:
    written = _plan_prompt(request("please " * 60), LONG_NAMED)
    twins = [replace(model, id=f"{model.id}-{at}") for at, model in enumerate((LARGE, LARGE))]
    apart = _plan_prompt(request("please " * 60), {**LONG_NAMED, "translation": twins})

    assert "\n distilbert " in written or "\n distilbert-base " in written
    assert "uncased-finetuned" not in written
    assert "\n large-model-0 " in apart


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        (sections("demonstrations")[1][1], 76),
        (render("judge"), 129),
        (render("respond"), 160),
    ],
)
def test_our_own_words_are_counted_closely(text: str, counted: int) -> None:
    """As cl100k_base counts them."""
    assert closely(text) == pytest.approx(counted, rel=0.08)


def test_answers_are_asked_for_with_the_request_and_the_results() -> None:
    prompt = respond_prompt(request("how many?"), Plan(), {}, room=Room(4000))

    assert "how many?" in prompt.messages[1].text
    assert prompt.schema is None
