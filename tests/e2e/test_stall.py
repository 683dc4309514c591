"""No text or list from outside stalls the program: every entrance is fast or linear.

Each hostile pattern of 100,000 characters (fewer where an entrance is slow) goes through every
entrance that takes text. What is slower than the limit must grow linearly and stay below a cap.
CPU time is measured, so that a busy machine changes nothing.
"""

import asyncio
import csv
import gc
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

import pytest

from adapters.discord.reading.contents import strip_mention
from adapters.discord.showing import markdown as discord_markdown
from adapters.embedded.planner import EmbeddedPlanner
from adapters.slack.reading.contents import read_text
from adapters.slack.reading.entities import find_mentions
from adapters.slack.showing import splitting
from adapters.web.markdown_html import render_html
from adapters.web.merging import merge_events
from bot.summarization import summarize
from pipeline import codec, model_mentions
from pipeline.domain import (
    Answer,
    Answered,
    AnswerPart,
    Attachment,
    Box,
    Boxes,
    Choice,
    Context,
    Done,
    ExpertOutput,
    FileHash,
    Label,
    Labels,
    LocalizedText,
    Model,
    NamedFile,
    Outcomes,
    Output,
    Person,
    Plan,
    Request,
    Span,
    Spans,
    TaskId,
    Text,
    Turn,
)
from pipeline.errors import LlmError, PlanError
from pipeline.execution.expert_io import MOST_ITEMS, bound_output
from pipeline.feedback import compare_to, split_words
from pipeline.planning.planner import LlmPlanner
from pipeline.ports import Prompt, Usage
from pipeline.prompts import cut_middle, fence, format_turns, tokens
from pipeline.response.llm import LlmResponder
from pipeline.response.plain import PlainResponder
from pipeline.response.respond import ReplyStream, respond
from pipeline.result_reuse import EarlierResults
from pipeline.selection.candidates import Candidates
from pipeline.selection.catalogues import ListedCatalogue
from pipeline.task_kinds import KINDS
from pipeline.text import cut, defuse, shorten
from pipeline.text.encodings import decode
from pipeline.text.names import clean_file_name, clean_line
from pipeline.text.sheets import cells
from pipeline.text.thread_texts import expand_excerpt
from tests.adapters.web.asking import story
from tests.adapters.web.scene import web_scene
from tests.fakes.experts import full_catalogue
from tests.fakes.places import HOSTED, LOCAL
from tests.fakes.stages import ANN, Bench, FakeResponder, model, request, task

SIZE = 100_000
LIMIT = 0.05
"""Seconds of CPU time that always pass."""
LONGEST_STRETCH = 0.15
"""Seconds of CPU time without a pause: three times the limit, for the slowest machine."""
CAP = 2.0
"""Most seconds for a linear function, on the slowest machine."""
RATIO = 24
"""Highest time ratio for eight times the text: 8 is linear, 64 is quadratic."""
TRIES = 6

_UNITS = (
    "<", ">", "[", "]", "(", "{", "}", "`", "*", "_", "~", "#", "\\", "|", "\n", " ", "\t", "a",
    ".", "-", "@", ":", "/", '"', "'", "&", "!", "\x00", "\u200b", "a\u0301", "\u202e", "あ",
    "[a](", "![](", "50% ", "| a | b |\n", "a/b ", "http://", "http://a.b/", "www.a.", "a@b.",
    "<a href=", "<@U1", "<!--", "&amp;", "**a", "*a _b ", "> ", "  - a\n", "1. ", "```\n", "~~~\n",
    '{"a":', '{"task": "', "[[", "image 1 ", "image-", "whisper-large-v3 ", "with a/b ", "a.b.c-",
    "[1] ", "[^1]: ", "a, ", "a;b\n", '"a",', "file.png ", "../", "2024-01-01 ", "and then ",
    "no, ", "<t:1", ":smile", "\r\n", "ﷺ",
)  # fmt: skip
PATTERNS = {f"{unit!a}": unit for unit in _UNITS}


