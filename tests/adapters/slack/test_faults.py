"""What stands in the thread when Slack, the network or the program itself fails on the way."""

import asyncio
import contextlib

import pytest

from pipeline.domain import Answer, Answered, Incoming, RunId
from tests.adapters.slack.runs import PLANNED, gradually, two_files, whole
from tests.adapters.slack.stage import Stage
from tests.fakes.events import Told, one_by_one
from tests.servers.slack import SlackServer
from tests.servers.slack.faults import Broken, Cut, Fault, Limited, Lost, Refused
from tests.servers.slack.streams import LIFETIME
from tests.servers.slack.workspace import GENERAL

pytestmark = pytest.mark.program

CALLS = {
    "streamed": (
        "agents.sessions.setStatus",
        "chat.startStream",
        "chat.appendStream",
        "chat.stopStream",
        "files.getUploadURLExternal",
        "upload",
        "files.completeUploadExternal",
    ),
    "streams end": ("chat.startStream", "chat.stopStream", "chat.update"),
    "edited": ("chat.startStream", "chat.postMessage", "chat.update"),
}
"""How an answer is shown, and the calls that it takes, without those known from above."""


@pytest.fixture(params=CALLS, autouse=True)
def _streams(request: pytest.FixtureRequest, slack: SlackServer) -> None:
    """Slack streams, ends each stream at once, or has no streams."""
    slack.streams.refusal = "unknown_method" if request.param == "edited" else ""
    slack.streams.lifetime = -1 if request.param == "streams end" else LIFETIME


async def answered(stage: Stage, message: Incoming, run: RunId) -> None:
    files = await two_files(stage)
    events = whole(run, "Here they are.", files)
    await stage.chat.follow(message, run, gradually(stage, message, *events))


def stands_once(stage: Stage, message: Incoming) -> None:
    text, media = stage.slack.said(GENERAL, message.thread.root)
    assert text.text == "Here they are."
    assert not stage.slack.streams.is_open(text)
    assert "processing" not in stage.slack.streams.sessions.values()
    assert [file["name"] for file in media.body["files"]] == ["cat.png", "cat.wav"]


@pytest.mark.parametrize("fault", [Lost(), Cut(), Broken(504)])
@pytest.mark.parametrize(
    ("_streams", "method"),
    [(way, method) for way, methods in CALLS.items() for method in methods],
    indirect=["_streams"],
)
async def test_an_answer_stands_once_whichever_call_fails(
    stage: Stage, method: str, fault: Fault
) -> None:
    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]
    stage.slack.faults.once(method, fault, fault)

    await answered(stage, message, run)

    assert stage.slack.faults.struck
    stands_once(stage, message)


async def test_an_answer_stands_once_when_everything_is_limited_once(stage: Stage) -> None:
    stage.slack.faults.once_everywhere(Limited(0))

    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]
    await answered(stage, message, run)

    stands_once(stage, message)


@pytest.mark.parametrize("fault", [None, Cut()])
async def test_an_answer_stands_once_when_the_program_is_killed_at_any_call(
    stage: Stage, fault: Fault | None
) -> None:
    """Killed at the first call and begun again; at the second call; and so on."""
    for number in range(1, 30):
        heard = len(stage.listener.received)
        run = await stage.mention(f"draw {number}")
        message, _ = stage.listener.received[heard]
        await stage.slack.settled()
        await asyncio.sleep(0)
        killed = await killed_at(stage, number, fault, message, run)

        stage.slack.calls.interrupt = lambda _: None
        await answered(stage.again(), message, run)

        stands_once(stage, message)
        if not killed:
            return
    raise AssertionError("it never came through")


async def killed_at(
    stage: Stage, number: int, fault: Fault | None, message: Incoming, run: RunId
) -> bool:
    """Whether the run was killed at its call with this number, before or after its effect."""
    at = len(stage.slack.calls.made) + number
    struck: list[int] = []
    async with asyncio.TaskGroup() as tasks:
        life = tasks.create_task(answered(stage.again(), message, run))

        def kill(count: int) -> Fault | None:
            if count != at:
                return None
            struck.append(count)
            life.cancel()
            return fault

        stage.slack.calls.interrupt = kill
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait((life,))
    return bool(struck)


