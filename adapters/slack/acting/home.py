"""The app's own view: App Home, and the prompts that its conversation suggests."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from slack_bolt.async_app import AsyncAck, AsyncApp

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.ports import ChatPorts
from adapters.slack.acting.forms import open_form
from adapters.slack.acting.home_page import (
    ALL_REQUESTS,
    ALL_TASKS,
    choose_prompts,
    render_all_requests,
    render_all_tasks,
    render_home,
)
from adapters.slack.reading.directory import Directory
from adapters.slack.web_api.client import PLATFORM, Json, SlackClient
from pipeline.domain import Person
from pipeline.ports import Listener, ThreadOverview

OPENED = "app_home_opened"
"""The event that somebody looks at the app's own view."""
_SEARCHED_THREADS = 200
"""The newest of the workspace, among which those of a person are looked for."""
_MOST_REQUESTS = 50
"""A person's newest ones, of which the page shows the first few."""
_SLACK = "https://slack.com/"
"""Leads to the workspace, too, whose own address may be unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackHome:
    """Bolt's listeners for the app's own view."""

    listener: Listener
    client: SlackClient
    directory: Directory
    ports: ChatPorts
    dispatcher: Dispatcher

    def register(self, app: AsyncApp) -> None:
        app.event(OPENED)(self._on_opened)
        app.block_action(ALL_TASKS)(self._open_tasks)
        app.block_action(ALL_REQUESTS)(self._open_requests)

    async def _on_opened(self, event: Json) -> None:
        user, direct = str(event["user"]), str(event["channel"])
        if event.get("tab") == "messages":
            self.dispatcher.start(self._suggest, user, direct)
        else:
            self.start_publishing(user, direct)

    def start_publishing(self, user: str, direct: str) -> None:
        """Show App Home as it is now to a person, whose direct messages with us are `direct`."""
        self.dispatcher.start(self._publish, user, direct)

    async def _suggest(self, user: str, direct: str) -> None:
        """Suggest what can run now. In a thread, Slack would ignore it."""
        person = await self.directory.find_person(user)
        overview = await self.listener.overview(person, self.client.find_thread(direct))
        prompts = choose_prompts(overview.kinds, person.locale)
        method = "assistant.threads.setSuggestedPrompts"
        await self.client.try_call(method, channel_id=direct, prompts=prompts)

    async def _publish(self, user: str, direct: str) -> None:
        person = await self.directory.find_person(user)
        overview = await self.listener.overview(person, self.client.find_thread(direct))
        requests = await self._list_requests(person)
        home = render_home(overview, requests, self.client.me.url or _SLACK, person.locale)
        await self.client.try_call(
            "views.publish", user_id=user, view={**home, "private_metadata": direct}
        )

    async def _list_requests(self, person: Person) -> Sequence[ThreadOverview]:
        """The newest threads that a person began, and in which the bot has a run."""
        threads = await self.ports.chat_log.threads(
            PLATFORM, self.client.me.team, limit=_SEARCHED_THREADS
        )
        mine = (
            each
            for each in threads
            if each.state is not None and each.first and each.first.person.id == person.id
        )
        return [*islice(mine, _MOST_REQUESTS)]

    async def _open_tasks(self, ack: AsyncAck, body: Json) -> None:
        """Show every task. A failure is shown by Slack itself, as below."""
        person = await self.directory.find_person(str(body["user"]["id"]))
        direct = self.client.find_thread(body["view"]["private_metadata"])
        overview = await self.listener.overview(person, direct)
        await open_form(self.client, body, render_all_tasks(overview, person.locale))
        await ack()

    async def _open_requests(self, ack: AsyncAck, body: Json) -> None:
        person = await self.directory.find_person(str(body["user"]["id"]))
        requests, url = await self._list_requests(person), self.client.me.url or _SLACK
        await open_form(self.client, body, render_all_requests(requests, url, person.locale))
        await ack()
