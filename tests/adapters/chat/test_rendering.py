"""What a run looks like on each platform, whatever is in it."""

import pytest

from adapters.chat.board import Board, apply_event
from adapters.chat.rendering import BoardRenderer, Layout, Page
from adapters.discord.showing.markdown import LAYOUT as DISCORD
from adapters.discord.showing.markdown import LAYOUT_LIMIT, measure, render_text
from adapters.slack.showing.pages import render_content
from adapters.slack.showing.splitting import LAYOUT as SLACK
from pipeline.domain import (
    Answer,
    Answered,
    AnswerFile,
    AnswerPart,
    Apologised,
    Attachment,
    Event,
    Failed,
    FileHash,
    Finished,
    LocalizedText,
    Plan,
    Planned,
    Repair,
    RunId,
    Task,
    TaskId,
)
from pipeline.task_kinds import KINDS
from tests.servers.slack.blocks import complaints

TEXTS = (
    "",
    "a *b* `c` <@1> https://x.org/a_b ",
    "```\n" + "x\n" * 3000,
    "😀" * 3000,
    "word " * 3000,
)
LAYOUTS = pytest.mark.parametrize("layout", [SLACK, DISCORD], ids=["slack", "discord"])


def _draw(layout: Layout, *events: Event) -> tuple[BoardRenderer, Board]:
    board = Board()
    for event in events:
        board = apply_event(board, event)
    return BoardRenderer(layout, "en"), board


def _planned(steps: int) -> Planned:
    tasks = tuple(Task(TaskId(n), KINDS["text-to-image"], {}) for n in range(steps))
    return Planned(Plan(tasks), tuple(Repair(_notice(n)) for n in range(steps)))


def _notice(number: int) -> LocalizedText:
    return LocalizedText(
        "file-unused", {"name": f"{number}.png", "reason": "<!here> @everyone " * 9}
    )


def _fits(page: Page, layout: Layout) -> bool:
    if layout is not SLACK:
        return 0 < measure(render_text(page)) <= LAYOUT_LIMIT
    content = render_content(page, RunId("r"), "en")
    return len(content["text"]) > 0 and not list(complaints(content["blocks"]))


@LAYOUTS
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("steps", [0, 1, 40])
def test_progress_fits_into_one_message(layout: Layout, text: str, steps: int) -> None:
    renderer, board = _draw(layout, _planned(steps), AnswerPart(text))

    page = renderer.render_progress(board)

    assert _fits(page, layout)
    assert layout.measure(page.text) <= layout.limit


@LAYOUTS
@pytest.mark.parametrize("text", TEXTS)
def test_every_message_of_an_answer_fits_and_no_notice_is_lost(layout: Layout, text: str) -> None:
    attachment = Attachment(hash=FileHash("0"), media_type="image/png", name="a.png", size=1)
    files = tuple(
        AnswerFile(attachment=attachment, alt="", model=f"org/m{n}", kind="k", task=TaskId(n))
        for n in range(30)
    )
    answer = Answer(RunId("r"), text, files=files, notices=tuple(map(_notice, range(30))))
    renderer, board = _draw(layout, _planned(1), Answered(answer))

    pages = renderer.render_end(board)

    assert all(_fits(page, layout) for page in pages)
    assert len([line for page in pages for line in page.small]) == 60
    assert [bool(page.actions) for page in pages] == [False] * (len(pages) - 1) + [True]


@LAYOUTS
@pytest.mark.parametrize("end", [None, Apologised(_notice(1), "R-1")])
def test_an_apology_or_a_stop_is_one_message_with_a_way_on(
    layout: Layout, end: Apologised | None
) -> None:
    renderer, board = _draw(layout, _planned(40), *([end] if end else []))

    (page,) = renderer.render_end(board)

    assert _fits(page, layout)
    assert page.actions


@LAYOUTS
def test_words_beside_the_answer_never_become_links(layout: Layout) -> None:
    """A plan's own words stand in them."""
    words = "[here](https://evil.example) <https://evil.example|here> https://evil.example"
    notice = LocalizedText("plan-unknown-task", {"name": words})
    failed = Finished(TaskId(0), Failed(LocalizedText("named-unknown", {"name": words})))
    answered = Answered(Answer(RunId("r"), "Done.", notices=(notice,)))

    running, board = _draw(layout, _planned(1), failed)
    ended, end = _draw(layout, _planned(1), failed, answered)
    pages = [running.render_progress(board), *ended.render_end(end)]

    shown = "\n".join("\n".join((page.text, *page.small)) for page in pages)
    assert shown.count("evil") > 3
    assert "://" not in shown
