"""Messages that follow a run of their own choice, and answers that stand for others."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bot.planners import add_planners
from bot.setting_sources import read_settings
from pipeline.domain import Action, ButtonClick, Context, Replied, Request, RunId, Turn
from pipeline.response.llm import LlmResponder
from tests.bot.scenes import Scene, follow_up, message
from tests.contracts.messages import BOT, NOON, THREAD
from tests.contracts.runs import done, run
from tests.fakes.llm import FakeLlm
from tests.fakes.stages import ANN, Bench, FakePlanner, request
from tests.fakes.store import FakeStore


def noting(llm: FakeLlm | None = None, window: int = 20) -> tuple[Scene, FakePlanner]:
    planner = FakePlanner([Replied("Noted.")])
    scene = Scene(Bench(planners=[planner]), llm=llm, window=window)
    scene.store.inbox = scene.inbox
    return scene, planner


def keys(request: Request) -> Sequence[str]:
    return [turn.key.rpartition(":")[2] for turn in request.context.turns]


def click(run: RunId, action: Action = Action.RETRY) -> ButtonClick:
    return ButtonClick(id="p1", action=action, run=run, person=ANN, thread=message().thread)


async def test_an_edited_message_is_answered_as_if_the_first_had_not_been_sent() -> None:
    scene, planner = noting()
    async with scene.at_work() as conversation:
        first = await conversation.on_message(replace(message("one"), after=""))
        await scene.idle()
        assert first is not None
        for number in (2, 3):
            await conversation.on_message(replace(message(id=f"00{number}"), after=first))
            await scene.idle()
        await conversation.on_message(replace(message(id="004"), after=""))
        await scene.idle()

    assert [keys(each) for each in planner.requests] == [
        *([], ["001", first], ["001", first], []),
    ]


async def test_a_retry_is_told_what_its_message_follows_and_a_follow_up_the_new_answer() -> None:
    scene, planner = noting()
    async with scene.at_work() as conversation:
        first = await conversation.on_message(message("one"))
        await scene.idle()
        assert first is not None
        second = await conversation.on_message(replace(message(id="002"), after=first))
        await scene.idle()
        assert second is not None
        again = (await conversation.on_click(click(second))).run
        await scene.idle()
        await conversation.on_message(follow_up("three", 3))
        await scene.idle()

    assert keys(planner.requests[2]) == ["001", first]
    assert keys(planner.requests[3]) == ["001", first, "002", again]


async def test_a_summary_of_one_branch_is_not_told_in_another() -> None:
    scene, planner = noting(FakeLlm(["One branch.", "Another."]), window=2)
    async with scene.at_work() as conversation:
        after, first = "", ""
        for number in (1, 2, 3):
            asked = replace(message(id=f"00{number}"), after=after)
            after = await conversation.on_message(asked) or ""
            first = first or after
            await scene.idle()
        await conversation.on_message(replace(message(id="004"), after=first))
        await scene.idle()
        await conversation.on_message(replace(message(id="005"), after=after))
        await scene.idle()

    assert planner.requests[2].context.summary == "One branch."
    assert planner.requests[3].context.summary == ""


async def test_the_last_run_that_a_responder_is_told_of_is_one_of_the_branch(
    tmp_path: Path,
) -> None:
    bench, store = Bench(), FakeStore()
    settings = read_settings({"TROUPE_HOME": str(tmp_path)})
    tools = add_planners(bench.tools, FakeLlm(), settings, store)
    responder = tools.responders[0]
    assert isinstance(responder, LlmResponder)
    for name in ("one", "two"):
        await store.keep(run(name, done()), THREAD)
    answered = Turn(key="one", person=BOT, text="", files=(), at=NOON)
    asked = replace(request(), context=Context((answered,)))

    found = await responder.find_earlier(asked)

    assert found is not None
    assert found.id == "one"
    assert await responder.find_earlier(replace(asked, context=Context())) is None
