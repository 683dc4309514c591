"""How fast the web page is with 1,000 conversations and one of 2,000 turns, and what it weighs.

    python -m benchmarks.page [--threads 1000] [--turns 2000]

The program runs in its own process over a database that its own store has filled; the page is
opened in Chromium. Times count from the navigation to the last message in sight. The heap is what
JavaScript uses after a collection; weights are the bytes that come over the network, compressed,
without media.
"""

# ruff: noqa: E501 - what is printed, and scripts for the browser

import argparse
import asyncio
import io
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

from aiohttp import ClientSession
from PIL import Image
from playwright.async_api import Browser, BrowserContext, CDPSession, Page

from adapters.files import LocalFiles
from adapters.store import Persistence, open_persistence
from adapters.web.sessions import SESSION_COOKIE
from pipeline.codec import dump
from pipeline.domain import (
    Addressing,
    Answer,
    Answered,
    AnswerFile,
    Attachment,
    Audience,
    Channel,
    Done,
    Event,
    Finished,
    Incoming,
    Media,
    Model,
    NamedFile,
    Output,
    Person,
    Plan,
    Planned,
    Run,
    RunId,
    RunState,
    Started,
    Task,
    TaskId,
    Thread,
    Turn,
)
from pipeline.task_kinds import KINDS
from tests.e2e.browser import DESK, open_browser, until
from tests.e2e.program import at_work
from tests.fakes.places import LOCAL

ROUNDS = 9
SHORT = 4
"""Turns of every other conversation."""
BOT = Person("troupe", "Troupe", is_bot=True)
BEGUN = datetime.now(UTC) - timedelta(days=45)
PAINTER = Model("org/painter", "text-to-image", (LOCAL,), licence="mit")
PROSE = "The meeting of the housing committee begins at nine. **Bring the plans** with you. " * 3
CODE = '\n\n```python\nfor name in names:\n    print(f"Hello, {name}!")\n```\n'
TABLE = "\n\n| item | price |\n| --- | ---: |\n" + "\n".join(
    f"| part {n} | {n * 3} |" for n in range(8)
)
LAST = "This is the newest message of all."


def draw(number: int) -> bytes:
    png = io.BytesIO()
    colour = (number * 7 % 256, 80, 160)
    Image.new("RGB", (640, 420), colour).save(png, "PNG")
    return png.getvalue()


async def fill(home: Path, person: str, threads: int, turns: int) -> str:
    """Conversations of a person, the last with so many turns; returns its name."""
    files = LocalFiles(home / "files")
    await files.prepare()
    pictures = []
    for number in range(20):
        data = draw(number)
        name = f"picture-{number}.png"
        pictures.append(
            Attachment(
                hash=await files.put(data),
                media_type="image/png",
                name=name,
                size=len(data),
                description="a colour",
            )
        )
    async with open_persistence(f"sqlite:///{home}/troupe.db") as kept:
        for number in range(threads - 1):
            await talk(
                kept, named(person, f"short-conversation-{number:05}"), SHORT, pictures, number
            )
        long = named(person, "the-long-conversation")
        await talk(kept, long, turns, pictures, threads)
    return long.root


def named(person: str, name: str) -> Thread:
    return Thread(Channel("web", person, name), name)


