"""`troupe evaluate --suite` and `--annotated`: run the requests, report; read a filled sheet."""

from contextlib import AsyncExitStack
from pathlib import Path

import typer

from bot.app import App, open_app
from bot.settings import Settings
from evaluation.figures import format_json, format_rows, format_score
from evaluation.judging import JudgedTrial, find_judge, judge_trial
from evaluation.metered_llm import MeteredLlm
from evaluation.report import list_figures, render_report, summarize
from evaluation.sheet import ANNOTATORS, format_sheet, read_sheet
from evaluation.trials import FOLDER, carry_out, read_paper_suite
from pipeline.domain import Price
from pipeline.errors import FetchError
from pipeline.pictures import PictureLoader
from pipeline.ports import Llm


async def evaluate_suite(
    settings: Settings, *, report: Path, sheet: Path | None, judge: bool, as_json: bool
) -> None:
    """Carry out the 24 requests; write a report, and a sheet for annotators if asked for.

    Raises SettingsError, and FetchError if a file cannot be written.
    """
    for path in (report, sheet):  # a wrong path must not be noticed after the run
        _write(path, "", mode="a")
    async with open_app(settings) as app:
        await evaluate_app(app, report=report, sheet=sheet, judge=judge, as_json=as_json)


async def evaluate_app(
    app: App, *, report: Path, sheet: Path | None, judge: bool, as_json: bool
) -> None:
    """If it is interrupted, the report is about the requests so far."""
    judged: list[JudgedTrial] = []
    async with AsyncExitStack() as stack:
        llm = MeteredLlm(await find_judge(app.settings, stack, app)) if judge else None
        try:
            await _carry_out_all(app, llm, judged)
        finally:
            if judged:
                summary = summarize(judged, llm.spent if llm else {}, await _find_price(app))
                contents, name = read_paper_suite().contents, llm.name if llm else ""
                _write(report, await render_report(judged, summary, contents, app, name))
                _write(sheet, format_sheet(judged))
                table = f"{format_rows(list_figures(summary))}\n\n{report}"
                typer.echo(format_json(summary) if as_json else table)


async def _carry_out_all(app: App, judge: Llm | None, judged: list[JudgedTrial]) -> None:
    """Add the trials of all requests to `judged`."""
    suite, load = read_paper_suite(), PictureLoader(app.tools.files, app.tools.media).load
    for request in suite.requests:
        trials = await carry_out(request, FOLDER, app)
        for number, trial in enumerate(trials):
            earlier = trials[:number]
            judged.append(await judge_trial(trial, earlier, suite.contents, judge, load))
        typer.echo(f"{request.id}/{len(suite.requests)}", err=True)


async def _find_price(app: App) -> Price | None:
    """The controller's price, if its endpoint tells it."""
    catalogue = app.tools.candidates.catalogue
    model = app.llm and await catalogue.find(app.llm.name, kind="conversational")
    return model.prices.get("") if model else None


def _write(path: Path | None, text: str, *, mode: str = "w") -> None:
    """Raises FetchError."""
    if path is None:
        return
    try:
        with path.open(mode, encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        problem = error.strerror or ""
        raise FetchError("rows-not-written", file=str(path), problem=problem) from error


async def print_annotations(settings: Settings, sheet: Path, *, as_json: bool) -> None:  # noqa: ARG001 - the signature of every command
    """Print what the annotators of a sheet say. Raises FetchError, PlanError."""
    agreements = read_sheet(sheet)
    if as_json:
        typer.echo(format_json(agreements))
        return
    head = ("", *ANNOTATORS, "marked by both", "agreement", "kappa")
    rows = [head, ("---",) * len(head)]
    for measure, agreement in agreements.items():
        rates = ("-" if each is None else format_score(each) for each in agreement.rates)
        agree = "-" if agreement.agree is None else f"{agreement.agree:.1f}"
        kappa = "-" if agreement.kappa is None else f"{agreement.kappa:.2f}"
        rows.append((measure, *rates, str(agreement.both), agree, kappa))
    typer.echo(format_rows(rows))
