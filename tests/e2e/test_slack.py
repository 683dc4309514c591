"""Whole conversations on the simulated Slack: requests and the final messages."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from adapters.embedded.planner import EmbeddedPlanner
from adapters.slack.connecting.manifest import SCOPES
from adapters.slack.web_api.limits import SlackLimits
from pipeline.domain import Text
from tests.adapters.slack.stage import BOT, Stage, listening
from tests.bot.scenes import Scene
from tests.e2e.forked import forked
from tests.e2e.obliging import PNG, obliging, shortener, stall, summarizing
from tests.e2e.program import at_work
from tests.fakes.chat import FakeListener
from tests.fakes.known_experts import known_experts
from tests.fakes.persistence import FakeInbox
from tests.fakes.stages import ActingExpert, model
from tests.servers.experts.server import experts_at_work
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work
from tests.servers.slack import SlackServer
from tests.servers.slack.blocks import buttons
from tests.servers.slack.people import Sent
from tests.servers.slack.streams import OPEN
from tests.servers.slack.workspace import (
    ANNA,
    ANNAS_DM,
    BEN,
    BOT_USER,
    GENERAL,
    Channel,
    Message,
)
from tests.words import english

PICTURES = (Sent("a.png", "image/png", PNG + b"a"), Sent("b.png", "image/png", PNG + b"b"))


@dataclass
class Bot:
    """The simulated Slack, the conversation, and what survives a restart."""

    slack: SlackServer
    behind: Scene
    stage: Stage

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Run the program; killed at the end."""
        self.behind.inbox = FakeInbox(self.behind.inbox.entries)
        async with self.behind.at_work() as conversation:
            self.stage.listener = cast("FakeListener", conversation)
            self.stage = self.stage.again()
            self.behind.runner.chats = {"slack": self.stage.chat}
            async with listening(self.stage):
                yield

    async def answer(self, root: str, number: int = 1, *, channel: str = GENERAL) -> Message:
        """The answer with this number in a thread, once complete."""
        await self.slack.until(lambda: len(self.answers(root, channel)) >= number)
        await self.behind.idle()
        return self.answers(root, channel)[number - 1]

    async def replied(self) -> None:
        """Wait until all commands and clicks are done with."""
        async with asyncio.timeout(5):
            while await self.stage.interactions.list_pending("slack"):  # noqa: ASYNC110 - a fake
                await asyncio.sleep(0)

    def answers(self, root: str, channel: str = GENERAL) -> list[Message]:
        said = (m for m in self.slack.said(channel, root) if not m.body.get("files"))
        return [m for m in said if not _is_unfinished(m)]

    def media(self, root: str, channel: str = GENERAL) -> list[tuple[str, str]]:
        said = self.slack.said(channel, root)
        return [(f["mimetype"], f["alt_txt"]) for m in said for f in m.body.get("files", ())]

    async def running(self, root: str, channel: str = GENERAL) -> Message:
        """The message of an unfinished run, once it shows the plan."""
        await self.slack.until(lambda: any(map(_running, self.slack.said(channel, root))))
        return next(m for m in self.slack.said(channel, root) if _running(m))


def _buttons(message: Message) -> list[str]:
    return [button["action_id"] for button in buttons(message.body.get("blocks", []))]


def _is_unfinished(message: Message) -> bool:
    return message.body.get("streaming_state") == OPEN or "troupe:stop" in _buttons(message)


def _running(message: Message) -> bool:
    return _is_unfinished(message) and "painter" in repr(message.body)


@asynccontextmanager
async def bot(expert: ActingExpert | None = None) -> AsyncIterator[Bot]:
    async with SlackServer() as slack:
        slack.calls.granted = set(SCOPES)
        behind = Scene(obliging(expert))
        stage = Stage(slack, files=behind.bench.files, ping=1.0)
        yield Bot(slack, behind, stage)
        assert slack.violations == []
        assert slack.space.pings == []


