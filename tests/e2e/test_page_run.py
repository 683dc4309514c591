"""A run on the page: its state from events, its plan, the details of steps, two models, code."""

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from pipeline.domain import (
    Action,
    Answer,
    Answered,
    AnswerFile,
    Attachment,
    Attempt,
    Choice,
    Chose,
    Comparison,
    Done,
    Event,
    Failed,
    FellBack,
    Finished,
    LocalizedText,
    Media,
    Model,
    Output,
    Place,
    Plan,
    Planned,
    Progressed,
    Ref,
    Reply,
    RunId,
    Select,
    SelectOption,
    Skipped,
    Started,
    Task,
    TaskId,
    Text,
)
from pipeline.task_kinds import KINDS
from tests.adapters.web.asking import story
from tests.adapters.web.scene import WebScene, web_scene
from tests.contracts.test_chat import PNG
from tests.e2e.accessibility import find_violations
from tests.e2e.browser import Window, until
from tests.e2e.mounting import open_bare
from tests.e2e.visits import READ, SPEAK

pytestmark = pytest.mark.asyncio(loop_scope="session")

HUB = Place(name="hosted", pages="https://hub.example")
READER = Model("org/reader", "optical-character-recognition", (HUB,), licence="apache-2.0")
PAINTER = Model("org/painter", "text-to-image", (HUB,), licence="mit")
SPEAKER = Model("speaker", "text-to-speech", (HUB,))
PAINT = Task(TaskId(2), KINDS["text-to-image"], {"text": (Ref(TaskId(0), "text"),)})
FOUND = "Total £573.00. " * 200
CODE = '```python\nif total:  # pounds\n    print("£573.00")\n```\n\n| Item | Price |\n|---|--:|\n| Desk, oak | 420 |\n'  # noqa: E501

FRESH = """async () => {
    const { Run } = await import("/page/run/run.js");
    window.run = new Run("r");
    window.told = [];
    run.addEventListener("told", ({ detail }) => told.push(detail));
}"""
SEND = """async () => {
    const headers = { "Content-Type": "application/json", Prefer: "respond-async" };
    await fetch("/api/chat", { method: "POST", headers, body: JSON.stringify({ text: "Go" }) });
}"""
SHOW = """async ({ id, replayed }) => {
    const { html, render } = await import("/page/view.js");
    const { Run } = await import("/page/run/run.js");
    const { RunView } = await import("/page/run/view.js");
    const main = document.createElement("main");
    document.body.replaceChildren(main);
    Object.assign(window, { run: new Run(id), told: [], made: [] });
    render(html`<${RunView} run=${run} onrun=${(made) => window.made.push(made)} tell=${(text) => window.told.push(text)} />`, main);
    await new Promise((done) => setTimeout(done, 50));
    if (replayed) {
        const told = await (await fetch(`/api/runs/${id}`)).json();
        for (const { type, ...data } of told.events) run.apply(type, data, { replayed: true });
        run.apply("answer", told.answer, { replayed: true });
        return;
    }
    const text = await (await fetch(`/api/runs/${id}/events?html=1`)).text();
    for (const block of text.split("\\n\\n")) {
        const [, name, data] = /event: (.*)\\ndata: (.*)/.exec(block) ?? [];
        if (name) run.apply(name, JSON.parse(data));
    }
}"""  # noqa: E501
"""Shows a run that is over, as the page does, from its events; with nothing around it."""


@pytest_asyncio.fixture(loop_scope="session")
async def scene(window: Window) -> AsyncIterator[WebScene]:
    async with web_scene() as opened, open_bare(window, opened) as page:
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await page.evaluate("localStorage.removeItem('troupe-plan')")
        yield opened


async def apply(page: Page, name: str, replayed: bool = False, **data: Any) -> None:  # noqa: FBT001, FBT002
    how = {"replayed": replayed}
    await page.evaluate("([name, data, how]) => run.apply(name, data, how)", [name, data, how])


def planned(*tasks: tuple[int, list[int]]) -> dict[str, Any]:
    return {
        "tasks": [
            {"id": step, "dep": needs, "task": "x", "says": f"doing {step}"}
            for step, needs in tasks
        ],
        "estimate": "",
    }


