"""One message under one key: posted once, edited as often as it takes."""

import base64
import hashlib
import io
from dataclasses import dataclass
from typing import Any

import discord

from adapters.discord.errors import persistently
from adapters.discord.pages import Enclosure, Page
from adapters.discord.turns import Turns
from pipeline.domain import Action, RunId
from pipeline.errors import ChatGone
from pipeline.ports import Ledger, Posting

_NONCE, _ALT, _LOOK_BACK = 25, 1024, 100
_STYLES = {
    Action.STOP: discord.ButtonStyle.danger,
    Action.RETRY: discord.ButtonStyle.primary,
}
Said = discord.Message | discord.PartialMessage
Room = (
    discord.TextChannel
    | discord.Thread
    | discord.VoiceChannel
    | discord.StageChannel
    | discord.DMChannel
)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an answer goes: a place, and the message there that it replies to."""

    room: Room
    after: int
    """The newest message that was there before the answer could be."""
    reply_to: int | None = None


@dataclass(frozen=True, slots=True)
class Poster:
    """Posts under keys of the ledger; a receipt is the place and the message."""

    ledger: Ledger
    client: discord.Client
    turns: Turns

    async def post(self, run: RunId, key: str, spot: Spot, page: Page) -> tuple[Said, bool]:
        """The message under a key, and whether it was just posted as the page says. Raises ChatError."""
        state, receipt = await self.ledger.begin(key)
        if state is Posting.POSTED:
            return self.at(receipt), False
        if state is Posting.UNSURE:
            found = await self._look_back(run, key, spot, page)
            if found is not None:
                await self.ledger.done(key, _receipt(found))
                return found, False
        said = await persistently(lambda: _send(spot, page, nonce_of(key)))
        await self.ledger.done(key, _receipt(said))
        return said, True

    def at(self, receipt: str) -> discord.PartialMessage:
        """The message behind a receipt."""
        room, _, number = receipt.partition("/")
        return self.client.get_partial_messageable(int(room)).get_partial_message(int(number))

    async def reopen(self, said: Said) -> None:
        """Bring back a thread that was put away meanwhile, so that what stands in it can be changed. Raises ChatError."""
        place = said.channel.id
        await persistently(lambda: self.client.http.edit_channel(place, archived=False))

    async def _look_back(self, run: RunId, key: str, spot: Spot, page: Page) -> Said | None:
        """The post that may have been made before we were interrupted, found by its buttons or its words."""
        first = key.endswith(":0")
        for said in await _since(spot):
            if said.author != self.client.user:
                continue
            if _belongs_to(said, run) if first else _is_page(said, page):
                return said
        return None


def _receipt(said: Said) -> str:
    return f"{said.channel.id}/{said.id}"


async def _since(spot: Spot) -> list[discord.Message]:
    """What was said since, oldest first; nothing where the bot may not read."""

    async def read() -> list[discord.Message]:
        after = discord.Object(spot.after)
        pages = spot.room.history(limit=_LOOK_BACK, after=after, oldest_first=True)
        return [said async for said in pages]

    try:
        return await persistently(read)
    except ChatGone:
        return []


async def edit(said: Said, page: Page, *, files: bool) -> None:
    """Make a message say what a page says; `files` replaces its files too. Raises ChatError."""
    await persistently(lambda: _edit(said, page, files=files))


async def _edit(said: Said, page: Page, *, files: bool) -> None:
    if files:
        await said.edit(content=page.text, view=_view(page), attachments=attached(page.files))
    else:
        await said.edit(content=page.text, view=_view(page))


async def _send(spot: Spot, page: Page, nonce: str) -> discord.Message:
    """The library sets enforce_nonce with a nonce: a repeat gives the first message back."""
    what: dict[str, Any] = {"view": _view(page), "reference": _reference(spot)}
    given = {name: value for name, value in what.items() if value is not None}
    said: discord.Message = await spot.room.send(
        page.text,
        nonce=nonce,
        files=attached(page.files),
        suppress_embeds=True,
        mention_author=False,
        **given,
    )
    return said


def nonce_of(key: str) -> str:
    """The same short text for the same key."""
    digest = hashlib.sha256(key.encode()).digest()
    return base64.b32encode(digest).decode().lower()[:_NONCE]


def attached(files: tuple[Enclosure, ...]) -> list[discord.File]:
    """Files to be sent, anew for every attempt: the library closes them."""
    return [
        discord.File(io.BytesIO(file.data), file.name, description=file.alt[:_ALT] or None)
        for file in files
    ]


def _reference(spot: Spot) -> discord.MessageReference | None:
    if spot.reply_to is None:
        return None
    guild = spot.room.guild
    return discord.MessageReference(
        message_id=spot.reply_to,
        channel_id=spot.room.id,
        guild_id=guild.id if guild else None,
        fail_if_not_exists=False,
    )


def _view(page: Page) -> discord.ui.View | None:
    """Buttons whose ids say all: the library need not remember the view."""
    if not page.buttons:
        return None
    view = discord.ui.View(timeout=None)
    for button in page.buttons:
        style = _STYLES.get(button.action, discord.ButtonStyle.secondary)
        view.add_item(discord.ui.Button(label=button.label, custom_id=button.id, style=style))
    view.stop()
    return view


def _belongs_to(said: discord.Message, run: RunId) -> bool:
    rows = [part for part in said.components if isinstance(part, discord.ActionRow)]
    buttons = [part for row in rows for part in row.children]
    return any(str(getattr(part, "custom_id", "")).endswith(f":{run}") for part in buttons)


def _is_page(said: discord.Message, page: Page) -> bool:
    """A page that was being written when we were interrupted begins as it begins now."""
    common = min(len(said.content), len(page.text))
    if not common:
        names = [file.filename for file in said.attachments]
        return not (said.content or page.text) and names == [file.name for file in page.files]
    return said.content[:common] == page.text[:common]


async def take_back(said: Said) -> None:
    """Delete a message of ours that has become too much."""
    try:
        await persistently(said.delete)
    except ChatGone:
        return
