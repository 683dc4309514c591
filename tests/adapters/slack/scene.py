"""Slack in the contract of chats."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from pipeline.domain import Blob, FileHash, Incoming, RunId
from tests.adapters.slack.stage import Stage, listening
from tests.contracts.chats import Post
from tests.servers.slack import SlackServer
from tests.servers.slack.people import Sent
from tests.servers.slack.workspace import ANNAS_DM, Message


class SlackScene:
    """A person in a direct message with the bot."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._slack = stage.slack
        self.chat = stage.chat
        self.listener = stage.listener
        self._root = ""

    async def keep(self, data: bytes) -> FileHash:
        return await self._stage.files.put(data)

    async def say(self, text: str, *files: Blob) -> tuple[Incoming, RunId]:
        number = len(self.listener.received) + 1
        sent = tuple(Sent(each.name, each.media_type, each.data) for each in files)
        ts = self._slack.people.say(text, channel=ANNAS_DM, thread=self._root, files=sent)
        self._root = self._root or ts
        return await self.listener.next(number)

    async def sees(self, words: str) -> None:
        private = self._slack.space.ephemerals
        await self._slack.until(lambda: words in repr([*(m.body for m in self._said()), *private]))

    async def posts(self) -> Sequence[Post]:
        said = [m for m in self._said() if "files" not in m.body]
        shared = [file for m in self._said() for file in m.body.get("files", ())]
        files = tuple(
            (file["name"], file["alt_txt"], self._slack.space.files[file["id"]].content or b"")
            for file in shared
        )
        return [Post("\n\n".join(m.text for m in said), files)]

    def _said(self) -> Sequence[Message]:
        return self._slack.said(ANNAS_DM, self._root)


@asynccontextmanager
async def slack_scene() -> AsyncIterator[SlackScene]:
    async with SlackServer() as server, listening(Stage(server)) as stage:
        yield SlackScene(stage)
        assert server.violations == []