async def perform(
    page: Page, scene: WebScene, *events: Event, text: str = "Here.", **answer: Any
) -> RunId:
    """A run of the browser's person, with these events and this answer."""
    number = len(scene.listener.received) + 1
    await page.evaluate(SEND)
    message, run = await scene.listener.next(number)
    end = Answered(Answer(run, text, **answer), at=75.0)
    await scene.chat.follow(message, run, story(*events, end))
    return run


async def show(page: Page, run: RunId, *, replayed: bool = False) -> None:
    await page.evaluate(SHOW, {"id": run, "replayed": replayed})


async def unfold(page: Page) -> None:
    """Open the plan of a run that is over."""
    await page.locator(".plan:not([open]) > summary").press("Enter")


async def picture(scene: WebScene, name: str) -> Attachment:
    return Attachment(hash=await scene.keep(PNG), media_type="image/png", name=name, size=len(PNG))


def as_answer(file: Attachment, alt: str = "a desk") -> AnswerFile:
    return AnswerFile(
        attachment=file, alt=alt, model=PAINTER.id, kind="text-to-image", task=PAINT.id
    )


async def three_steps(page: Page, scene: WebScene) -> RunId:
    """It read, then painted and spoke; a first painter failed, and speaking did not work."""
    late = LocalizedText("task-too-long", {"seconds": 60})
    failed = Attempt(model="org/sketcher", place=HUB, took=1.5, error=late)
    paid = Attempt(model=PAINTER.id, place=HUB, took=2.0, cost=0.0123)
    drawn = await picture(scene, "desk.png")
    read = Done(Output({"text": Text(FOUND)}), took=0.4, model=READER, place=HUB)
    painted = Done(
        Output({"image": Media(drawn)}), took=3.5, model=PAINTER, place=HUB, tried=(failed, paid)
    )
    return await perform(
        page,
        scene,
        Planned(Plan((READ, SPEAK, PAINT))),
        Chose(READ.id, Choice(READER, LocalizedText("chosen-only"), (PAINTER,))),
        Started(READ.id, READER.id, HUB, at=1.0),
        Finished(READ.id, read, at=1.4),
        Started(PAINT.id, "org/sketcher", HUB, at=1.4),
        FellBack(PAINT.id, failed),
        Started(PAINT.id, PAINTER.id, HUB, at=3.0),
        Finished(PAINT.id, painted, at=5.0),
        Finished(SPEAK.id, Failed(late), at=5.0),
        files=(as_answer(drawn),),
    )


async def test_the_steps_of_a_run_follow_its_events(window: Window, scene: WebScene) -> None:
    page = window.page
    await page.evaluate(FRESH)
    await apply(page, "planned", **planned((1, []), (2, [1])))
    await apply(page, "started", task=1, model="m", place="local", provider="", at=2.0)
    await apply(page, "progressed", task=1, fraction=0.5, note="")
    states = "run.plan.map((step) => [step.state, step.number, step.fraction])"
    assert await page.evaluate(states) == [["running", 1, 0.5], ["waiting", 2, -1]]
    await apply(page, "fell_back", task=1, model="m", error="no")
    tried = [{"model": "m", "error": "no", "took": 1.5}]
    await apply(page, "finished", task=1, state="failed", reason="no", tried=tried, cost=None)
    await apply(page, "finished", task=2, state="skipped", because_of=1)
    await apply(page, "answer", html="<p>x</p>", files=[], actions=["retry"], took=12.5)

    assert await page.evaluate("run.plan.map((step) => step.state)") == ["failed", "skipped"]
    assert await page.evaluate("[run.steps.get(1).failure, run.steps.get(1).took]") == ["", 1.5]
    assert await page.evaluate("[run.live, run.elapsed, run.failed, run.actions[0]]") == [
        False,
        12.5,
        1,
        "retry",
    ]
    assert await page.evaluate("[...run.outcomes.keys()]") == [1, 2]


