"""How long a hostile text or list holds the event loop: the longest stretch without a pause.

Each pattern is repeated up to the size that the program takes, and goes through reading, planning,
answering and showing, as the program does it: what runs in threads there runs in threads here.
Measured is CPU time of this process between two turns of the loop, so other load counts little.

    python -m benchmarks.hostile [--only PART] [--slowest 20]
"""

import argparse
import asyncio
import gc
import json
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from adapters.chat.board import Board, apply_event
from adapters.chat.presenter import Presenter
from adapters.chat.rendering import BoardRenderer, Layout
from adapters.discord.reading.contents import strip_mention
from adapters.discord.showing import markdown as discord_markdown
from adapters.discord.web_api.spoilers import hide_spoilers
from adapters.embedded.planner import EmbeddedPlanner
from adapters.huggingface.hub import parse_models
from adapters.slack.reading.directory import Directory
from adapters.slack.reading.messages import is_edited, read_message
from adapters.slack.showing import splitting
from adapters.slack.web_api.client import SlackAccess, SlackClient
from adapters.slack.web_api.limits import SlackLimits
from adapters.web import serialization
from adapters.web.markdown_html import render_html
from adapters.web.run_logs import RunLog
from adapters.wire.decode import UNREADABLE
from adapters.wire.expert import _decode
from adapters.wire.formats import Body
from bot.commands.parsing import parse_command
from bot.places import EMBEDDED, LOCAL
from bot.summarization import summarize
from pipeline.bounds import bound_json
from pipeline.codec import dump, load
from pipeline.domain import (
    Addressing,
    Answer,
    Answered,
    AnswerPart,
    Channel,
    Context,
    Done,
    Incoming,
    Model,
    Outcome,
    Output,
    Person,
    Plan,
    Planned,
    Request,
    RunId,
    Task,
    TaskId,
    Text,
    Thread,
    Turn,
)
from pipeline.errors import ChatError, LlmError, PlanError, RequestError
from pipeline.execution.expert_io import bound_output
from pipeline.planning.planner import LlmPlanner
from pipeline.ports import Job
from pipeline.response.llm import LlmResponder
from pipeline.response.plain import PlainResponder
from pipeline.response.respond import respond
from pipeline.selection.candidates import Candidates
from pipeline.task_kinds import KINDS
from tests.e2e.test_stall import Writer
from tests.fakes.experts import full_catalogue
from tests.fakes.stages import FakeResponder

Json = Any

MOST_TEXT, MOST_ANSWER, MOST_SLACK, MOST_DISCORD = 100_000, 100_000, 40_000, 4_000
LIMIT = 0.05
"""Seconds for which the loop may be held."""

