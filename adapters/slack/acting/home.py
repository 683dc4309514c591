"""The app's own view: App Home, suggested prompts, and the settings of channels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from slack_bolt.async_app import AsyncAck, AsyncApp

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.failures import contain, contain_reply
from adapters.chat.ports import ChatPorts
from adapters.slack.acting.forms import SETTINGS, open_form, read_submission, render_settings
from adapters.slack.acting.home_page import (
    ALL_REQUESTS,
    ALL_TASKS,
    CHANNEL,
    render_all_requests,
    render_all_tasks,
    render_home,
)
from adapters.slack.acting.prompts import choose_prompts
from adapters.slack.reading.directory import Directory
from adapters.slack.web_api.client import PLATFORM, Json, SlackClient
from pipeline.domain import Invocation, LocalizedText, Person, Reply
from pipeline.errors import StoreUnavailable
from pipeline.outage import limit_patience
from pipeline.ports import Listener, ThreadOverview
from pipeline.words import say

OPENED = "app_home_opened"
"""The event that somebody looks at the app's own view."""
_SEARCHED_THREADS = 200
"""The newest of the workspace, among which those of a person are looked for."""
_MOST_REQUESTS = 50
"""A person's newest ones, of which the page shows the first few."""
_STORE_SECONDS = 0.5
"""How long a form may wait for the database: Slack waits three seconds."""
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
        app.block_action(CHANNEL)(self._open_settings)
        app.block_action(ALL_TASKS)(self._open_tasks)
        app.block_action(ALL_REQUESTS)(self._open_requests)
        app.view_submission(SETTINGS)(self._on_settings)

    async def _on_opened(self, event: Json) -> None:
        work = self._suggest if event.get("tab") == "messages" else self._publish
        self.dispatcher.start(work, str(event["user"]), str(event["channel"]))

    async def _suggest(self, user: str, direct: str) -> None:
        """Suggest what can run now. In a thread, Slack would ignore it."""
        person = await self.directory.find_person(user)
        overview = await self.listener.overview(person, self.client.find_thread(direct))
        prompts = choose_prompts(overview.kinds, person.locale)
        method = "assistant.threads.setSuggestedPrompts"
        await self.client.try_call(method, channel_id=direct, prompts=prompts)

    async def _publish(self, user: str, direct: str) -> None:
        """Show App Home to a person, whose direct messages with the bot are `direct`."""
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

    async def _open_settings(self, ack: AsyncAck, body: Json) -> None:
        """Open the settings of the chosen channel. A failure is shown by Slack itself."""
        channel = str(body["actions"][0]["selected_conversation"])
        direct = str(body["view"]["private_metadata"])
        form = await self._run_settings(body, f"{channel} {direct}", {})
        await open_form(self.client, body, form)
        await ack()
        # a new page has an empty select: Slack tells of no channel that is chosen twice
        self.dispatcher.start(self._publish, str(body["user"]["id"]), direct)

    async def _on_settings(self, ack: AsyncAck, body: Json) -> None:
        """Change a setting before the acknowledgement, which shows the outcome."""
        places, (args, _) = str(body["view"]["private_metadata"]), read_submission(body)
        await ack(response_action="update", view=await self._run_settings(body, places, args))
        if direct := places.partition(" ")[2]:
            self.dispatcher.start(self._publish, str(body["user"]["id"]), direct)

    async def _run_settings(self, body: Json, places: str, args: Mapping[str, str]) -> Json:
        """The form with the reply to the command `settings`, as if it were typed in the channel."""
        person = await self.directory.find_person(str(body["user"]["id"]))
        channel = places.partition(" ")[0]
        if not await self.directory.may_read(person.id, channel):
            no = say(person.locale, LocalizedText("slack-not-your-channel"))
            return {**render_settings(None, no, person.locale), "private_metadata": places}
        thread = self.client.find_thread(channel)
        invocation = Invocation(
            id=str(body["trigger_id"]), command=SETTINGS, args=args, person=person, thread=thread
        )
        reply, form = Reply(""), None
        try:
            with limit_patience(_STORE_SECONDS):
                reply = await contain_reply(self.listener.on_command(invocation), person.locale)
                form = await contain(self.listener.form(replace(invocation, args={})))
        except StoreUnavailable as error:
            form = error.sentence
        if isinstance(form, LocalizedText):
            reply, form = Reply(say(person.locale, form)), None
        view = render_settings(form, reply.text, person.locale)
        return {**view, "private_metadata": places}
