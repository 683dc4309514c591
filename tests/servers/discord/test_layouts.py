"""The played Discord's Components V2, judged by discord.py and by wrong requests."""

from collections.abc import Sequence
from typing import Any

import discord
import pytest
from discord import ui
from discord.http import Route, handle_message_parameters

from tests.servers.discord import DiscordServer, play_discord
from tests.servers.discord.client import Listener, listening, picture
from tests.servers.discord.values import LAYOUT, Channel, Json

NOBODY: Json = {"parse": []}
SMALL: Json = {"type": 10, "content": "words"}


def _text(client: Listener, place: Channel) -> discord.TextChannel:
    channel = client.get_channel(place.id)
    assert isinstance(channel, discord.TextChannel)
    return channel


def _place(server: DiscordServer) -> Channel:
    ada = server.people.person("ada")
    return server.people.channel(server.people.guild("team", ada), "general")


def _view(*items: ui.Item[Any]) -> ui.LayoutView:
    view = ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def _gallery(*names: str) -> ui.MediaGallery[Any]:
    items = [discord.MediaGalleryItem(f"attachment://{name}", description=name) for name in names]
    return ui.MediaGallery(*items)


async def _post(client: Listener, place: Channel, **body: object) -> Json:
    route = Route("POST", "/channels/{channel_id}/messages", channel_id=place.id)
    base = {"allowed_mentions": NOBODY, "nonce": "k", "enforce_nonce": True}
    answer: Json = await client.http.request(route, json=base | body)
    return answer


async def test_a_layout_is_kept_and_its_files_are_in_its_components_alone() -> None:
    async with play_discord() as server:
        place = _place(server)
        async with listening(server) as client:
            box = ui.Container(
                ui.TextDisplay("**Two** files"),
                _gallery("cat.png"),
                ui.File("attachment://data.csv"),
                ui.ActionRow(ui.Button(label="Go", custom_id="go")),
                accent_colour=discord.Colour.green(),
            )
            files = [picture(), picture("data.csv")]
            sent = await _text(client, place).send(view=_view(box), files=files, nonce="k")

            (said,) = server.transcript(place)
            assert (said.content, said.text) == ("", "**Two** files")
            assert said.gallery == ["cat.png"]
            assert said.button("Go")
            assert said.colour == discord.Colour.green().value
            assert sent.attachments == []
            container = sent.components[0]
            assert isinstance(container, discord.Container)
            gallery = container.children[1]
            assert isinstance(gallery, discord.MediaGalleryComponent)
            assert gallery.items[0].media.attachment_id == said.uploads[0].id
        assert server.violations == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"components": [SMALL]}, "UNION_TYPE_CHOICES"),
        ({"components": [SMALL], "content": "old"}, "UNION_TYPE_CHOICES"),
        (
            {"components": [SMALL], "content": "old", "flags": LAYOUT},
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
        ),
        (
            {"components": [SMALL], "embeds": [{"title": "old"}], "flags": LAYOUT},
            "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
        ),
        ({"flags": LAYOUT}, "BASE_TYPE_BAD_LENGTH"),
        ({"components": [SMALL] * 41, "flags": LAYOUT}, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"),
        (
            {"components": [{"type": 10, "content": "x" * 2001}] * 2, "flags": LAYOUT},
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
        ),
        ({"components": [{"type": 10, "content": " "}], "flags": LAYOUT}, "BASE_TYPE_REQUIRED"),
        ({"components": [SMALL | {"colour": 1}], "flags": LAYOUT}, "UNKNOWN_KEY"),
        ({"components": [{"type": 12, "items": []}], "flags": LAYOUT}, "BASE_TYPE_BAD_LENGTH"),
        (
            {
                "components": [{"type": 12, "items": [{"media": {"url": "https://x/"}}] * 11}],
                "flags": LAYOUT,
            },
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            {"components": [{"type": 13, "file": {"url": "https://x/a.pdf"}}], "flags": LAYOUT},
            "URL_TYPE_INVALID_SCHEME",
        ),
        (
            {
                "components": [{"type": 13, "file": {"url": "attachment://none.pdf"}}],
                "flags": LAYOUT,
            },
            "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
        ),
        (
            {
                "components": [
                    {"type": 17, "components": [{"type": 17, "components": [SMALL]}]},
                ],
                "flags": LAYOUT,
            },
            "UNION_TYPE_CHOICES",
        ),
    ],
)
async def test_a_wrong_layout_is_refused_and_blamed(body: Json, code: str) -> None:
    async with play_discord() as server:
        place = _place(server)
        async with listening(server) as client:
            with pytest.raises(discord.HTTPException) as caught:
                await _post(client, place, **body)

            assert (caught.value.status, caught.value.code) == (400, 50035)
            assert code in server.violations[0]
            assert server.transcript(place) == []


@pytest.mark.parametrize(
    ("names", "shown"),
    [(["a.png", "b.png"], ["a.png"]), (["größe 1.png"], ["größe 1.png"])],
)
async def test_files_that_no_component_shows_or_finds_are_refused(
    names: Sequence[str], shown: Sequence[str]
) -> None:
    async with play_discord() as server:
        place = _place(server)
        async with listening(server) as client:
            files = [picture(name) for name in names]
            with pytest.raises(discord.HTTPException):
                await _text(client, place).send(
                    view=_view(_gallery(*shown)), files=files, nonce="k"
                )

            assert len(server.violations) == 1


async def test_an_edit_keeps_a_file_by_id_and_name_and_never_takes_the_flag_away() -> None:
    async with play_discord() as server:
        place = _place(server)
        async with listening(server) as client:
            sent = await _text(client, place).send(
                view=_view(_gallery("cat.png")), files=[picture()], nonce="k"
            )
            (said,) = server.transcript(place)
            file = said.uploads[0]
            words = {"type": 10, "content": "now with words"}
            shown = {"type": 12, "items": [{"media": {"url": "attachment://cat.png"}}]}
            kept = {"id": str(file.id), "filename": "cat.png"}
            route = Route(
                "PATCH",
                "/channels/{channel_id}/messages/{message_id}",
                channel_id=place.id,
                message_id=sent.id,
            )
            body = {"components": [words, shown], "flags": LAYOUT, "allowed_mentions": NOBODY}
            await client.http.request(route, json=body | {"attachments": [kept]})

            assert (said.text, said.uploads) == ("now with words", [file])
            for wrong in (
                {"attachments": [{"id": str(file.id)}]},
                {"attachments": [kept], "flags": 0},
                {"attachments": [kept], "content": "words"},
            ):
                with pytest.raises(discord.HTTPException):
                    await client.http.request(route, json=body | wrong)
            assert (said.text, said.uploads) == ("now with words", [file])
            assert len(server.violations) == 3


@pytest.mark.parametrize("emptied", [True, False])
async def test_a_message_with_content_becomes_a_layout_only_if_it_is_emptied(
    *, emptied: bool
) -> None:
    async with play_discord() as server:
        place = _place(server)
        async with listening(server) as client:
            sent = await _text(client, place).send("old words", nonce="k")
            options: dict[str, Any] = {"content": None} if emptied else {}
            with handle_message_parameters(
                view=_view(ui.TextDisplay("new words")),
                allowed_mentions=discord.AllowedMentions.none(),
                **options,
            ) as params:
                edit = client.http.edit_message(place.id, sent.id, params=params)
                if emptied:
                    await edit
                else:
                    with pytest.raises(discord.HTTPException):
                        await edit

            (said,) = server.transcript(place)
            assert said.text == ("new words" if emptied else "old words")
            assert len(server.violations) == (0 if emptied else 1)
