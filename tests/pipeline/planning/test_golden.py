"""The prompts as a model sees them, in files that change only on purpose.

To renew one, delete it and run this test, which writes it anew and fails; then read the difference.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.domain import (
    Attachment,
    Context,
    Done,
    FileHash,
    Model,
    NamedFile,
    Output,
    Person,
    Plan,
    Request,
    Text,
    Turn,
)
from pipeline.evidence import format_evidence
from pipeline.planning.prompt import (
    Abilities,
    OfferedModels,
    plan_prompt,
    repair_prompt,
    stable_block,
)
from pipeline.ports import Prompt
from pipeline.response.llm import respond_prompt
from pipeline.task_kinds import KINDS
from tests.fakes.places import HOSTED
from tests.fakes.stages import task
from tests.pipeline.planning.builders import THREAD, request

GOLDEN = Path(__file__).with_name("golden")
ANA, BEN, BOT = Person("u1", "Ana"), Person("u2", "Ben"), Person("b", "Troupe", is_bot=True)
NOW = datetime(2026, 11, 1, tzinfo=UTC)
LOCAL_ONLY = frozenset(name for name in KINDS if KINDS[name].enabled_by == ("TROUPE_EXPERTS_URL",))
ABLE = Abilities(
    kinds={name: kind for name, kind in KINDS.items() if name not in LOCAL_ONLY},
    missing={name: "TROUPE_EXPERTS_URL" for name in KINDS if name in LOCAL_ONLY},
)
"""With a language model, a Hub token and the built-in experts."""
MODELS: Mapping[str, Sequence[Model]] = {
    "image-text-to-image": [
        Model(
            "Qwen/Qwen-Image-Edit-2511",
            "image-text-to-image",
            (HOSTED,),
            description="Changes content and style of pictures as told in words, keeps persons and "
            "text as they are, and takes several pictures at once.",
            licence="apache-2.0",
            languages=("en", "zh"),
        ),
        Model(
            "black-forest-labs/FLUX.2-klein-4B",
            "image-text-to-image",
            (HOSTED,),
            description="Makes and edits pictures in four steps; small and quick, weaker than the "
            "large models at fine text and at many small changes in one order.",
            licence="apache-2.0",
            size=13_000_000_000,
        ),
    ]
}


def photo(name: str, file: str, about: str) -> NamedFile:
    return NamedFile(
        name,
        Attachment(
            hash=FileHash(name), media_type="image/jpeg", name=file, size=10, description=about
        ),
    )


def follow_up() -> Request:
    a = photo("image 1", "a.jpg", "photo, 800×527")
    b = photo("image 2", "b.jpg", "photo, 1024×683")
    turns = (
        Turn(key="1", person=ANA, text="this is the beach from our trip", files=(a,), at=NOW),
        Turn(key="2", person=BEN, text="and this is my town square", files=(b,), at=NOW),
        Turn(key="3", person=BOT, text="What a lively square!", files=(), at=NOW),
    )
    words = "Take Ben's picture, not mine: remove the people from it and write a short caption."
    asked = Request(run=request().run, thread=THREAD, person=ANA, text=words)
    return replace(asked, context=Context(turns, summary="They planned a trip to the sea."))


POSTERS = tuple(photo(f"image {at}", f"poster {at}.jpg", "JPEG, 1200×800") for at in range(8))
CHARACTERS_PER_TOKEN = 4.0
"""Of these prompts, with cl100k_base."""


def show(prompt: Prompt) -> str:
    parts = [f"===== {message.role}\n{message.text}" for message in prompt.messages]
    if prompt.schema is not None:
        parts.append(f"===== schema\n{json.dumps(prompt.schema, indent=1)}")
    return "\n".join(parts) + "\n"


def full(asked: Request, models: OfferedModels | None = None) -> Prompt:
    return plan_prompt(asked, stable_block(ABLE), room=32_000, models=models)


def further() -> Prompt:
    step = task(0, "image-to-text", image="image 2")
    caption = Done(
        Output({"text": Text("a square with people")}), took=1.0, model=MODEL, place=HOSTED
    )
    results = format_evidence(follow_up(), Plan((step,)), {step.id: caption}, most=300)
    block = stable_block(replace(ABLE, sees_pictures=True))
    return plan_prompt(follow_up(), block, room=32_000, results=results)


MODEL = Model("acme/captions", "image-to-text", (HOSTED,))
PROMPTS: Mapping[str, Prompt] = {
    "plan": full(follow_up(), MODELS),
    "plan-short": plan_prompt(follow_up(), stable_block(ABLE, short=True), room=4096),
    "plan-on": further(),
    "repair": repair_prompt(full(request("describe it")), "{}", "The plan is empty.", 32_000),
    "respond": respond_prompt(follow_up(), Plan(), {}, room=16_000),
}


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_is_as_it_was_read(name: str) -> None:
    path = GOLDEN / f"{name}.txt"
    if not path.exists():
        path.write_text(show(PROMPTS[name]), "utf-8")
        pytest.fail(f"{path.name} was written anew: read it before you commit it")

    hint = f"if that is on purpose, delete {path}, run this test again, and read the difference"
    assert show(PROMPTS[name]) == path.read_text("utf-8"), hint


def test_the_stable_block_is_the_same_for_all_requests_of_a_configuration() -> None:
    prompts = [
        full(request(f"{word} {number}", photo(f"image {number}", "x.jpg", "photo")), offered)
        for number in range(25)
        for word in ("draw", "übersetze")
        for offered in ({}, MODELS)
    ]

    assert len({prompt.messages[0] for prompt in prompts}) == 1
    assert len({json.dumps(prompt.schema) for prompt in prompts}) == 1
    assert len({prompt.cache_key for prompt in prompts}) == 1


@pytest.mark.parametrize(
    ("abilities", "most"), [(ABLE, 4300), (Abilities(), 4520)], ids=["usual", "everything"]
)
def test_a_prompt_with_a_thread_of_eight_turns_stays_small(abilities: Abilities, most: int) -> None:
    text = "Could you make the headline a bit shorter and friendlier, please? As we discussed."
    answer = (
        "Here is the poster again: the headline is now three words long, the tone is friendlier, "
        "and the picture of the harbour below it is unchanged. The sign behind it still says "
        "“Willkommen”, which is German for “welcome”."
    )
    turns = tuple(
        Turn(
            key=str(at),
            person=(ANA, BOT)[at % 2],
            text=(text, answer)[at % 2],
            files=POSTERS[at : at + at % 2],
            at=NOW,
        )
        for at in range(8)
    )
    kinds = ("text-to-image", "image-text-to-image", "image-to-text", "text-to-speech")
    models = {
        kind: [
            Model(
                f"organisation/{kind}-{at}",
                kind,
                (HOSTED,),
                description=4 * text,
                licence="mit",
            )
            for at in range(3)
        ]
        for kind in kinds
    }
    asked = replace(follow_up(), context=Context(turns))

    prompt = plan_prompt(asked, stable_block(abilities), room=128_000, models=models)

    written = [message.text for message in prompt.messages]
    schema = json.dumps(prompt.schema, separators=(",", ":"))
    total = len("".join((*written, schema))) / CHARACTERS_PER_TOKEN
    assert total <= most, "shorten its line in kinds.md; a new kind may raise the limit by its own"
    assert "text-to-image\n- organisation/text-to-image-0" in written[1]
    assert len(written[0] + schema) / CHARACTERS_PER_TOKEN >= 0.75 * total


def test_only_what_can_run_is_offered_and_the_rest_is_named_with_what_it_needs() -> None:
    block = stable_block(ABLE)
    offered, _, rest = block.messages[0].text.partition("# Not possible here")
    missing, _, demonstrations = rest.partition("# Examples")
    assert block.schema is not None
    tasks = block.schema["properties"]["tasks"]["items"]["properties"]

    assert tasks["task"]["enum"] == [*ABLE.kinds]
    assert all(f"\n{kind}(" in offered for kind in ABLE.kinds)
    assert all(kind not in offered for kind in ABLE.missing)
    assert "mask-generation" in missing
    assert "normal/openpose/depth/seg-control" in missing
    assert all(f'"{kind}"' not in demonstrations for kind in ABLE.missing)
    assert "TROUPE_EXPERTS_URL" in missing
    assert "image-text-to-image can draw somebody else in the pose" in missing


def test_what_is_shown_as_impossible_is_impossible() -> None:
    everything = stable_block(Abilities()).messages[0].text

    assert "Which bird sings" in stable_block(ABLE).messages[0].text
    assert "Which bird sings" not in everything


def test_what_built_in_experts_do_in_part_only_is_told_as_such() -> None:
    usual = stable_block(ABLE).messages[0].text
    built_in = stable_block(replace(ABLE, built_in={"object-detection"})).messages[0].text

    assert "count everyday things" in usual
    assert "count everyday things" not in built_in
    assert "faces seen from the front, and nothing else" in built_in
