"""A channel that a form, a button or a text names itself is held against who may read it."""

import pytest

from adapters.slack.acting.requests import FORM
from pipeline.domain import (
    Answer,
    Answered,
    InputForm,
    LocalizedText,
    Overview,
    Plan,
    Planned,
    Reply,
    RunId,
)
from tests.adapters.slack.stage import BOT, Stage
from tests.fakes.events import one_by_one
from tests.fakes.stages import task
from tests.servers.slack.workspace import (
    ANNA,
    ANNAS_DM,
    BEN,
    BOT_USER,
    GENERAL,
    RANDOM,
    SECRET,
    Message,
)
from tests.words import english

SETTINGS = InputForm(LocalizedText("command-settings"), ())


@pytest.fixture
def secret(stage: Stage) -> Stage:
    """A stage with a private channel of Ben and the bot, of which Anna only knows the id."""
    stage.slack.space.channels[SECRET].members = {BEN, BOT_USER}
    stage.listener.reply = Reply("")
    return stage


@pytest.mark.parametrize(("by", "is_taken"), [(ANNA, False), (BEN, True)])
async def test_a_form_asks_only_where_its_sender_may_read(
    secret: Stage,
    by: str,
    is_taken: bool,  # noqa: FBT001
) -> None:
    await secret.slack.people.global_shortcut(FORM, by=by)

    answer = await secret.slack.people.submit("draw a cat", channel=SECRET, by=by)

    posted = [*secret.slack.space.channels[SECRET].messages]
    assert ("errors" in answer) is not is_taken
    if is_taken:
        await secret.listener.next_commands()
    else:
        assert (secret.listener.invocations, posted) == ([], [])


async def test_the_home_page_shows_no_settings_of_a_channel_that_one_cannot_read(
    secret: Stage,
) -> None:
    secret.listener.known, secret.listener.forms = (
        Overview(abilities=(), is_admin=True),
        {"settings": SETTINGS},
    )
    secret.slack.people.open_app("home")
    await secret.slack.until(lambda: ANNA in secret.slack.views.homes)

    await secret.slack.people.use_home("home:channel", SECRET)

    (form,) = secret.slack.views.open.values()
    assert english("slack-not-your-channel") in repr(form)
    assert secret.listener.invocations == []


def forged(stage: Stage, by: str) -> dict[str, object]:
    """A click in somebody's direct messages on a button that names the private channel."""
    direct = Message(ANNAS_DM, {"ts": stage.slack.space.next_ts()})
    button = {
        "type": "button",
        "block_id": f"troupe:from:{SECRET}",
        "action_id": "troupe:run:forget thread",
        "value": "1700000000.000001",
    }
    return stage.slack.people._click(direct, button, by)  # noqa: SLF001 - no person can press it


@pytest.mark.parametrize(("by", "is_taken"), [(ANNA, False), (BEN, True)])
async def test_a_button_reaches_no_channel_that_its_presser_cannot_read(
    secret: Stage,
    by: str,
    is_taken: bool,  # noqa: FBT001
) -> None:
    secret.slack.space.channels[ANNAS_DM].members.add(by)

    await secret.slack.delivery.interaction(forged(secret, by))

    if is_taken:
        (invocation,) = await secret.listener.next_commands()
        assert invocation.thread.channel.id == SECRET
    else:
        await secret.slack.until(lambda: secret.slack.space.responses)
        (reply,) = secret.slack.space.responses
        assert reply["text"] == english("slack-not-your-channel")
        assert secret.listener.invocations == []


async def test_the_name_of_a_private_channel_is_written_only_in_itself(secret: Stage) -> None:
    mention = f"{BOT} ask <#{SECRET}> and <#{RANDOM}>"
    secret.slack.people.say(mention)
    secret.slack.people.say(mention, channel=SECRET, by=BEN)

    outside, inside = [(await secret.listener.next(number))[0].text for number in (1, 2)]

    assert sorted((outside, inside)) == [f"ask #{SECRET} and #random", "ask #secret and #random"]


async def test_a_click_tells_of_which_run_its_message_is_a_part(stage: Stage) -> None:
    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]
    planned = Planned(Plan((task(0, "text-to-image", text="x"),)))
    await stage.chat.follow(message, run, one_by_one(planned, Answered(Answer(run, "Done."))))
    answer = stage.slack.said(GENERAL, message.thread.root)[-1]
    answer.body["blocks"] = [{"type": "actions", "elements": [_button("forged")]}]

    await stage.slack.people.press(GENERAL, answer.ts, "troupe:details", by=BEN)
    await stage.slack.until(lambda: stage.listener.presses)

    (click,) = stage.listener.presses
    assert (click.run, click.shown, click.direct) == (RunId("forged"), run, False)


def _button(run: str) -> dict[str, object]:
    text = {"type": "plain_text", "text": "Details"}
    return {"type": "button", "action_id": "troupe:details", "text": text, "value": run}
