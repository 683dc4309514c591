"""A voice message without words is transcribed, and its words are the request."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace

import pytest

from pipeline.domain import (
    Action,
    Answer,
    Answered,
    AnswerPart,
    Apologised,
    Blob,
    ButtonClick,
    ExpertOutput,
    Incoming,
    Link,
    LocalizedText,
    PlanPart,
    Proposed,
    Replied,
    Request,
    Silent,
    Text,
    Type,
)
from pipeline.errors import BadInput
from pipeline.ports import Job
from tests.bot.scenes import Scene, follow_up, message
from tests.fakes.stages import ANN, ActingExpert, Bench, FakePlanner, model, never, planning, task
from tests.words import english

SOUND, PHOTO = Blob(b"OggS", "audio/ogg"), Blob(b"png", "image/png")
VOICE = message("", files=[Link("u:voice", "voice-message.ogg")])
LISTENER = model("listener", "automatic-speech-recognition")


@dataclass
class Spoken:
    """A conversation with an expert that writes down every recording as `words`."""

    words: str = "draw a cat"
    planner: FakePlanner = field(default_factory=lambda: FakePlanner([Replied("Here.")]))
    scene: Scene = field(init=False)

    def __post_init__(self) -> None:
        self.expert = ActingExpert(self._act)
        bench = Bench([self.planner], experts=[self.expert], models=[LISTENER])
        self.scene = Scene(bench)
        self.scene.chat.files = {"u:voice": SOUND, "u:photo": PHOTO}

    async def _act(self, job: Job) -> ExpertOutput:
        return ExpertOutput({"text": Text(self.words if job.kind.name[:9] == "automatic" else "x")})

    async def answers(self, sent: Incoming = VOICE, number: int = 1) -> Answer | Apologised:
        async with self.scene.at_work() as conversation:
            await conversation.on_message(sent)
            end = await self.scene.chat.wait_for_answer(number)
            await self.scene.idle()
        assert isinstance(end, Answer | Apologised)
        return end


@dataclass
class HangingPlanner(FakePlanner):
    """Never ends."""

    begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        self.requests.append(request)
        self.begun.set()
        await never()
        yield Replied("")


async def test_the_words_of_a_voice_message_are_the_request_and_are_shown() -> None:
    at = Spoken()

    answer = await at.answers()

    request = at.planner.requests[0]
    assert (request.text, request.files) == ("draw a cat", ())
    assert isinstance(answer, Answer)
    assert [(notice.id, notice.args["words"]) for notice in answer.notices] == [
        ("voice-heard", "draw a cat")
    ]
    assert answer.text == "Here."


async def test_a_voice_message_queues_once_for_its_words_and_its_tasks() -> None:
    at = Spoken(planner=planning(task(0, "summarization", text="x")))
    at.scene.bench.models = [LISTENER, model("m", "summarization")]

    await at.answers()

    words, work = at.expert.jobs
    assert words.ticket.began == work.ticket.began == at.planner.requests[0].began_at


async def test_what_was_understood_is_shown_before_the_plan() -> None:
    at = Spoken()

    await at.answers()

    (events,) = at.scene.chat.events.values()
    assert events[0] == AnswerPart(english("voice-heard", words="draw a cat") + "\n\n")


async def test_of_a_voice_message_for_others_nothing_is_shown() -> None:
    at = Spoken()

    async with at.scene.at_work() as conversation:
        await conversation.on_message(message("hello"))
        await at.scene.idle()
        at.planner.parts = [Silent()]
        run = await conversation.on_message(follow_up("", 2, files=VOICE.files))
        await at.scene.idle()

    assert run is not None
    assert at.planner.requests[1].text == "draw a cat"
    assert at.scene.chat.events[run] == [Answered(Answer(run, "", is_silent=True))]


async def test_of_a_recording_for_others_that_cannot_be_heard_nothing_is_said() -> None:
    at = Spoken(words=" ")

    async with at.scene.at_work() as conversation:
        await conversation.on_message(message("hello"))
        await at.scene.idle()
        run = await conversation.on_message(follow_up("", 2, files=VOICE.files))
        await at.scene.idle()

    assert run is not None
    assert at.scene.chat.events[run] == [Answered(Answer(run, "", is_silent=True))]


async def test_an_answer_with_tasks_also_says_what_was_understood() -> None:
    summary = Proposed(task(0, "summarization", text="x"))
    at = Spoken(planner=FakePlanner([summary]))
    at.scene.bench.models = [LISTENER, model("m", "summarization")]

    answer = await at.answers()

    assert isinstance(answer, Answer)
    assert [notice.id for notice in answer.notices] == ["voice-heard"]


async def test_a_follow_up_knows_the_words_and_the_recording() -> None:
    at = Spoken()

    async with at.scene.at_work() as conversation:
        await conversation.on_message(VOICE)
        await at.scene.idle()
        await conversation.on_message(follow_up("make it quieter", 2))
        await at.scene.idle()

    context = at.planner.requests[1].context
    assert [turn.text for turn in context.turns] == ["draw a cat", "Here."]
    assert [file.name for file in context.files] == ["audio 1"]
    (_, run) = await at.scene.store.runs(VOICE.thread, limit=9)
    assert (run.text, run.sent) == ("draw a cat", ())


@pytest.mark.parametrize(
    ("text", "names", "seconds"),
    [
        ("what is this?", ["voice"], 5.0),
        ("", ["voice", "photo"], 5.0),
        ("", ["voice", "voice"], 5.0),
        ("", ["photo"], 0.0),
        ("", ["voice"], 121.0),
    ],
    ids=["with words", "with a picture", "two recordings", "a picture alone", "a long recording"],
)
async def test_other_files_are_not_taken_for_voice_messages(
    text: str, names: list[str], seconds: float
) -> None:
    at = Spoken()
    at.scene.bench.media.seconds = seconds
    files = [Link(f"u:{name}", f"{name}.bin") for name in names]

    answer = await at.answers(message(text, files=files))

    assert (at.planner.requests[0].text, at.expert.jobs) == (text, [])
    assert isinstance(answer, Answer)
    assert not answer.notices


async def test_a_voice_message_in_reply_to_a_picture_is_about_the_picture() -> None:
    at = Spoken()
    earlier = (Link("u:photo", "cat.png"),)

    await at.answers(
        follow_up("", 1, files=VOICE.files, earlier=earlier, addressing=VOICE.addressing)
    )

    request = at.planner.requests[0]
    assert request.text == "draw a cat"
    assert [file.attachment.type for file in request.files] == [Type.IMAGE]


async def test_where_nothing_can_transcribe_the_person_is_told_what_is_missing() -> None:
    at = Spoken()
    at.scene.bench.models = []

    end = await at.answers()

    assert isinstance(end, Apologised)
    assert (end.reason.id, at.planner.requests) == ("voice-not-heard", [])
    reason = end.reason.args["reason"]
    assert isinstance(reason, LocalizedText)
    assert reason.id == "not-possible-here"


async def test_a_model_for_another_language_does_not_guess_the_words() -> None:
    at = Spoken()
    english_only, any_language = replace(LISTENER, languages=("en",)), replace(LISTENER, id="any")
    hana = replace(ANN, locale="ja")

    at.scene.bench.models = [english_only]
    refused = await at.answers(replace(VOICE, person=hana))
    at.scene.bench.models = [english_only, any_language]
    answer = await at.answers(replace(VOICE, id="002", person=hana), number=2)

    assert isinstance(refused, Apologised)
    assert refused.reason.args["reason"] == LocalizedText("voice-language")
    assert isinstance(answer, Answer)
    assert [job.model.id for job in at.expert.jobs] == ["any"]


@pytest.mark.parametrize("fails", [True, False])
async def test_a_recording_without_words_is_answered_with_that(*, fails: bool) -> None:
    at = Spoken(words=" ")
    if fails:

        async def refuse(_job: Job) -> ExpertOutput:
            raise BadInput("embedded-nothing-heard")

        at.expert.act = refuse

    end = await at.answers()

    assert isinstance(end, Apologised)
    assert end.reason.args["reason"] == LocalizedText("embedded-nothing-heard")


async def test_a_restart_does_not_transcribe_again() -> None:
    at, hanging = Spoken(), HangingPlanner()
    at.scene.bench.planners = [hanging]

    async with at.scene.at_work() as conversation:
        await conversation.on_message(VOICE)
        await hanging.begun.wait()
    at.scene.inbox = at.scene.inbox.restarted()
    at.scene.bench.planners = [at.planner]
    async with at.scene.at_work():
        answer = await at.scene.chat.wait_for_answer()

    assert isinstance(answer, Answer)
    assert at.planner.requests[0].text == "draw a cat"
    assert len(at.expert.jobs) == 1


async def test_another_model_for_one_step_does_not_transcribe_again() -> None:
    at = Spoken(planner=FakePlanner([Proposed(task(0, "summarization", text="x"))]))
    at.scene.bench.models = [LISTENER, *(model(name, "summarization") for name in ("one", "two"))]

    async with at.scene.at_work() as conversation:
        run = await conversation.on_message(VOICE)
        assert run is not None
        await at.scene.chat.wait_for_answer()
        await at.scene.idle()
        click = ButtonClick(
            id="p1", action=Action.CHOOSE, run=run, person=ANN, thread=VOICE.thread, value="0 two"
        )
        await conversation.on_click(click)
        answer = await at.scene.chat.wait_for_answer(2)

    assert [job.model.id for job in at.expert.jobs] == ["listener", "one", "two"]
    assert isinstance(answer, Answer)
    assert answer.notices[0] == LocalizedText("voice-heard", {"words": "draw a cat"})


async def test_a_voice_message_can_be_stopped_while_it_is_transcribed() -> None:
    at, begun = Spoken(), asyncio.Event()

    async def hang(_job: Job) -> ExpertOutput:
        begun.set()
        await never()
        raise AssertionError

    at.expert.act = hang
    async with at.scene.at_work() as conversation:
        run = await conversation.on_message(VOICE)
        assert run is not None
        await begun.wait()
        await at.scene.inbox.cancel(run)
        end = await at.scene.chat.wait_for_answer()

    assert isinstance(end, Apologised)
    assert end.reason.id == "stopped"
    assert at.expert.working == 0


async def test_another_model_for_one_step_needs_no_second_transcription() -> None:
    at = Spoken()
    at.planner.parts = [Proposed(task(1, "summarization", text="x"))]
    at.scene.bench.models = [LISTENER, *(model(name, "summarization") for name in ("a", "b"))]
    await at.answers()

    async with at.scene.at_work() as conversation:
        (queued,) = await at.scene.inbox.of(VOICE.key)
        click = ButtonClick(
            id="p1",
            action=Action.CHOOSE,
            run=queued.run,
            person=ANN,
            thread=VOICE.thread,
            value="1 b",
        )
        reply = await conversation.on_click(click)
        await at.scene.idle()

    assert reply.run is not None
    again = await at.scene.store.load(reply.run)
    assert again is not None
    assert (again.text, [job.model.id for job in at.expert.jobs]) == (
        "draw a cat",
        ["listener", "a", "b"],
    )
