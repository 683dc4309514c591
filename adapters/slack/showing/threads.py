"""Slack's threads: their names and links, and a person's direct messages."""

from collections.abc import Iterable
from datetime import UTC, datetime

from adapters.slack.web_api.client import SlackClient
from pipeline.domain import Person, Thread
from pipeline.ports import ThreadOverview
from pipeline.text import shorten

LONGEST_TITLE = 80
"""Characters of the name of a thread."""


def name_after(text: str, files: Iterable[str]) -> str:
    """What to call the thread of a request: its words in one line, else its files' names."""
    return " ".join(text.split()) or ", ".join(files)


def name_request(overview: ThreadOverview) -> str:
    """What to call a thread: the request that began it; without one, its day and time (UTC)."""
    turn = overview.first or overview.last
    words = name_after(turn.text, [file.name for file in turn.files]) if turn else ""
    began = datetime.fromtimestamp(float(overview.thread.root), UTC)
    return words or f"{began:%Y-%m-%d %H:%M}"


async def name_thread(client: SlackClient, thread: Thread, text: str) -> None:
    """Name a thread of direct messages after the request that begins it, if Slack allows that."""
    title = shorten(name_after(text, ()), LONGEST_TITLE)
    place = {"channel_id": thread.channel.id, "thread_ts": thread.root, "title": title}
    if title and await client.try_call("agents.sessions.rename", **place) is None:
        await client.try_call("assistant.threads.setTitle", **place)


async def link_thread(client: SlackClient, thread: Thread) -> str:
    """A link to a thread; to its channel if there is no thread, or Slack gives no link."""
    channel, found = thread.channel.id, None
    if thread.root:
        place = {"channel": channel, "message_ts": thread.root}
        found = await client.try_call("chat.getPermalink", **place)
    return f"<{found['permalink']}>" if found else f"<#{channel}>"


async def open_direct(client: SlackClient, person: Person) -> Thread:
    """The direct messages with a person. Raises ChatError."""
    opened = await client.call("conversations.open", users=person.id)
    return client.find_thread(opened["channel"]["id"])
