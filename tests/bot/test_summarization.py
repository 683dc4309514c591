"""Long threads: older turns are summarised after an answer, without delaying it."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from pipeline.domain import Replied, Request
from pipeline.errors import LlmUnavailable
from pipeline.ports import Prompt, Usage
from pipeline.prompts import tokens
from tests.bot.scenes import Scene, follow_up, message
from tests.fakes.llm import FakeLlm
from tests.fakes.stages import Bench, FakePlanner

DOWN = LlmUnavailable("llm-unreachable", model="fake")


def _scene(llm: FakeLlm | None, window: int = 4) -> tuple[Scene, FakePlanner]:
    planner = FakePlanner([Replied("Noted.")])
    return Scene(Bench(planners=[planner]), llm=llm, window=window), planner


async def _say(scene: Scene, first: int, last: int) -> None:
    async with scene.at_work() as conversation:
        for number in range(first, last + 1):
            text = f"remark {number}"
            await conversation.on_message(message(text) if number == 1 else follow_up(text, number))
            await scene.idle()


async def test_a_usual_thread_costs_no_call() -> None:
    scene, planner = _scene(llm := FakeLlm())

    await _say(scene, 1, 2)

    assert llm.prompts == []
    assert planner.requests[-1].context.summary == ""


async def test_what_no_longer_fits_is_told_in_short_from_the_next_request_on() -> None:
    scene, planner = _scene(llm := FakeLlm(["They made remarks."]))

    await _say(scene, 1, 4)

    assert len(llm.prompts) == 1
    assert "Ann: remark 1" in llm.last_prompt
    assert "You: Noted." in llm.last_prompt
    assert "remark 3" not in llm.last_prompt
    assert [asked.context.summary for asked in planner.requests] == [
        "",
        "",
        "",
        "They made remarks.",
    ]


async def test_a_command_folds_nothing_since_a_restart_meanwhile_would_do_it_again() -> None:
    scene, _ = _scene(llm := FakeLlm(["They made remarks."]))
    await _say(scene, 1, 2)

    async with scene.at_work() as conversation:
        await conversation.on_message(follow_up("status", 3))
        await scene.idle()

    assert len(scene.chat.transcript) == 3
    assert llm.prompts == []


async def test_every_turn_is_in_the_summary_or_among_the_last_ones() -> None:
    scene, planner = _scene(llm := FakeLlm([str(number) for number in range(20)]))

    await _say(scene, 1, 12)

    for number, asked in enumerate(planner.requests):
        count = int(asked.context.summary or -1) + 1
        folded = {remark for prompt in llm.prompts[:count] for remark in _remarks(prompt)}
        told = {turn.text for turn in asked.context.turns}
        assert {f"remark {earlier}" for earlier in range(1, number + 1)} <= told | folded
    assert len(llm.prompts) == 5
    assert "So far: <<<\n3\n>>>" in llm.last_prompt


def _remarks(prompt: Prompt) -> set[str]:
    lines = prompt.messages[1].text.splitlines()
    return {line.removeprefix("Ann: ") for line in lines if line.startswith("Ann: ")}


async def test_without_a_language_model_there_is_no_summary() -> None:
    scene, planner = _scene(None)

    await _say(scene, 1, 6)

    assert planner.requests[-1].context.summary == ""


async def test_a_model_that_fails_is_asked_again_after_the_next_answer() -> None:
    scene, planner = _scene(llm := FakeLlm([DOWN, "", "They made remarks."]))

    await _say(scene, 1, 6)

    assert len(llm.prompts) == 3
    assert [asked.context.summary for asked in planner.requests][-1] == "They made remarks."
    assert len(scene.chat.transcript) == 6


@dataclass
class Deaf(FakeLlm):
    """Never replies; `asked_now` is set on a call."""

    asked_now: asyncio.Event | None = None

    async def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        self.prompts.append(prompt)
        assert self.asked_now is not None
        self.asked_now.set()
        await asyncio.Event().wait()
        yield ""


async def test_the_answer_stands_while_the_summary_is_written_and_a_crash_repeats_nothing() -> None:
    deaf = Deaf(asked_now=asyncio.Event())
    scene, planner = _scene(deaf)
    await _say(scene, 1, 2)

    async with scene.at_work() as conversation:
        await conversation.on_message(follow_up("remark 3", 3))
        assert deaf.asked_now is not None
        await deaf.asked_now.wait()
        assert len(scene.chat.transcript) == 3

    scene.llm, scene.inbox = FakeLlm(["They made remarks."]), scene.inbox.restarted()
    await _say(scene, 4, 4)

    assert len(planner.requests) == 4
    assert planner.requests[-1].context.summary == "They made remarks."


async def test_a_deleted_message_is_in_no_summary_any_more() -> None:
    scene, planner = _scene(FakeLlm(["They spoke of remark 1.", "They spoke of the rest."]))
    await _say(scene, 1, 3)
    first = message()

    async with scene.at_work() as conversation:
        await conversation.on_delete(first.thread, first.id)
        await conversation.on_message(follow_up("remark 4", 4))
        await scene.idle()

    assert planner.requests[-1].context.summary == ""
    assert "remark 1" not in _told(planner.requests[-1])


async def test_an_edited_message_is_in_no_summary_any_more() -> None:
    scene, planner = _scene(FakeLlm(["They spoke of remark 1.", "They spoke of the rest."]))
    await _say(scene, 1, 3)

    async with scene.at_work() as conversation:
        await conversation.on_edit(message("something else"))
        await conversation.on_message(follow_up("remark 4", 4))
        await scene.idle()

    assert planner.requests[-1].context.summary == ""


def _told(request: Request) -> str:
    return " ".join(turn.text for turn in request.context.turns)


async def test_a_summary_is_written_within_the_model_s_room() -> None:
    small = FakeLlm(["short"] * 9, context_size=1000)
    scene, _ = _scene(small)
    async with scene.at_work() as conversation:
        for number in range(1, 5):
            text = f"{number} " + "word " * 95
            await conversation.on_message(message(text) if number == 1 else follow_up(text, number))
            await scene.idle()

    room = 1000
    for prompt in small.prompts:
        used = sum(tokens(one.text) for one in prompt.messages) + prompt.max_tokens
        assert used <= room
