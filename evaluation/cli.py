"""The commands that this package adds to `troupe`: `plan` and `evaluate`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from bot.cli import AsJson, Files, load_settings, start

app = typer.Typer(no_args_is_help=True, add_completion=False)

Rows = Annotated[
    Path | None,
    typer.Option(help='JSONL of {"id", "user_request"}: print a JSON line with the plan for each.'),
]
RawRows = Annotated[
    Path | None,
    typer.Option(
        help="JSONL of a language model's raw plans: parse each and print it as a JSON line."
    ),
]
PlannedBy = Literal["embedded", "llm"]
Vocabulary = Literal["troupe", "taskbench"]
LabelledRows = Annotated[
    Path | None, typer.Argument(help="JSONL of labelled requests, in TaskBench's format.")
]
Suite = Annotated[
    Literal["paper"] | None, typer.Option(help="Carry out these requests and write a report.")
]
Judges = Annotated[
    bool | None,
    typer.Option(help="Also have a language model judge. Default: if TROUPE_JUDGE_MODEL is set."),
]
Answers = Annotated[
    bool, typer.Option(help="With FILE and --judge: also carry out and judge responses.")
]
Ablation = Annotated[
    bool, typer.Option(help="With FILE: score fewer and less varied demonstrations.")
]
Sheet = Annotated[
    Path | None, typer.Option(help="With --suite: also write a sheet for annotators.")
]
Annotations = Annotated[
    Path | None, typer.Option(help="A sheet that annotators have filled in: print its figures.")
]


@app.command()
def plan(  # noqa: PLR0913 - the options of the command
    text: Annotated[str, typer.Argument(help="The request.")] = "",
    file: Files = None,
    *,
    json: AsJson = False,
    batch: Rows = None,
    read: RawRows = None,
    planner: Annotated[PlannedBy, typer.Option(help="The planner for the rows.")] = "embedded",
    vocabulary: Annotated[Vocabulary, typer.Option(help="The task names to use.")] = "troupe",
) -> None:
    """Show the plan for a request, or for every row of a file, without running it."""
    if sum(map(bool, (text, batch, read))) != 1:
        raise typer.BadParameter("Give a request, or --batch FILE, or --read FILE.")
    words = "taskbench" if vocabulary == "taskbench" else ""
    if batch:
        from evaluation.batch import plan_rows  # noqa: PLC0415

        start(plan_rows, load_settings(), batch, planner=planner, words=words)
    elif read:
        from evaluation.batch import read_plans  # noqa: PLC0415

        start(read_plans, load_settings(), read, words=words)
    else:
        from bot.ask import plan_once  # noqa: PLC0415

        start(plan_once, load_settings(), text, tuple(file or ()), as_json=json)


@app.command()
def evaluate(  # noqa: PLR0913 - the options of the command
    file: LabelledRows = None,
    planner: Annotated[PlannedBy, typer.Option(help="The planner to score.")] = "embedded",
    *,
    suite: Suite = None,
    judge: Judges = None,
    answers: Answers = True,
    ablation: Ablation = False,
    report: Annotated[Path, typer.Option(help="With --suite: the report.")] = Path("report.html"),
    sheet: Sheet = None,
    annotated: Annotations = None,
    json: AsJson = False,
) -> None:
    """Score a controller on labelled requests, or on a suite of requests like the paper's."""
    from evaluation import scoring, suite_run  # noqa: PLC0415

    if sum(map(bool, (file, suite, annotated))) != 1:
        raise typer.BadParameter("Give a FILE, or --suite paper, or --annotated SHEET.")
    settings = load_settings()
    judges = bool(settings.troupe_judge_model) if judge is None else judge
    if annotated:
        start(suite_run.print_annotations, settings, annotated, as_json=json)
    elif suite:
        files = {"report": report, "sheet": sheet}
        start(suite_run.evaluate_suite, settings, judge=judges, as_json=json, **files)
    elif ablation:
        start(scoring.evaluate_ablation, settings, file, as_json=json)
    else:
        options = {"planner": planner, "judge": judges, "as_json": json, "answers": answers}
        start(scoring.evaluate, settings, file, **options)
