"""Played buttons, commands and autocomplete, judged by discord.py itself."""

import asyncio
import io

import discord
import pytest

from tests.servers.discord import DiscordServer, play_discord
from tests.servers.discord.client import Listener, listening
from tests.servers.discord.modals import check_modal
from tests.servers.discord.values import Account, Channel, Refusal

COMMANDS: list[dict[str, object]] = [
    {
        "name": "models",
        "description": "Which models there are",
        "options": [
            {"name": "kind", "description": "of which kind", "type": 3, "autocomplete": True},
            {"name": "file", "description": "one file", "type": 11},
        ],
    },
    {
        "name": "forget",
        "description": "Forget something",
        "options": [{"name": "me", "description": "What I said", "type": 1}],
    },
]


def _scene(server: DiscordServer) -> tuple[Account, Channel]:
    ada = server.people.person("ada")
    return ada, server.people.channel(server.people.guild("team", ada), "general")


async def _registered(server: DiscordServer, client: Listener) -> None:
    await client.http.bulk_upsert_global_commands(server.bot.id, payload=COMMANDS)


async def test_a_command_is_deferred_followed_up_and_edited() -> None:
    async with play_discord() as server:
        ada, place = _scene(server)
        async with listening(server) as client:
            await _registered(server, client)
            use = server.people.command(ada, place, "models", {"kind": "image"})
            interaction = await client.used.get()
            await interaction.response.defer(ephemeral=True, thinking=True)
            await interaction.edit_original_response(content="these")
            more = discord.File(io.BytesIO(b"1"), "list.csv", description="all of them")
            await interaction.followup.send("and a file", file=more, ephemeral=True)

            assert [m.content for m in use.answers] == ["these", "and a file"]
            assert all(m.seen_only_by == ada.id for m in use.answers)
            assert place.said == []
        assert server.violations == []


async def test_what_one_person_sees_comes_back_as_a_direct_message_of_the_interaction() -> None:
    async with play_discord(shards=2) as server:
        ada, place = _scene(server)
        async with listening(server) as client:
            await _registered(server, client)
            use = server.people.command(ada, place, "models")
            interaction = await client.used.get()
            await interaction.response.defer(ephemeral=True, thinking=True)
            await interaction.edit_original_response(content="these")
            sent = await interaction.followup.send("and these", ephemeral=True, wait=True)
            await server.world.until(lambda: len(client.addressing) == 2)

            thinking, more = client.addressing
            assert (more.id, more.guild, more.channel.id) == (sent.id, None, place.id)
            assert more.webhook_id == client.application_id
            for message in (thinking, more):
                assert message.interaction_metadata is not None
                assert message.interaction_metadata.id == use.id
            assert more.interaction_metadata is not None
            assert more.interaction_metadata.original_response_message_id == thinking.id


async def test_a_subcommand_and_a_file_arrive() -> None:
    async with play_discord() as server:
        ada, place = _scene(server)
        async with listening(server) as client:
            await _registered(server, client)
            server.people.command(ada, place, "forget me")
            first = await client.used.get()
            server.people.command(ada, place, "models", {"file": ("a.txt", b"hello")})
            second = await client.used.get()

            assert first.data is not None
            assert first.data["options"][0]["name"] == "me"  # type: ignore[typeddict-item]
            resolved = second.data["resolved"]["attachments"]  # type: ignore[typeddict-item,index]
            assert [file["filename"] for file in resolved.values()] == ["a.txt"]


async def test_a_button_press_updates_its_message() -> None:
    async with play_discord() as server:
        ada, place = _scene(server)
        async with listening(server) as client:
            channel = client.get_channel(place.id)
            assert isinstance(channel, discord.TextChannel)
            view = discord.ui.View(timeout=None)
            view.add_item(discord.ui.Button(label="Stop", custom_id="stop:1"))
            await channel.send("working", view=view, nonce="k")
            use = server.people.press(ada, server.transcript(place)[0], "Stop")
            interaction = await client.used.get()
            await interaction.response.edit_message(content="stopped", view=None)

            assert server.transcript(place)[0].content == "stopped"
            assert server.transcript(place)[0].components == []
            assert use.acknowledged_after is not None


async def test_a_late_answer_is_an_unknown_interaction() -> None:
    async with play_discord() as server:
        ada, place = _scene(server)
        async with listening(server) as client:
            await _registered(server, client)
            server.faults.interactions_too_late = True
            server.people.command(ada, place, "models")
            interaction = await client.used.get()
            with pytest.raises(discord.NotFound) as caught:
                await interaction.response.send_message("late")

            assert caught.value.code == 10062


