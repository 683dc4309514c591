"""Buttons, slash commands and completions."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from adapters.chat.board import Board, TaskRow, list_actions
from adapters.discord.connecting.registration import describe_commands
from pipeline.domain import (
    Action,
    Addressing,
    Answer,
    Answered,
    Attachment,
    Command,
    CommandSelect,
    Comparison,
    Incoming,
    Invocation,
    LocalizedText,
    Option,
    Reply,
    RunId,
    Select,
    SelectOption,
    TaskId,
    Thread,
)
from pipeline.errors import NotAllowed
from tests.adapters.discord.events import picture, told, whole
from tests.adapters.discord.scene import DiscordScene, scene
from tests.fakes.chat import FakeListener
from tests.servers.discord.faults import Trouble
from tests.servers.discord.values import Message
from tests.servers.discord.world import Interaction
from tests.words import english

TABLE = (
    Command(
        "ask",
        (Option("text", required=True), Option("file", file=True)),
        private=False,
    ),
    Command("models", (Option("kind", completed=True),)),
    Command(
        "forget",
        (Option("what", required=True, choices=("me", "thread")),),
        erasing=("me", "thread"),
    ),
    Command("help"),
)


@dataclass
class Refusing(FakeListener):
    """A conversation that raises at every command."""

    error: Exception = field(default_factory=RuntimeError)

    async def on_command(self, invocation: Invocation) -> Reply:
        raise self.error


async def _answered(at: DiscordScene, use: Interaction) -> list[str]:
    await at.server.world.until(lambda: use.answers and use.answers[-1].text)
    return [message.text for message in use.answers]


async def test_the_table_is_registered_once_and_again_only_when_it_changes() -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        async with at.running():
            pass
        at.chat = at.new_chat()
        async with at.running():
            pass
        at.listener.commands = TABLE[:2]
        at.chat = at.new_chat()
        async with at.running():
            pass

        assert at.server.calls("PUT commands") == 2
        slash = [each["name"] for each in at.server.world.commands if each["type"] == 1]
        assert slash == ["ask", "models"]


@pytest.mark.parametrize(
    ("name", "locale", "wish", "file"),
    [
        ("Describe", "en-US", "Describe this.", "a.png"),
        ("Read aloud", "de", "Lies das vor.", ""),
        ("Transcribe", "fr", "Transcris ceci.", "a.mp3"),
        ("Translate", "es-ES", "Traduce esto al español.", ""),
        ("Summarize", "ja", "これを要約して。", ""),
    ],
)
async def test_the_menu_of_a_message_asks_about_its_words_or_its_file(
    name: str, locale: str, wish: str, file: str
) -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        at.listener.reply = Reply("")
        at.ada.locale = locale
        async with at.running():
            bob = at.server.people.person("bob")
            sent = [("a.png", b"png"), ("a.mp3", b"mp3")]
            said = at.server.people.say(bob, at.place, "the report", sent)
            use = at.server.people.use_menu(at.ada, said, name)
            (shown,) = await _answered(at, use)
            (invocation,) = at.listener.invocations

            text = wish if file else f'{wish}\n\n"the report"'
            assert (invocation.command, invocation.args) == ("ask", {"text": text})
            assert [link.name for link in invocation.files] == [file] * bool(file)
            assert invocation.alone
            assert use.original is not None
            assert invocation.thread.root == str(use.original.id)
            assert use.original.seen_only_by is None
            assert file in shown


async def test_a_wish_about_what_a_message_lacks_is_refused_to_the_person_alone() -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        async with at.running():
            said = at.server.people.say(at.ada, at.place, "the report", [("a.png", b"png")])
            use = at.server.people.use_menu(at.ada, said, "Transcribe")

            assert await _answered(at, use) == [english("menu-transcribe-none")]
            assert use.original is not None
            assert use.original.seen_only_by == at.ada.id
            assert at.listener.invocations == []


async def test_menus_are_there_in_every_language_where_one_can_ask() -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        async with at.running():
            menus = [each for each in at.server.world.commands if each["type"] == 3]

        assert len(menus) == 5
        assert menus[0]["name_localizations"]["de"] == "Beschreiben"
        assert describe_commands(TABLE[1:])[-1]["name"] == "help"


async def test_a_command_is_answered_to_the_asker_alone() -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        kept = await at.keep(b"id,kind\n")
        list_ = Attachment(
            hash=kept, media_type="text/csv", name="models.csv", size=8, description="all models"
        )
        at.listener.reply = Reply("Many **models**.\n\n" + "word " * 600, files=(list_,))
        async with at.running():
            use = at.server.people.command(at.ada, at.place, "models", {"kind": "text-to-image"})
            await at.server.world.until(lambda: use.answers and use.answers[-1].uploads)

            assert use.answers[0].text.startswith("Many **models**.")
            assert [u.filename for u in use.answers[-1].uploads] == ["models.csv"]
            assert all(message.seen_only_by == at.ada.id for message in use.answers)
            assert use.acknowledged_after is not None
            assert at.listener.invocations[0].args == {"kind": "text-to-image"}


async def test_completions_are_offered() -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        async with at.running():
            use = at.server.people.suggest(at.ada, at.place, "models", "kind", "tw")
            await at.server.world.until(lambda: use.callback)

            assert use.callback is not None
            assert use.callback["choices"] == [{"name": "two", "value": "two"}]


async def test_ask_shows_the_question_and_the_answer_hangs_on_it_in_a_thread() -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        at.listener.reply = Reply("")
        async with at.running():
            before = len(at.server.world.calls)
            use = at.server.people.command(
                at.ada, at.place, "ask", {"text": "draw a dot", "file": ("a.png", b"png")}
            )
            assert await _answered(at, use) == ["ada asked: draw a dot 📎 a.png"]
            invocation = at.listener.invocations[0]
            assert use.original is not None
            assert invocation.thread.root == str(use.original.id)
            assert (await at.chat.download(invocation.files[0])).data == b"png"

            asked = Incoming(
                id=f"ask-{invocation.id}",
                thread=invocation.thread,
                person=invocation.person,
                text="draw a dot",
                files=(),
                at=datetime.now(UTC),
                addressing=Addressing(mentioned=True),
            )
            run = RunId("run")
            await at.chat.follow(asked, run, told(*whole(run, "A dot.")))
            thread = at.server.world.channels[use.original.id]

            assert [m.text for m in at.server.transcript(thread)] == ["A dot."]
            assert thread.name == "draw a dot"
            calls = [call.name for call in at.server.world.calls[before:]]
            assert calls == ["POST callback", "PATCH webhook", "POST thread", "POST message"]


async def test_in_a_thread_a_command_is_about_that_thread() -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        async with at.running():
            message, _ = await at.asks("draw a dot")
            thread = at.server.people.thread(at.ada, at.place.said[0], "dot")
            await _answered(at, at.server.people.command(at.ada, thread, "help"))
            await _answered(at, at.server.people.command(at.ada, at.place, "help"))

            first, second = (invocation.thread for invocation in at.listener.invocations)
            assert first == message.thread
            assert second == Thread(message.thread.channel, "")


@pytest.mark.parametrize("restarted", [False, True])
async def test_every_button_works_before_and_after_a_restart(*, restarted: bool) -> None:
    actions = [
        *list_actions(Board((TaskRow(TaskId(1), "text-to-image"),), end=Answer(RunId("r"), "")))
    ]
    async with scene() as at:
        at.listener.reply = Reply("Noted.")
        async with at.running():
            message, run = await at.asks("draw a dot")
            await at.chat.follow(message, run, told(*whole(run)))
            for action in () if restarted else actions:
                await _press(at, action)
        if restarted:
            at.chat = at.new_chat()
            async with at.running():
                for action in actions:
                    await _press(at, action)

        assert [press.action for press in at.listener.presses] == actions
        assert {press.run for press in at.listener.presses} == {run}
        assert {press.thread for press in at.listener.presses} == {message.thread}


async def _press(at: DiscordScene, action: Action) -> None:
    message, _ = at.listener.received[0]
    use = at.server.people.press(at.ada, at.answers(message)[0], f":{action}:")
    assert await _answered(at, use) == ["Noted."]
    assert use.answers[0].seen_only_by == at.ada.id


async def test_an_answer_that_compares_models_has_buttons_for_both() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        files = [await picture(at.files, f"{letter}-dot.png") for letter in "AB"]
        *events, answered = whole(run, "Two dots.", files)
        assert isinstance(answered, Answered)
        comparison = Comparison("text-to-image", "one", "two")
        end = Answered(replace(answered.answer, comparison=comparison))
        await at.chat.follow(message, run, told(*events, end))
        (answer,) = at.answers(message)

        assert [button["custom_id"] for button in answer.buttons] == [
            f"troupe:{action}:{run}"
            for action in (
                Action.RETRY,
                Action.ANOTHER,
                Action.DETAILS,
                Action.FIRST,
                Action.SECOND,
            )
        ]


@pytest.mark.parametrize("restarted", [False, True])
async def test_an_option_of_a_private_message_is_a_click(*, restarted: bool) -> None:
    async with scene() as at:
        async with at.running():
            message, run = await at.asks("draw a dot")
            await at.chat.follow(message, run, told(*whole(run)))
            first, details = await _see_details(at, run)
            if not restarted:
                assert await _choose(at, details) == ["Not here."]
        if restarted:
            at.chat = at.new_chat()
            async with at.running():
                assert await _choose(at, details) == ["Not here."]

        click = at.listener.presses[-1]
        (element,) = details.buttons
        assert first.buttons == []
        assert element["placeholder"] == english("button-choose")
        assert [(option["label"], option["description"]) for option in element["options"]] == [
            ("org/one", "1 Picture"),
            ("l" * 98, "1 Picture"),
        ]
        assert (click.action, click.run, click.value) == (Action.CHOOSE, run, "1 org/one")
        assert click.thread.channel == message.thread.channel


async def _see_details(at: DiscordScene, run: RunId) -> Sequence[Message]:
    """Press Details for two messages with a select."""
    names = ("org/one", "l" * 98, "too-long" * 20)
    options = tuple(SelectOption(f"1 {name}", name, "1 Picture") for name in names)
    at.listener.reply = Reply("A plan. " * 300, select=Select(Action.CHOOSE, run, options))
    message, _ = at.listener.received[0]
    use = at.server.people.press(at.ada, at.answers(message)[0], "Details")
    await at.server.world.until(lambda: len(use.answers) == 2)
    at.listener.reply = Reply("Not here.")
    return use.answers


async def _choose(at: DiscordScene, details: Message) -> Sequence[str]:
    return await _answered(at, at.server.people.choose(at.ada, details, "1 org/one"))


async def test_what_else_a_command_can_show_is_chosen_and_replaces_the_page() -> None:
    options = (SelectOption("image", "Pictures", ""), SelectOption("audio", "Sound", ""))
    more = CommandSelect("models", LocalizedText("tasks-pick"), options)
    async with scene() as at:
        at.listener.commands = TABLE
        at.listener.reply = Reply("What works here", more=more)
        async with at.running():
            use = at.server.people.command(at.ada, at.place, "models", {})
            await _answered(at, use)
            at.listener.reply = Reply("Sounds", more=more)
            chosen = at.server.people.choose(at.ada, use.answers[0], "audio")
            await at.server.world.until(lambda: "Sounds" in use.answers[0].text)
            invocation = at.listener.invocations[-1]

        assert chosen.callback
        assert (invocation.command, invocation.args) == ("models", {"kind": "audio"})


@pytest.mark.parametrize(("tasks", "selects"), [(1, 1), (3, 3), (5, 5), (6, 3), (12, 4)])
async def test_models_are_offered_in_a_select_for_each_task_or_a_few(
    tasks: int, selects: int
) -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run)))
        options = tuple(
            SelectOption(f"{task} org/{model}", f"org/{model}", f"{task} Picture")
            for task in range(1, tasks + 1)
            for model in range(100 // tasks)
        )
        at.listener.reply = Reply("A plan.", select=Select(Action.CHOOSE, run, options))
        use = at.server.people.press(at.ada, at.answers(message)[0], "Details")
        await _answered(at, use)
        elements = use.answers[0].buttons
        at.listener.reply = Reply("Not here.")
        chosen = at.server.people.choose(at.ada, use.answers[0], f"{tasks} org/0")
        await _answered(at, chosen)

        assert len(elements) == selects
        assert {option["description"] for each in elements for option in each["options"]} == {
            option.group for option in options
        }
        assert [each["placeholder"] for each in elements][-1].endswith(
            f"{tasks} Picture" if tasks > 1 else english("button-choose")
        )
        click = at.listener.presses[-1]
        assert (click.action, click.run, click.value) == (Action.CHOOSE, run, f"{tasks} org/0")


async def test_a_press_is_taken_once_though_told_three_times() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run)))
        at.server.faults.deliver = 3
        use = at.server.people.press(at.ada, at.answers(message)[0], "Retry")
        await _answered(at, use)

        assert len(at.listener.presses) == 1


async def test_a_press_noticed_too_late_is_still_done_and_answered_in_the_channel() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        await at.chat.follow(message, run, told(*whole(run)))
        at.server.faults.interactions_too_late = True
        at.server.people.press(at.ada, at.answers(message)[0], "Details")
        await at.sees("done")

        assert at.listener.presses[0].action is Action.DETAILS


async def test_who_may_not_is_told_so() -> None:
    async with scene() as at:
        at.listener = Refusing(TABLE, error=NotAllowed("not-allowed"))
        async with at.running():
            use = at.server.people.command(at.ada, at.place, "help")

            assert await _answered(at, use) == [english("not-allowed")]


async def test_a_bug_behind_a_command_is_told_with_a_reference() -> None:
    async with scene() as at:
        at.listener = Refusing(TABLE, error=RuntimeError("oops"))
        async with at.running():
            use = at.server.people.command(at.ada, at.place, "help")

            (said,) = await _answered(at, use)
            assert said.startswith(
                "Something went wrong in the bot itself. An admin can find it in the log under"
            )


@pytest.mark.parametrize("trouble", [Trouble.LOST, Trouble.UNAVAILABLE])
async def test_an_acknowledgement_whose_response_is_lost_is_made_good(trouble: Trouble) -> None:
    async with scene() as at:
        at.listener.commands = TABLE
        at.listener.reply = Reply("Noted.")
        async with at.running():
            at.server.faults.next("POST callback", trouble)
            use = at.server.people.command(at.ada, at.place, "help")

            assert await _answered(at, use) == ["Noted."]


async def test_equal_parts_of_a_long_reply_are_all_posted() -> None:
    part = "x" * 1990
    async with scene() as at:
        at.listener.commands = TABLE
        at.listener.reply = Reply("\n".join([part] * 3))
        async with at.running():
            at.server.faults.next("POST webhook", Trouble.UNAVAILABLE)  # the first is known by then
            use = at.server.people.command(at.ada, at.place, "help")
            await at.server.world.until(lambda: len(use.answers) == 3)

            assert await _answered(at, use) == [part] * 3