_SIGNS = (
    *"<>[](){}`*_~#\\| a.-@:/\"'&!?=+^$%;,0",
    "\n", "\t", "\x00", "\u200b", "\u200f", "\u202e", "\u2066", "a\u0301", "\u0301", "\u3042",
    "\ufdfa", "\U0001f600", "\U0001f469\u200d\U0001f469\u200d\U0001f467", "\U000e0041", "\xe9",
    "\xdf", "\u0130", "\u06f1", "\u05e9\u05dc\u05d5\u05dd ", "\u0645\u0631\u062d\u0628\u0627 ",
    "\ud55c\uae00", "\uff57\uff49\uff44\uff45",
)  # fmt: skip
_PIECES = (
    "[a](", "![](", "[[", "]]", "](", "[a]: ", "[^1]: ", "[1] ", "[a][b] ", "](<", "<a ",
    "<a href=", "<!--", "<b", "</", "<@", "<@U1", "<#C1|", "<!subteam^", "<http://a|", "&amp;",
    "&#", "&lt;", "**a", "*a _b ", "***", "__", "~~a", "``", "```\n", "~~~\n", "> ", ">>", "- ",
    "  - a\n", "1. ", "1) ", "# ", "#", "===\n", "---\n", "| a | b |\n", "a|b\n-|-\n", "|-", "|",
    "|||", ":-:", "a/b ", "http://", "http://a.b/", "https://a.b/c?d=e&", "www.a.", "a@b.",
    "mailto:", "@everyone ", "@here", "a.b ", "a.b.c-", "a.b/", "file.png ", "file.png",
    "a.png,", "x.pdf/", "../", "C:\\", "2024-01-01 ", "1111111111111111111111111111111111111111",
    "9e9", "-1 ", "0x", '{"a":', '{"task": "', '{"tasks": [', "[{", '"', '\\"', "image 1 ",
    "image-", "<GENERATED>-0 ", "<text-0>", "whisper-large-v3 ", "with a/b ", "and then ",
    "no, ", "or ", "a, ", "a;b\n", '"a",', "<t:1", ":smile", ":a:", "\r\n", "\r", "\x0c",
    "\u2028", "word ", "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww", "Aa",
    "aB1-", "translate it into ", "summarize it. ", "draw a cat and ", "stop ", "/", "/forget ",
    "Ann's message ", "\u2026", " \u2026 ", "...", "<<<", ">>>", "<think>", "</think>",
)  # fmt: skip
PATTERNS = {ascii(unit): unit for unit in (*_SIGNS, *_PIECES)}
NESTED = {
    "brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "links": lambda size: "[" * (size // 8) + "a" + "](u) " * (size // 8),
    "quotes": lambda size: ("> " * 400 + "a\n") * (size // 801),
    "lists": lambda size: "".join(f"{' ' * (2 * n % 400)}- a\n" for n in range(size // 200)),
    "emphasis": lambda size: "*a " * (size // 6) + "a* " * (size // 6),
    "table": lambda size: "|".join("a" * (size // 8)) + "\n" + "|".join("-" * (size // 8)) + "\n",
    "long table": lambda size: "a|b\n-|-\n" + "c|d\n" * (size // 4),
    "one word": lambda size: "a" * size,
    "fences": lambda size: "".join("`" * (3 + n % 60) + "\n" for n in range(size // 34)),
    "names": lambda size: " ".join(f"a{n}.png" for n in range(size // 9)),
    "addresses": lambda size: " ".join(f"https://a{n}.example/b" for n in range(size // 23)),
    "mentions": lambda size: " ".join(f"<@U{n:09}>" for n in range(size // 13)),
    "JSON": lambda size: (
        '{"tasks":[' + '{"task":"summarization","args":{"text":"a"}},' * (size // 45)
    ),
    "JSON deep": lambda size: '{"tasks":[{"args":' + "[" * size,
    "JSON keys": lambda size: "{" + ",".join(f'"{n}":1' for n in range(size // 9)) + "}",
}


def make(name: str, size: int) -> str:
    if name in NESTED:
        return NESTED[name](size)[:size]
    unit = PATTERNS[name]
    return (unit * (size // len(unit) + 1))[:size]


ANN = Person("u1", "Ann")
THREAD = Thread(Channel("slack", "T", "C1"), "1.0")
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def turn(text: str) -> Turn:
    return Turn(key="t", person=ANN, text=text, files=(), at=NOW)


def request(text: str, *before: str) -> Request:
    return Request(
        run=RunId("r"),
        thread=THREAD,
        person=ANN,
        text=text,
        context=Context(tuple(map(turn, before))),
    )


class NoSlack(SlackClient):
    """Slack is down: names go by their ids."""

    async def call(self, *_: Any, **__: Any) -> Any:  # noqa: ANN401 - the library's
        raise ChatError("slack-unreachable")


async def read_slack(text: str) -> None:
    client = NoSlack(SlackAccess("xoxb-1"), SlackLimits())
    block = {"type": "rich_text", "elements": [{"type": "text", "text": text}]}
    message = {"ts": "1.0", "user": "U1", "text": text, "blocks": [block]}
    message["attachments"] = [{"text": text, "fallback": text}]
    await read_message(Directory(client), "C1", message)
    is_edited({"message": message, "previous_message": {"text": "x"}})


async def read_discord(text: str) -> None:
    strip_mention(text, "Troupe")
    hide_spoilers(text)


async def take(text: str) -> None:
    """What the conversation does with a message before it is stored, and the record of it."""
    message = Incoming(
        id="1",
        thread=THREAD,
        person=ANN,
        text=text,
        files=(),
        at=NOW,
        addressing=Addressing(mentioned=True),
    )
    parse_command(message)
    load(Incoming, dump(message))


async def _plan(asked: Request, planned: str, size: int) -> None:
    planner = LlmPlanner(_Pieces(planned, size), Candidates(full_catalogue()))
    with suppress(PlanError, LlmError):
        async for _ in planner.plan(asked):
            pass


@dataclass
class _Pieces(Writer):
    """Writes a text in pieces of a given size."""

    size: int = 64

    def __init__(self, text: str, size: int) -> None:
        super().__init__(text)
        self.size = size

    async def stream(self, _: Any) -> Any:  # noqa: ANN401 - the port's
        for at in range(0, len(self.text), self.size):
            yield self.text[at : at + self.size]
            await asyncio.sleep(0)


async def plan_by_llm(text: str) -> None:
    await _plan(request(text, text, text), '{"reply": "ok", "tasks": []}', 64)


async def read_plan_in_pieces(text: str) -> None:
    await _plan(request("please"), text, 64)


async def read_plan_at_once(text: str) -> None:
    await _plan(request("please"), text, MOST_ANSWER)


async def plan_built_in(text: str) -> None:
    assert [part async for part in EmbeddedPlanner().plan(request(text, text[:4000]))]


def _task(text: str) -> Task:
    return Task(TaskId(0), KINDS["summarization"], {"text": (Text(text),)})


def _done(text: str) -> Mapping[TaskId, Done]:
    used = Model("a/b", "summarization", (EMBEDDED,))
    return {TaskId(0): Done(Output({"text": Text(text)}), took=0.1, model=used, place=EMBEDDED)}


async def answer_in_pieces(text: str) -> None:
    pieces = [text[at : at + 64] for at in range(0, len(text), 64)]
    plan = Plan((_task("x"),))
    await respond(request("x"), plan, _done("x"), [FakeResponder(pieces)], lambda _: None)


async def answer_at_once(text: str) -> None:
    plan = Plan((_task("x"),))
    await respond(request("x"), plan, _done("x"), [FakeResponder([text])], lambda _: None)


async def answer_about_much(text: str) -> None:
    asked, plan = request(text, text), Plan((_task(text),))
    await respond(asked, plan, _done(text), [FakeResponder([text])], lambda _: None)


async def talk(text: str) -> None:
    await _plan(request(text), json.dumps({"reply": text, "tasks": []}), 64)


async def answer_plainly(text: str) -> None:
    plan = Plan((_task(text),))
    await respond(request("x"), plan, _done(text), [PlainResponder()], lambda _: None)


async def prompt_for_answer(text: str) -> None:
    plan = Plan((_task(text),))
    async for _ in LlmResponder(Writer("ok")).respond(request(text, text), plan, _done(text)):
        pass


async def fold(text: str) -> None:
    await summarize(Writer(text[:2000]), text[:2000], [turn(text)] * 5)


def _draw(layout: Layout) -> Callable[[str], Coroutine[None, None, None]]:
    async def draw(text: str) -> None:
        renderer = BoardRenderer(layout, "en")
        board = apply_event(Board(), Planned(Plan((_task("x"),))))
        running = apply_event(board, AnswerPart(text))
        ended = apply_event(running, Answered(Answer(RunId("r"), text)))
        presenter = Presenter(
            run=RunId("r"),
            surface=None,  # type: ignore[arg-type]
            renderer=renderer,
            ports=None,  # type: ignore[arg-type]
        )
        presenter.board = running
        await presenter._render(renderer.render_progress)  # noqa: SLF001 - as it shows a run
        presenter.board = ended
        await presenter._render(renderer.render_end)  # noqa: SLF001

    return draw


async def show_on_page(text: str) -> None:
    log = RunLog(RunId("r"), THREAD, "k", text)
    for at in range(0, len(text), 64):
        log.add(AnswerPart(text[at : at + 64]))
    serialization.merge_events(log.events)
    await asyncio.to_thread(render_html, text, links=False)
    log.add(Answered(Answer(RunId("r"), text)))
    for event in serialization.merge_events(log.events):
        serialization.serialize_event(event, "en")
    await asyncio.to_thread(serialization.serialize_end, log, "en", html=True)
    await asyncio.to_thread(serialization.serialize_run, log, "en")


PARTS: Mapping[str, tuple[int, Callable[[str], Coroutine[None, None, None]]]] = {
    "read Slack": (MOST_SLACK, read_slack),
    "read Discord": (MOST_DISCORD, read_discord),
    "take": (MOST_TEXT, take),
    "plan by LLM": (MOST_TEXT, plan_by_llm),
    "plan built in": (MOST_TEXT, plan_built_in),
    "plan read in pieces": (MOST_ANSWER, read_plan_in_pieces),
    "plan read at once": (MOST_ANSWER, read_plan_at_once),
    "answer in pieces": (MOST_ANSWER, answer_in_pieces),
    "answer at once": (MOST_ANSWER, answer_at_once),
    "answer about much": (MOST_TEXT, answer_about_much),
    "answer plainly": (MOST_TEXT, answer_plainly),
    "talk": (MOST_ANSWER, talk),
    "prompt for answer": (MOST_TEXT, prompt_for_answer),
    "fold": (MOST_TEXT, fold),
    "Slack": (MOST_ANSWER, _draw(splitting.LAYOUT)),
    "Discord": (MOST_ANSWER, _draw(discord_markdown.LAYOUT)),
    "page": (MOST_ANSWER, show_on_page),
}


MOST_LISTED = 300_000


async def read_message_with(**lists: Any) -> None:  # noqa: ANN401 - Slack's own
    client = NoSlack(SlackAccess("xoxb-1"), SlackLimits())
    message = bound_json({"ts": "1.0", "user": "U1", "text": "x", **lists})  # at the door
    with suppress(RequestError, KeyError):
        await read_message(Directory(client), "C1", message)
    is_edited({"message": message, "previous_message": message})


def press_with(blocks: Json) -> Json:
    return bound_json({"type": "block_actions", "actions": [{}], "message": {"blocks": blocks}})


def _nest(depth: int) -> Json:
    value: Json = []
    for _ in range(depth):
        value = [value]
    return value


async def expert_says(kind: str, body: str) -> None:
    """A reply of a server, up to the prompt, the answer and the record."""
    used = Model("a/b", kind, (LOCAL,))
    args = {"text": (Text("some words"),)}
    try:
        made = await _decode(Body(body.encode(), "application/json"), Job(KINDS[kind], used, args))
    except UNREADABLE:
        return
    kept = bound_output(made, "en")
    done = Done(Output(kept.slots, note=kept.note), took=0.1, model=used, place=LOCAL)  # type: ignore[arg-type]
    dump(done, Outcome)
    plan = Plan((Task(TaskId(0), KINDS[kind], {"text": (Text("x"),)}),))
    await respond(request("x"), plan, {TaskId(0): done}, [PlainResponder()], lambda _: None)
    async for _ in LlmResponder(Writer("ok")).respond(request("x"), plan, {TaskId(0): done}):
        pass


def _rows(row: str) -> str:
    return "[" + ",".join([row] * MOST_LISTED) + "]"


async def list_models(row: str) -> None:
    with suppress(*UNREADABLE):
        await asyncio.to_thread(parse_models, _rows(row).encode())


LABEL = '{"label":"a","score":0.5}'
LISTS: Mapping[str, Callable[[], Coroutine[None, None, None]]] = {
    "Slack attachments": lambda: read_message_with(attachments=[{}] * MOST_LISTED),
    "Slack files": lambda: read_message_with(files=[{"id": "F"}] * MOST_LISTED),
    "Slack blocks": lambda: read_message_with(blocks=[{"text": "a"}] * MOST_LISTED),
    "Slack deep blocks": lambda: read_message_with(blocks=_nest(900)),
    "Slack click": lambda: asyncio.sleep(0, press_with([{"a": {}}] * MOST_LISTED)),
    "labels": lambda: expert_says("text-classification", _rows(LABEL)),
    "fewer labels": lambda: expert_says("text-classification", f"[{','.join([LABEL] * 57_000)}]"),
    "spans": lambda: expert_says("token-classification", _rows('{"word":"a","score":1}')),
    "boxes": lambda: expert_says("object-detection", _rows('{"label":"a","score":1,"box":{}}')),
    "vector": lambda: expert_says("feature-extraction", _rows("0.5")),
    "matrix": lambda: expert_says("feature-extraction", f"[{','.join(['[0.5,0.5]'] * 100_000)}]"),
    "segments": lambda: expert_says(
        "automatic-speech-recognition", f'{{"text":"a","chunks":{_rows("{}")}}}'
    ),
    "long text": lambda: expert_says("summarization", '{"summary_text":"' + "a, " * 600_000 + '"}'),
    "deep": lambda: expert_says("summarization", "[" * MOST_LISTED),
    "models of the Hub": lambda: list_models('{"id":"a/b","pipeline_tag":"summarization"}'),
    "a plan": lambda: _plan(request("x"), '{"tasks":[' + '{"task":"translation"},' * 50_000, 64),
    "pieces": lambda: show_on_page("a" * MOST_ANSWER),
}


async def measure(work: Coroutine[None, None, None]) -> tuple[float, float]:
    """The longest stretch without a pause, and all CPU time, in seconds."""
    longest, started = 0.0, time.process_time()
    async with asyncio.TaskGroup() as group:
        worker = group.create_task(work)
        while not worker.done():
            began = time.process_time()
            await asyncio.sleep(0)
            longest = max(longest, time.process_time() - began)
    return longest, time.process_time() - started


def drill(only: str = "") -> Iterator[tuple[float, float, str, str]]:
    """Hold and total of each part with each pattern; the better of two tries."""
    gc.disable()
    with asyncio.Runner() as runner:
        for part, (size, work) in PARTS.items():
            if only not in part:
                continue
            runner.run(measure(work("warm up")))
            for name in (*PATTERNS, *NESTED):
                text = make(name, size)
                hold, total = runner.run(measure(work(text)))
                if hold > LIMIT:
                    hold, total = min((hold, total), runner.run(measure(work(text))))
                gc.collect()
                yield hold, total, part, name
        for name, begin in LISTS.items():
            if only in name or only in "list":
                hold, total = runner.run(measure(begin()))
                gc.collect()
                yield hold, total, "list", name


def main(only: str, slowest: int) -> None:
    rows = []
    for row in drill(only):
        rows.append(row)
        if row[0] > LIMIT:
            print(f"{row[0] * 1000:7.0f} ms of {row[1]:6.2f} s  {row[2]}: {row[3]}", flush=True)
    held = sum(row[0] <= LIMIT for row in rows)
    print(f"\n{held} of {len(rows)} hold the loop for at most {LIMIT * 1000:.0f} ms; the slowest:")
    for hold, total, part, name in sorted(rows, reverse=True)[:slowest]:
        print(f"{hold * 1000:7.0f} ms of {total:6.2f} s  {part}: {name}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--slowest", type=int, default=20)
    options = parser.parse_args()
    main(options.only, options.slowest)
