"""Plan examples from votes: announced, listed, deleted."""

from collections.abc import Sequence

import pytest

from adapters.embedded.planner import EmbeddedPlanner
from bot.access import ListGate
from bot.conversation import Conversation
from pipeline.domain import (
    Action,
    Blob,
    ButtonClick,
    Channel,
    ChannelSettings,
    ExpertOutput,
    Invocation,
    LocalizedText,
    Request,
    Run,
    RunId,
    Text,
    Thread,
)
from pipeline.errors import NotAllowed
from pipeline.ports import Job, PlanExample, Planner
from tests.bot.scenes import GENERAL, Scene, message
from tests.contracts.runs import done, run
from tests.fakes.stages import ANN, ActingExpert, Bench, model, planning, task
from tests.words import english

HERE = message().thread


async def said(scene: Scene, **args: str) -> str:
    asked = Invocation(id="learned", command="learned", args=args, person=ANN, thread=HERE)
    return (await scene.conversation().on_command(asked)).text


async def liked(scene: Scene, name: str = "run1", thread: Thread = HERE) -> str:
    await scene.store.keep(run(name, done(), thread=thread), thread)
    press = ButtonClick(
        id=f"up-{name}", action=Action.UP, run=RunId(name), person=ANN, thread=thread
    )
    return (await scene.conversation().on_click(press)).text


async def test_a_like_says_what_it_does_and_is_listed() -> None:
    scene = Scene()

    assert "Nothing has been learned here yet" in await said(scene)
    assert "will be planned like this one" in await liked(scene)
    told = await said(scene)

    assert "One plan was liked" in told
    assert "- `run1` “words of run1”: Describing a picture" in told


async def test_an_entry_is_forgotten_by_its_name() -> None:
    scene = Scene()
    await liked(scene)
    await liked(scene, "run2")

    told = await said(scene, do="forget", entry="nonsense")

    assert told == english("learned-unknown", entry="nonsense")
    assert "Forgotten" in await said(scene, do="forget", entry="run1")
    assert "run2" in await said(scene)
    assert "run1" not in await said(scene)


async def test_all_is_forgotten_by_an_admin_only() -> None:
    scene = Scene()
    await liked(scene)
    await liked(scene, "run2")

    with pytest.raises(NotAllowed, match="not-allowed-admins"):
        await said(scene, do="forget", entry="all")
    scene.gate = ListGate(admins=frozenset({ANN.id}))

    assert "2 entries forgotten" in await said(scene, do="forget", entry="all")
    assert "Nothing has been learned here yet" in await said(scene)


async def test_nothing_is_shown_in_another_channel() -> None:
    scene = Scene()
    await liked(scene, thread=Thread(Channel("fake", "team", "private"), "001"))

    assert "Nothing has been learned here yet" in await said(scene)


async def test_a_channel_that_learns_nothing_says_so() -> None:
    scene = Scene()
    await scene.store.set(GENERAL, ChannelSettings(learn="off"))

    assert await liked(scene) == english("vote-kept")
    assert "turned off" in await said(scene)


async def test_words_that_are_no_such_command_are_a_request() -> None:
    scene = Scene()
    conversation = scene.conversation()

    await conversation.on_message(message("learned something"))

    assert [taken.message.beside for taken in await scene.inbox.of(message().key)] == [False]


async def test_what_was_liked_is_planned_like_that_again_until_it_is_disliked() -> None:
    scene = Scene()

    async def taught(request: Request) -> Sequence[PlanExample]:
        return await scene.store.find_examples(request.thread, reach="workspace")

    scene.bench = _bench(planning(task(0, "text-to-speech", text="a poem about rain")))
    async with scene.at_work() as conversation:
        first = await _asked(scene, conversation, "001")
        await conversation.on_click(
            ButtonClick(id="p1", action=Action.UP, run=first.id, person=ANN, thread=HERE)
        )
    scene.bench = _bench(EmbeddedPlanner(taught))
    async with scene.at_work() as conversation:
        liked = await _asked(scene, conversation, "002")
        await conversation.on_click(
            ButtonClick(
                id="p2", action=Action.DOWN, run=liked.id, person=ANN, thread=Thread(GENERAL, "002")
            )
        )
        disliked = await _asked(scene, conversation, "003")

    assert [one.kind.name for one in liked.plan.tasks] == ["text-to-speech"]
    assert liked.answer is not None
    assert LocalizedText("plan-as-liked") in liked.answer.notices
    assert [one.kind.name for one in disliked.plan.tasks] == ["text-generation"]


def _bench(planner: Planner) -> Bench:
    return Bench([planner], experts=[ActingExpert(_does)], models=[VOICE, PEN])


VOICE, PEN = model("voice", "text-to-speech"), model("pen", "text-generation")


async def _does(job: Job) -> ExpertOutput:
    spoken = job.kind.name == "text-to-speech"
    return ExpertOutput({"audio": Blob(b"RIFF", "audio/wav")} if spoken else {"text": Text("drip")})


async def _asked(scene: Scene, conversation: Conversation, number: str) -> Run:
    words = "Write a poem about rain!" if number == "001" else "write a poem about rain"
    run = await conversation.on_message(message(words, id=number, root=number))
    await scene.idle()
    saved = await scene.store.load(run or RunId(""))
    assert saved is not None
    return saved
