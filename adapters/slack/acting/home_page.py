"""What App Home shows."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from adapters.slack.acting.forms import plain
from adapters.slack.acting.requests import ASK_BUTTON
from adapters.slack.showing.blocks import section
from adapters.slack.showing.mrkdwn import SECTION
from adapters.slack.showing.threads import LONGEST_TITLE, name_request
from adapters.slack.web_api.client import Json
from pipeline.domain import LocalizedText, Overview, Type
from pipeline.ports import ThreadOverview
from pipeline.task_kinds import find_medium
from pipeline.text import shorten
from pipeline.words import say, title

CHANNEL = "home:channel"
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
        "action_id": CHANNEL,
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
    text = shorten(name_request(overview), LONGEST_TITLE)
    return {
        "type": "rich_text_section",
        "elements": [{"type": "link", "url": link, "text": text}],
    }


def _header(locale: str, sentence: str) -> Json:
    return {"type": "header", "text": plain(locale, sentence)}


def _section(text: str, heading: str = "") -> Json:
    """A text of ours; nothing in it needs to be escaped."""
    above = f"*{heading}*\n" if heading else ""
    return section(f"{above}{shorten(text, SECTION - len(above))}")


def _say(locale: str, sentence: str, **args: str) -> str:
    return say(locale, LocalizedText(sentence, args))