def repeat(unit: str, size: int) -> str:
    return (unit * (size // len(unit) + 1))[:size]


@dataclass
class Writer:
    """A language model that writes one text in pieces of 64 characters."""

    text: str
    name: str = "writer"
    context_size: int = 16_000
    sees_images: bool = False

    async def room(self) -> int:
        return self.context_size

    async def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        for at in range(0, len(self.text), 64):
            yield self.text[at : at + 64]


async def _plan(text: str, planned: str) -> None:
    planner = LlmPlanner(Writer(planned), Candidates(full_catalogue()))
    with suppress(PlanError, LlmError):
        async for _ in planner.plan(request(text)):
            pass


async def _respond(text: str, *, known: str = "") -> Answer:
    responder = FakeResponder([text[at : at + 64] for at in range(0, len(text), 64)])
    plan = Plan((task(0, "summarization", text=known),))
    return await respond(request(known), plan, _done(Text(known)), [responder], lambda _: None)


def _done(value: object) -> Outcomes:
    output = Output({"text": value})  # type: ignore[dict-item]
    return {TaskId(0): Done(output, took=0.1, model=model("m", "summarization"), place=LOCAL)}


async def _respond_plainly(outcomes: Outcomes, kind: str = "summarization") -> None:
    plan = Plan((task(0, kind, text="x"),))
    async for _ in PlainResponder().respond(request(), plan, outcomes):
        pass


async def _prompt_response(outcomes: Outcomes, kind: str = "summarization") -> None:
    plan = Plan((task(0, kind, text="x"),))
    async for _ in LlmResponder(Writer("ok")).respond(request(), plan, outcomes):
        pass


def _turn(text: str) -> Turn:
    return Turn(key="t", person=ANN, text=text, files=(), at=datetime(2026, 1, 1, tzinfo=UTC))


def _find_files(text: str) -> None:
    file = NamedFile(
        "image 1", Attachment(hash=FileHash("0"), media_type="image/png", name=text, size=1)
    )
    asked = replace(request(text), files=(file,), context=Context((_turn(text),)))
    asked.file(text)


def _read_table(text: str) -> None:
    with suppress(csv.Error):
        cells(decode(text.encode("utf-8", "replace")) or "")


def _load(text: str) -> None:
    with suppress(ValueError):
        codec.load(Request, text)


async def _reuse(text: str) -> None:
    turn = replace(_turn("x"), person=Person("b", "Bot", is_bot=True))
    asked = replace(request(text), context=Context((turn,)))
    choice = Choice(model("m", "summarization"), LocalizedText("chosen-only"))
    await EarlierResults(asked, Bench().tools).find("key", choice)


async def _plan_embedded(text: str) -> None:
    asked = replace(request(text), context=Context((_turn(text),)))
    assert [part async for part in EmbeddedPlanner().plan(asked)]


ENTRANCES: Mapping[str, Callable[[str], object]] = {
    "fence": fence,
    "count tokens": tokens,
    "cut the middle": lambda text: cut_middle(text, 400),
    "history": lambda text: format_turns([_turn(text)] * 3, 600),
    "request to prompt": lambda text: _plan(text, '{"reply": "ok", "tasks": []}'),
    "plan": lambda text: _plan("please", text),
    "plan after a beginning": lambda text: _plan("please", '{"tasks": [{"task": "' + text),
    "words planned without a model": _plan_embedded,
    "plan argument": lambda text: _plan(
        "please", f'[{{"task": "summarization", "id": 0, "args": {{"text": {codec.dump(text)}}}}}]'
    ),
    "excerpt of a request": lambda text: expand_excerpt(
        f"{text[:400]} \u2026 {text[-400:]}", request(f"{text} {text[::-1]}")
    ),
    "excerpt in a plan": lambda text: expand_excerpt(f"{text}\u2026{text}", request(f"x {text}")),
    "names of models": lambda text: model_mentions.find_mentions(request(text)),
    "names of files": _find_files,
    "answer": _respond,
    "answer with a long record": lambda text: _respond("see [1] and a.png", known=text),
    "result in words": lambda text: _respond_plainly(_done(Text(text))),
    "result to prompt": lambda text: _prompt_response(_done(Text(text))),
    "summary": lambda text: summarize(Writer(text), text, [_turn(text)]),
    "split": lambda text: cut(text, 2_000),
    "defuse": defuse,
    "shorten": lambda text: shorten(text, 200),
    "words": split_words,
    "likeness": lambda text: compare_to(text)(text),
    "file name": clean_file_name,
    "name in a line": clean_line,
    "table": _read_table,
    "stored value": _load,
    "words for again": _reuse,
    "Markdown for Slack": splitting.split_messages,
    "Markdown for Discord": discord_markdown.split_messages,
    "Markdown for the page": render_html,
    "Slack message": lambda text: (read_text({"text": text}), find_mentions(text)),
    "pieces of an answer": lambda text: merge_events([AnswerPart(each) for each in text]),
    "Discord message": lambda text: strip_mention(text, "Troupe"),
}


BOUNDS: Mapping[str, tuple[int, float]] = {
    **{name: (SIZE // 10, LIMIT / 4) for name in ENTRANCES if name.startswith(("plan", "answer"))},
    **{name: (SIZE // 20, LIMIT / 4) for name in ENTRANCES if name.startswith(("Mark", "pieces"))},
    "words planned without a model": (SIZE // 20, LIMIT * 2),
}
"""Fewer characters, and seconds that always pass, for entrances that are slow in total."""


@pytest.fixture(autouse=True)
def _no_garbage_collection() -> Iterator[None]:
    """A full collection scans the heap of the whole suite and would distort the times."""
    gc.disable()
    yield
    gc.enable()


Measure = Callable[[Callable[[str], object], str], float]
"""Seconds of CPU time that an entrance takes for a text."""


@pytest.fixture(scope="module")
def measure() -> Iterator[Measure]:
    with asyncio.Runner() as runner:

        def take(entrance: Callable[[str], object], text: str) -> float:
            began = time.process_time()
            result = entrance(text)
            if isinstance(result, Coroutine):
                runner.run(result)
            return time.process_time() - began

        yield take


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_hostile_text_takes_linear_time_at_every_entrance(entrance: str, measure: Measure) -> None:
    take = partial(measure, ENTRANCES[entrance])
    size, limit = BOUNDS.get(entrance, (SIZE, LIMIT))
    take("warm up")

    slow = [name for name, unit in PATTERNS.items() if not _is_linear(take, unit, size, limit)]

    assert slow == []


def _is_linear(take: Callable[[str], float], unit: str, size: int, limit: float) -> bool:
    """The best try counts: other load only makes tries slower."""
    whole = eighth = CAP
    for _ in range(TRIES):
        whole = min(whole, take(repeat(unit, size)))
        if whole < limit:
            return True
        eighth = min(eighth, take(repeat(unit, size // 8)))
        if whole < RATIO * eighth and whole < CAP:
            return True
    return False


async def _answer_at_once(text: str) -> None:
    plan = Plan((task(0, "summarization", text="x"),))
    await respond(request(), plan, _done(Text("x")), [FakeResponder([text])], lambda _: None)


async def _reply(text: str) -> None:
    await ReplyStream(request(), lambda _: None).finish(text)


async def _search(text: str) -> None:
    models = [Model(f"any/{kind}", kind, (HOSTED,), description="a.b a|b -|-") for kind in KINDS]
    await ListedCatalogue(models).search(text)


async def _show_page(text: str) -> None:
    """The page shows a run while the answer is written, and again later."""
    async with web_scene() as scene:
        message, run = await scene.say("Tell me")
        done = Answered(Answer(run, text))
        await scene.chat.follow(message, run, story(AnswerPart(text), done))
        for path in (f"/api/runs/{run}/events?html=1", f"/api/runs/{run}"):
            async with scene.page.get(path) as response:
                assert response.status == 200
                await response.read()


@pytest.mark.parametrize("show", [_answer_at_once, _reply, _search, _show_page])
@pytest.mark.parametrize(("unit", "size"), [("a.b ", SIZE // 2), ("a|b\n-|-\n", SIZE // 8)])
async def test_a_long_text_does_not_hold_up_the_others(
    show: Callable[[str], Coroutine[None, None, None]], unit: str, size: int
) -> None:
    await show("warm up")

    assert await _longest_stretch(show(repeat(unit, size))) < LONGEST_STRETCH


async def _longest_stretch(work: Coroutine[None, None, None]) -> float:
    """Seconds of CPU time that this thread spends on the work without a pause."""
    longest = 0.0
    async with asyncio.TaskGroup() as group:
        worker = group.create_task(work)
        while not worker.done():
            began = time.thread_time()
            await asyncio.sleep(0)
            longest = max(longest, time.thread_time() - began)
    return longest


LISTS: Mapping[str, Callable[[int], ExpertOutput]] = {
    "labels": lambda count: ExpertOutput(
        {"labels": Labels(tuple(Label(f"class {at}", 0.5) for at in range(count)))}
    ),
    "equal labels": lambda count: ExpertOutput({"labels": Labels((Label("a", 0.5),) * count)}),
    "long labels": lambda count: ExpertOutput({"labels": Labels((Label("a" * 999, 0.5),) * count)}),
    "boxes": lambda count: ExpertOutput(
        {
            "boxes": Boxes(
                tuple(
                    Box(f"thing {at}", 0.5, xmin=0, ymin=0, xmax=1, ymax=1) for at in range(count)
                )
            )
        }
    ),
    "spans": lambda count: ExpertOutput(
        {
            "spans": Spans(
                tuple(
                    Span(text=f"word {at}", label="PER", score=0.5, start=at, end=at + 1)
                    for at in range(count)
                )
            )
        }
    ),
}
KIND_OF = {"boxes": "object-detection", "spans": "token-classification"}


@pytest.mark.parametrize("name", LISTS)
def test_long_lists_of_an_expert_are_cut_and_take_no_time(name: str) -> None:
    made = LISTS[name](SIZE)
    began = time.process_time()

    kept = bound_output(made, "en")
    kind = KIND_OF.get(name, "text-classification")
    output = Output(kept.slots, note=kept.note)  # type: ignore[arg-type]
    done = Done(output, took=0.1, model=model("m", kind), place=LOCAL)
    outcomes = {TaskId(0): done}
    asyncio.run(_respond_plainly(outcomes, kind))
    asyncio.run(_prompt_response(outcomes, kind))

    assert time.process_time() - began < CAP
    assert all(len(value.items) == MOST_ITEMS for value in kept.slots.values())  # type: ignore[union-attr]
    assert kept.note
