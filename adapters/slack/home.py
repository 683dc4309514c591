"""The app's own view: App Home, suggested prompts, and the names of direct messages' threads."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from slack_bolt.async_app import AsyncAck, AsyncApp

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.failures import contain, contain_reply
from adapters.chat.ports import ChatPorts
from adapters.slack.blocks import SECTION, name_request, render_sections, section
from adapters.slack.client import PLATFORM, Json, SlackClient
from adapters.slack.forms import (
    ASK_BUTTON,
    open_form,
    plain,
    read_submission,
    render_fields,
    render_modal,
)
from adapters.slack.messages import Directory
from pipeline.domain import (
    InputForm,
    Invocation,
    LocalizedText,
    Overview,
    Person,
    Reply,
    Thread,
    Type,
)
from pipeline.errors import StoreUnavailable
from pipeline.outage import limit_patience
from pipeline.ports import Listener, ThreadOverview
from pipeline.task_kinds import find_medium
from pipeline.text import shorten
from pipeline.words import say, title

OPENED = "app_home_opened"
"""The event that somebody looks at the app's own view."""
SETTINGS = "settings"
"""The command, and the form of it."""
_CHANNEL = "home:channel"
_PROMPTS: Mapping[str, frozenset[str]] = {
    "draw": frozenset({"text-to-image"}),
    "poem": frozenset({"text-generation", "text-to-speech"}),
    "translate": frozenset({"translation"}),
    "mood": frozenset({"text-classification"}),
    "read": frozenset({"text-to-speech"}),
}
"""Prompts that need no file, with the kinds of tasks that must run for each; the best first."""
_MOST_PROMPTS = 4
"""Slack's limit for suggested prompts."""
_LONGEST_TITLE = 80
"""Characters of the name of a thread."""
_SEARCHED_THREADS = 200
"""The newest of the workspace, among which those of a person are looked for."""
_MOST_REQUESTS = 10
_STORE_SECONDS = 0.5
"""How long a form may wait for the database: Slack waits three seconds."""
_SLACK = "https://slack.com/"
"""Leads to the workspace, too, whose own address may be unknown."""


@dataclass(frozen=True, slots=True)
class SlackHome:
    """Bolt's listeners for the app's own view."""

    listener: Listener
    client: SlackClient
    directory: Directory
    ports: ChatPorts
    dispatcher: Dispatcher

    def register(self, app: AsyncApp) -> None:
        app.event(OPENED)(self._on_opened)
        app.block_action(_CHANNEL)(self._open_settings)
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
        threads = await self.ports.chat_log.threads(
            PLATFORM, self.client.me.team, limit=_SEARCHED_THREADS
        )
        mine = [each for each in threads if _is_request(each, person)][:_MOST_REQUESTS]
        home = render_home(overview, mine, self.client.me.url or _SLACK, person.locale)
        await self.client.try_call(
            "views.publish", user_id=user, view={**home, "private_metadata": direct}
        )

    # --- the settings of a channel ---

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


def choose_prompts(kinds: Collection[str], locale: str) -> Sequence[Json]:
    """At most four prompts for these kinds of tasks; the last one asks for help."""
    names = [name for name, needed in _PROMPTS.items() if needed <= {*kinds}]
    prompts = [
        {
            "title": _say(locale, f"slack-prompt-{name}"),
            "message": _say(locale, f"slack-prompt-{name}-text"),
        }
        for name in names[: _MOST_PROMPTS - 1]
    ]
    return [*prompts, {"title": _say(locale, "slack-prompt-help"), "message": "help"}]


async def name_thread(client: SlackClient, thread: Thread, text: str) -> None:
    """Name a thread of direct messages after the request that begins it, if Slack allows that."""
    title = shorten(" ".join(text.split()), _LONGEST_TITLE)
    place = {"channel_id": thread.channel.id, "thread_ts": thread.root, "title": title}
    if title and await client.try_call("agents.sessions.rename", **place) is None:
        await client.try_call("assistant.threads.setTitle", **place)