async def test_the_clock_of_a_run_begins_where_the_server_says(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    await page.evaluate(FRESH)
    await apply(page, "accepted", run="r", thread="t", elapsed=100, waits_for="earlier")
    assert await page.evaluate("run.elapsed >= 100 && run.elapsed < 160")
    assert await page.evaluate("run.waitsFor") == "earlier"
    await apply(page, "planned", **planned((1, [])))
    await apply(page, "started", task=1, model="m", place="local", at=90.0)
    assert await page.evaluate("run.steps.get(1).lasting(run.elapsed) >= 10")
    assert await page.evaluate("run.waitsFor") == ""

    await apply(page, "accepted", run="r", thread="t", elapsed=200, waits_for="")  # a new reader

    assert await page.evaluate("run.elapsed >= 200")
    assert await page.evaluate("run.plan.length") == 0


async def test_what_a_run_says_is_said_once_and_never_of_the_past(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    await page.evaluate(FRESH)
    for _ in range(2):
        await apply(page, "accepted", run="r", thread="t")
        await apply(page, "planned", **planned((1, [])))
    assert await page.evaluate("told.length") == 1

    await page.evaluate(FRESH)
    await apply(page, "planned", replayed=True, **planned((1, [])))
    await apply(page, "answer", replayed=True, html="", files=[], actions=[], took=None)

    assert await page.evaluate("told") == []
    assert await page.evaluate("run.elapsed") is None


async def test_a_run_that_waits_says_why(window: Window, scene: WebScene) -> None:
    page = window.page
    run = await perform(page, scene, Planned(Plan((READ,))))
    await show(page, run)
    await page.evaluate("run.live = true; run.apply('accepted', { run: 'x', elapsed: 3 })")
    await apply(page, "delayed", reason="Nothing can be saved right now.")
    await expect(page.get_by_text("Nothing can be saved right now.")).to_be_visible()
    await expect(page.locator(".head")).to_have_text("Waiting")
    await apply(page, "planned", **planned((1, [])))
    await apply(page, "started", task=1, model="m", place="local")
    await apply(page, "progressed", task=1, fraction=-1, note="waiting in line, #3")

    await expect(page.locator(".task")).to_contain_text("waiting in line, #3")
    await expect(page.get_by_text("Nothing can be saved right now.")).to_have_count(0)


async def test_three_steps_are_a_graph_with_their_state_model_time_cost_and_result(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    await show(page, await three_steps(page, scene))
    await unfold(page)

    nodes = page.locator(".node")
    await expect(nodes).to_have_count(3)
    await expect(nodes.nth(0)).to_contain_text("org/reader")
    await expect(nodes.nth(0)).to_contain_text("Total £573.00")
    await expect(nodes.nth(2).locator("img")).to_be_visible()
    await expect(nodes.nth(2)).to_contain_text("3.5 s")
    await expect(nodes.nth(2)).to_contain_text("$0.01")
    names = [await nodes.nth(each).get_attribute("aria-label") or "" for each in range(3)]
    assert [name[:6] for name in names] == ["Step 1", "Step 2", "Step 3"]
    assert "failed" in names[1]
    assert "after step 1" in names[2]
    await expect(page.locator(".graph > svg > path")).to_have_count(2)
    first, second = [await nodes.nth(each).bounding_box() for each in (0, 2)]
    assert first is not None
    assert second is not None
    assert first["x"] + first["width"] < second["x"]


async def test_a_narrow_graph_goes_from_top_to_bottom(window: Window, scene: WebScene) -> None:
    page = window.page
    await page.set_viewport_size({"width": 360, "height": 740})
    await show(page, await three_steps(page, scene))
    await unfold(page)
    await expect(page.locator(".task")).to_have_count(3)
    await page.get_by_role("button", name="Graph").click()

    nodes = page.locator(".node")
    first, second = [await nodes.nth(each).bounding_box() for each in (0, 2)]
    assert first is not None
    assert second is not None
    assert first["y"] + first["height"] < second["y"]
    wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


async def test_the_chosen_look_of_plans_is_kept(window: Window, scene: WebScene) -> None:
    page = window.page
    run = await three_steps(page, scene)
    await show(page, run)
    await unfold(page)
    await page.get_by_role("button", name="List").click()
    await expect(page.locator(".task")).to_have_count(3)

    await show(page, run)
    await unfold(page)

    await expect(page.locator(".task")).to_have_count(3)
    await expect(page.locator(".node")).to_have_count(0)


async def test_a_step_tells_by_keyboard_what_it_was_given_made_and_why(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    await show(page, await three_steps(page, scene))
    await unfold(page)
    await page.locator(".node").nth(2).press("Enter")
    panel = page.locator(".step-panel")
    await expect(panel.get_by_role("heading", name="Step 3")).to_be_visible()
    await expect(panel.get_by_role("link", name="its page")).to_have_attribute(
        "href", "https://hub.example/org/painter"
    )
    await expect(panel).to_contain_text("mit")
    await expect(panel).to_contain_text("org/sketcher")
    await expect(panel.get_by_role("img", name="desk.png")).to_be_visible()

    await panel.get_by_role("button", name="from step 1").click()

    await expect(panel.get_by_role("heading", name="Step 1")).to_be_visible()
    await expect(panel).to_contain_text("org/painter")  # the next in line
    assert (await panel.locator(".whole-text").last.inner_text()).strip() == FOUND.strip()
    await panel.get_by_role("button", name="Copy").last.click()
    assert await page.evaluate("navigator.clipboard.readText()") == FOUND
    await page.keyboard.press("Escape")
    await expect(panel).to_have_count(0)
    await expect(page.locator(".node").first).to_be_focused()


async def test_a_step_is_done_again_or_by_another_model(window: Window, scene: WebScene) -> None:
    page, listener = window.page, scene.listener
    run = await three_steps(page, scene)
    await show(page, run)
    await unfold(page)
    await page.locator(".node").nth(2).click()
    panel = page.locator(".step-panel")
    options = (SelectOption("0 org/x", "org/x", "0 Reading"), SelectOption("2 y", "y", "2 Drawing"))
    listener.reply = Reply("The plan", select=Select(Action.CHOOSE, run, options))
    await panel.get_by_role("button", name="Another model for this step").click()
    select = panel.locator("select")
    await expect(select.locator("option")).to_have_text(["y"])
    listener.received.append((listener.received[0][0], RunId("new")))
    listener.reply = Reply("", run=RunId("new"))
    await panel.get_by_role("button", name="Try it").click()
    await panel.get_by_role("button", name="Again from here").click()
    await until(page, "made.length === 2")

    assert [(press.action, press.value) for press in listener.presses] == [
        (Action.DETAILS, ""),
        (Action.CHOOSE, "2 y"),
        (Action.RETRY, "2"),
    ]


async def test_words_and_files_lead_to_the_steps_that_they_come_from(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    await show(page, await three_steps(page, scene))
    await expect(page.locator(".plan")).not_to_have_attribute("open", "")
    await page.locator(".run > .files figcaption button").click()
    await expect(page.locator(".step-panel").get_by_role("heading", name="Step 3")).to_be_visible()

    await expect(page.locator(".origins")).to_contain_text("According to Step 1")
    await page.locator(".origins button").click()  # what failed is no source

    await expect(page.locator(".step-panel").get_by_role("heading", name="Step 1")).to_be_visible()


async def test_a_figure_leads_to_the_step_in_whose_result_it_stands(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    read = Done(Output({"text": Text("Total £573.00, 2047")}), took=1.0, model=READER, place=HUB)
    spoken = Done(Output({"text": Text("about 20")}), took=1.0, model=READER, place=HUB)
    run = await perform(
        page,
        scene,
        Planned(Plan((READ, SPEAK))),
        Finished(READ.id, read),
        Finished(SPEAK.id, spoken),
        text="**£573.00** on page 5 of 2047, not 573 and not 99. In code: `573.00`",
    )
    await show(page, run)

    figures = page.locator(".figure-of")
    await expect(figures).to_have_text(["573.00", "2047"])
    await expect(page.locator(".run > .text")).to_contain_text("£573.00 on page 5 of 2047")
    await figures.first.click()
    await expect(page.locator(".step-panel").get_by_role("heading", name="Step 1")).to_be_visible()


async def test_a_folded_plan_opens_again_at_the_same_step(window: Window, scene: WebScene) -> None:
    page = window.page
    await show(page, await three_steps(page, scene))
    await page.locator(".origins button").click()
    await expect(page.locator(".step-panel")).to_be_visible()
    await page.locator(".plan > summary").click()
    await expect(page.locator(".step-panel")).to_have_count(0)
    await page.locator(".origins button").click()

    await expect(page.locator(".step-panel")).to_be_visible()


async def test_a_step_that_somebody_looks_into_stays_open_when_the_run_ends(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    await page.evaluate(
        SHOW.replace("const text = await", "return; const text = await"),
        {"id": "r", "replayed": False},
    )
    await apply(page, "planned", **planned((1, []), (2, [1])))
    await page.locator(".task button").first.click()
    await expect(page.locator(".step-panel")).to_be_visible()
    await apply(page, "answer", html="<p>x</p>", files=[], notices=[], actions=[], took=12.5)

    await expect(page.locator(".run > .text")).to_have_text("x")
    await expect(page.locator(".step-panel")).to_be_visible()


async def test_also_a_single_step_is_named_as_the_source(window: Window, scene: WebScene) -> None:
    page = window.page
    read = Done(Output({"text": Text(FOUND)}), took=0.4, model=READER, place=HUB)
    run = await perform(page, scene, Planned(Plan((READ,))), Finished(READ.id, read, at=1.4))
    await show(page, run)
    await page.locator(".origins button").click()

    await expect(page.locator(".step-panel").get_by_role("heading", name="Step 1")).to_be_visible()


async def test_two_models_stand_side_by_side_and_the_vote_is_shown(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    files = [await picture(scene, f"{letter}-desk.png") for letter in "AB"]
    results = ("**A**\n\n> Roses", "**B**\n\n> Violets")
    comparison = Comparison("text-to-image", "org/one", "org/two", results)
    shown = tuple(
        as_answer(file, f"{letter}: a desk") for file, letter in zip(files, "AB", strict=True)
    )
    text = "\n\n".join(("Two desks.", *results))
    run = await perform(
        page, scene, Planned(Plan((READ,))), text=text, files=shown, comparison=comparison
    )
    await show(page, run)
    sides = page.locator(".side")
    await expect(sides).to_have_count(2)
    await expect(sides.nth(0)).to_contain_text("org/one")
    await expect(sides.nth(1)).to_contain_text("Violets")
    await expect(sides.nth(1).locator("img")).to_have_count(1)
    await expect(page.locator(".run > .text")).to_have_text("Two desks.")
    boxes = [await sides.nth(each).bounding_box() for each in (0, 1)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["y"] == boxes[1]["y"]
    await page.get_by_role("button", name="B is better").click()

    await expect(page.get_by_text("You chose B: org/two")).to_be_visible()
    assert [press.action for press in scene.listener.presses] == [Action.SECOND]
    await page.set_viewport_size({"width": 360, "height": 740})
    boxes = [await sides.nth(each).bounding_box() for each in (0, 1)]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]


async def test_code_is_coloured_and_tables_are_copied_as_csv(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    await show(page, await perform(page, scene, text=CODE))
    assert await page.locator(".text pre .k").inner_text() == "if"
    await page.get_by_role("button", name="Copy this block").click()
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("if total:")
    await page.get_by_role("button", name="Copy as CSV").click()

    copied = await page.evaluate("navigator.clipboard.readText()")
    assert copied == 'Item,Price\r\n"Desk, oak",420'


async def test_a_run_of_the_past_shows_how_long_it_took(window: Window, scene: WebScene) -> None:
    page = window.page
    await show(page, await three_steps(page, scene), replayed=True)

    await expect(page.locator(".plan .clock")).to_have_text("1 min 15 s")
    await expect(page.locator(".plan .head")).to_have_text(re.compile(r"3 steps · \$0.01"))
    await expect(page.locator(".plan .fault")).to_have_text("1 failed")
    assert await page.evaluate("told") == []


async def test_a_step_that_was_skipped_says_because_of_which(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    late = LocalizedText("task-too-long", {"seconds": 60})
    await show(
        page,
        await perform(
            page,
            scene,
            Planned(Plan((READ, SPEAK))),
            Progressed(READ.id, 0.5),
            Finished(READ.id, Failed(late)),
            Finished(SPEAK.id, Skipped(READ.id)),
        ),
    )
    await unfold(page)

    await expect(page.locator(".task").last).to_contain_text("because step 1 did not finish")
    await expect(page.locator(".task .bad")).to_have_count(1)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
async def test_graph_list_panel_and_comparison_break_no_rule_of_access(
    window: Window, scene: WebScene, *, dark: bool
) -> None:
    page = window.page
    await page.emulate_media(color_scheme="dark" if dark else "light")
    await show(page, await three_steps(page, scene))
    await unfold(page)
    await page.locator(".node").nth(2).click()
    await expect(page.locator(".step-panel img")).to_be_visible()
    assert await find_violations(page) == []
    await page.get_by_role("button", name="List").click()
    await expect(page.locator(".task")).to_have_count(3)
    assert await find_violations(page) == []
    comparison = Comparison("text-to-image", "org/one", "org/two", ("**A**\n\n> a", "**B**\n\n> b"))
    text = f"{CODE}\n\n**A**\n\n> a\n\n**B**\n\n> b"
    await show(page, await perform(page, scene, text=text, comparison=comparison))

    await expect(page.locator(".side")).to_have_count(2)
    assert await find_violations(page) == []