async def test_autocomplete_takes_25_choices_and_no_more() -> None:
    async with play_discord() as server:
        ada, place = _scene(server)
        choices = [discord.app_commands.Choice(name=f"n{n}", value=f"n{n}") for n in range(26)]
        async with listening(server) as client:
            await _registered(server, client)
            first = server.people.suggest(ada, place, "models", "kind", "im")
            interaction = await client.used.get()
            await interaction.response.autocomplete(choices[:25])
            server.people.suggest(ada, place, "models", "kind", "im")
            interaction = await client.used.get()
            with pytest.raises(discord.HTTPException):
                await interaction.response.autocomplete(choices)

            assert first.callback is not None
            assert len(first.callback["choices"]) == 25
            assert len(server.violations) == 1


async def test_commands_that_discord_refuses_are_refused() -> None:
    wrong: list[dict[str, object]] = [{"name": "Models", "description": "upper case"}]
    async with play_discord() as server:
        _scene(server)
        async with listening(server) as client:
            with pytest.raises(discord.HTTPException):
                await client.http.bulk_upsert_global_commands(server.bot.id, payload=wrong)
            await asyncio.sleep(0)

            assert server.violations


async def test_a_modal_is_shown_filled_in_and_submitted() -> None:
    async with play_discord() as server:
        ada, place = _scene(server)
        async with listening(server) as client:
            await _registered(server, client)
            use = server.people.command(ada, place, "models")
            interaction = await client.used.get()
            modal = discord.ui.Modal(title="Models", custom_id="m")
            options = [discord.SelectOption(label=word, value=word) for word in ("a", "b")]
            parts: dict[str, discord.ui.Item[discord.ui.Modal]] = {
                "Words": discord.ui.TextInput(custom_id="words"),
                "Kinds": discord.ui.Select(custom_id="kinds", options=options, max_values=2),
                "Files": discord.ui.FileUpload(custom_id="files", required=False, min_values=0),
            }
            for text, part in parts.items():
                modal.add_item(discord.ui.Label(text=text, component=part))
            await interaction.response.send_modal(modal)
            given = {"words": "hello", "kinds": ["b"], "files": [("a.txt", b"hi")]}
            answered = server.people.submit(ada, use, given)
            submitted = await client.used.get()
            await submitted.response.send_message("thanks", ephemeral=True)

            assert submitted.type is discord.InteractionType.modal_submit
            assert "hello" in str(submitted.data)
            assert [m.content for m in answered.answers] == ["thanks"]
        assert server.violations == []


_TEXT: dict[str, object] = {"type": 4, "custom_id": "t", "style": 1}
_FILES: dict[str, object] = {"type": 19, "custom_id": "f"}
_SELECT: dict[str, object] = {
    "type": 3,
    "custom_id": "s",
    "options": [{"label": "a", "value": "a"}, {"label": "b", "value": "b"}],
}


def _modal(*parts: dict[str, object], **changes: object) -> dict[str, object]:
    labels = [{"type": 18, "label": "L", "component": part} for part in parts]
    return {"custom_id": "m", "title": "T", "components": labels} | changes


def test_modals_that_discord_shows_are_accepted() -> None:
    check_modal(_modal(_TEXT, _FILES, _SELECT))


@pytest.mark.parametrize(
    "wrong",
    [
        _modal(_TEXT, title="x" * 46),
        _modal(_TEXT, custom_id=""),
        _modal(_TEXT, flags=64),
        _modal(),
        _modal(*({**_TEXT, "custom_id": str(number)} for number in range(6))),
        _modal(_TEXT, _TEXT),
        _modal(_TEXT, components=[{"type": 1, "components": [_TEXT]}]),
        _modal(_TEXT, components=[{"type": 18, "label": "x" * 46, "component": _TEXT}]),
        _modal({**_TEXT, "style": 3}),
        _modal({**_TEXT, "max_length": 4001}),
        _modal({**_TEXT, "label": "twice"}),
        _modal({**_FILES, "max_values": 11}),
        _modal({**_FILES, "min_values": 0}),
        _modal({**_SELECT, "options": []}),
        _modal({**_SELECT, "max_values": 3}),
        _modal({**_SELECT, "required": "no"}),
        _modal({"type": 2, "custom_id": "b", "style": 1, "label": "a button"}),
    ],
)
def test_modals_that_discord_refuses_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(Refusal, match="Invalid Form Body"):
        check_modal(wrong)
