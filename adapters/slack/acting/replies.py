"""Replies to commands and clicks: in their thread, or to one person alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus

import structlog
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.chat.posting import post_once
from adapters.chat.rendering import Page
from adapters.slack.showing.controls import PREFIX
from adapters.slack.showing.pages import PRIVATELY_DRAWN, mark_repetition, render_content
from adapters.slack.showing.splitting import split_messages
from adapters.slack.showing.surface import SlackSurface
from adapters.slack.showing.threads import link_thread, open_direct
from adapters.slack.web_api.client import Json, SlackClient
from adapters.slack.web_api.errors import NO_ANSWER, SlackGone
from pipeline.domain import Incoming, Invocation, LocalizedText, Person, Reply, RunId, Thread
from pipeline.errors import ChatError
from pipeline.ports import Ledger, Posting
from pipeline.words import say

_MOST_RESPONSES = 5
"""Slack's limit for responses to one command."""
_FROM = f"{PREFIX}from:"
"""Begins the id of controls in a direct message; the rest is the channel that they are about."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Who gets a reply, and where: in a thread, or at the response URL of an interaction."""

    id: str
    """Names the reply in the ledger."""
    person: Person
    thread: Thread
    """Without a root for a command that was given in no thread."""
    response_url: str = ""
    replaces: bool = False
    """Whether the reply takes the place of the private message with the button."""

    def invoke(self, command: str, args: Mapping[str, str] | None = None) -> Invocation:
        """The command as this person gives it here."""
        return Invocation(
            id=self.id, command=command, args=args or {}, person=self.person, thread=self.thread
        )


def ask_author(id_: str, message: Incoming) -> Asker:
    """Reply to the author of a message; private messages show only in threads with replies."""
    is_reply = message.id != message.thread.root
    thread = message.thread if is_reply else replace(message.thread, root="")
    return Asker(id=id_, person=message.person, thread=thread)


@dataclass(frozen=True, slots=True)
class SlackReplies:
    """Sends replies. Each message has a key in the ledger, so it is sent once."""

    client: SlackClient
    ledger: Ledger

    async def send(self, asker: Asker, reply: Reply, controls: Sequence[Json] = ()) -> None:
        """Send a reply, in as many messages as it needs; a private one is shown to the asker.

        `controls` are blocks below its last message. Raises ChatError.
        """
        messages = split_messages(reply.text)
        for number, parts in enumerate(messages):
            page = Page(parts)
            if not reply.private:
                await self.post(asker, f"reply:{number}", page)
            else:
                is_last = number == len(messages) - 1
                await self._send_privately(asker, number, page, controls if is_last else ())

    async def post(self, asker: Asker, part: str, page: Page, controls: Sequence[Json] = ()) -> str:
        """Post a message for all to see; return its id. Raises ChatError."""
        surface = SlackSurface(
            client=self.client,
            ledger=self.ledger,
            thread=asker.thread,
            run=RunId(asker.id),
            locale=asker.person.locale,
            controls=controls,
        )
        receipt, _ = await post_once(self.ledger, surface, f"{asker.id}:{part}", page)
        return receipt

    async def _send_privately(
        self, asker: Asker, number: int, page: Page, controls: Sequence[Json]
    ) -> None:
        """At the response URL, else in the channel or thread, else in a direct message.

        Private messages cannot be looked up: one that may have arrived is repeated with a note.
        """
        key = f"{asker.id}:private:{number}"
        state, _ = await self.ledger.begin(key)
        if state is Posting.POSTED:
            return
        is_unsure = state is Posting.UNSURE
        if asker.response_url and number < _MOST_RESPONSES:
            status = await self._respond(
                asker, render_reply(asker, page, controls, may_repeat=is_unsure)
            )
            if status == HTTPStatus.OK:
                await self.ledger.done(key, "")
                return
            is_unsure = is_unsure or not status
        try:
            content = render_reply(asker, page, controls, may_repeat=is_unsure)
            await self._post_ephemeral(asker, content)
        except SlackGone as gone:
            log.info("replying in a direct message", why=gone.code)
            direct = await open_direct(self.client, asker.person)
            if number == 0 and direct.channel != asker.thread.channel:
                place = await link_thread(self.client, asker.thread)
                about = say(asker.person.locale, LocalizedText("slack-about", {"place": place}))
                page = replace(page, parts=(about, *page.parts))
            origin = f"{_FROM}{asker.thread.channel.id}"
            named = [{**block, "block_id": origin} for block in controls]
            await self.post(replace(asker, thread=direct), f"direct:{number}", page, named)
        await self.ledger.done(key, "")

    async def notify(self, asker: Asker, sentence: LocalizedText) -> None:
        """Tell the asker something at once, without the ledger; a failure is only logged."""
        page = Page((say(asker.person.locale, sentence),))
        content = render_reply(asker, page, ())
        asker = replace(asker, replaces=False)
        if asker.response_url and await self._respond(asker, content) == HTTPStatus.OK:
            return
        try:
            await self._post_ephemeral(asker, content)
        except ChatError as error:
            log.info("not notified", error=str(error))

    async def _post_ephemeral(self, asker: Asker, content: Json) -> None:
        """Show a message to the asker only, until the client restarts. Raises ChatError."""
        await self.client.call_once(
            "chat.postEphemeral",
            channel=asker.thread.channel.id,
            user=asker.person.id,
            thread_ts=asker.thread.root or None,
            **content,
        )

    async def _respond(self, asker: Asker, content: Json) -> int:
        """The status of the answer of a response URL; 0 if there was none."""
        try:
            async with self.client.connect() as session:
                url = AsyncWebhookClient(
                    asker.response_url,
                    session=session,
                    retry_handlers=[],  # some would repeat posts
                )
                response = await url.send(
                    **content, response_type="ephemeral", replace_original=asker.replaces
                )
        except NO_ANSWER as error:
            log.warning("could not respond", error=type(error).__name__)
            return 0
        return response.status_code


def read_origin(action: Json) -> str:
    """The channel that a control in a direct message is about; "" for other controls."""
    block = str(action.get("block_id") or "")
    return block.removeprefix(_FROM) if block.startswith(_FROM) else ""


def is_one_message(reply: Reply) -> bool:
    return reply.private and len(split_messages(reply.text)) <= 1


def render_reply(
    asker: Asker, page: Page, controls: Sequence[Json], *, may_repeat: bool = False
) -> Json:
    """A message of a reply as arguments of Slack's methods."""
    locale = asker.person.locale
    if may_repeat:
        page = mark_repetition(page, locale)
    content = render_content(page, RunId(asker.id), locale, drawn=PRIVATELY_DRAWN)
    content["blocks"] += controls
    return content
