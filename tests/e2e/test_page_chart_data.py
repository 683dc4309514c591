"""A chart on the page shows the table from which it was drawn."""

from dataclasses import replace

import pytest
from playwright.async_api import expect

from pipeline.domain import (
    Answer,
    Answered,
    Done,
    Finished,
    Media,
    Output,
    Plan,
    Planned,
    Task,
    TaskId,
)
from pipeline.task_kinds import KINDS
from tests.contracts.test_chat import PNG
from tests.e2e.visits import READER, Visit, a_file
from tests.fakes.places import EMBEDDED

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_chart_shows_its_data_in_place(visit: Visit) -> None:
    page = visit.page
    table = await a_file(visit.scene, "sales.csv", "text/csv", b"Region,Sales\nNorth,12\nSouth,7\n")
    drawn = await a_file(visit.scene, "chart.png", "image/png", PNG)
    task = Task(TaskId(0), KINDS["table-to-chart"], {"table": (Media(table.attachment),)})
    chart = replace(drawn, kind="table-to-chart", task=task.id)
    made = Output({"image": Media(drawn.attachment)})
    run = await visit.send("Draw this as a chart")
    await visit.tell(
        run,
        Planned(Plan((task,))),
        Finished(task.id, Done(made, took=0.4, model=READER, place=EMBEDDED)),
        Answered(Answer(run, "Here it is.", files=(chart,))),
    )
    await page.get_by_text("Data", exact=True).click()

    figure = page.locator("figure", has=page.get_by_role("img", name=chart.alt))
    await expect(figure.get_by_role("cell")).to_have_text(["North", "12", "South", "7"])
