"""The report of `troupe evaluate --suite` in a real browser."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from bot.app import open_app
from bot.setting_sources import read_settings
from evaluation.judging import judge_trial
from evaluation.report import render_report, summarize
from evaluation.trials import FOLDER, carry_out, read_paper_suite
from pipeline.pictures import load_no_pictures
from tests.e2e.browser import DESK, PHONE
from tests.fakes.experts import play_embedded
from tests.fakes.known_experts import known_experts
from tests.fakes.outside import FakeWorkers
from tests.servers.experts import experts_at_work

pytestmark = pytest.mark.asyncio(loop_scope="session")

_SENT = ("1", "14", "20", "22")
"""Requests with a picture, a recording, a film and a table."""


async def test_the_report_shows_its_files_and_fits_the_window(
    browser: Browser, tmp_path: Path
) -> None:
    report = tmp_path / "report.html"
    async with experts_at_work(known_experts()) as experts:
        report.write_text(await _write_report(tmp_path, experts.base), "utf-8")

    async with await browser.new_context() as context:
        page, problems, requested = await context.new_page(), list[str](), list[str]()
        page.on("console", lambda message: problems.append(message.text))
        page.on("request", lambda request: requested.append(request.url))
        await page.goto(report.as_uri())

        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.className") == "skip"
        await _look(page, DESK, dark=False)
        await _look(page, PHONE, dark=True)

    assert problems == []
    assert [url for url in requested if not url.startswith("data:")] == [report.as_uri()]


async def _write_report(home: Path, experts: str) -> str:
    suite, settings = read_paper_suite(), {"TROUPE_HOME": str(home), "TROUPE_EXPERTS_URL": experts}
    async with open_app(read_settings(settings), FakeWorkers()) as opened:
        app = replace(opened, tools=play_embedded(opened.tools))
        judged = [
            await judge_trial(trial, (), suite.contents, None, load_no_pictures)
            for request in suite.requests
            if request.id in _SENT
            for trial in await carry_out(request, FOLDER, app)
        ]
        return await render_report(judged, summarize(judged, {}, None), suite.contents, app, "")


async def _look(page: Page, size: tuple[int, int], *, dark: bool) -> None:
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.emulate_media(color_scheme="dark" if dark else "light")

    loaded = await page.evaluate(_LOADED)
    assert len(loaded) >= len(_SENT) - 1  # a table has no player
    assert all(loaded)
    assert await page.evaluate("document.documentElement.scrollWidth") <= size[0]


_LOADED = """
Promise.all([
  ...[...document.images].map(image => image.decode().then(() => image.naturalWidth > 0)),
  ...[...document.querySelectorAll('audio, video')].map(player => player.readyState > 0 ||
    new Promise(done => player.addEventListener('loadedmetadata', () => done(true)))),
])
"""
