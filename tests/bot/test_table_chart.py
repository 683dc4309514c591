"""The result of a query on a table goes on into a chart."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from bot.ask import ask_once
from bot.logs import begin_logging
from bot.setting_sources import read_settings
from tests.e2e.visitor import planned
from tests.servers.openai import Asked, OpenAiServer, openai_at_work


@pytest.fixture(autouse=True)
def _logs_elsewhere() -> Iterator[None]:
    before = structlog.get_config()
    begin_logging("error")
    yield
    structlog.configure(**before)


@pytest.mark.program
async def test_as_a_chart_draws_what_the_query_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [f"{region},{at}" for at in range(50) for region in ("North", "South")]
    table = tmp_path / "sales.csv"
    table.write_text("\n".join(("Region,Units", *rows)))
    monkeypatch.chdir(tmp_path)
    plan = [
        planned(0, "table-question-answering", table="table 1", question="Units by region?"),
        planned(1, "table-to-chart", table="<GENERATED>-0", text="bar chart of units by region"),
    ]
    sql = 'SELECT "Region" AS region, sum("Units") AS units FROM t1 GROUP BY 1 ORDER BY 1'

    def reply(asked: Asked) -> str:
        if "one DuckDB SELECT" in asked.text:
            return json.dumps({"sql": sql})
        return json.dumps(plan) if "response_format" in asked.body else "Here is the chart."

    async with openai_at_work(OpenAiServer(reply=reply)) as server:
        settings = read_settings(
            {
                "TROUPE_HOME": str(tmp_path / "home"),
                "OPENAI_BASE_URL": server.base,
                "TROUPE_PLACES": "llm,embedded",
                "TROUPE_WORKERS": "1",
            }
        )
        await ask_once(settings, "units by region, as a chart", (table,), as_json=True)

    answer = json.loads(capsys.readouterr().out)
    first, second = answer["outcomes"]
    assert (first["place"], second["place"]) == ("llm", "embedded")
    assert sql in json.dumps(first).replace('\\"', '"')
    assert "North | 1225" in json.dumps(first)
    drawn = {file["name"] for file in answer["files"] if file["media_type"] == "image/png"}
    assert any("chart" in name for name in drawn), drawn
