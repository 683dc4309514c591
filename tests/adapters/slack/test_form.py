"""The form with which people ask from anywhere."""

from dataclasses import replace

import pytest

from adapters.slack.acting.requests import FORM, render_request_form
from pipeline.domain import InputForm, Invocation, LocalizedText, Reply
from pipeline.errors import NotAllowed
from pipeline.words import LOCALES
from tests.adapters.slack.stage import COMMANDS, Stage, listening
from tests.adapters.slack.test_connection import served
from tests.fakes.chat import FakeListener
from tests.fakes.hanging import HangingListener
from tests.servers.slack import SlackServer
from tests.servers.slack.faults import Broken, Lost
from tests.servers.slack.people import Sent
from tests.servers.slack.views import complaints
from tests.servers.slack.workspace import ANNA, ANNAS_DM, BEN, BOT_USER, GENERAL, SECRET
from tests.words import english

ASK = replace(COMMANDS[0], form=True)
REQUEST = InputForm(LocalizedText("command-ask"), ())


@pytest.fixture
async def silent(stage: Stage) -> Stage:
    """A stage whose listener starts a run and says nothing."""
    stage.listener.reply = Reply("")
    return stage


async def test_what_is_sent_is_a_request_in_a_thread_that_quotes_it(silent: Stage) -> None:
    people = silent.slack.people
    await people.global_shortcut(FORM, by=BEN)

    answer = await people.submit("draw a cat", channel=GENERAL, by=BEN)

    (invocation,) = await silent.listener.next_commands()
    (root,) = silent.slack.said(GENERAL, invocation.thread.root)
    assert (answer, silent.slack.views.open) == ({}, {})
    assert (invocation.command, invocation.args) == ("ask", {"text": "draw a cat"})
    assert (invocation.person.id, invocation.thread.channel.id) == (BEN, GENERAL)
    assert root.text == "ben asks: draw a cat"


async def test_without_a_channel_the_answer_goes_to_the_direct_messages(silent: Stage) -> None:
    await silent.slack.people.global_shortcut(FORM)
    await silent.slack.people.submit("draw a cat")

    (invocation,) = await silent.listener.next_commands()
    (root,) = silent.slack.said(ANNAS_DM, invocation.thread.root)
    assert root.text == "anna asks: draw a cat"


async def test_files_of_the_form_are_downloaded_like_those_of_messages(silent: Stage) -> None:
    sent = tuple(Sent(f"{n}.png", "image/png", b"PNG %d" % n) for n in range(10))
    await silent.slack.people.global_shortcut(FORM)
    await silent.slack.people.submit("join these", files=sent)

    (invocation,) = await silent.listener.next_commands()
    blobs = [await silent.chat.download(file) for file in invocation.files]
    (root,) = silent.slack.said(ANNAS_DM, invocation.thread.root)
    assert [blob.data for blob in blobs] == [file.content for file in sent]
    assert "📎 0.png" in root.text


@pytest.mark.parametrize("locale", LOCALES)
def test_the_form_is_valid_in_every_language(locale: str) -> None:
    for form in (render_request_form(locale), render_request_form(locale, GENERAL)):
        assert list(complaints(form, "modal")) == []


async def test_a_form_without_words_says_so_and_stays_open(silent: Stage) -> None:
    await silent.slack.people.global_shortcut(FORM)

    answer = await silent.slack.people.submit("  ", channel=GENERAL)

    assert answer["errors"] == {"text": english("slack-form-empty")}
    assert len(silent.slack.views.open) == 1
    assert silent.listener.invocations == []


async def test_a_file_that_is_too_large_is_named_in_the_form(silent: Stage) -> None:
    await silent.slack.people.global_shortcut(FORM)
    sent = Sent("film.mp4", "video/mp4", b"F", length=300 << 20)

    answer = await silent.slack.people.submit("cut this", files=(sent,))

    large = english("slack-form-large", name="film.mp4", size=300, limit=190)
    assert answer["errors"] == {"file": large}


