"""Short answers to commands and buttons, for the eyes of the asker where that can be."""

from dataclasses import dataclass

import aiohttp
import structlog

from adapters.slack.access import Json
from adapters.slack.blocks import Content, messages, said
from adapters.slack.calls import SlackCalls
from adapters.slack.posting import Post, Posts
from adapters.slack.refusals import NO_ANSWER
from pipeline.domain import Person, Reply, RunId, Sentence, Thread
from pipeline.words import say

_MOST_RESPONSES = 5
_PATIENCE = 10

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Asker:
    """Who is answered, and where: the thread, or for a slash command the address that Slack gave along."""

    id: str
    person: Person
    thread: Thread
    response_url: str = ""


@dataclass(frozen=True, slots=True)
class Replies:
    """Says something to one person, or to all in the thread."""

    calls: SlackCalls
    posts: Posts

    async def whisper(self, thread: Thread, person: Person, sentence: Sentence) -> None:
        """Tell one person in a thread."""
        asker = Asker("", person, thread)
        await self.give(asker, Reply(say(person.locale, sentence)))

    async def give(self, asker: Asker, reply: Reply) -> None:
        """A reply, in as many messages as it needs."""
        if not reply.text.strip():
            return
        parts = messages(reply.text)
        for number, part in enumerate(parts):
            content = said(part)
            if not reply.private and asker.thread.root:
                post = Post(RunId(asker.id), f"reply:{number}")
                await self.posts.put(asker.thread, post, content, locale=asker.person.locale)
            elif asker.response_url and number < _MOST_RESPONSES:
                await _respond(asker.response_url, content, private=reply.private)
            else:
                await self._whispered(asker, content)

    async def _whispered(self, asker: Asker, content: Content) -> None:
        await self.calls.try_once(
            "chat.postEphemeral",
            channel=asker.thread.channel.id,
            user=asker.person.id,
            thread_ts=asker.thread.root or None,
            text=content.text,
            blocks=list(content.blocks),
        )


async def _respond(url: str, content: Content, *, private: bool) -> None:
    body: Json = {
        "text": content.text,
        "blocks": list(content.blocks),
        "response_type": "ephemeral" if private else "in_channel",
        "replace_original": False,
    }
    timeout = aiohttp.ClientTimeout(total=_PATIENCE)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.post(url, json=body) as response,
        ):
            if not response.ok:
                log.warning("slack did not take a response", status=response.status)
    except NO_ANSWER as error:
        log.warning("slack did not take a response", error=str(error))