async def talk(
    kept: Persistence, thread: Thread, turns: int, pictures: list[Attachment], day: int
) -> None:
    after = ""
    for number in range(turns // 2):
        at = BEGUN + timedelta(hours=day, seconds=number)
        after = await exchange(
            kept, thread, number, after, at, pictures, is_last=number == turns // 2 - 1
        )


async def exchange(  # noqa: PLR0913 - all of one row
    kept: Persistence,
    thread: Thread,
    number: int,
    after: str,
    at: datetime,
    pictures: list[Attachment],
    *,
    is_last: bool,
) -> str:
    """A message and its answer, as the program stores them; returns the run."""
    person = Person(thread.channel.workspace, "you")
    run = RunId(f"{thread.root}-{number}")
    picture = pictures[number % len(pictures)]
    text = (
        LAST if is_last else f"{thread.root}, wish {number}: draw what I say and tell me about it."
    )
    sent = (NamedFile("image 1", picture),) if number % 10 == 5 else ()
    message = Incoming(
        id=f"{number:020}",
        thread=thread,
        person=person,
        text=text,
        files=(),
        at=at,
        addressing=Addressing(direct=True),
        after=after,
    )
    said = Turn(key=message.key, person=person, text=text, files=sent, at=at)
    await kept.inbox.accept(message, run)
    await kept.store.log(thread, said, [each.attachment for each in sent], run=run, after=after)
    words = PROSE + (CODE if number % 4 == 1 else "") + (TABLE if number % 4 == 2 else "")
    record = Run(
        id=run, thread=thread.key, person=person.id, text=text, state=RunState.ANSWERED,
        message=message.key, audience=Audience.WORKSPACE, answer=Answer(run, words),
    )  # fmt: skip
    events: list[Event] = []
    if number % 3 == 0:
        drawn = AnswerFile(
            attachment=picture,
            alt="a colour",
            model=PAINTER.id,
            kind="text-to-image",
            task=TaskId(1),
        )
        task = Task(TaskId(1), KINDS["text-to-image"], {})
        outcome = Done(Output({"image": Media(picture)}), took=2.0, model=PAINTER, place=LOCAL)
        record = replace(
            record,
            plan=Plan((task,)),
            outcomes={TaskId(1): outcome},
            answer=Answer(run, words, files=(drawn,)),
        )
        events = [
            Planned(record.plan),
            Started(TaskId(1), PAINTER.id, LOCAL, at=1.0),
            Finished(TaskId(1), outcome, at=3.0),
        ]
    assert record.answer
    events.append(Answered(record.answer, at=4.0))
    answer = Turn(key=run, person=BOT, text=words, files=(), at=at)
    stored = [(place, dump(event, Event)) for place, event in enumerate(events)]
    shown = [file.attachment for file in record.answer.files]
    await kept.store.keep(record, thread, answer, stored, shown)
    await kept.inbox.finish(run)
    return run


@asynccontextmanager
async def filled(home: Path, threads: int, turns: int) -> AsyncIterator[tuple[str, str, str]]:
    """The program over a full database: its address, the person's cookie, the long conversation."""
    async with (
        at_work(home) as program,
        ClientSession() as session,
        session.get(program.address) as response,
    ):
        cookie = response.cookies[SESSION_COOKIE].value
    began = time.perf_counter()
    long = await fill(home, cookie.split(".")[0], threads, turns)
    print(f"filled in {time.perf_counter() - began:.0f} s")
    async with at_work(home) as program:
        yield program.address, cookie, long


@asynccontextmanager
async def at_page(
    browser: Browser, address: str, cookie: str
) -> AsyncIterator[tuple[Page, CDPSession]]:
    context: BrowserContext = await browser.new_context(
        bypass_csp=True, viewport={"width": DESK[0], "height": DESK[1]}
    )
    await context.add_cookies([{"name": SESSION_COOKIE, "value": cookie, "url": address}])
    page = await context.new_page()
    page.on("pageerror", lambda error: print("  ERROR ON THE PAGE:", error))
    yield page, await context.new_cdp_session(page)
    await context.close()


SEEN = """async (words) => {
  const seen = () => [...document.querySelectorAll(".said .bubble")].at(-1)?.textContent === words
    && document.querySelectorAll(".run > .text").length > 0;
  while (!seen()) await new Promise(requestAnimationFrame);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now();
}"""
"""Milliseconds from the navigation to the frame in which the last message was drawn."""


async def heap(devtools: CDPSession) -> float:
    """Megabytes that JavaScript uses."""
    await devtools.send("HeapProfiler.enable")
    await devtools.send("HeapProfiler.collectGarbage")
    metrics = await devtools.send("Runtime.getHeapUsage")
    return float(metrics["usedSize"]) / 1e6


async def paint(page: Page) -> float:
    entries = await page.evaluate(
        "performance.getEntriesByType('paint').map(({name, startTime}) => [name, startTime])"
    )
    return float(dict(entries).get("first-contentful-paint", float("nan")))


async def open_long(browser: Browser, address: str, cookie: str, long: str) -> None:
    used = 0.0
    seen: dict[str, list[float]] = {"cold": [], "warm": []}
    paints: dict[str, list[float]] = {"cold": [], "warm": []}
    for _ in range(ROUNDS):
        async with at_page(browser, address, cookie) as (page, devtools):
            for how in ("cold", "warm"):
                await page.goto("about:blank")
                await page.goto(f"{address}/#{long}", wait_until="commit")
                seen[how].append(await page.evaluate(SEEN, LAST))
                await page.wait_for_timeout(500)
                paints[how].append(await paint(page))
            used = await heap(devtools)
    for how, times in seen.items():
        print(f"{how}: last message after {median(times):.0f} ms ({min(times):.0f} to {max(times):.0f}), "
              f"first paint {median(paints[how]):.0f} ms ({min(paints[how]):.0f} to {max(paints[how]):.0f})")  # fmt: skip
    print(f"heap with the long conversation open: {used:.1f} MB")


async def scroll_to_top(browser: Browser, address: str, cookie: str, long: str) -> None:
    async with at_page(browser, address, cookie) as (page, devtools):
        await page.goto(f"{address}/#{long}")
        await page.evaluate(SEEN, LAST)
        began, steps = time.perf_counter(), 0
        while await page.locator(".earlier").count():
            count = await page.locator(".said").count()
            await page.evaluate("scrollTo(0, 0)")
            await until(
                page,
                f"document.querySelectorAll('.said').length > {count} || !document.querySelector('.earlier')",
            )
            steps += 1
            if steps % 10 == 0:
                nodes = await page.evaluate("document.querySelectorAll('*').length")
                print(f"  step {steps}: {count} messages, {nodes} elements, heap {await heap(devtools):.1f} MB, "
                      f"{time.perf_counter() - began:.1f} s")  # fmt: skip
        count = await page.locator(".said").count()
        first = await page.locator(".said .bubble").first.inner_text()
        print(f"top after {steps} steps, {time.perf_counter() - began:.1f} s: {count} messages, first {first[:40]!r}, "
              f"heap {await heap(devtools):.1f} MB")  # fmt: skip
        nodes = await page.evaluate("document.querySelectorAll('*').length")
        began = time.perf_counter()
        typed = await page.evaluate("""async () => {
          const box = document.getElementById("text"); const took = [];
          for (const letter of "hello there") {
            const at = performance.now();
            box.value += letter; box.dispatchEvent(new InputEvent("input", {bubbles: true}));
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            took.push(performance.now() - at);
          }
          return Math.max(...took);
        }""")
        print(f"with {nodes} elements, a letter typed takes at most {typed:.0f} ms")


async def use_list(browser: Browser, address: str, cookie: str, threads: int) -> None:
    async with at_page(browser, address, cookie) as (page, devtools):
        await page.goto(address)
        await page.locator(".sidebar .listed li").first.wait_for()
        began = time.perf_counter()
        while await page.locator(".listed > button").count():
            count = await page.locator(".listed li").count()
            await page.locator(".listed > button").scroll_into_view_if_needed()
            await until(
                page,
                f"document.querySelectorAll('.listed li').length > {count} || !document.querySelector('.listed > button')",
            )
        count = await page.locator(".listed li").count()
        print(
            f"list of {count} of {threads} scrolled to its end in {time.perf_counter() - began:.1f} s, heap {await heap(devtools):.1f} MB"
        )
        for query, wanted in (("newest message", None), ("conversation-00500", 1), ("the", None)):
            began = time.perf_counter()
            async with page.expect_response(lambda response: "query=" in response.url):
                await page.locator("#search").fill(query)
            await until(
                page, "document.querySelector('.listed').getAttribute('aria-busy') === 'false'"
            )
            took = time.perf_counter() - began
            found = await page.locator(".listed li").count()
            print(
                f"search {query!r}: {found} shown after {took * 1000:.0f} ms (200 of them waiting for more letters)"
            )
            assert wanted is None or found == wanted, found


async def ask_server(address: str, cookie: str, long: str, turns: int) -> None:
    async with ClientSession(cookies={SESSION_COOKIE: cookie}) as session:
        for path in (
            "/api/threads?limit=40",
            "/api/threads?query=newest+message",
            "/api/threads?query=the",
            f"/api/threads/{long}?limit=30",
            f"/api/threads/{long}?limit=30&before={long}-{turns // 4}",
            "/api/start",
            "/page/app.js",
        ):
            took, size = [], 0
            for _ in range(15):
                began = time.perf_counter()
                async with session.get(address + path) as response:
                    size = len(await response.read())
                    assert response.status == 200, response.status
                took.append((time.perf_counter() - began) * 1000)
            print(f"  {path}: {median(took):.0f} ms (at most {max(took):.0f}), {size} bytes plain")


async def weigh(browser: Browser, address: str, cookie: str, long: str) -> None:
    """What the browser fetches at first, then with every part that is loaded lazily."""
    async with at_page(browser, address, cookie) as (page, devtools):
        await devtools.send("Network.enable")
        paths: dict[str, str] = {}
        weights: dict[str, float] = {}
        devtools.on(
            "Network.requestWillBeSent",
            lambda event: paths.__setitem__(
                event["requestId"], event["request"]["url"].removeprefix(address)
            ),
        )
        devtools.on(
            "Network.loadingFinished",
            lambda event: weights.__setitem__(
                paths.get(event["requestId"], "?"), event["encodedDataLength"]
            ),
        )

        def code() -> dict[str, float]:
            return {
                path: size
                for path, size in weights.items()
                if path.startswith(("/page/", "/#", "/"))
                and not path.startswith(("/api", "/files"))
            }

        await page.goto(f"{address}/#{long}")
        await page.evaluate(SEEN, LAST)
        await page.wait_for_timeout(1500)
        first = code()
        print(f"at first: {len(first)} files, {sum(first.values()) / 1000:.1f} kB with headers")
        bodies = {}
        async with ClientSession(
            auto_decompress=False, headers={"Accept-Encoding": "gzip"}
        ) as session:
            parts = [*first]
            root = Path(__file__).parents[1] / "adapters/web/page"
            every = sorted(
                f"/page/{path.relative_to(root)}"
                for path in root.rglob("*")
                if path.suffix in (".js", ".css", ".svg", ".html")
            )
            for path in {*parts, *every}:
                async with session.get(address + path.partition("#")[0]) as response:
                    if response.status == 200:
                        bodies[path] = len(await response.read())
        print(f"at first, bodies only: {sum(bodies[path] for path in parts) / 1000:.1f} kB")
        print(f"with every other part: {sum(bodies.values()) / 1000:.1f} kB ({len(bodies)} files)")
        for path, size in sorted(bodies.items(), key=lambda item: -item[1])[:14]:
            print(f"    {size:6} {path}{'' if path in first else ' (later)'}")


async def main(threads: int, turns: int, folder: str) -> None:
    async with (
        filled(Path(folder), threads, turns) as (address, cookie, long),
        open_browser("--enable-precise-memory-info") as browser,
    ):
        print(address, cookie, long)
        await ask_server(address, cookie, long, turns)
        await open_long(browser, address, cookie, long)
        await weigh(browser, address, cookie, long)
        await use_list(browser, address, cookie, threads)
        await scroll_to_top(browser, address, cookie, long)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=2000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(asked.threads, asked.turns, folder))
