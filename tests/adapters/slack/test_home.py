"""The app's own view: suggested prompts and the names of threads."""

import pytest

from adapters.slack.home import choose_prompts
from adapters.slack.shortcuts import FORM
from pipeline.domain import Ability, LocalizedText, Model, Overview, Place, Reply
from pipeline.task_kinds import KINDS
from pipeline.words import LOCALES, say
from tests.adapters.embedded.planner.builders import kinds
from tests.adapters.slack.stage import BOT, Stage
from tests.servers.slack.people import Sent
from tests.servers.slack.workspace import ANNA, ANNAS_DM
from tests.words import english

PROMPTS = {
    "draw": ["text-to-image"],
    "poem": ["text-generation", "text-to-speech"],
    "translate": ["translation"],
    "mood": ["text-classification"],
    "read": ["text-to-speech"],
}


def can(*names: str, is_admin: bool = False) -> Overview:
    """What is known where these kinds of tasks can run."""
    missing = LocalizedText("tasks-enabled-by", {"what": "HF_TOKEN"})
    abilities = [
        Ability(kind, Model("org/model", kind.name, (Place.LOCAL,)))
        if kind.name in names
        else Ability(kind, problem=missing)
        for kind in KINDS.values()
    ]
    return Overview(tuple(abilities), is_admin)


async def suggested(stage: Stage) -> list[str]:
    await stage.slack.until(lambda: stage.slack.space.prompts)
    (call,) = stage.slack.space.prompts
    assert call["channel_id"] == ANNAS_DM
    return [prompt["title"] for prompt in call["prompts"]]


async def test_only_what_can_run_is_suggested(stage: Stage) -> None:
    stage.listener.known = can("text-to-speech", "text-classification")

    stage.slack.people.open_app("messages")

    names = ["mood", "read", "help"]
    assert await suggested(stage) == [english(f"slack-prompt-{name}") for name in names]


async def test_at_most_four_prompts_are_suggested_in_the_persons_language(stage: Stage) -> None:
    stage.slack.space.people[ANNA]["locale"] = "fr-FR"
    stage.listener.known = can(*KINDS)

    stage.slack.people.open_app("messages")

    names = ["draw", "poem", "translate", "help"]
    titles = [say("fr", LocalizedText(f"slack-prompt-{name}")) for name in names]
    assert await suggested(stage) == titles


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", PROMPTS)
def test_each_prompt_is_planned_with_the_kinds_that_it_needs(locale: str, name: str) -> None:
    prompt = choose_prompts(frozenset(PROMPTS[name]), locale)[0]

    assert kinds(say(locale, LocalizedText(f"slack-prompt-{name}-text"))) == PROMPTS[name]
    assert prompt["title"]


@pytest.mark.parametrize("is_session", [False, True])
async def test_a_thread_of_direct_messages_is_named_after_its_request(
    stage: Stage, *, is_session: bool
) -> None:
    root = stage.slack.people.say("draw a\ncat " + "and a dog " * 20, channel=ANNAS_DM)
    if is_session:
        stage.slack.space.sessions.add((ANNAS_DM, root))
    await stage.slack.until(lambda: stage.slack.space.titles)
    stage.slack.people.say("now a mouse", channel=ANNAS_DM, thread=root)
    await stage.listener.next(2)
    await stage.slack.settled()

    (title,) = stage.slack.space.titles.values()
    assert title.startswith("draw a cat and a dog")
    assert len(title) <= 80
    assert stage.slack.calls.count("assistant.threads.setTitle") == (not is_session)


async def test_files_alone_and_forms_name_their_threads_too(stage: Stage) -> None:
    stage.listener.reply = Reply("")
    stage.slack.people.say("", channel=ANNAS_DM, files=(Sent("memo.mp3", "audio/mpeg", b"M"),))
    await stage.slack.people.global_shortcut(FORM)
    await stage.slack.people.submit("draw a cat")

    await stage.slack.until(lambda: len(stage.slack.space.titles) == 2)
    assert sorted(stage.slack.space.titles.values()) == ["draw a cat", "memo.mp3"]


async def test_in_channels_no_thread_is_named(stage: Stage) -> None:
    await stage.mention("draw a cat")
    await stage.slack.until(lambda: stage.slack.space.statuses)

    assert stage.slack.space.titles == {}


async def test_the_status_says_by_turns_what_happens(stage: Stage) -> None:
    stage.slack.people.say(f"{BOT} draw a cat")
    await stage.slack.until(lambda: stage.slack.space.statuses)

    (status,) = stage.slack.space.statuses
    assert status["loading_messages"] == english("slack-loading").splitlines()
    assert len(status["loading_messages"]) > 1
