"""Forms: what a command asks for when it is used without options."""

from dataclasses import replace

import pytest

from adapters.discord.acting.forms import make_modal
from pipeline.domain import (
    Command,
    InputField,
    InputForm,
    Invocation,
    LocalizedText,
    Option,
    Reply,
)
from pipeline.words import say
from tests.adapters.discord.scene import DiscordScene, scene
from tests.fakes.chat import FakeListener
from tests.fakes.hanging import HangingInteractions
from tests.servers.discord.faults import Trouble
from tests.servers.discord.values import Json
from tests.servers.discord.world import Interaction
from tests.words import english

TABLE = (
    Command(
        "ask",
        (Option("text", required=True), Option("file", file=True)),
        private=False,
        form=True,
    ),
    Command("settings", (Option("name"), Option("value")), form=True),
)
FORMS = {
    "ask": InputForm(
        LocalizedText("command-ask"),
        (
            InputField(name="text", label=LocalizedText("option-text"), required=True),
            InputField(name="file", label=LocalizedText("form-files"), file=True),
        ),
    ),
    "settings": InputForm(
        LocalizedText("command-settings"),
        (
            InputField(
                name="places",
                label=LocalizedText("setting-places"),
                choices=("hosted", "local", "embedded"),
                chosen=("local", "embedded"),
                most=3,
            ),
            InputField(
                name="mention",
                label=LocalizedText("setting-mention"),
                choices=("default", "always"),
                chosen=("always",),
            ),
        ),
    ),
}


def _prepare(at: DiscordScene) -> None:
    at.listener.commands, at.listener.forms = TABLE, FORMS


async def _open(at: DiscordScene, command: str) -> Interaction:
    use = at.server.people.command(at.ada, at.place, command)
    await at.server.world.until(lambda: use.callback)
    return use


async def _read(at: DiscordScene, use: Interaction) -> list[str]:
    await at.server.world.until(lambda: use.answers and use.answers[-1].content)
    return [message.content for message in use.answers]


def _inputs(use: Interaction) -> list[Json]:
    assert use.callback is not None
    return [part["component"] for part in use.callback["components"]]


async def test_ask_without_words_opens_a_form_for_words_and_files() -> None:
    async with scene() as at:
        _prepare(at)
        at.listener.reply = Reply("")
        async with at.running():
            form = await _open(at, "ask")
            files = [(f"{number}.png", b"png%d" % number) for number in range(10)]
            use = at.server.people.submit(at.ada, form, {"text": "draw a dot", "file": files})
            (shown,) = await _read(at, use)
            (invocation,) = at.listener.invocations

            assert form.callback is not None
            assert form.callback["title"] == english("command-ask")
            assert [part["label"] for part in form.callback["components"]] == [
                english("option-text"),
                english("form-files"),
            ]
            assert form.answers == []
            assert shown.startswith("ada asked: draw a dot 📎 0.png")
            assert (invocation.command, invocation.args) == ("ask", {"text": "draw a dot"})
            assert (await at.chat.download(invocation.files[9])).data == b"png9"
            assert use.original is not None
            assert invocation.thread.root == str(use.original.id)


async def test_with_words_ask_opens_no_form() -> None:
    async with scene() as at:
        _prepare(at)
        at.listener.reply = Reply("")
        async with at.running():
            use = at.server.people.command(at.ada, at.place, "ask", {"text": "draw a dot"})

            assert await _read(at, use) == ["ada asked: draw a dot"]


async def test_a_form_shows_what_is_chosen_and_its_submission_is_the_command() -> None:
    async with scene() as at:
        _prepare(at)
        async with at.running():
            form = await _open(at, "settings")
            places, mention = _inputs(form)
            use = at.server.people.submit(at.ada, form, {"mention": ["default"]})

            assert await _read(at, use) == ["done"]
            assert use.answers[0].seen_only_by == at.ada.id
            assert [each["value"] for each in places["options"] if each["default"]] == [
                "local",
                "embedded",
            ]
            assert [each["default"] for each in mention["options"]] == [False, True]
            (invocation,) = at.listener.invocations
            assert invocation.command == "settings"
            assert invocation.args == {"places": "local,embedded", "mention": "default"}


