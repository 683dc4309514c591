"""What operators see of runs on Slack, Discord and the page: metrics, log lines, status."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.e2e.operated import KINDS, PLATFORMS, SECRET, Figures, Operated, operated


async def test_runs_on_every_platform_are_in_the_metrics_and_once_in_the_log(
    tmp_path: Path,
) -> None:
    async with operated(tmp_path) as one:
        for platform in PLATFORMS:
            await one.ask(platform, "works")
            await one.ask(platform, "fails")
        await one.all_ended()
        seen, status = await one.metrics(), await one.status()
        async with one.page.get("/metrics") as response:
            on_the_page = Figures(await response.text())

    for figures in (seen, on_the_page):
        for platform in PLATFORMS:
            _check_figures(figures, platform)
        assert figures.sum("troupe_llm_calls_total", result="ok") == len(one.llm.chats)
        assert figures.sum("troupe_stage_seconds_count", stage="deliver") == 6
        assert figures.sum("troupe_runs_in_progress") == 0
    assert sorted(line["platform"] for line in one.lines) == sorted([*PLATFORMS] * 2)
    assert status["platforms"] == dict.fromkeys(PLATFORMS, True)
    _check_secrets(one, seen.text, on_the_page.text, repr(status), repr(one.logs))


def _check_figures(seen: Figures, platform: str) -> None:
    """Runs, kinds, models, failures, tokens and cost of two runs on a platform."""
    works, fails = KINDS["works"], KINDS["fails"]
    here = {"platform": platform}
    assert seen.sum("troupe_runs_total", **here, outcome="answered") == 1
    assert seen.sum("troupe_runs_total", **here, outcome="not_done") == 1
    assert seen.sum("troupe_run_seconds_count", **here) == 2
    assert seen.sum("troupe_tasks_total", **here, kind=works, place="local", outcome="done") == 1
    assert seen.sum("troupe_tasks_total", **here, kind=fails, outcome="failed") == 1
    assert seen.sum("troupe_attempts_total", **here, place="local", result="ok") == 1
    assert "expert-input-refused" in seen.values("troupe_attempts_total", "result", **here)
    assert "" not in seen.values("troupe_attempts_total", "model", **here)
    for direction in ("prompt", "reply"):
        tokens = {**here, "model": "played", "direction": direction}
        assert seen.sum("troupe_llm_tokens_total", **tokens) > 0
    assert seen.sum("troupe_cost_usd_total", **here, model="played") > 0
    assert seen.sum("troupe_platform_up", **here) == 1


def _check_secrets(one: Operated, *told: str) -> None:
    secrets = SECRET, "Ada", one.slack.bot_token, one.discord.world.token
    assert not [secret for secret in secrets for each in told if secret in each]


async def test_a_run_under_way_is_shown_with_its_stage_and_its_step(tmp_path: Path) -> None:
    async with operated(tmp_path) as one:
        one.experts.latency = 30.0
        await one.ask("slack", "works")
        status = await _find_step(one)
        seen = await one.metrics()

    (running,) = status["running"]
    (step,) = running["steps"]
    assert (running["stage"], step["kind"], step["place"]) == ("execute", KINDS["works"], "local")
    assert running["channel"].startswith("slack:")
    assert seen.sum("troupe_runs_in_progress", platform="slack", stage="execute") == 1
    assert seen.sum("troupe_oldest_run_seconds") > 0
    assert SECRET not in repr(status)


async def test_beside_slack_alone_health_readiness_and_metrics_are_served(tmp_path: Path) -> None:
    async with operated(tmp_path, TROUPE_WEB="false", DISCORD_TOKEN="") as one:
        await one.ask("slack", "works")
        await one.all_ended()
        statuses = []
        for path in ("/healthz", "/readyz", "/status"):
            async with one.health.get(path) as response:
                statuses.append(response.status)
        seen = await one.metrics()

    assert statuses == [200, 200, 200]
    assert seen.values("troupe_runs_total", "platform") == {"slack"}
    assert seen.values("troupe_platform_up", "platform") == {"slack"}


async def _find_step(one: Operated) -> Mapping[str, Any]:
    """The status once a step is at work."""
    async with asyncio.timeout(30):
        while True:
            status = await one.status()
            if any(run["steps"] for run in status["running"]):
                return status