async def test_a_mention_with_two_files_is_answered_with_two_and_the_next_message_goes_on() -> None:
    async with bot() as one, one.at_work():
        root = one.slack.people.say(f"{BOT} make a picture like these", files=PICTURES)
        await one.answer(root)
        assert len(one.media(root)) == 2
        assert all(alt for _, alt in one.media(root))
        assert one.slack.space.statuses[0]["thread_ts"] == root

        one.slack.people.say("now read the second one aloud", thread=root)
        await one.answer(root, 2)
        assert len(one.media(root)) == 3


async def test_a_picture_that_was_only_overheard_is_there_when_the_bot_is_called() -> None:
    async with bot() as one, one.at_work():
        root = one.slack.people.say("look at these", files=PICTURES, by=BEN)
        one.slack.people.say("nice", thread=root)
        await one.slack.settled()
        assert (len(one.behind.store.noted), one.behind.store.turns) == (1, {})
        fetched = len(one.behind.bench.files.kept)
        one.slack.people.say(f"{BOT} what was that?", thread=root)
        await one.answer(root)

        files = [file.name for _, turn in one.behind.store.turns.values() for file in turn.files]
        assert (fetched, files) == (0, ["image 1", "image 2"])


@pytest.mark.parametrize("listen", ["threads", "all"])
async def test_a_thread_is_summed_up_with_what_was_written_while_the_bot_was_down(
    listen: str,
) -> None:
    expert = shortener()
    async with bot() as one:
        one.behind.bench, one.behind.listen = summarizing(expert), listen
        async with one.at_work():
            root = one.slack.people.say("Friday?", by=BEN)
            one.slack.people.say("Monday suits me better", thread=root)
            await one.slack.settled()
        one.slack.people.say("Monday at ten then", thread=root, by=BEN)
        async with one.at_work():
            one.slack.people.say(f"{BOT} please summarize this thread", thread=root)
            await one.answer(root)

    assert [words.partition(": ")[2] for words in _given(expert)] == [
        "Friday?",
        "Monday suits me better",
        "Monday at ten then",
    ]


def _given(expert: ActingExpert) -> list[str]:
    """The lines of the text that the expert was given."""
    (job,) = expert.jobs
    (text,) = job.args["text"]
    assert isinstance(text, Text)
    return text.text.splitlines()


async def test_a_follow_up_while_the_first_answer_is_still_made_is_answered_after_it() -> None:
    async with bot() as one, one.at_work():
        root = one.slack.people.say(f"{BOT} make a picture")
        await one.slack.until(lambda: one.behind.inbox.entries)
        one.slack.people.say("and this too", thread=root)

        assert (await one.answer(root, 2)).text == "You said: and this too"


async def test_people_among_themselves_are_left_alone() -> None:
    async with bot() as one, one.at_work():
        one.slack.people.say("did anyone see the picture?", by=BEN)
        root = one.slack.people.say(f"{BOT} hello")
        await one.answer(root)
        one.slack.people.say(f"<@{ANNA}> what do you think?", by=BEN, thread=root)
        one.slack.people.say("and you, machine?", thread=root)
        second = await one.answer(root, 2)

        assert second.text.startswith("You said: and you, machine?")
        assert len(one.slack.said(GENERAL, root)) == 2