async def test_what_is_not_chosen_is_submitted_as_empty() -> None:
    async with scene() as at:
        _prepare(at)
        async with at.running():
            form = await _open(at, "settings")
            use = at.server.people.submit(at.ada, form, {"places": [], "mention": []})
            await _read(at, use)

            assert at.listener.invocations[0].args == {"places": "", "mention": ""}


async def test_who_gets_no_form_gets_the_reply_of_the_command() -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        async with at.running():
            use = at.server.people.command(at.ada, at.place, "settings")

            assert await _read(at, use) == ["done"]


class Broken(FakeListener):
    """A conversation whose forms and commands fail."""

    async def form(self, invocation: Invocation) -> InputForm | None:
        raise RuntimeError("oops")

    async def on_command(self, invocation: Invocation) -> Reply:
        raise RuntimeError("oops")


async def test_a_form_that_fails_is_told() -> None:
    async with scene() as at:
        at.listener = Broken(TABLE)
        async with at.running():
            use = at.server.people.command(at.ada, at.place, "settings")

            (said,) = await _read(at, use)
            assert said.startswith("Something went wrong in the bot itself.")


@pytest.mark.parametrize("trouble", [Trouble.LOST, Trouble.UNAVAILABLE])
async def test_a_form_whose_response_is_lost_is_shown_once(trouble: Trouble) -> None:
    async with scene() as at:
        _prepare(at)
        async with at.running():
            at.server.faults.next("POST callback", trouble)
            form = await _open(at, "settings")
            use = at.server.people.submit(at.ada, form)

            assert await _read(at, use) == ["done"]
            assert len(at.listener.invocations) == 1


@pytest.mark.parametrize("moment", ["accepted", "recorded", "sent"])
async def test_killed_at_any_moment_a_form_is_shown(moment: str) -> None:
    async with scene() as at:
        _prepare(at)
        at.interactions = HangingInteractions(hangs=moment)
        at.chat = at.new_chat()
        async with at.running():
            form = at.server.people.command(at.ada, at.place, "settings")
            await at.interactions.reached.wait()
        at.interactions.hangs = ""
        at.chat = at.new_chat()
        async with at.running():
            await at.server.world.until(lambda: form.callback)
            use = at.server.people.submit(at.ada, form)

            assert await _read(at, use) == ["done"]


@pytest.mark.parametrize("moment", ["accepted", "recorded", "sent"])
async def test_killed_at_any_moment_a_submission_is_carried_out_once(moment: str) -> None:
    async with scene() as at:
        _prepare(at)
        at.interactions = HangingInteractions()
        at.chat = at.new_chat()
        async with at.running():
            form = await _open(at, "settings")
            await at.server.world.until(lambda: not any(at.interactions.kept.values()))
            at.interactions.hangs = moment
            use = at.server.people.submit(at.ada, form)
            await at.interactions.reached.wait()
        at.interactions.hangs = ""
        at.chat = at.new_chat()
        async with at.running():
            await at.server.world.until(lambda: not any(at.interactions.kept.values()))

        assert [message.content for message in use.answers] == ["done"]
        assert [each.args["mention"] for each in at.listener.invocations] == ["always"]


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "ja", "zh"])
def test_the_fields_that_a_form_has_no_room_for_are_named_below_the_last(language: str) -> None:
    (field,) = FORMS["settings"].fields[1:]
    names = ("one", "two", "three", "four", "five", "six", "seven")
    form = InputForm(
        LocalizedText("command-settings"), tuple(replace(field, name=n) for n in names)
    )

    labels = make_modal("settings", form, language).to_dict()["components"]

    assert [label["component"]["custom_id"] for label in labels] == [*names[:5]]
    assert [label.get("description") for label in labels[:4]] == [None] * 4
    assert labels[4]["description"] == say(
        language, LocalizedText("discord-form-rest", {"names": "six, seven"})
    )
    assert len(labels[4]["description"]) <= 100


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "ja", "zh"])
def test_no_title_or_label_of_a_form_is_cut(language: str) -> None:
    for form in FORMS.values():
        modal = make_modal("ask", form, language).to_dict()

        texts = [modal["title"], *(part["label"] for part in modal["components"])]
        assert not any(text.endswith("…") for text in texts)
