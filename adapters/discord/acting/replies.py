"""Replies to interactions: in place of "thinking", further below, or as a message."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
import structlog

from adapters.chat.ports import ChatPorts
from adapters.discord.acting.confirmation import make_confirmation
from adapters.discord.acting.first_responses import FirstResponses
from adapters.discord.acting.requests import InteractionRequest
from adapters.discord.acting.selects import make_more, make_selects
from adapters.discord.showing.files import open_file
from adapters.discord.showing.markdown import escape, split_messages
from adapters.discord.web_api.calls import make_nonce, retry_call
from adapters.discord.web_api.library import Interaction, Json
from pipeline.domain import Blob, LocalizedText, Reply
from pipeline.errors import ChatError, ChatGone, ChatRefused
from pipeline.ports import Posting
from pipeline.words import say

_MOST_FILES = 10
"""Files of a message."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class DiscordReplies:
    """Sends the reply to an interaction, once."""

    client: discord.Client
    ports: ChatPorts
    first: FirstResponses

    async def notify(self, request: InteractionRequest, sentence: LocalizedText) -> None:
        """Tell the person something at once: in place of "thinking", which the reply replaces.

        A failure is only logged.
        """
        interaction, text = request.interaction, escape(say(request.person.locale, sentence))
        if interaction.id in self.first.open_forms:  # there is no "thinking" to replace
            return
        try:
            if request.awaits_reply:
                await retry_call(lambda: interaction.edit_original_response(content=text))
            else:
                await retry_call(lambda: interaction.followup.send(text, ephemeral=True))
        except ChatError as error:
            log.info("not notified", error=str(error))

    async def send(self, request: InteractionRequest, reply: Reply) -> None:
        """Send a reply. If Discord takes none here any more, send it as a message.

        Words that Discord refuses are replaced with a sentence that says so. Raises ChatError if
        Discord is down.
        """
        if not reply.private and request.is_private:
            await self._tell_all(request, reply)
        try:
            if request.interaction.id not in self.first.expired:
                await self._respond(request, reply)
                return
        except ChatGone as gone:
            log.info("interaction expired", error=str(gone))
        except ChatRefused as refused:
            await self._respond(request, Reply(say(request.person.locale, refused.sentence)))
            return
        if reply.text:
            await self._post(request, reply)
        self.first.expired.discard(request.interaction.id)

    async def _tell_all(self, request: InteractionRequest, reply: Reply) -> None:
        """Post a reply that concerns others, too, where the command was given."""
        interaction = request.interaction
        try:
            await _post_texts(interaction.channel, f"{interaction.id}:all", reply.text)
        except (ChatGone, ChatRefused) as error:
            log.info("others were not told", error=str(error))

    async def _respond(self, request: InteractionRequest, reply: Reply) -> None:
        """The first text replaces "thinking"; the others are for the person alone."""
        if not (reply.text or reply.files):
            is_response = request.may_open_form or (reply.run is not None and request.runs_here)
            if request.awaits_reply and not is_response:
                await retry_call(request.interaction.delete_original_response)
            return
        texts, before = split_messages(reply.text) or ("✅",), 0
        for number, text in enumerate(texts):
            is_last = number == len(texts) - 1
            blobs = await self._load_files(reply) if is_last else ()
            options = _make_controls(request, reply) if is_last else {}
            before = await self._send_part(request, number, text, blobs, options, before)

    async def _send_part(
        self,
        request: InteractionRequest,
        number: int,
        text: str,
        blobs: Sequence[Blob],
        options: Json,
        after: int,
    ) -> int:
        """Replace "thinking" with a text, or post it further below unless that is done already.

        Returns the message's id. `after` is that of the part before, or 0.
        """
        interaction, key = request.interaction, f"{request.interaction.id}:{number}"
        if number == 0 and request.awaits_reply:
            edit = interaction.edit_original_response
            edited = await retry_call(
                lambda: edit(content=text, attachments=_open_files(blobs), **options)
            )
            return edited.id
        state, receipt = await self.ports.ledger.begin(key)
        if state is Posting.POSTED:
            return int(receipt)
        options |= {"ephemeral": True, "wait": True, "suppress_embeds": True}

        async def post() -> discord.Message:
            posted = self._find_follow_up(interaction, text, after)
            return posted or await interaction.followup.send(
                text, files=_open_files(blobs), **options
            )

        sent = await retry_call(post)
        await self.ports.ledger.done(key, str(sent.id))
        return sent.id

    def _find_follow_up(
        self, interaction: Interaction, text: str, after: int
    ) -> discord.Message | None:
        """A message that was posted although the response was lost: the gateway reports it."""
        for message in self.client.cached_messages:
            answered = message.interaction_metadata
            is_own = answered is not None and answered.id == interaction.id
            if is_own and message.id > after and message.content == text.strip():
                return message
        return None

    async def _post(self, request: InteractionRequest, reply: Reply) -> None:
        """Post a reply: one for the person alone as a direct message."""
        interaction = request.interaction
        room: Any = interaction.channel
        try:
            if request.is_private or request.runs_here:
                room = await retry_call(lambda: self.client.create_dm(interaction.user))
            await _post_texts(room, str(interaction.id), reply.text)
        except ChatGone as gone:
            log.info("a reply was not delivered", error=str(gone))

    async def _load_files(self, reply: Reply) -> Sequence[Blob]:
        return [
            Blob(
                await self.ports.files.get(file.hash),
                file.media_type,
                file.name,
                alt=file.description,
            )
            for file in reply.files[:_MOST_FILES]
        ]


async def _post_texts(room: Any, key: str, text: str) -> None:  # noqa: ANN401 - any that takes messages
    """Post a text in as many messages as it needs; their nonces prevent repeats."""
    for number, part in enumerate(split_messages(text)):
        await retry_call(partial(room.send, part, nonce=make_nonce(f"{key}:{number}")))


def _make_controls(request: InteractionRequest, reply: Reply) -> Json:
    """What stands below a reply; that to a choice takes away the buttons of its question."""
    if reply.select:
        return {"view": make_selects(reply.select, request.person.locale)}
    if reply.more:
        return {"view": make_more(reply.more, request.person.locale)}
    if request.question:
        return {"view": make_confirmation(request.question, request.person.locale)}
    return {"view": None} if request.is_choice else {}


def _open_files(blobs: Sequence[Blob]) -> list[discord.File]:
    return [open_file(blob.data, blob.name, blob.alt) for blob in blobs]
