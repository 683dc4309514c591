"""Slash commands and buttons."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.chat.board import Board, TaskRow, list_actions
from adapters.slack.acting.commands import parse_command
from pipeline.domain import (
    Action,
    Answer,
    Answered,
    Apologised,
    Channel,
    CommandSelect,
    Comparison,
    Invocation,
    LocalizedText,
    Person,
    Reply,
    Select,
    SelectOption,
    TaskId,
    Thread,
    Turn,
)
from pipeline.errors import NotAllowed
from tests.adapters.slack.runs import PLANNED
from tests.adapters.slack.stage import BOT, COMMANDS, Stage, listening
from tests.fakes.events import Told, one_by_one
from tests.servers.slack import SlackServer
from tests.servers.slack.blocks import buttons
from tests.servers.slack.faults import Lost, Refused
from tests.servers.slack.workspace import ANNA, ANNAS_DM, BEN, GENERAL, TEAM, Json
from tests.words import english


async def responded(stage: Stage) -> Json:
    await stage.slack.until(lambda: stage.slack.space.responses)
    return stage.slack.space.responses[-1]


async def test_a_command_is_taken_at_once_and_answered_for_the_asker_only(stage: Stage) -> None:
    acknowledgement = await stage.slack.people.command("models text-to-image cats and dogs")
    answer = await responded(stage)

    (invocation,) = stage.listener.invocations
    assert acknowledgement["payload"]["text"] == "done"
    assert invocation.command == "models"
    assert invocation.args == {"kind": "text-to-image", "search": "cats and dogs"}
    assert (answer["response_type"], answer["text"]) == ("ephemeral", "done")


@pytest.mark.parametrize("command", ["models", "settings mention"])
async def test_what_a_command_lists_is_slacks_own_list(stage: Stage, command: str) -> None:
    stage.listener.reply = Reply("Here:\n\n- **Pictures**: a · b\n- `x`")
    await stage.slack.people.command(command)
    answer = await responded(stage)

    heading, listed = answer["blocks"]
    (bullets,) = listed["elements"]
    assert (heading["type"], listed["type"]) == ("section", "rich_text")
    assert [len(item["elements"]) for item in bullets["elements"]] == [2, 1]
    assert answer["text"] == "Here:\n\n• *Pictures*: a · b\n• `x`"


async def test_what_is_no_command_is_a_request_with_a_message_of_its_own(stage: Stage) -> None:
    stage.listener.reply = Reply("")
    await stage.slack.people.command(f"draw a cat &amp; <@{ANNA}|anna>", by=BEN)
    await stage.slack.until(lambda: stage.listener.invocations)

    (invocation,) = stage.listener.invocations
    (root,) = stage.slack.said(GENERAL, invocation.thread.root)
    assert (invocation.command, invocation.args) == ("ask", {"text": "draw a cat & @anna"})
    assert root.text == "ben asks: draw a cat &amp; @anna"


async def test_a_request_is_quoted_as_it_was_typed(stage: Stage) -> None:
    stage.listener.reply = Reply("")
    stage.slack.space.people[BEN]["profile"]["display_name"] = "[ben](https://x.y)"
    await stage.slack.people.command("find a*b, a*c and # d", by=BEN)
    await stage.slack.until(lambda: stage.listener.invocations)

    (root,) = stage.slack.said(GENERAL, stage.listener.invocations[0].thread.root)
    assert root.text == "[ben](<https://x.y>) asks: find a*b, a*c and # d"


async def test_words_that_fit_no_option_make_a_request(stage: Stage) -> None:
    await stage.slack.people.command("stop motion film of a cat")
    await responded(stage)

    (invocation,) = stage.listener.invocations
    assert invocation.command == "ask"
    assert invocation.args == {"text": "stop motion film of a cat"}


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


async def test_too_few_words_are_explained(stage: Stage) -> None:
    await stage.slack.people.command("ask")

    told = english("slack-usage", usage="/troupe ask <text>")
    assert (await responded(stage))["text"] == told.replace("<", "&lt;").replace(">", "&gt;")


async def test_a_command_without_words_is_answered_with_help(stage: Stage) -> None:
    await stage.slack.people.command("")
    await responded(stage)

    assert [each.command for each in stage.listener.invocations] == ["help"]


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


@pytest.mark.parametrize(
    ("words", "name", "nearest"),
    [("modles text-to-image", "modles", "models"), ("hlep", "hlep", "help")],
)
async def test_a_misspelt_command_is_answered_privately_with_the_nearest(
    stage: Stage, words: str, name: str, nearest: str
) -> None:
    await stage.slack.people.command(words)
    reply = await responded(stage)

    assert reply["response_type"] == "ephemeral"
    assert reply["text"] == english(
        "slack-unknown-command", name=name, nearest=nearest, slash="/troupe"
    )
    assert stage.listener.invocations == []


async def test_a_word_that_is_no_command_is_answered_privately(stage: Stage) -> None:
    await stage.slack.people.command("foo")
    reply = await responded(stage)

    assert reply["response_type"] == "ephemeral"
    assert reply["text"] == english("slack-unknown-word", name="foo", slash="/troupe")
    assert stage.listener.invocations == []
    assert stage.slack.calls.count("chat.postMessage") == 0


async def test_what_else_a_command_can_show_is_chosen_and_replaces_the_page(stage: Stage) -> None:
    options = (SelectOption("image", "Pictures", ""), SelectOption("audio", "Sound", ""))
    more = CommandSelect("models", LocalizedText("tasks-pick"), options)
    stage.listener.reply = Reply("What works here", more=more)
    await stage.slack.people.command("models")
    page = await responded(stage)

    await stage.slack.people.choose(page, "audio")
    await stage.slack.until(lambda: len(stage.slack.space.responses) == 2)

    chosen = stage.listener.invocations[-1]
    assert (chosen.command, chosen.args) == ("models", {"kind": "audio"})
    assert stage.slack.space.responses[-1]["replace_original"]


async def _log(stage: Stage, root: str, text: str, channel: str = GENERAL) -> Thread:
    """A thread with a turn in it."""
    thread = Thread(Channel("slack", TEAM, channel), root)
    at = datetime(2026, 1, 2, 3, int(float(root)), tzinfo=UTC)
    await stage.ports.chat_log.log(
        thread, Turn(key=root, person=Person(ANNA, "Anna"), text=text, files=(), at=at)
    )
    return thread


async def test_a_command_about_a_thread_asks_which_one_is_meant(stage: Stage) -> None:
    await _log(stage, "1.1", "draw a  cat")
    await _log(stage, "2.1", "elsewhere", ANNAS_DM)
    second = await _log(stage, "3.1", "draw a dog")
    await stage.slack.people.command("stop")
    question = await responded(stage)

    await stage.slack.people.choose(question, "3.1")
    await stage.slack.until(lambda: len(stage.slack.space.responses) == 2)

    (select,) = buttons(question["blocks"])
    assert question["text"] == english("slack-which-thread")
    assert [each["text"]["text"] for each in select["options"]] == ["draw a dog", "draw a cat"]
    assert "confirm" not in select
    (invocation,) = stage.listener.invocations
    assert (invocation.command, invocation.thread) == ("stop", second)
    assert stage.slack.space.responses[1]["replace_original"] is True


async def test_without_a_thread_the_asker_is_told_that_there_is_none(stage: Stage) -> None:
    await stage.slack.people.command("stop")

    assert (await responded(stage))["text"] == english("slack-no-threads")
    assert stage.listener.invocations == []


@pytest.mark.parametrize("what", ["me", "channel", "thread"])
async def test_what_erases_is_confirmed_in_a_dialog(stage: Stage, what: str) -> None:
    thread = await _log(stage, "1.1", "draw a cat")
    await stage.slack.people.command(f"forget {what}")
    question = await responded(stage)
    assert stage.listener.invocations == []

    await stage.slack.people.choose(question, "1.1")
    await stage.slack.until(lambda: len(stage.slack.space.responses) == 2)

    (control,) = buttons(question["blocks"])
    assert control["confirm"]["title"]["text"] == english("erase-title")
    (invocation,) = stage.listener.invocations
    assert (invocation.command, invocation.args) == ("forget", {"what": what})
    assert invocation.thread == (thread if what == "thread" else replace(thread, root=""))


@pytest.mark.parametrize("words", ["forget thread", "/Forget  thread!"])
async def test_words_that_erase_are_confirmed_in_a_dialog_once(stage: Stage, words: str) -> None:
    root = stage.slack.people.say("hello")
    stage.slack.people.say(f"{BOT} {words}", thread=root)
    await stage.slack.until(lambda: stage.slack.space.ephemerals)
    (question,) = stage.slack.space.ephemerals
    assert [message.text for message, _ in stage.listener.received] == ["hello"]

    await stage.slack.people.choose(question, "-")
    await stage.slack.until(lambda: stage.slack.space.responses)

    (control,) = buttons(question["blocks"])
    assert control["confirm"]["title"]["text"] == english("erase-title")
    assert question["thread_ts"] == root
    (invocation,) = stage.listener.invocations
    assert (invocation.command, invocation.thread.root) == ("forget", root)


async def test_where_the_response_url_has_expired_the_reply_is_private_all_the_same(
    stage: Stage,
) -> None:
    stage.limits.acknowledge_seconds = 0.0
    stage.slack.faults.once("response_url", Refused("expired_url"))

    await stage.slack.people.command("help")
    await stage.slack.until(lambda: stage.slack.space.ephemerals)

    (reply,) = stage.slack.space.ephemerals
    assert (reply["text"], reply["user"]) == ("done", ANNA)


async def test_where_nothing_private_can_be_shown_the_reply_is_a_direct_message(
    stage: Stage,
) -> None:
    stage.limits.acknowledge_seconds = 0.0
    stage.slack.faults.once("response_url", Refused("expired_url"))
    stage.slack.faults.once("chat.postEphemeral", Refused("is_archived"))

    await stage.slack.people.command("help")
    await stage.slack.until(lambda: stage.slack.space.channels[ANNAS_DM].messages)

    (reply,) = stage.slack.space.channels[ANNAS_DM].messages.values()
    about = english("slack-about", place=f"<#{GENERAL}>")
    assert reply.text == f"{about}\n\ndone"


async def test_a_question_in_a_direct_message_keeps_its_button_and_its_channel(
    stage: Stage,
) -> None:
    stage.limits.acknowledge_seconds = 0.0
    stage.slack.faults.once("response_url", Refused("expired_url"))
    stage.slack.faults.once("chat.postEphemeral", Refused("user_not_in_channel"))

    await stage.slack.people.command("forget channel")
    await stage.slack.until(lambda: stage.slack.space.channels[ANNAS_DM].messages)
    (question,) = stage.slack.space.channels[ANNAS_DM].messages.values()
    await stage.slack.people.press(ANNAS_DM, question.ts, "troupe:run:")
    await stage.slack.until(lambda: stage.listener.invocations)

    (invocation,) = stage.listener.invocations
    assert (invocation.command, invocation.args) == ("forget", {"what": "channel"})
    assert (invocation.thread.channel.id, invocation.thread.root) == (GENERAL, "")


async def test_a_select_in_a_direct_message_keeps_its_thread(stage: Stage) -> None:
    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]
    await stage.chat.follow(message, run, one_by_one(*PLANNED, Answered(Answer(run, "Hi."))))
    option = SelectOption("1 one", "one", "Drawing")
    stage.listener.reply = Reply("plan", select=Select(Action.CHOOSE, run, (option,)))
    stage.slack.faults.once("chat.postEphemeral", Refused("user_not_in_channel"))
    (answer,) = stage.slack.said(GENERAL, message.thread.root)

    await stage.slack.people.press(GENERAL, answer.ts, "troupe:details")
    await stage.slack.until(lambda: stage.slack.space.channels[ANNAS_DM].messages)
    (details,) = stage.slack.space.channels[ANNAS_DM].messages.values()
    await stage.slack.people.press(ANNAS_DM, details.ts, "troupe:choose")
    await stage.slack.until(lambda: len(stage.listener.presses) == 2)

    chosen = stage.listener.presses[1]
    assert (chosen.action, chosen.run, chosen.thread) == (Action.CHOOSE, run, message.thread)


async def test_a_private_reply_whose_fate_is_unknown_is_repeated_with_a_note(stage: Stage) -> None:
    stage.limits.acknowledge_seconds = 0.0
    stage.slack.faults.once("response_url", Lost())

    await stage.slack.people.command("help")
    await stage.slack.until(lambda: stage.slack.space.ephemerals)

    (reply,) = stage.slack.space.ephemerals
    assert english("perhaps-repeated", platform="Slack") in reply["text"]


@pytest.mark.parametrize("comparison", [None, Comparison("text-to-image", "one", "two")])
async def test_every_button_works_before_and_after_a_restart(
    slack: SlackServer, comparison: Comparison | None
) -> None:
    async with listening(Stage(slack)) as stage:
        run = await stage.mention("draw")
        message, _ = stage.listener.received[0]
        end = Answer(run, "Hi.", comparison=comparison)
        await stage.chat.follow(message, run, one_by_one(*PLANNED, Answered(end)))
        (answer,) = stage.slack.said(GENERAL, message.thread.root)
        actions = list_actions(Board((TaskRow(TaskId(1), "text-to-image"),), end=end))
        for action in actions:
            await stage.slack.people.press(GENERAL, answer.ts, f"troupe:{action}")
        await stage.slack.until(lambda: len(stage.slack.space.ephemerals) == len(actions))

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


async def test_an_option_of_a_private_message_is_clicked_in_its_thread(
    slack: SlackServer,
) -> None:
    async with listening(Stage(slack)) as stage:
        run = await stage.mention("draw")
        message, _ = stage.listener.received[0]
        await stage.chat.follow(message, run, one_by_one(*PLANNED, Answered(Answer(run, "Hi."))))
        (answer,) = stage.slack.said(GENERAL, message.thread.root)
        names = ["org/one", "org/two", "o" * 80, "too-long" * 20]
        options = tuple(SelectOption(f"1 {name}", name, "1 Picture") for name in names)
        stage.listener.reply = Reply("The plan", select=Select(Action.CHOOSE, run, options))
        await stage.slack.people.press(GENERAL, answer.ts, "troupe:details")
        await stage.slack.until(lambda: stage.slack.space.ephemerals)
        (details,) = stage.slack.space.ephemerals
        stage.listener.reply = Reply("Thanks.")
        await stage.slack.people.choose(details, "1 org/two")
        await stage.slack.until(lambda: len(stage.slack.space.ephemerals) == 2)

    async with listening(stage.again()):
        await stage.slack.people.choose(details, "1 org/one", by=BEN)
        await stage.slack.until(lambda: len(stage.listener.presses) == 3)

    section = details["blocks"][-1]
    (group,) = section["accessory"]["option_groups"]
    assert section["text"]["text"] == english("button-choose")
    assert group["label"]["text"] == "1 Picture"
    assert [len(option["text"]["text"]) for option in group["options"]] == [7, 7, 75]
    _, *choices = stage.listener.presses
    assert [(each.value, each.person.id) for each in choices] == [
        ("1 org/two", ANNA),
        ("1 org/one", BEN),
    ]
    assert {(each.action, each.run, each.thread) for each in choices} == {
        (Action.CHOOSE, run, message.thread)
    }


async def test_a_refused_option_is_explained_in_its_thread(stage: Stage) -> None:
    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]
    await stage.chat.follow(message, run, one_by_one(*PLANNED, Answered(Answer(run, "Hi."))))
    (answer,) = stage.slack.said(GENERAL, message.thread.root)
    select = Select(Action.CHOOSE, run, (SelectOption("1 one", "one", "1 Picture"),))
    stage.listener.reply = Reply("The plan", select=select)
    await stage.slack.people.press(GENERAL, answer.ts, "troupe:details")
    await stage.slack.until(lambda: stage.slack.space.ephemerals)
    stage.listener.reply = Reply("Not here.")
    await stage.slack.people.choose(stage.slack.space.ephemerals[0], "1 one")
    await stage.slack.until(lambda: len(stage.slack.space.ephemerals) == 2)

    refusal = stage.slack.space.ephemerals[1]
    assert (refusal["text"], refusal["thread_ts"]) == ("Not here.", message.thread.root)


@pytest.mark.parametrize("is_old", [False, True])
async def test_a_vote_counts_under_new_and_old_answers(stage: Stage, *, is_old: bool) -> None:
    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]
    await stage.chat.follow(message, run, one_by_one(*PLANNED, Answered(Answer(run, "Hi."))))
    (answer,) = stage.slack.said(GENERAL, message.thread.root)
    if is_old:
        text = {"type": "plain_text", "text": "👎"}
        button = {"type": "button", "action_id": "troupe:down", "text": text, "value": run}
        answer.body["blocks"] = [{"type": "actions", "elements": [button]}]

    await stage.slack.people.press(GENERAL, answer.ts, "troupe:down")
    await stage.slack.until(lambda: stage.slack.space.ephemerals)

    (press,) = stage.listener.presses
    assert (press.action, press.run, press.value) == (Action.DOWN, run, "")
    assert stage.slack.space.ephemerals[0]["thread_ts"] == message.thread.root


async def test_stop_reaches_the_conversation_while_the_run_is_shown(stage: Stage) -> None:
    stage.slack.streams.refusal = "unknown_method"
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
    def parse(words: str) -> tuple[str, dict[str, str]]:
        command, args = parse_command(words, COMMANDS, "/troupe")
        return command.name, args

    assert parse("ask draw a  cat") == ("ask", {"text": "draw a  cat"})
    assert parse("models asr whisper large") == (
        "models",
        {"kind": "asr", "search": "whisper large"},
    )
    assert parse("models") == ("models", {})
    assert parse("help") == ("help", {})
