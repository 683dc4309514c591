"""What the app's own view shows: App Home, and the prompts above an empty conversation."""

from collections.abc import Collection, Mapping, Sequence

from adapters.slack.acting.forms import render_modal, say_plainly
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
"""The select that opens the settings of a channel."""
ALL_TASKS = "home:tasks"
"""The button that shows every task, and what it opens."""
ALL_REQUESTS = "home:requests"
"""The button that shows a person's requests, and what it opens."""
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
_MOST_TITLES = 8
"""Titles of tasks in a line: the lines of all types of files fit a screen."""
_MOST_REQUESTS = 5
"""Requests on the page; the others are behind a button."""


def choose_prompts(kinds: Collection[str], locale: str) -> Sequence[Json]:
    """At most four prompts of which the tasks are of these kinds; the last one asks for help."""
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
    """App Home on one screen: what works, the person's requests, and what an admin can do.

    `url` is the workspace's address, to which the links to the requests lead. What does not fit
    is behind buttons, for `render_all_tasks` and `render_all_requests`.
    """
    tasks = _render_tasks(overview, locale, _MOST_TITLES)
    is_cut = tasks != _render_tasks(overview, locale, len(overview.abilities))
    ask = [_render_button(ASK_BUTTON, "slack-form-title", locale)]
    all_tasks = [_render_button(ALL_TASKS, "slack-home-all", locale)] if is_cut else []
    all_requests = [_render_button(ALL_REQUESTS, "slack-home-all", locale)]
    select = {
        "type": "conversations_select",
        "action_id": CHANNEL,
        "placeholder": say_plainly(locale, "slack-home-channel"),
        "filter": {"include": ["public", "private", "mpim"]},
    }
    settings = (
        _render_header(locale, "slack-home-settings"),
        {**_render_section(_say(locale, "slack-home-choose")), "accessory": select},
    )
    blocks = [
        _render_header(locale, "slack-home-works"),
        *tasks,
        {"type": "actions", "elements": [*ask, *all_tasks]},
        _render_header(locale, "slack-home-requests"),
        _render_requests(requests[:_MOST_REQUESTS], url, locale),
        *([{"type": "actions", "elements": all_requests}] if requests[_MOST_REQUESTS:] else ()),
        *(settings if overview.is_admin else ()),
    ]
    return {"type": "home", "blocks": blocks}


def render_all_tasks(overview: Overview, locale: str) -> Json:
    """A modal with everything that works and, for admins, everything that does not."""
    tasks = _render_tasks(overview, locale, len(overview.abilities))
    return render_modal(ALL_TASKS, "slack-home-works", "", locale, tasks)


def render_all_requests(requests: Sequence[ThreadOverview], url: str, locale: str) -> Json:
    """A modal with links to a person's requests."""
    listed = _render_requests(requests, url, locale)
    return render_modal(ALL_REQUESTS, "slack-home-requests", "", locale, [listed])


def _render_tasks(overview: Overview, locale: str, most: int) -> Sequence[Json]:
    """What works, by the type of file that it is about; for admins, the rest by what mends it.

    Of each, so many titles: "Pictures: Describing a picture · Detecting objects · +9".
    """
    works: dict[Type, list[str]] = {medium: [] for medium in Type}
    missing: dict[str, list[str]] = {}
    for each in overview.abilities:
        name = title(locale, each.kind.name)
        if each.model:
            works[find_medium(each.kind)].append(name)
        elif each.problem:
            missing.setdefault(say(locale, each.problem), []).append(name)
    sections = [
        _render_section(_join(names, most), _say(locale, "medium", type=medium))
        for medium, names in works.items()
        if names
    ]
    problems = [
        _render_section(f"{problem[:1].upper()}{problem[1:]}: {_join(names, most)}")
        for problem, names in sorted(missing.items())
    ]
    has_problems = bool(problems) and overview.is_admin
    return [
        *(sections or [_render_section(_say(locale, "tasks-none"))]),
        *([_render_header(locale, "slack-home-missing"), *problems] if has_problems else ()),
    ]


def _join(names: Sequence[str], most: int) -> str:
    rest = len(names) - most
    return " · ".join([*sorted(names)[:most], *([f"+{rest}"] if rest > 0 else ())])


def _render_requests(requests: Sequence[ThreadOverview], url: str, locale: str) -> Json:
    """Links to threads, named after the requests that began them."""
    if not requests:
        return _render_section(_say(locale, "slack-home-none"))
    links = [
        {
            "type": "link",
            "url": f"{url}archives/{each.thread.channel.id}/p{each.thread.root.replace('.', '')}",
            "text": shorten(name_request(each), LONGEST_TITLE),
        }
        for each in requests
    ]
    items = [{"type": "rich_text_section", "elements": [link]} for link in links]
    listed = {"type": "rich_text_list", "style": "bullet", "elements": items}
    return {"type": "rich_text", "elements": [listed]}


def _render_button(id_: str, sentence: str, locale: str) -> Json:
    return {"type": "button", "action_id": id_, "text": say_plainly(locale, sentence)}


def _render_header(locale: str, sentence: str) -> Json:
    return {"type": "header", "text": say_plainly(locale, sentence)}


def _render_section(text: str, heading: str = "") -> Json:
    """A text of ours; nothing in it needs to be escaped."""
    above = f"*{heading}*\n" if heading else ""
    return section(f"{above}{shorten(text, SECTION - len(above))}")


def _say(locale: str, sentence: str, **args: str) -> str:
    return say(locale, LocalizedText(sentence, args))
