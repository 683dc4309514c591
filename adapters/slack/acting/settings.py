"""The settings of a channel, in a form that App Home and the command open."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from slack_bolt.async_app import AsyncAck, AsyncApp

from adapters.chat.failures import contain, contain_reply
from adapters.slack.acting.forms import open_form, read_submission, render_fields, render_modal
from adapters.slack.acting.home import SlackHome
from adapters.slack.acting.home_page import CHANNEL
from adapters.slack.reading.directory import Directory
from adapters.slack.showing.pages import render_text
from adapters.slack.web_api.client import Json, SlackClient
from pipeline.domain import InputForm, Invocation, LocalizedText, Reply
from pipeline.errors import StoreUnavailable
from pipeline.outage import limit_patience
from pipeline.ports import Listener
from pipeline.words import say

SETTINGS = "settings"
"""The command, and the form of it."""
_STORE_SECONDS = 0.5
"""How long a form may wait for the database: Slack waits three seconds."""


@dataclass(frozen=True, slots=True)
class SlackSettings:
    """Bolt's listeners for the form with a channel's settings."""

    listener: Listener
    client: SlackClient
    directory: Directory
    home: SlackHome

    def register(self, app: AsyncApp) -> None:
        app.block_action(CHANNEL)(self._open)
        app.view_submission(SETTINGS)(self._change)

    async def _open(self, ack: AsyncAck, body: Json) -> None:
        """Open the settings of the chosen channel. A failure is shown by Slack itself."""
        channel = str(body["actions"][0]["selected_conversation"])
        direct = str(body["view"]["private_metadata"])
        form = await self._run(body, f"{channel} {direct}", {})
        await open_form(self.client, body, form)
        await ack()
        # a new page has an empty select: Slack tells of no channel that is chosen twice
        self.home.start_publishing(str(body["user"]["id"]), direct)

    async def _change(self, ack: AsyncAck, body: Json) -> None:
        """Change a setting before the acknowledgement, which shows the outcome."""
        places, (args, _) = str(body["view"]["private_metadata"]), read_submission(body)
        await ack(response_action="update", view=await self._run(body, places, args))
        if direct := places.partition(" ")[2]:
            self.home.start_publishing(str(body["user"]["id"]), direct)

    async def _run(self, body: Json, places: str, args: Mapping[str, str]) -> Json:
        """The form with the reply to the command `settings`, as if it were typed in the channel."""
        person = await self.directory.find_person(str(body["user"]["id"]))
        channel = places.partition(" ")[0]
        if not await self.directory.may_read(person.id, channel):
            no = say(person.locale, LocalizedText("slack-not-your-channel"))
            return render_settings(None, no, places, person.locale)
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
        return render_settings(form, reply.text, places, person.locale)


def render_settings(form: InputForm | None, text: str, places: str, locale: str) -> Json:
    """The form with a channel's settings below the reply to the command; None: only the reply.

    `places` is kept in it: the channel, and after a blank the direct messages of the person, if
    App Home opened it.
    """
    sections = render_text(text)
    fields, submit = (render_fields(form, locale), "slack-home-change") if form else ((), "")
    modal = render_modal(SETTINGS, "slack-home-settings", submit, locale, [*sections, *fields])
    return {**modal, "private_metadata": places}