async def test_another_model_for_one_step_is_compared_and_voted_on_after_a_restart() -> None:
    async with bot() as one:
        one.behind.bench.models = [*one.behind.bench.models, model("drawer", "text-to-image")]
        people, ephemerals = one.slack.people, one.slack.space.ephemerals
        async with one.at_work():
            root = people.say(f"{BOT} make a picture")
            first = await one.answer(root)
            await people.press(GENERAL, first.ts, "troupe:details")
            await one.slack.until(lambda: ephemerals)
            await one.replied()
        async with one.at_work():
            await people.choose(ephemerals[0], "1 drawer", by=BEN)
            second = await one.answer(root, 2)
            await people.press(GENERAL, second.ts, "troupe:second", by=BEN)
            await one.slack.until(lambda: len(ephemerals) == 2)

        made = [
            file["title"].partition(":")[0]
            for said in one.slack.said(GENERAL, root)
            for file in said.body.get("files", ())
        ]
        records = await one.behind.store.track_records()
        assert "`painter`" in second.text
        assert "`drawer`" in second.text
        assert _buttons(second)[-2:] == ["troupe:first", "troupe:second"]
        assert made[-3:-1] == ["A", "B"]
        assert ephemerals[1]["text"] == english("vote-compared", model="`drawer`")
        assert records["drawer", "text-to-image"].liking == 1.0
        assert records["painter", "text-to-image"].liking == -1.0


async def test_a_direct_message_is_answered() -> None:
    async with bot() as one, one.at_work():
        root = one.slack.people.say("make a picture", channel=ANNAS_DM)
        await one.answer(root, channel=ANNAS_DM)

        assert len(one.media(root, ANNAS_DM)) == 2


async def test_a_mention_added_by_an_edit_is_answered() -> None:
    async with bot() as one, one.at_work():
        root = one.slack.people.say("hello")
        await one.slack.settled()
        one.slack.people.edit(GENERAL, root, f"{BOT} hello")

        assert (await one.answer(root)).text == "You said: hello"


async def test_stop_ends_it_also_after_a_restart() -> None:
    async with bot(ActingExpert(stall)) as one:
        async with one.at_work():
            root = one.slack.people.say(f"{BOT} make a picture")
            plan = await one.running(root)
        async with one.at_work():
            await one.slack.until(lambda: "troupe:stop" in _buttons(plan))
            await one.slack.people.press(GENERAL, plan.ts, "troupe:stop")
            answer = await one.answer(root)

        assert "Stopped." in answer.text
        assert len(one.slack.said(GENERAL, root)) == 1


async def test_an_edit_meanwhile_plans_anew_and_a_deletion_stops_and_forgets() -> None:
    async with bot(ActingExpert(stall)) as one, one.at_work():
        root = one.slack.people.say(f"{BOT} make a picture")
        await one.running(root)
        one.slack.people.edit(GENERAL, root, f"{BOT} just talk")
        await one.slack.until(lambda: "You said: just talk" in repr(one.slack.said(GENERAL, root)))
        await one.behind.idle()
        assert len(one.slack.said(GENERAL, root)) == 1

        gone = one.slack.people.say(f"{BOT} make another picture")
        await one.running(gone)
        one.slack.people.delete(GENERAL, gone)
        await one.behind.idle()
        turns = [turn.text for _, turn in one.behind.store.turns.values()]
        assert not any("another" in text for text in turns)


async def test_retry_details_and_votes_work_under_an_answer() -> None:
    async with bot() as one, one.at_work():
        root = one.slack.people.say(f"{BOT} make a picture")
        answer = await one.answer(root)
        for action in ("details", "up", "down"):
            shown = len(one.slack.space.ephemerals)
            await one.slack.people.press(GENERAL, answer.ts, f"troupe:{action}")
            await one.slack.until(lambda shown=shown: len(one.slack.space.ephemerals) > shown)  # type: ignore[misc]
        await one.slack.people.press(GENERAL, answer.ts, "troupe:retry", by=BEN)
        await one.answer(root, 2)

        (vote,) = one.behind.store.votes.values()
        assert vote.value == -1
        assert "painter" in repr(one.slack.space.ephemerals[0])
        assert len(one.media(root)) == 4


async def test_every_command_answers() -> None:
    given = {
        "model": "model painter",
        "forget": "forget me",
        "ask": "ask hello",
        "settings": "settings mention",
    }
    async with bot() as one, one.at_work():
        for command in [c.name for c in one.stage.listener.commands if c.name != "ask"]:
            shown = len(one.slack.space.responses)
            await one.slack.people.command(given.get(command, command))
            await one.slack.until(lambda shown=shown: len(one.slack.space.responses) > shown)  # type: ignore[misc]
            assert one.slack.space.responses[-1]["response_type"] == "ephemeral"
        await one.slack.people.command(given["ask"])
        await one.slack.until(lambda: "You said: hello" in repr(one.slack.space.channels[GENERAL]))