async def test_files_that_slack_shows_late_are_not_sent_twice(stage: Stage) -> None:
    run = await stage.mention("hello")
    message, _ = stage.listener.received[0]
    stage.slack.faults.once("files.completeUploadExternal", Lost())
    stage.slack.reading.hides_files = True

    await answered(stage, message, run)

    stands_once(stage, message)


async def test_where_nothing_can_be_looked_up_a_repeat_is_marked_as_one(stage: Stage) -> None:
    run = await stage.mention("hello")
    message, _ = stage.listener.received[0]
    stage.slack.faults.withheld_scopes.add("channels:history")
    stage.slack.faults.once("chat.postMessage", Lost())

    await stage.chat.follow(message, run, one_by_one(Answered(Answer(run, "Hi."))))

    first, second = stage.slack.said(GENERAL, message.thread.root)
    assert first.text == "Hi."
    assert "may appear twice" in second.text


async def test_a_deleted_progress_message_does_not_lose_the_answer(stage: Stage) -> None:
    run = await stage.mention("hello")
    message, _ = stage.listener.received[0]
    stage.slack.faults.once("chat.update", Refused("message_not_found"))
    stage.ledger.receipts[f"{run}:answer:0"] = stage.slack.space.next_ts()

    await stage.chat.follow(message, run, one_by_one(Answered(Answer(run, "Hi."))))
    await stage.again().chat.follow(message, run, one_by_one(Answered(Answer(run, "Hi."))))

    assert [m.text for m in stage.slack.said(GENERAL, message.thread.root)] == ["Hi."]


@pytest.mark.parametrize(
    "code", ["edit_window_closed", "invalid_blocks", "msg_too_long", "cant_update_message"]
)
async def test_an_answer_whose_edit_is_refused_for_good_is_posted_anew(
    stage: Stage, code: str
) -> None:
    run = await stage.mention("hello")
    message, _ = stage.listener.received[0]
    stage.slack.faults.once("chat.stopStream", Refused(code))
    stage.slack.faults.once("chat.update", Refused(code), Refused(code))
    told = Told()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stage.chat.follow(message, run, aiter(told)))
        told.tell(*PLANNED)
        await stage.slack.until(lambda: stage.slack.said(GENERAL, message.thread.root))
        told.tell(Answered(Answer(run, "Hi.")), None)

    assert [m.text for m in stage.slack.said(GENERAL, message.thread.root)] == ["Hi."]


@pytest.mark.parametrize("scope", ["reactions:write", "users:read", "im:write", "channels:read"])
async def test_a_missing_scope_that_is_not_needed_loses_nothing(stage: Stage, scope: str) -> None:
    stage.slack.faults.withheld_scopes.add(scope)

    run = await stage.mention("draw")
    message, _ = stage.listener.received[0]
    await answered(stage, message, run)

    stands_once(stage, message)


async def test_a_message_that_cannot_be_taken_now_is_asked_for_again(stage: Stage) -> None:
    stage.slack.socket.ack_seconds = 0.05
    broken = _Breaking(stage)

    run = await stage.mention("hello")
    await stage.slack.settled()

    assert run
    assert broken.times == 2
    assert len(stage.listener.received) == 1
    assert set(stage.slack.violations) == {"events_api: not acknowledged in 0.05 s"}
    stage.slack.violations.clear()


class _Breaking:
    """The listener breaks twice, as with a full disk."""

    def __init__(self, stage: Stage) -> None:
        self.times = 0
        self._said = stage.listener.on_message
        stage.listener.on_message = self.said  # type: ignore[method-assign]

    async def said(self, message: Incoming) -> RunId | None:
        if self.times < 2:
            self.times += 1
            raise OSError("disk full")
        return await self._said(message)
