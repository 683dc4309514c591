"""Slash commands and buttons."""

import asyncio

import pytest

from adapters.slack.listener import parse_arguments
from pipeline.domain import Action, Answer, Answered, Apologised, Invocation, LocalizedText, Reply
from pipeline.errors import NotAllowed
from tests.adapters.slack.runs import PLANNED
from tests.adapters.slack.stage import COMMANDS, Stage, Told, listening, one_by_one
from tests.servers.slack.faults import Lost
from tests.servers.slack.workspace import ANNA, BEN, GENERAL, Json


async def responded(stage: Stage) -> Json:
    await stage.slack.until(lambda: stage.slack.space.responses)
    return stage.slack.space.responses[-1]


async def test_a_command_is_taken_at_once_and_answered_for_the_asker_only(stage: Stage) -> None:
    acknowledgement = await stage.slack.people.command("models text-to-image cats and dogs")
    answer = await responded(stage)

    (invocation,) = stage.listener.invocations
    assert "payload" not in acknowledgement
    assert invocation.command == "models"
    assert invocation.args == {"kind": "text-to-image", "search": "cats and dogs"}
    assert (answer["response_type"], answer["text"]) == ("ephemeral", "done")


async def test_what_is_no_command_is_a_request_with_a_message_of_its_own(stage: Stage) -> None:
    stage.listener.reply = Reply("")
    await stage.slack.people.command(f"draw a cat &amp; <@{ANNA}|anna>", by=BEN)
    await stage.slack.until(lambda: stage.listener.invocations)

    (invocation,) = stage.listener.invocations
    (root,) = stage.slack.said(GENERAL, invocation.thread.root)
    assert (invocation.command, invocation.args) == ("ask", {"text": "draw a cat & @anna"})
    assert root.text == "ben asks: draw a cat &amp; @anna"


async def test_the_message_of_a_request_stands_once_though_the_response_is_lost(
    stage: Stage,
) -> None:
    stage.slack.faults.once("chat.postMessage", Lost())
    await stage.slack.people.command("draw a cat", by=BEN)
    await stage.slack.until(lambda: stage.listener.invocations)

    roots = [m for m in stage.slack.space.channels[GENERAL].messages.values() if m.by_bot]
    assert [root.text for root in roots[:2]].count("ben asks: draw a cat") == 1


async def test_where_the_bot_is_not_the_asker_is_told_to_invite_it(stage: Stage) -> None:
    stage.slack.space.channels[GENERAL].members.discard("U0TROUPE1")

    await stage.slack.people.command("ask draw a cat")

    assert "/invite" in (await responded(stage))["text"]


@pytest.mark.parametrize(("text", "words"), [("ask", "ask needs text"), ("", "done")])
async def test_too_few_words_are_explained(stage: Stage, text: str, words: str) -> None:
    await stage.slack.people.command(text)

    assert words in (await responded(stage))["text"]


async def test_who_may_not_is_told_why(stage: Stage) -> None:
    async def refuse(_: Invocation) -> Reply:
        raise NotAllowed("not-allowed")

    stage.listener.on_command = refuse  # type: ignore[method-assign,assignment]

    await stage.slack.people.command("help")

    assert (await responded(stage))["response_type"] == "ephemeral"


async def test_a_bug_in_a_command_is_told_with_a_reference(stage: Stage) -> None:
    async def broken(_: Invocation) -> Reply:
        raise ZeroDivisionError

    stage.listener.on_command = broken  # type: ignore[method-assign,assignment]

    await stage.slack.people.command("help")

    assert "in the log under" in (await responded(stage))["text"]


async def test_every_button_works_before_and_after_a_restart(stage: Stage) -> None:
    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]
    await stage.chat.follow(message, run, one_by_one(*PLANNED, Answered(Answer(run, "Hi."))))
    (answer,) = stage.slack.said(GENERAL, message.thread.root)
    actions = [action for action in Action if action is not Action.STOP]
    for action in actions:
        await stage.slack.people.press(GENERAL, answer.ts, f"troupe:{action}")
    await stage.slack.until(lambda: len(stage.slack.space.ephemerals) == len(actions))
    await stage.slack.socket.close()

    async with listening(stage.again()):
        for action in actions:
            await stage.slack.people.press(GENERAL, answer.ts, f"troupe:{action}", by=BEN)
        await stage.slack.until(lambda: len(stage.listener.presses) == 2 * len(actions))

    assert sorted(press.action for press in stage.listener.presses) == sorted([*actions, *actions])
    assert {press.run for press in stage.listener.presses} == {run}
    assert {press.thread for press in stage.listener.presses} == {message.thread}
    assert len({press.id for press in stage.listener.presses}) == 2 * len(actions)
    assert {press.person.id for press in stage.listener.presses} == {ANNA, BEN}
    assert stage.slack.space.ephemerals[0]["thread_ts"] == message.thread.root


async def test_stop_reaches_the_conversation_while_the_run_is_shown(stage: Stage) -> None:
    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]
    root, told = message.thread.root, Told()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stage.chat.follow(message, run, aiter(told)))
        told.tell(*PLANNED)
        await stage.slack.until(lambda: stage.slack.said(GENERAL, root))
        (progress,) = stage.slack.said(GENERAL, root)
        await stage.slack.people.press(GENERAL, progress.ts, "troupe:stop")
        await stage.slack.until(lambda: stage.listener.presses)
        told.tell(Apologised(LocalizedText("stopped"), "R-1"), None)

    (press,) = stage.listener.presses
    assert (press.action, press.run) == (Action.STOP, run)
    assert progress.text == "Stopped."


async def test_a_person_is_spoken_to_in_the_language_of_their_slack(stage: Stage) -> None:
    stage.slack.space.people[ANNA]["locale"] = "de-DE"
    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]
    told = Told()

    told.tell(*PLANNED)
    told.tell(Apologised(LocalizedText("stopped"), "R-1"), None)
    await stage.chat.follow(message, run, aiter(told))

    (shown,) = stage.slack.said(GENERAL, message.thread.root)
    assert message.person.locale == "de-DE"
    assert stage.slack.space.statuses[0]["status"] == "arbeitet daran …"
    assert shown.text == "Angehalten."


def test_the_last_option_takes_all_words_that_are_left() -> None:
    ask, models, help_ = COMMANDS

    assert parse_arguments(ask, "draw a  cat") == {"text": "draw a  cat"}
    assert parse_arguments(models, "asr whisper large") == {
        "kind": "asr",
        "search": "whisper large",
    }
    assert parse_arguments(models, "") == {}
    assert parse_arguments(help_, "") == {}