async def test_a_command_after_a_mention_in_a_thread_is_a_command() -> None:
    async with bot() as one, one.at_work():
        root = one.slack.people.say("what can it do?")
        one.slack.people.say(f"{BOT} models", thread=root)
        await one.slack.until(lambda: one.slack.space.ephemerals)
        await one.behind.idle()

        (reply,) = one.slack.space.ephemerals
        assert "painter" in reply["text"]
        assert (reply["user"], reply["thread_ts"]) == (ANNA, root)
        assert not list(buttons(reply["blocks"]))
        assert [m for m in one.slack.said(GENERAL, root) if m.by_bot] == []
        assert one.slack.space.statuses[-1]["status"] == ""


async def test_told_three_times_and_killed_meanwhile_it_is_answered_once() -> None:
    async with bot() as one:
        one.slack.people.times = 3
        async with one.at_work():
            root = one.slack.people.say(f"{BOT} make a picture")
            await one.slack.until(lambda: one.behind.inbox.entries)
        async with one.at_work():
            await one.answer(root)
            await one.slack.settled()

        assert len(one.answers(root)) == 1
        assert len(one.media(root)) == 2


async def test_ten_people_in_ten_channels_are_answered_at_once() -> None:
    async with bot() as one:
        channels = [f"C0CHANNEL{number}" for number in range(10)]
        for name in channels:
            one.slack.space.channels[name] = Channel(name, name, members={ANNA, BOT_USER})
        async with one.at_work():
            roots = [
                one.slack.people.say(f"{BOT} make a picture", channel=name) for name in channels
            ]
            for name, root in zip(channels, roots, strict=True):
                await one.answer(root, channel=name)
                assert len(one.media(root, name)) == 2


async def test_stop_under_twenty_runs_at_once_ends_them_all_within_the_limits() -> None:
    async with bot(ActingExpert(stall)) as one:
        one.slack.limits.on = True
        one.stage.limits = SlackLimits()
        channels = [f"C0CHANNEL{number:02d}" for number in range(20)]
        for name in channels:
            one.slack.space.channels[name] = Channel(name, name, members={ANNA, BOT_USER})
        async with one.at_work():
            roots = {
                name: one.slack.people.say(f"{BOT} make a picture", channel=name)
                for name in channels
            }
            plans = [await one.running(root, name) for name, root in roots.items()]
            async with asyncio.TaskGroup() as group:
                for plan in plans:
                    group.create_task(one.slack.people.press(plan.channel, plan.ts, "troupe:stop"))
            for name, root in roots.items():
                assert "Stopped." in (await one.answer(root, channel=name)).text

        assert one.slack.calls.count("chat.startStream") == 10
        assert one.slack.limits.exceeded == []


@pytest.mark.parametrize(
    "scope", [each for each in SCOPES if not each.startswith(("groups", "mpim", "im"))]
)
async def test_whichever_scope_is_missing_there_is_an_answer_or_a_sign(scope: str) -> None:
    async with bot() as one:
        one.slack.faults.withheld_scopes.add(scope)
        async with one.at_work():
            root = one.slack.people.say(f"{BOT} make a picture", files=PICTURES[:1])
            if scope == "chat:write":
                await one.slack.until(lambda: "warning" in repr(one.slack.space.reactions))
                return
            await one.answer(root)
            answers, media = one.answers(root), one.media(root)

    if scope == "files:write":
        assert "files:write" in repr(one.slack.said(GENERAL, root))
    else:
        assert len(answers) == 1
        assert len(media) == 2
    assert (scope == "files:read") == ("sign-in page" in repr([m.body for m in answers]))


