"""What the language model that answers is told: history, earlier results, and pictures."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pipeline.domain import (
    Attachment,
    Blob,
    Box,
    Boxes,
    Context,
    Done,
    ExpertOutput,
    FileHash,
    Label,
    Labels,
    Media,
    Model,
    NamedFile,
    Output,
    Plan,
    Request,
    Run,
    RunId,
    RunState,
    TaskId,
    Text,
    Turn,
    Value,
)
from pipeline.ports import Job, Prompt
from pipeline.prompts import tokens
from pipeline.response.llm import LlmResponder, respond_prompt
from tests.fakes.llm import FakeLlm
from tests.fakes.places import LLM
from tests.fakes.stages import ActingExpert, Bench, model, planning, task
from tests.pipeline.planning.builders import ANNA, file, request

NOW = datetime(2026, 11, 1, tzinfo=UTC)
CAT, DOG = file("image 1", "cat.jpg"), file("image 2", "dog.jpg")
SKETCH = Media(
    Attachment(hash=FileHash("sketch"), media_type="image/png", name="sketch.png", size=9)
)
PICTURE = Blob(b"\xff\xd8", "image/jpeg", "image 1")


def done(**slots: Value) -> Done:
    return Done(Output(slots), took=0.5, model=Model("m/m", "x", ()), place=LLM)


SKETCHING = task(3, "image-to-image", image=Media(CAT.attachment))
SKETCHED = {TaskId(3): done(image=SKETCH)}
CLASSIFIED = Run(
    id=RunId("before"),
    thread="thread",
    person="person",
    text="which breed?",
    state=RunState.ANSWERED,
    plan=Plan((task(0, "image-classification", image=Media(CAT.attachment)),)),
    outcomes={TaskId(0): done(labels=Labels((Label("tabby", 0.8714),)))},
)


@dataclass
class Loading:
    """Loads every picture it is asked for, and records their names."""

    asked: list[str] = field(default_factory=list)

    async def load(self, files: Sequence[NamedFile]) -> Sequence[Blob]:
        self.asked += [picture.name for picture in files]
        return [Blob(b"\xff\xd8", "image/jpeg", each.name) for each in files][:4]


async def written(llm: FakeLlm, asked: Request, *, earlier: Run | None = None) -> Loading:
    """Let the responder answer a request for a sketch."""
    loading = Loading()

    async def find_earlier(_request: Request) -> Run | None:
        return earlier

    responder = LlmResponder(llm, loading.load, find_earlier)
    async for _ in responder.respond(asked, Plan((SKETCHING,)), SKETCHED):
        pass
    return loading


def taken(prompt: Prompt) -> int:
    return sum(tokens(message.text) for message in prompt.messages) + prompt.max_tokens


async def test_the_history_and_the_scores_found_before_are_told() -> None:
    llm = FakeLlm(["ok"])
    turns = (Turn(key="t1", person=ANNA, text="these are my pets", files=(CAT, DOG), at=NOW),)
    asked = replace(request("how sure were you?"), context=Context(turns))

    await written(llm, asked, earlier=CLASSIFIED)

    assert "Anna: these are my pets [image 1] [image 2]" in llm.last_prompt
    assert "Results of the last request: <<<" in llm.last_prompt
    assert '["tabby",0.871]' in llm.last_prompt
    assert llm.last_prompt.index("0.871") < llm.last_prompt.index("how sure were you?")


async def test_the_pictures_made_and_given_are_shown_with_their_names() -> None:
    llm = FakeLlm(["ok"])

    loading = await written(llm, request("sketch the cat", CAT, DOG))

    assert loading.asked == ["made by task 3", "image 1"]
    assert len(llm.prompts[0].messages[1].images) == 2
    assert llm.last_prompt.endswith("Pictures, in this order: made by task 3, image 1")


@pytest.mark.parametrize(
    ("sees", "room", "count"),
    [(True, 128_000, 2), (True, 8192, 1), (True, 4096, 0), (False, 128_000, 0)],
)
async def test_pictures_are_shown_only_where_the_model_sees_and_has_room(
    room: int, count: int, *, sees: bool
) -> None:
    llm = FakeLlm(["ok"], sees_images=sees, context_size=room)

    loading = await written(llm, request("sketch the cat", CAT))

    assert len(llm.prompts[0].messages[1].images) == count
    assert bool(loading.asked) == bool(count)


async def test_the_whole_prompt_as_the_model_gets_it() -> None:
    """The golden file is changed by hand, on purpose."""
    llm = FakeLlm(["ok"])
    turns = (Turn(key="t1", person=ANNA, text="these are my pets", files=(CAT, DOG), at=NOW),)
    asked = replace(request("a sketch of the cat, please"), context=Context(turns))

    await written(llm, asked, earlier=CLASSIFIED)

    assert f"{llm.last_prompt}\n" == Path(__file__).with_name("respond_prompt.txt").read_text()


async def test_that_a_request_was_spoken_is_told() -> None:
    llm = FakeLlm(["ok"])

    await written(llm, replace(request("sketch the cat"), voice=file("audio 1", "a.wav")))

    assert "Request (spoken: some words may be misheard): <<<\nsketch the cat" in llm.last_prompt


@pytest.mark.parametrize("room", [4096, 8192, 16_384, 128_000])
def test_what_was_before_gives_way_to_the_request_and_its_results(room: int) -> None:
    words = "please " * 300
    turns = tuple(
        Turn(key=f"t{at}", person=ANNA, text=f"turn {at} {'word ' * 300}", files=(), at=NOW)
        for at in range(30)
    )
    channel = tuple(
        Turn(key=f"c{at}", person=ANNA, text="elsewhere " * 100, files=(), at=NOW)
        for at in range(10)
    )
    asked = replace(
        request(words),
        context=Context(turns, channel=channel, summary="They spoke of boats. " * 40),
    )
    steps = tuple(task(at, "summarization", text="…") for at in range(8))
    outcomes = {step.id: done(text=Text("result " * 2000)) for step in steps}
    before = replace(CLASSIFIED, plan=Plan(steps), outcomes=outcomes)
    pictures = [PICTURE] * (room // 4 // 1200)

    prompt = respond_prompt(
        asked, Plan(steps), outcomes, room=room, earlier=before, pictures=pictures
    )

    assert taken(prompt) + 1200 * len(pictures) <= room
    assert words in prompt.messages[1].text
    assert prompt.messages[1].text.count('"task":"summarization"') >= len(steps)
    if room > 8192:
        assert "turn 29" in prompt.messages[1].text


@pytest.mark.parametrize(
    "prose",
    [
        "There are two zebras in each picture, 6 in total.",
        "There are three zebras in each picture, 9 in total.",
    ],
    ids=["a right sum", "a wrong count"],
)
async def test_the_numbers_of_an_answer_stand_as_the_model_wrote_them(prose: str) -> None:
    async def detect(_job: Job) -> ExpertOutput:
        boxes = (
            Box("zebra", 0.9, xmin=0, ymin=0, xmax=5, ymax=5),
            Box("zebra", 0.8, xmin=9, ymin=9, xmax=20, ymax=20),
        )
        return ExpertOutput({"boxes": Boxes(boxes), "image": Blob(b"png", "image/png")})

    hashes = [FileHash(f"hash {at}") for at in range(3)]
    images = [
        Media(Attachment(hash=key, media_type="image/png", name="a.png", size=3)) for key in hashes
    ]
    bench = Bench(
        [planning(*(task(at, "object-detection", image=image) for at, image in enumerate(images)))],
        (LlmResponder(FakeLlm([prose])),),
        [ActingExpert(detect)],
        [model("detector", "object-detection")],
    )
    bench.files.kept = dict.fromkeys(hashes, b"png")

    answer = await bench.answers(request("how many zebras are there?"))

    assert answer.text == prose
    assert not answer.notices
