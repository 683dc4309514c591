"""The pure parts: names in texts, commands, the invitation, and errors."""

import aiohttp
import discord
import pytest

from adapters.discord.addresses import versioned
from adapters.discord.commands import differ, focused, given, payloads
from adapters.discord.entities import resolved
from adapters.discord.errors import told
from adapters.discord.invite import invite
from adapters.discord.pages import pressed
from adapters.discord.posting import nonce_of
from pipeline.domain import Action, Command, Option
from pipeline.errors import ChatError, ChatGone, SettingsError
from pipeline.words import known
from tests.servers.discord.schema import check_commands

ME = 111111111111111111


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (f"<@{ME}> draw a cat", "draw a cat"),
        (f"<@!{ME}>, draw", "draw"),
        (f"draw this <@{ME}>", "draw this"),
        (f"ask <@{ME}> to draw", "ask @Troupe to draw"),
        ("hello <@222222222222222222>", "hello @Bob"),
        ("see <#333333333333333333>", "see #general"),
        ("<@&444444444444444444> look", "@artists look"),
        ("nice <:party:555555555555555555> <a:dance:5>", "nice :party: :dance:"),
        ("at <t:0:R>", "at 1970-01-01 00:00 UTC"),
        ("use </models:666>", "use /models"),
        ("unknown <@999999999999999999>", "unknown @999999999999999999"),
    ],
)
def test_what_people_mention_is_read_by_its_name(text: str, read: str) -> None:
    names = {
        str(ME): "Troupe",
        "222222222222222222": "Bob",
        "333333333333333333": "general",
        "444444444444444444": "artists",
    }

    assert resolved(text, names, ME) == read


def test_the_table_of_commands_becomes_commands_that_discord_takes() -> None:
    table = [
        Command(
            "ask",
            "Ask",
            (Option("file", "A file", file=True), Option("text", "x" * 200, required=True)),
        ),
        Command("models", "Models", (Option("kind", "Kind", completed=True),)),
        Command("forget", "Forget", (Option("what", "What", choices=("me", "thread")),)),
    ]

    made = payloads(table)

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


def test_the_arguments_and_files_of_a_command_are_read() -> None:
    file = {
        "id": "7",
        "filename": "a.png",
        "url": "https://x/a.png",
        "size": 3,
        "content_type": "image/png",
    }
    data = {
        "options": [
            {"name": "text", "type": 3, "value": "hi"},
            {"name": "file", "type": 11, "value": "7"},
        ],
        "resolved": {"attachments": {"7": file}},
    }

    args, links = given(data)

    assert args == {"text": "hi"}
    assert [(link.name, link.media_type, link.size) for link in links] == [
        ("a.png", "image/png", 3)
    ]


def test_the_option_being_typed_is_found() -> None:
    data = {"options": [{"name": "a", "value": "1"}, {"name": "b", "value": "im", "focused": True}]}

    assert focused(data) == ("b", "im")


@pytest.mark.parametrize("path", ["", "/", "/api", "/api/", "/api/v10", "/api/v10/"])
def test_the_address_of_the_api_may_leave_its_version_out(path: str) -> None:
    assert versioned(f"http://localhost:1{path}") == "http://localhost:1/api/v10"


def test_the_invitation_names_the_permissions_and_scopes() -> None:
    link = invite(42)

    assert link.startswith("https://discord.com/oauth2/authorize?client_id=42&permissions=")
    assert link.endswith("&scope=bot+applications.commands")


@pytest.mark.parametrize(
    "custom_id", ["", "troupe", "troupe:stop:", "other:stop:1", "troupe:fly:1"]
)
def test_a_button_of_somebody_else_is_nothing(custom_id: str) -> None:
    assert pressed(custom_id) is None


def test_a_button_says_all_there_is_to_know() -> None:
    assert pressed("troupe:stop:run:1") == (Action.STOP, "run:1")


def test_a_key_makes_a_nonce_that_discord_takes() -> None:
    assert nonce_of("run:page:1") == nonce_of("run:page:1")
    assert nonce_of("run:page:1") != nonce_of("run:page:2")
    assert len(nonce_of("x" * 500)) == 25


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

    ours = told(error)

    assert isinstance(ours, ChatError | ChatGone | SettingsError)
    assert known(ours.sentence.id)