async def test_killed_the_program_answers_in_slack_once_after_its_restart_over_http(
    tmp_path: Path,
) -> None:
    async with SlackServer() as slack:
        slack.calls.granted = set(SCOPES)
        settings = {
            "SLACK_API_BASE_URL": slack.api,
            "SLACK_BOT_TOKEN": slack.bot_token,
            "SLACK_APP_TOKEN": slack.app_token,
            "SLACK_FILE_HOSTS": "127.0.0.1",
            "TROUPE_FETCH_ALLOW_PRIVATE": "true",
        }
        root = slack.people.say(f"{BOT} hello")
        async with forked(tmp_path, **settings):
            await slack.until(lambda: slack.space.statuses)
        slack.delivery.subscribed = set()
        slack.people.say("whoami", thread=root)
        over_http = {"SLACK_MODE": "http", "SLACK_SIGNING_SECRET": slack.signing_secret}
        async with at_work(tmp_path, **settings, **over_http) as program:
            await slack.until(lambda: _answered(slack, root) and slack.space.ephemerals)
            slack.delivery.target = f"{program.address}/slack/events"
            slack.delivery.subscribed = None
            slack.people.say("tasks", thread=root)
            await slack.until(lambda: len(slack.space.ephemerals) == 2)
            await slack.settled()

        assert len(_answered(slack, root)) == 1
        assert "anna" in slack.space.ephemerals[0]["text"]
        assert slack.violations == []


async def test_killed_while_a_plan_is_streamed_the_same_message_becomes_the_answer(
    tmp_path: Path,
) -> None:
    task = {"task": "text2text-generation", "id": 0, "dep": [-1], "args": {"text": "x"}}

    def reply(asked: Asked) -> str:
        return json.dumps([task]) if "response_format" in asked.body else "Here it is."

    async with (
        SlackServer() as slack,
        openai_at_work(OpenAiServer(reply=reply)) as llm,
        experts_at_work(known_experts(1.0)) as experts,
    ):
        slack.calls.granted = set(SCOPES)
        settings = {
            "SLACK_API_BASE_URL": slack.api,
            "SLACK_BOT_TOKEN": slack.bot_token,
            "SLACK_APP_TOKEN": slack.app_token,
            "OPENAI_BASE_URL": llm.base,
            "TROUPE_EXPERTS_URL": experts.base,
            "TROUPE_PLACES": "local",
        }
        root = slack.people.say(f"{BOT} do it")
        async with forked(tmp_path, **settings):
            await slack.until(lambda: slack.said(GENERAL, root))
            (plan,) = slack.said(GENERAL, root)
            assert plan.body["streaming_state"] == OPEN
        async with forked(tmp_path, **settings):
            await slack.until(lambda: "troupe:retry" in _buttons(plan))
            await slack.settled()

        assert [m.ts for m in slack.said(GENERAL, root)] == [plan.ts]
        assert "Here it is." in plan.text
        assert slack.streams.sessions == {(GENERAL, root): "active"}
        assert slack.violations == []


def _answered(slack: SlackServer, root: str) -> list[Message]:
    return [m for m in slack.said(GENERAL, root) if not _is_unfinished(m)]


async def test_not_you_sends_the_bot_out_of_the_thread_until_it_is_mentioned() -> None:
    async with bot() as one:
        one.behind.bench.planners = [EmbeddedPlanner()]
        async with one.at_work():
            say = one.slack.people.say
            root = say(f"{BOT} hello")
            await one.answer(root)

            say("I wasn't talking to you", by=BEN, thread=root)
            leaving = await one.answer(root, 2)
            say("translate that into German", by=BEN, thread=root)
            say(f"{BOT} hello again", thread=root)
            await one.answer(root, 3)

    assert leaving.text == english("left-thread")
    hello = english("planner-hello")
    assert [answer.text for answer in one.answers(root)] == [hello, leaving.text, hello]
