"""The app's own view: App Home, suggested prompts and the names of threads."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from adapters.slack.acting.home_page import (
    ALL_REQUESTS,
    ALL_TASKS,
    choose_prompts,
    render_all_requests,
    render_all_tasks,
    render_home,
)
from adapters.slack.acting.requests import ASK_BUTTON, FORM
from adapters.slack.acting.settings import render_settings
from pipeline.domain import (
    Ability,
    Channel,
    Command,
    InputField,
    InputForm,
    Invocation,
    LocalizedText,
    Model,
    Overview,
    Person,
    Reply,
    RunState,
    Thread,
    Turn,
)
from pipeline.errors import NotAllowed
from pipeline.ports import ThreadOverview
from pipeline.task_kinds import KINDS
from pipeline.words import LOCALES, say, title
from tests.adapters.embedded.planner.builders import kinds
from tests.adapters.slack.stage import BOT, Stage, listening
from tests.adapters.slack.test_connection import served
from tests.fakes.persistence import LockedStore
from tests.fakes.places import LOCAL, PLACES
from tests.servers.slack import SlackServer
from tests.servers.slack.blocks import buttons
from tests.servers.slack.people import Sent
from tests.servers.slack.views import complaints
from tests.servers.slack.workspace import ANNA, ANNAS_DM, BEN, GENERAL, SECRET, TEAM, Json
from tests.words import english

PROMPTS = {
    "draw": ["text-to-image"],
    "poem": ["text-generation", "text-to-speech"],
    "translate": ["translation"],
    "mood": ["text-classification"],
    "read": ["text-to-speech"],
}


def can(*names: str, is_admin: bool = False) -> Overview:
    """What is known where these kinds of tasks can run."""
    missing = LocalizedText("tasks-enabled-by", {"what": "HF_TOKEN"})
    abilities = [
        Ability(kind, Model("org/model", kind.name, (LOCAL,)))
        if kind.name in names
        else Ability(kind, problem=missing)
        for kind in KINDS.values()
    ]
    return Overview(abilities=tuple(abilities), is_admin=is_admin)


async def suggested(stage: Stage) -> list[str]:
    await stage.slack.until(lambda: stage.slack.space.prompts)
    (call,) = stage.slack.space.prompts
    assert call["channel_id"] == ANNAS_DM
    return [prompt["title"] for prompt in call["prompts"]]


async def test_only_what_can_run_is_suggested(stage: Stage) -> None:
    stage.listener.known = can("text-to-speech", "text-classification")

    stage.slack.people.open_app("messages")

    names = ["mood", "read", "help"]
    assert await suggested(stage) == [english(f"slack-prompt-{name}") for name in names]


async def test_at_most_four_prompts_are_suggested_in_the_persons_language(stage: Stage) -> None:
    stage.slack.space.people[ANNA]["locale"] = "fr-FR"
    stage.listener.known = can(*KINDS)

    stage.slack.people.open_app("messages")

    names = ["draw", "poem", "translate", "help"]
    titles = [say("fr", LocalizedText(f"slack-prompt-{name}")) for name in names]
    assert await suggested(stage) == titles


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", PROMPTS)
def test_each_prompt_is_planned_with_the_kinds_that_it_needs(locale: str, name: str) -> None:
    prompt = choose_prompts(frozenset(PROMPTS[name]), locale)[0]

    assert kinds(say(locale, LocalizedText(f"slack-prompt-{name}-text"))) == PROMPTS[name]
    assert prompt["title"]


@pytest.mark.parametrize("is_session", [False, True])
async def test_a_thread_of_direct_messages_is_named_after_its_request(
    stage: Stage, *, is_session: bool
) -> None:
    root = stage.slack.people.say("draw a\ncat " + "and a dog " * 20, channel=ANNAS_DM)
    if is_session:
        stage.slack.space.sessions.add((ANNAS_DM, root))
    await stage.slack.until(lambda: stage.slack.space.titles)
    stage.slack.people.say("now a mouse", channel=ANNAS_DM, thread=root)
    await stage.listener.next(2)
    await stage.slack.settled()

    (title,) = stage.slack.space.titles.values()
    assert title.startswith("draw a cat and a dog")
    assert len(title) <= 80
    assert stage.slack.calls.count("assistant.threads.setTitle") == (not is_session)


async def test_files_alone_and_forms_name_their_threads_too(stage: Stage) -> None:
    stage.listener.reply = Reply("")
    stage.slack.people.say("", channel=ANNAS_DM, files=(Sent("memo.mp3", "audio/mpeg", b"M"),))
    await stage.slack.people.global_shortcut(FORM)
    await stage.slack.people.submit("draw a cat")

    await stage.slack.until(lambda: len(stage.slack.space.titles) == 2)
    assert sorted(stage.slack.space.titles.values()) == ["draw a cat", "memo.mp3"]


async def test_in_channels_no_thread_is_named(stage: Stage) -> None:
    await stage.mention("draw a cat")
    await stage.slack.until(lambda: stage.slack.space.statuses)

    assert stage.slack.space.titles == {}


async def test_the_status_says_by_turns_what_happens(stage: Stage) -> None:
    stage.slack.people.say(f"{BOT} draw a cat")
    await stage.slack.until(lambda: stage.slack.space.statuses)

    (status,) = stage.slack.space.statuses
    assert status["loading_messages"] == english("slack-loading").splitlines()
    assert len(status["loading_messages"]) > 1


# --- App Home ---

FIELDS = InputForm(
    LocalizedText("command-settings"),
    (
        InputField(
            name="places",
            label=LocalizedText("setting-places"),
            choices=tuple(map(str, PLACES)),
            chosen=("local",),
            most=len(PLACES),
        ),
        InputField(
            name="mention",
            label=LocalizedText("setting-mention"),
            choices=("default", "always", "threads"),
            chosen=("default",),
        ),
    ),
)
AT = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def asked(root: str, text: str, *, by: str = ANNA, is_run: bool = True) -> ThreadOverview:
    """A thread that somebody began."""
    thread = Thread(Channel("slack", TEAM, GENERAL), root)
    turn = Turn(key=root, person=Person(by, by), text=text, files=(), at=AT)
    return ThreadOverview(thread, turn, turn, RunState.ANSWERED if is_run else None)


async def open_home(stage: Stage, *, by: str = ANNA) -> str:
    """Everything on the home page that the person sees now."""
    stage.slack.views.homes.clear()
    stage.slack.people.open_app("home", by=by)
    await stage.slack.until(lambda: by in stage.slack.views.homes)
    await stage.slack.settled()
    return repr(stage.slack.views.homes[by]["blocks"])


def shown(view: Json) -> str:
    return repr(view["blocks"])


async def test_home_shows_what_works_and_only_admins_what_is_missing(stage: Stage) -> None:
    stage.listener.known = can("translation", is_admin=True)
    for_admin = await open_home(stage)
    stage.listener.known = can("translation")
    for_others = await open_home(stage)

    assert "Translating" in for_admin
    assert "Translating" in for_others
    assert "HF_TOKEN" in for_admin
    assert "HF_TOKEN" not in for_others
    assert english("slack-home-choose") in for_admin
    assert english("slack-home-choose") not in for_others


def test_home_groups_what_works_by_the_files_that_it_is_about() -> None:
    names = ("text-to-speech", "translation", "image-to-text", "text-to-image", "image-to-video")
    blocks = render_home(can(*names), [], "https://troupe.slack.com/", "en")["blocks"]

    lines = [block["text"]["text"].splitlines() for block in blocks if block["type"] == "section"]
    assert lines[:-1] == [
        ["*Text*", "Translating"],
        ["*Pictures*", "Describing a picture · Making a picture from words"],
        ["*Sound*", "Reading aloud"],
        ["*Video*", "Animating a picture"],
    ]


async def test_home_links_to_the_threads_of_the_persons_own_requests(stage: Stage) -> None:
    stage.overviews.extend(
        (
            asked("1700000001.000100", "draw a <cat>"),
            asked("1700000002.000100", "draw a dog", by=BEN),
            asked("1700000003.000100", "lunch?", is_run=False),
        )
    )

    page = await open_home(stage)

    assert "https://troupe.slack.com/archives/C0GENERAL/p1700000001000100" in page
    assert "draw a <cat>" in page
    assert "dog" not in page
    assert "lunch" not in page


async def test_the_button_of_home_opens_the_form_for_a_request(stage: Stage) -> None:
    stage.listener.reply = Reply("")
    await open_home(stage)

    await stage.slack.people.use_home(ASK_BUTTON)
    await stage.slack.people.submit("draw a cat")

    (invocation,) = await stage.listener.next_commands()
    assert invocation.args == {"text": "draw a cat"}


@pytest.fixture
async def settings(stage: Stage) -> Stage:
    """A stage with a form for settings, where all are admins."""
    stage.listener.known, stage.listener.forms = can(is_admin=True), {"settings": FIELDS}
    stage.listener.reply = Reply("Settings:\n- `mention`: `default`")
    return stage


async def test_settings_are_changed_as_if_their_command_were_typed_in_the_channel(
    settings: Stage,
) -> None:
    await open_home(settings)
    await settings.slack.people.use_home("home:channel", SECRET)
    (form,) = settings.slack.views.open.values()
    before = shown(form)
    settings.listener.reply = Reply("Settings:\n- `mention`: `always`")
    settings.slack.views.homes.clear()

    choices = {"mention": "always", "places": ["local", "hosted"]}
    await settings.slack.people.submit(choices=choices)

    (form,) = settings.slack.views.open.values()
    await settings.slack.until(lambda: ANNA in settings.slack.views.homes)
    code = {"style": {"code": True}}
    assert repr({"text": "default", **code})[1:-1] in before
    assert repr({"text": "always", **code})[1:-1] in shown(form)
    first, second = settings.listener.invocations
    assert (first.command, first.args) == ("settings", {})
    assert second.args == {"mention": "always", "places": "hosted,local"}
    assert {each.thread for each in (first, second)} == {Thread(Channel("slack", TEAM, SECRET), "")}
    assert second.person.roles == {"admin"}


async def test_a_form_that_is_sent_as_it_was_opened_keeps_what_was_chosen(settings: Stage) -> None:
    await open_home(settings)
    await settings.slack.people.use_home("home:channel", GENERAL)

    await settings.slack.people.submit()

    assert settings.listener.invocations[-1].args == {"mention": "default", "places": "local"}


async def test_a_channel_can_be_chosen_again(settings: Stage) -> None:
    await open_home(settings)

    for _ in range(2):
        await settings.slack.people.use_home("home:channel", GENERAL)
        await settings.slack.until(lambda: not settings.slack.views.chosen)

    assert len(settings.slack.views.open) == 2


async def test_the_command_alone_opens_the_form_for_its_channel(settings: Stage) -> None:
    settings.listener.commands = (Command("settings", form=True),)
    await settings.slack.people.command("settings")

    await settings.slack.people.submit(choices={"mention": "threads"})

    shown_, changed = settings.listener.invocations
    assert (shown_.args, changed.args["mention"]) == ({}, "threads")
    assert changed.thread == Thread(Channel("slack", TEAM, GENERAL), "")
    assert settings.slack.space.responses == []


async def test_who_may_not_change_settings_is_answered_in_words(settings: Stage) -> None:
    settings.listener.commands = (Command("settings", form=True),)
    settings.listener.forms = {}

    await settings.slack.people.command("settings")

    assert "mention" in settings.slack.space.responses[0]["text"]
    assert settings.slack.views.open == {}


async def test_who_may_no_longer_change_a_setting_reads_why_in_the_form(settings: Stage) -> None:
    await open_home(settings)
    await settings.slack.people.use_home("home:channel", GENERAL)

    async def refuse(_: Invocation) -> Reply:
        raise NotAllowed("not-allowed-admins", what="settings")

    settings.listener.on_command = refuse  # type: ignore[method-assign,assignment]
    settings.listener.forms = {}
    await settings.slack.people.submit(choices={"mention": "always"})

    (form,) = settings.slack.views.open.values()
    assert english("not-allowed-admins", what="settings") in shown(form)
    assert "submit" not in form


async def test_who_changes_a_setting_that_cannot_be_stored_reads_so_in_the_form(
    settings: Stage,
) -> None:
    await open_home(settings)
    await settings.slack.people.use_home("home:channel", GENERAL)

    async def wait(_: Invocation) -> Reply:
        await LockedStore(settings.outage).wait()
        raise AssertionError

    settings.listener.on_command = wait  # type: ignore[method-assign,assignment]
    await settings.slack.people.submit(choices={"mention": "always"})

    (form,) = settings.slack.views.open.values()
    assert english("store-gone") in shown(form)


@pytest.mark.parametrize("is_typed", [True, False])
async def test_who_gets_no_form_now_reads_why(settings: Stage, *, is_typed: bool) -> None:
    settings.listener.commands = (Command("settings", form=True),)
    await open_home(settings)

    async def refuse(_: Invocation) -> None:
        raise NotAllowed("not-allowed-admins", what="settings")

    settings.listener.form = refuse  # type: ignore[method-assign,assignment]
    settings.listener.on_command = refuse  # type: ignore[method-assign,assignment]
    if is_typed:
        await settings.slack.people.command("settings")
        seen = repr(settings.slack.space.responses)
    else:
        await settings.slack.people.use_home("home:channel", GENERAL)
        (form,) = settings.slack.views.open.values()
        seen = shown(form)

    assert english("not-allowed-admins", what="settings") in seen


async def test_home_and_its_settings_come_over_http_too(slack: SlackServer) -> None:
    stage = Stage(slack, http=True)
    stage.listener.known, stage.listener.forms = can(is_admin=True), {"settings": FIELDS}
    async with served(stage) as target, listening(stage):
        slack.delivery.target = target
        await open_home(stage)
        await slack.people.use_home("home:channel", GENERAL)
        await slack.people.submit(choices={"mention": "always"})

        (form,) = slack.views.open.values()
        await slack.settled()
    assert "done" in shown(form)


async def test_home_is_one_screen_and_the_rest_is_behind_buttons(stage: Stage) -> None:
    stage.listener.known = can(*KINDS)
    stage.overviews.extend(asked(f"17000000{n:02}.000100", f"wish {n}") for n in range(20))

    page = await open_home(stage)
    await stage.slack.people.use_home(ALL_TASKS)
    await stage.slack.people.use_home(ALL_REQUESTS)
    tasks, requests = stage.slack.views.open.values()

    assert page.count("/archives/") == 5
    assert "+" in page
    assert all(title("en", name) in shown(tasks) for name in KINDS)
    assert shown(requests).count("/archives/") == 20


def test_home_has_no_button_for_more_where_there_is_no_more() -> None:
    page = render_home(can("translation"), [], "https://troupe.slack.com/", "en")

    assert [each["action_id"] for each in buttons(page["blocks"])] == [ASK_BUTTON]


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("overview", [can(is_admin=True), can(*KINDS, is_admin=True)])
def test_home_is_valid_in_every_language_however_much_there_is(
    locale: str, overview: Overview
) -> None:
    requests = [asked(f"17{n:08}.000100", "word " * 500) for n in range(10)]
    each = (replace(ability, problem=None) for ability in overview.abilities)
    for known in (overview, replace(overview, abilities=tuple(each))):
        for mine in ([], requests):
            home = render_home(known, mine, "https://troupe.slack.com/", locale)
            assert list(complaints(home, "home")) == []
            listed = render_all_requests(mine, "https://troupe.slack.com/", locale)
            assert list(complaints(listed, "modal")) == []
        assert list(complaints(render_all_tasks(known, locale), "modal")) == []


@pytest.mark.parametrize("locale", LOCALES)
def test_the_form_for_settings_is_valid_in_every_language(locale: str) -> None:
    text = "\n".join(f"- `model:{name}`: `{'m' * 100}`" for name in KINDS)

    form = render_settings(FIELDS, text, GENERAL, locale)

    assert list(complaints(form, "modal")) == []