# --- rendering ---


def render_home(
    overview: Overview, requests: Sequence[ThreadOverview], url: str, locale: str
) -> Json:
    """App Home: what works, the person's requests, and what an admin can do about the rest."""
    ask = {
        "type": "button",
        "action_id": ASK_BUTTON,
        "text": plain(locale, "slack-form-title"),
    }
    links = [_render_request(each, url) for each in requests]
    listed = {"type": "rich_text_list", "style": "bullet", "elements": links}
    none = _section(_say(locale, "slack-home-none"))
    blocks = [
        _header(locale, "slack-home-works"),
        *_render_abilities(overview, locale),
        {"type": "actions", "elements": [ask]},
        _header(locale, "slack-home-requests"),
        {"type": "rich_text", "elements": [listed]} if links else none,
        *(_render_administration(overview, locale) if overview.is_admin else ()),
    ]
    return {"type": "home", "blocks": blocks}


def _render_abilities(overview: Overview, locale: str) -> Sequence[Json]:
    """What works, by the type of file that it is about."""
    groups: dict[Type, list[str]] = {medium: [] for medium in Type}
    for each in overview.abilities:
        if each.model:
            groups[find_medium(each.kind)].append(title(locale, each.kind.name))
    sections = [
        _section(" · ".join(sorted(names)), _say(locale, "medium", type=medium))
        for medium, names in groups.items()
        if names
    ]
    return sections or [_section(_say(locale, "tasks-none"))]


def _render_administration(overview: Overview, locale: str) -> Sequence[Json]:
    """What does not work, by what would mend it, and the way to the settings of a channel."""
    missing = sorted(
        (say(locale, each.problem), title(locale, each.kind.name))
        for each in overview.abilities
        if each.problem
    )
    select = {
        "type": "conversations_select",
        "action_id": _CHANNEL,
        "placeholder": plain(locale, "slack-home-channel"),
        "filter": {"include": ["public", "private", "mpim"]},
    }
    problems = [
        _section(f"{problem[:1].upper()}{problem[1:]}: {' · '.join(kind for _, kind in kinds)}")
        for problem, kinds in groupby(missing, key=lambda each: each[0])
    ]
    return [
        *([_header(locale, "slack-home-missing"), *problems] if problems else ()),
        _header(locale, "slack-home-settings"),
        {**_section(_say(locale, "slack-home-choose")), "accessory": select},
    ]


def _render_request(overview: ThreadOverview, url: str) -> Json:
    """A link to a thread, named after the request that began it."""
    thread = overview.thread
    link = f"{url}archives/{thread.channel.id}/p{thread.root.replace('.', '')}"
    text = shorten(name_request(overview), _LONGEST_TITLE)
    return {
        "type": "rich_text_section",
        "elements": [{"type": "link", "url": link, "text": text}],
    }


def _is_request(overview: ThreadOverview, person: Person) -> bool:
    """Whether a person began a thread, and the bot has a run in it."""
    begun = overview.first is not None and overview.first.person.id == person.id
    return begun and overview.state is not None


def render_settings(form: InputForm | None, text: str, locale: str) -> Json:
    """The form with a channel's settings below the reply to the command; None: only the reply."""
    sections = map(section, render_sections(text))
    fields, submit = (render_fields(form, locale), "slack-home-change") if form else ((), "")
    return render_modal(SETTINGS, "slack-home-settings", submit, locale, [*sections, *fields])


def _header(locale: str, sentence: str) -> Json:
    return {"type": "header", "text": plain(locale, sentence)}


def _section(text: str, heading: str = "") -> Json:
    """A text of ours; nothing in it needs to be escaped."""
    above = f"*{heading}*\n" if heading else ""
    return section(f"{above}{shorten(text, SECTION - len(above))}")


def _say(locale: str, sentence: str, **args: str) -> str:
    return say(locale, LocalizedText(sentence, args))