@pytest.mark.parametrize("channel", [GENERAL, SECRET])
async def test_a_channel_without_the_bot_is_named_in_the_form(silent: Stage, channel: str) -> None:
    silent.slack.space.channels[channel].members.discard(BOT_USER)
    await silent.slack.people.global_shortcut(FORM)
    answer = await silent.slack.people.submit("draw a cat", channel=channel)
    silent.slack.space.channels[channel].members.add(BOT_USER)

    again = await silent.slack.people.submit("draw a cat", channel=channel)

    assert answer["errors"] == {"channel": english("slack-not-in-channel")}
    assert again == {}
    assert len(await silent.listener.next_commands()) == 1


async def test_a_command_without_words_opens_the_form_for_its_channel(stage: Stage) -> None:
    stage.listener.commands, stage.listener.forms = (ASK,), {"ask": REQUEST}
    stage.listener.reply = Reply("")
    answer = await stage.slack.people.command("ask", by=BEN)
    (form,) = stage.slack.views.open.values()

    await stage.slack.people.submit("draw a cat", by=BEN)

    (invocation,) = await stage.listener.next_commands()
    assert answer.get("payload", {}) == {}
    assert "conversations_select" not in repr(form)
    assert (invocation.thread.channel.id, invocation.person.id) == (GENERAL, BEN)


async def test_for_who_may_not_ask_nothing_is_posted(stage: Stage) -> None:
    async def refuse(_: Invocation) -> Reply:
        raise NotAllowed("not-allowed")

    stage.listener.commands = (ASK,)  # without a form for this person
    stage.listener.on_command = refuse  # type: ignore[method-assign,assignment]

    await stage.slack.people.command("ask draw a cat")

    await stage.slack.until(lambda: stage.slack.space.responses)
    assert stage.slack.space.responses[0]["text"] == english("not-allowed")
    assert stage.slack.space.channels[GENERAL].messages == {}


async def test_where_a_form_cannot_be_opened_a_command_is_answered_as_before(stage: Stage) -> None:
    stage.listener.commands = (ASK,)
    stage.slack.views.trigger_seconds = 0.0

    await stage.slack.people.command("ask")

    await stage.slack.until(lambda: stage.slack.space.responses)
    assert "/troupe ask &lt;text&gt;" in stage.slack.space.responses[0]["text"]


@pytest.mark.parametrize("fault", [Broken(), Lost()])
async def test_a_form_opens_though_slack_stumbles(silent: Stage, fault: Broken | Lost) -> None:
    silent.slack.faults.once("views.open", fault)

    acknowledgement = await silent.slack.people.global_shortcut(FORM)

    assert acknowledgement
    assert len(silent.slack.views.open) == 1


async def test_a_form_that_comes_too_late_is_not_acknowledged_so_that_slack_says_so(
    silent: Stage,
) -> None:
    silent.slack.socket.ack_seconds = 0.2
    silent.slack.views.trigger_seconds = 0.0

    acknowledgement = await silent.slack.people.global_shortcut(FORM)

    assert not acknowledgement
    silent.slack.violations.remove("interactive: not acknowledged in 0.2 s")


async def test_a_form_comes_over_http_too(slack: SlackServer) -> None:
    stage = Stage(slack, FakeListener(commands=COMMANDS, reply=Reply("")), http=True)
    async with served(stage) as target, listening(stage):
        slack.delivery.target = target
        slack.people.say("hello")
        await stage.listener.next()  # from now on it listens

        await slack.people.global_shortcut(FORM)
        refused = await slack.people.submit(" ")
        await slack.people.submit("draw a cat")

        (invocation,) = await stage.listener.next_commands()
        await slack.settled()
    assert (list(refused["errors"]), invocation.person.id) == (["text"], ANNA)


async def test_a_form_that_a_restart_interrupts_is_one_request_with_one_quote(
    slack: SlackServer,
) -> None:
    stage = Stage(slack, HangingListener(commands=COMMANDS))
    async with listening(stage):
        await slack.people.global_shortcut(FORM)
        await slack.people.submit("draw a cat")
        await stage.listener.reached.wait()  # type: ignore[attr-defined]
    stage.listener = FakeListener(commands=COMMANDS)

    for _ in range(2):
        async with listening(stage.again()):
            await slack.until(lambda: slack.space.ephemerals)
            await slack.settled()

    assert len(stage.listener.invocations) == 1
    messages = slack.space.channels[ANNAS_DM].messages.values()
    assert [m.text for m in messages].count("anna asks: draw a cat") == 1
