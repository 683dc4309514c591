"""What the presenter promises every chat surface, whatever the surface does."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from adapters.chat.ports import ChatPorts
from adapters.chat.presenter import Presenter, Rhythm
from adapters.chat.rendering import BoardRenderer
from adapters.chat.surface import PostUnsure
from pipeline.domain import (
    Answer,
    Answered,
    AnswerFile,
    AnswerPart,
    Apologised,
    Attachment,
    Blob,
    Event,
    LocalizedText,
    Plan,
    Planned,
    Progressed,
    RunId,
    Started,
    Task,
    TaskId,
    Text,
)
from pipeline.errors import ChatError, ChatGone
from pipeline.outage import Outage
from pipeline.task_kinds import KINDS
from tests.fakes.events import Told, one_by_one
from tests.fakes.outside import FakeFetch
from tests.fakes.persistence import FakeCache, FakeFiles, FakeInteractions, FakeLedger
from tests.fakes.places import LOCAL
from tests.fakes.replicas import FakeReplicas
from tests.fakes.stages import FakeMedia
from tests.fakes.store import FakeStore
from tests.fakes.surface import PLAIN, FakeSurface
from tests.words import english

RUN = RunId("run-1")
TASK = Task(TaskId(1), KINDS["text-to-speech"], {"text": (Text("Hello"),)})
PLANNED = Planned(Plan((TASK,)))
STARTED = Started(TASK.id, "voices/plain", LOCAL)
QUICK = Rhythm(gather=0.0, first=0.0, silent=0.01, between=0.0)


@dataclass
class Stand:
    """A surface and what outlives a restart; `presenter` is the program begun anew on it."""

    surface: FakeSurface = field(default_factory=FakeSurface)
    ledger: FakeLedger = field(default_factory=FakeLedger)
    files: FakeFiles = field(default_factory=FakeFiles)
    links: dict[str, str] = field(default_factory=dict)
    rhythm: Rhythm = QUICK

    media: FakeMedia = field(default_factory=lambda: _StubbornMedia())  # noqa: PLW0108 - below

    def presenter(self, *, may_be_silent: bool = False) -> Presenter:
        ports = ChatPorts(
            ledger=self.ledger,
            files=self.files,
            media=self.media,
            sign=lambda file, _run: self.links.get(file.name, ""),
            fetch=FakeFetch(),
            chat_log=FakeStore(),
            cache=FakeCache(),
            interactions=FakeInteractions(),
            leases=FakeReplicas().leases(),
            rate_limits=FakeReplicas().rate_limits,
            notifications=FakeReplicas().notifications(),
            outage=Outage(),
        )
        renderer = BoardRenderer(PLAIN, "en")
        return Presenter(
            run=RUN,
            surface=self.surface,
            renderer=renderer,
            ports=ports,
            rhythm=self.rhythm,
            may_be_silent=may_be_silent,
        )

    async def follow(self, *events: Event) -> None:
        await self.presenter().follow(one_by_one(*events))

    async def file(self, name: str, size: int) -> AnswerFile:
        hash_ = await self.files.put(name.encode().ljust(size, b"."))
        attachment = Attachment(hash=hash_, media_type="application/pdf", name=name, size=size)
        return AnswerFile(
            attachment=attachment, alt=name, model="m", kind="media-conversion", task=TASK.id
        )


@pytest.mark.parametrize("is_long", [False, True])
async def test_only_of_the_end_of_a_long_run_is_the_person_told(*, is_long: bool) -> None:
    stand = Stand(rhythm=replace(QUICK, ping=0.0 if is_long else 1000.0))
    for _ in range(2):
        await stand.follow(Answered(Answer(RUN, "Done.")))

    assert stand.surface.calls.count("ping") == is_long


async def test_whoever_stopped_a_long_run_is_not_told_of_its_end() -> None:
    stand = Stand(rhythm=replace(QUICK, ping=0.0))
    await stand.follow(Apologised(LocalizedText("stopped"), ""))

    assert "ping" not in stand.surface.calls


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not holds():  # noqa: ASYNC110 - the fake surface tells nobody
            await asyncio.sleep(0.001)


def unsure(times: int = 1) -> deque[ChatError]:
    return deque(PostUnsure("chat-unsure") for _ in range(times))


def answered(text: str, *files: AnswerFile) -> Answered:
    return Answered(Answer(RUN, text, files=files))


async def test_progress_is_one_message_that_becomes_the_answer() -> None:
    stand, live = Stand(), Told()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stand.presenter().follow(aiter(live)))
        live.tell(PLANNED, STARTED)
        await until(lambda: "⏳" in " ".join(stand.surface.pages))
        live.tell(AnswerPart("It is"))
        await until(lambda: "It is" in stand.surface.pages[0])
        live.tell(answered("It is done.|Second page."), None)

    assert stand.surface.pages == ["It is done.", "Second page."]
    assert stand.surface.calls.count("post") == 2


async def test_thousands_of_events_are_merged_into_few_edits_and_the_end_is_kept() -> None:
    stand = Stand(rhythm=Rhythm(gather=0.0, first=0.0, silent=1.0, between=0.05))
    steps = [Progressed(TASK.id, number / 5_000) for number in range(5_000)]

    await stand.follow(PLANNED, *steps, answered("Done."))

    assert stand.surface.pages == ["Done."]
    assert stand.surface.calls.count("edit") < 20


async def test_progress_waits_for_room_and_the_end_does_not() -> None:
    stand, live = Stand(), Told()
    stand.surface.room = 0

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stand.presenter().follow(aiter(live)))
        live.tell(PLANNED)
        await until(lambda: stand.surface.pages)
        live.tell(STARTED)
        await asyncio.sleep(0.02)
        while_full = list(stand.surface.pages)
        live.tell(answered("Done."), None)

    assert "⏳" not in while_full[0]
    assert stand.surface.calls.count("edit") == 0
    assert stand.surface.pages == ["Done."]


async def test_thinking_is_posted_only_with_room_for_the_plan_that_follows() -> None:
    full, roomy = Stand(), Stand()
    full.surface.room, roomy.surface.room = 0, 1
    live_full, live_roomy = Told(), Told()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(full.presenter().follow(aiter(live_full)))
        tasks.create_task(roomy.presenter().follow(aiter(live_roomy)))
        await until(lambda: roomy.surface.pages == [english("progress-thinking")])
        before_the_plan = list(full.surface.pages)
        live_roomy.tell(PLANNED)
        await until(lambda: "◽" in roomy.surface.pages[0])
        live_full.tell(answered("Done."), None)
        live_roomy.tell(answered("Done."), None)

    assert before_the_plan == []
    assert full.surface.pages == roomy.surface.pages == ["Done."]


@pytest.mark.parametrize("fault", ["early", "late"])
@pytest.mark.parametrize("call", ["post", "upload"])
async def test_a_call_whose_response_is_lost_takes_effect_once(call: str, fault: str) -> None:
    stand = Stand()
    getattr(stand.surface, fault)[call] = unsure(2)

    await stand.follow(answered("One.|Two.", await stand.file("a.pdf", 10)))

    assert stand.surface.pages == ["One.", "Two.", "a.pdf"]


async def test_a_second_delivery_adds_nothing_and_restores_nothing_that_was_deleted() -> None:
    stand = Stand()
    events = (PLANNED, answered("One.|Two.", await stand.file("a.pdf", 10)))
    await stand.follow(*events)
    del stand.surface.messages["2"]

    await stand.follow(*events)

    assert stand.surface.pages == ["One.", "a.pdf"]


@pytest.mark.parametrize("at", range(1, 12))
async def test_a_restart_at_any_call_goes_on_where_it_stopped(at: int) -> None:
    stand = Stand()
    events = (PLANNED, answered("One.|Two.", await stand.file("a.pdf", 10)))
    stand.surface = _Dying(at)
    with contextlib.suppress(_Killed):
        await stand.follow(*events)

    await stand.follow(*events)

    assert stand.surface.pages == ["One.", "Two.", "a.pdf"]


async def test_a_deleted_progress_message_comes_back_only_as_the_answer() -> None:
    stand, live = Stand(), Told()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stand.presenter().follow(aiter(live)))
        live.tell(PLANNED)
        await until(lambda: stand.surface.pages)
        stand.surface.messages.clear()
        live.tell(STARTED)
        await until(lambda: "edit" in stand.surface.calls)
        live.tell(AnswerPart("It"))
        await asyncio.sleep(0.02)
        meanwhile = list(stand.surface.pages)
        live.tell(answered("It is done."), None)

    assert meanwhile == []
    assert stand.surface.pages == ["It is done."]


async def test_where_an_edit_is_refused_for_good_the_answer_is_posted_anew() -> None:
    stand = Stand()
    await stand.ledger.done(f"{RUN}:page:0", "1")
    stand.surface.early["finish"] = deque([ChatGone("edit-window-closed")])

    await stand.follow(answered("Done."))

    assert stand.surface.pages == ["Done."]


async def test_progress_that_cannot_be_shown_does_not_stop_the_run() -> None:
    stand, live = Stand(), Told()
    stand.surface.early["post"] = deque([ChatError("chat-unreachable")])

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stand.presenter().follow(aiter(live)))
        live.tell(PLANNED)
        await until(lambda: stand.surface.calls)
        live.tell(answered("Done."), None)

    assert stand.surface.pages == ["Done."]


async def test_an_answer_the_platform_does_not_take_now_is_delivered_by_a_later_call() -> None:
    stand = Stand()
    stand.surface.early["post"] = deque([ChatError("chat-unreachable")])

    with pytest.raises(ChatError) as failed:
        await stand.follow(answered("Done."))
    await stand.follow(answered("Done."))

    assert not isinstance(failed.value, ChatGone)
    assert stand.surface.pages == ["Done."]


async def test_a_repeat_that_cannot_be_looked_up_is_marked_as_one() -> None:
    stand = Stand()
    stand.surface.late["post"] = unsure()
    stand.surface.early["look_up"] = deque([ChatGone("no-history")])

    await stand.follow(answered("Done."))

    assert stand.surface.pages == ["Done.", "(again?) Done."]


async def test_files_go_in_order_in_batches_and_those_too_large_as_links() -> None:
    stand = Stand(links={"huge.pdf": "https://troupe.example/huge"})
    names = (("a", 60), ("b", 60), ("c", 60), ("d", 10), ("e", 10), ("huge", 500), ("vast", 500))
    files = [await stand.file(f"{name}.pdf", size) for name, size in names]

    await stand.follow(answered("Here.", *files))

    answer, *batches, note = stand.surface.pages
    assert (answer, batches) == ("Here.", ["a.pdf b.pdf", "c.pdf d.pdf e.pdf"])
    assert "[huge.pdf](https://troupe.example/huge)" in note
    assert "vast.pdf" in note


async def test_a_file_that_was_converted_is_named_as_it_was_sent() -> None:
    stand = Stand(media=_ConvertingMedia())

    await stand.follow(answered("Here.", replace(await stand.file("a.webp", 10), kind="k")))

    answer, files = stand.surface.messages.values()
    assert (answer.small, files.files) == (("a.png: m",), ("a.png",))


async def test_where_no_files_are_taken_the_answer_says_so_with_links() -> None:
    stand = Stand(links={"a.pdf": "https://troupe.example/a"})
    stand.surface.early["upload"] = deque([ChatGone("slack-file-gone", name="x")])

    await stand.follow(answered("Here.", await stand.file("a.pdf", 10)))

    assert stand.surface.pages[0] == "Here."
    assert "https://troupe.example/a" in stand.surface.pages[1]


async def test_an_apology_and_a_run_that_was_stopped_replace_the_progress() -> None:
    sorry, silent = Stand(), Stand()
    live = Told()

    await sorry.follow(PLANNED, Apologised(LocalizedText("stopped"), "R-1"))
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(silent.presenter().follow(aiter(live)))
        live.tell(PLANNED)
        await until(lambda: silent.surface.pages)
        live.tell(None)

    assert sorry.surface.pages == [english("stopped")]
    assert silent.surface.pages == [english("stopped")]


async def test_a_run_that_ends_silently_takes_its_progress_back() -> None:
    stand, live = Stand(), Told()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stand.presenter().follow(aiter(live)))
        live.tell(PLANNED)
        await until(lambda: stand.surface.pages)
        live.tell(Answered(Answer(RUN, "", is_silent=True)), None)
    await stand.presenter().follow(one_by_one(Answered(Answer(RUN, "", is_silent=True))))

    assert stand.surface.pages == []


@pytest.mark.parametrize("is_sure", [True, False])
async def test_a_run_that_ends_silently_takes_back_what_was_shown_before_a_restart(
    *, is_sure: bool
) -> None:
    stand, live = Stand(), Told()

    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0.1):
            live.tell(PLANNED)
            await stand.presenter().follow(aiter(live))
    shown = [*stand.surface.pages]
    if not is_sure:  # killed before the post was confirmed
        stand.ledger = FakeLedger()
        await stand.ledger.begin(f"{RUN}:{stand.surface.key}:0")
    await stand.follow(Answered(Answer(RUN, "", is_silent=True)))

    assert shown
    assert stand.surface.pages == []


async def test_of_a_message_that_was_not_meant_for_the_bot_nothing_is_seen() -> None:
    stand, live = Stand(), Told()
    stand.surface.room = 5

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(stand.presenter(may_be_silent=True).follow(aiter(live)))
        await asyncio.sleep(5 * QUICK.silent)
        live.tell(Answered(Answer(RUN, "", is_silent=True)), None)
    await stand.presenter().follow(one_by_one(answered("late")))

    assert stand.surface.pages == []


async def test_a_run_that_ends_before_anything_was_shown_leaves_nothing() -> None:
    stand = Stand()

    await stand.follow()

    assert stand.surface.pages == []


class _StubbornMedia(FakeMedia):
    """Makes nothing smaller."""

    async def fit(self, blob: Blob, max_bytes: int) -> Blob:
        return blob


class _ConvertingMedia(FakeMedia):
    """Sends everything as PNG."""

    async def fit(self, blob: Blob, max_bytes: int) -> Blob:
        return replace(blob, name=f"{blob.name.partition('.')[0]}.png")


class _Killed(Exception):
    """The program ends here."""


class _Dying(FakeSurface):
    """The call with this number takes effect, and the program ends before it knows."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self._left = at

    def _fail(self, name: str, faults: dict[str, deque[ChatError]]) -> None:
        super()._fail(name, faults)
        self._left -= 1
        if self._left == 0:
            raise _Killed
