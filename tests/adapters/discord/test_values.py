"""The pure parts: names in texts, commands, the invitation, and errors."""

import aiohttp
import discord
import pytest

from adapters.discord.acting.first_responses import find_focused
from adapters.discord.connecting.invitation import PERMISSIONS, invite
from adapters.discord.connecting.registration import describe_commands, differ
from adapters.discord.reading.contents import strip_mention
from adapters.discord.showing.buttons import parse_button
from adapters.discord.web_api.calls import make_nonce
from adapters.discord.web_api.errors import translate_error
from adapters.discord.web_api.library import add_version
from bot.commands.table import COMMANDS
from pipeline.domain import Action, Command, Option
from pipeline.errors import ChatError, ChatGone, SettingsError, TroupeError
from pipeline.words import has_message
from tests.servers.discord.schema import check_commands
from tests.servers.discord.values import Refusal


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("@Troupe draw a cat", "draw a cat"),
        ("@Troupe, @Troupe: draw", "draw"),
        ("draw this @Troupe", "draw this"),
        ("ask @Troupe to draw", "ask @Troupe to draw"),
        ("@Troupers are we", "@Troupers are we"),
    ],
)
def test_the_mention_that_calls_the_bot_is_left_out(text: str, read: str) -> None:
    assert strip_mention(text, "Troupe") == read


def test_the_table_of_commands_becomes_commands_that_discord_takes() -> None:
    table = [
        Command(
            "ask",
            (Option("file", file=True), Option("text", required=True)),
        ),
        Command("models", (Option("kind", completed=True),)),
        Command("forget", (Option("what", choices=("me", "thread")),)),
    ]

    made = describe_commands(table)

    check_commands(made)
    assert [option["name"] for option in made[0]["options"]] == ["text", "file"]
    assert made[0]["description_localizations"]["de"] == "Um etwas bitten, gern mit einer Datei"
    assert set(made[0]["options"][0]["description_localizations"]) == {
        "de",
        "es-ES",
        "es-419",
        "fr",
        "ja",
        "zh-CN",
    }
    assert not differ([{**command, "id": "1", "version": "2"} for command in made], made)
    assert differ(made[:2], made)


def test_every_command_and_option_has_a_name_in_every_language() -> None:
    made = describe_commands(COMMANDS, for_people=True)

    check_commands(made)
    slash = [each for each in made if each["type"] == 1]
    named = [*slash, *(option for each in slash for option in each["options"])]
    assert {len(each["name_localizations"]) for each in named} == {6}
    assert [each["name_localizations"]["de"] for each in slash][:3] == [
        "fragen",
        "modelle",
        "modell",
    ]


@pytest.mark.parametrize("name", ["", "Fragen", "zwei wörter", "x" * 33, "a.b"])
def test_a_translated_name_that_discord_refuses_is_refused(name: str) -> None:
    command = {"name": "ask", "description": "Ask", "name_localizations": {"de": name}}

    with pytest.raises(Refusal, match="Command name is invalid"):
        check_commands([command])


def test_two_commands_with_one_name_in_a_language_are_refused() -> None:
    translated = {"name_localizations": {"de": "fragen"}}
    table = [{"name": name, "description": "D", **translated} for name in ("ask", "query")]

    with pytest.raises(Refusal, match="unique"):
        check_commands(table)


def test_the_option_being_typed_is_found() -> None:
    data = {"options": [{"name": "a", "value": "1"}, {"name": "b", "value": "im", "focused": True}]}

    assert find_focused(data) == ("b", "im")


@pytest.mark.parametrize("path", ["", "/", "/api", "/api/", "/api/v10", "/api/v10/"])
def test_the_address_of_the_api_may_leave_its_version_out(path: str) -> None:
    assert add_version(f"http://localhost:1{path}") == "http://localhost:1/api/v10"


def test_the_invitation_names_the_permissions_and_scopes() -> None:
    link = invite(42)

    assert link.startswith("https://discord.com/oauth2/authorize?client_id=42&")
    assert "scope=bot+applications.commands" in link
    assert f"permissions={PERMISSIONS.value}" in link


def test_the_link_for_oneself_installs_commands_and_asks_for_no_permission() -> None:
    assert invite(42, for_oneself=True) == (
        "https://discord.com/oauth2/authorize?client_id=42&scope=applications.commands"
        "&integration_type=1"
    )


@pytest.mark.parametrize(
    "custom_id", ["", "troupe", "troupe:stop:", "other:stop:1", "troupe:fly:1"]
)
def test_a_button_of_somebody_else_is_nothing(custom_id: str) -> None:
    assert parse_button(custom_id) is None


def test_a_button_says_all_there_is_to_know() -> None:
    assert parse_button("troupe:stop:run:1") == (Action.STOP, "run:1")


def test_a_key_makes_a_nonce_that_discord_takes() -> None:
    assert make_nonce("run:page:1") == make_nonce("run:page:1")
    assert make_nonce("run:page:1") != make_nonce("run:page:2")
    assert len(make_nonce("x" * 500)) == 25


def _vendor_errors() -> list[type[Exception]]:
    def below(kind: type[Exception]) -> list[type[Exception]]:
        return [kind, *(deep for sub in kind.__subclasses__() for deep in below(sub))]

    return [
        kind for kind in below(discord.DiscordException) if "app_commands" not in kind.__module__
    ]


@pytest.mark.parametrize("kind", [*_vendor_errors(), aiohttp.ClientError, OSError, TimeoutError])
def test_every_error_of_the_library_is_told_in_a_sentence_of_ours(kind: type[Exception]) -> None:
    error = kind.__new__(kind)
    for name, value in {"status": 400, "code": 1, "text": "why", "retry_after": 1.0}.items():
        if name in kind.__dict__ or issubclass(
            kind, discord.HTTPException | discord.ConnectionClosed
        ):
            setattr(error, name, value)

    ours = translate_error(error)

    assert isinstance(ours, ChatError | ChatGone | SettingsError)
    assert has_message(ours.sentence.id)


@pytest.mark.parametrize(
    ("code", "kind"),
    [(4004, SettingsError), (4013, SettingsError), (4014, SettingsError)]
    + [(code, ChatError) for code in (1000, 1006, 4010, 4011)],
)
def test_only_what_has_to_be_set_right_ends_the_connection(
    code: int, kind: type[TroupeError]
) -> None:
    closed = discord.ConnectionClosed.__new__(discord.ConnectionClosed)
    closed.code = code

    assert type(translate_error(closed)) is kind
