"""Buttons, slash commands and their completions: acknowledged at once, then answered to whoever used them."""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from uuid import uuid4

import discord
import structlog

from adapters.discord.commands import focused, given
from adapters.discord.errors import ACKNOWLEDGED, UNKNOWN_INTERACTION, persistently
from adapters.discord.hearing import person_of, thread_in
from adapters.discord.markup import escaped, pages
from adapters.discord.pages import Enclosure, pressed
from adapters.discord.posting import attached, nonce_of
from adapters.discord.threads import root_of
from adapters.discord.turns import Rank, Turns
from pipeline.domain import Command, Invocation, Link, Person, Press, Reply, Sentence, Thread
from pipeline.errors import ChatError, TroupeError
from pipeline.ports import Files, Listener
from pipeline.text import shortened
from pipeline.words import say

log = structlog.get_logger()

_QUOTED, _FILES = 300, 10
Used = discord.Interaction[discord.Client]


@dataclass(frozen=True, slots=True)
class Desk:
    """Answers what people use. `late` uses are still done, and answered in the channel."""

    listener: Listener
    files: Files
    turns: Turns

    async def use(self, used: Used) -> None:
        match used.type:
            case discord.InteractionType.autocomplete:
                await self._complete(used)
            case discord.InteractionType.application_command:
                await self._command(used)
            case discord.InteractionType.component:
                await self._press(used)
            case _:
                log.info("an interaction that is not ours", kind=str(used.type))

    async def _complete(self, used: Used) -> None:
        data = _data(used)
        option, typed = focused(data)
        thread = await _thread(used, "")
        words = await self.listener.completions(str(data["name"]), option, typed, thread)
        choices = [discord.app_commands.Choice(name=word, value=word) for word in words]
        try:
            await used.response.autocomplete(choices)
        except discord.HTTPException as error:
            log.info("completions came too late", code=error.code)

    async def _press(self, used: Used) -> None:
        found = pressed(str(_data(used).get("custom_id", "")))
        if found is None:
            return
        in_time = await _acknowledged(used, ephemeral=True)
        if in_time is None:
            return
        action, run = found
        person = person_of(used.user, str(used.locale))
        press = Press(str(used.id), action, run, person, await _thread(used, ""))
        reply = await _answered(self.listener.pressed(press), person)
        if reply.text:
            await self.turns.take(Rank.MEANWHILE)
            await self._tell(used, reply, in_time=in_time, first=False)

    async def _command(self, used: Used) -> None:
        data = _data(used)
        command = next((c for c in self.listener.commands if c.name == data["name"]), None)
        if command is None:
            return
        in_time = await _acknowledged(used, ephemeral=command.private)
        if in_time is None:
            return
        args, links = given(data)
        person = person_of(used.user, str(used.locale))
        thread = await _thread(used, await _root(used, command) if in_time else "")
        invocation = Invocation(str(used.id), command.name, args, person, thread, links)
        reply = await _answered(self.listener.invoked(invocation), person)
        if not reply.text and not reply.files:
            reply = Reply(_asked(invocation, links, person), reply.private, run=reply.run)
        await self._tell(used, reply, in_time=in_time, first=True)

    async def _tell(self, used: Used, reply: Reply, *, in_time: bool, first: bool) -> None:
        """The reply, to the person alone where it is private; in the channel when the interaction was too late."""
        texts = [*pages(reply.text)] or ["✅"]
        enclosures = [
            Enclosure(file.name, await self.files.get(file.hash), file.description)
            for file in reply.files[:_FILES]
        ]
        for number, text in enumerate(texts):
            files = tuple(enclosures) if number == len(texts) - 1 else ()
            try:
                await _say(used, text, files, number=number, in_time=in_time, first=first)
            except ChatError as error:
                log.info("a reply could not be told", problem=str(error))
                return


async def _say(
    used: Used,
    text: str,
    files: tuple[Enclosure, ...],
    *,
    number: int,
    in_time: bool,
    first: bool,
) -> None:
    if not in_time:
        room = cast("discord.TextChannel", used.channel)
        nonce = nonce_of(f"{used.id}:{number}")
        await persistently(lambda: room.send(text, files=attached(files), nonce=nonce))
    elif first and number == 0:
        await persistently(
            lambda: used.edit_original_response(content=text, attachments=attached(files))
        )
    else:
        await persistently(
            lambda: used.followup.send(text, files=attached(files), ephemeral=True, wait=True)
        )


async def _acknowledged(used: Used, *, ephemeral: bool) -> bool | None:
    """Within three seconds; False when that was missed, None when somebody did it already."""
    try:
        await used.response.defer(ephemeral=ephemeral)
    except discord.InteractionResponded:
        return None
    except discord.HTTPException as error:
        if error.code == ACKNOWLEDGED:
            return None
        if error.code != UNKNOWN_INTERACTION:
            log.warning("an interaction could not be acknowledged", code=error.code)
        return False
    return True


async def _root(used: Used, command: Command) -> str:
    """What a public command answers with is a message, on which the conversation can hang."""
    if command.private:
        return ""
    original = await persistently(used.original_response)
    return str(original.id)


async def _thread(used: Used, root: str) -> Thread:
    room = used.channel
    if room is None:
        return thread_in(discord.Object(used.channel_id or 0), root)
    if used.message is not None and not isinstance(room, discord.Thread):
        root = str(await root_of(used.message))
    return thread_in(room, root)


def _data(used: Used) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", used.data or {})


def _asked(invocation: Invocation, links: Sequence[Link], person: Person) -> str:
    """What a command was, for the others to see what is answered."""
    words = " ".join(invocation.args.values())
    files = " ".join(f"📎 {link.name}" for link in links)
    sentence = Sentence(
        "discord-asked", {"name": person.name, "words": shortened(f"{words} {files}", _QUOTED)}
    )
    return escaped(say(person.locale, sentence))


async def _answered(reply: Awaitable[Reply], person: Person) -> Reply:
    """The reply, or what went wrong in plain words; a bug with the reference under which it is in the log."""
    try:
        return await reply
    except TroupeError as error:
        return Reply(escaped(say(person.locale, error.sentence)))
    except Exception:  # the boundary of what a person uses
        reference = uuid4().hex[:8]
        log.exception("an interaction broke", reference=reference)
        return Reply(say(person.locale, Sentence("apology-bug", {"reference": reference})))
