"""The command line: `troupe run`, `chat`, `ask`, `plan`, `doctor`, `experts`, `db`, `version`."""

import asyncio
import gc
import json as json_module
import logging
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, Literal

import structlog
import typer

from bot import VERSION
from bot.settings import Settings, find_odd_settings, read_settings
from pipeline.errors import cause
from pipeline.words import say

app = typer.Typer(
    help="HuggingGPT where teams already talk.", no_args_is_help=True, add_completion=False
)
db = typer.Typer(help="The database's tables.", no_args_is_help=True)
slack = typer.Typer(help="Setting up Slack.", no_args_is_help=True)
discord = typer.Typer(help="Setting up Discord.", no_args_is_help=True)
app.add_typer(db, name="db")
app.add_typer(slack, name="slack")
app.add_typer(discord, name="discord")


Files = Annotated[
    list[Path] | None,
    typer.Option("--file", "-f", help="A file it is about.", exists=True, dir_okay=False),
]
Work = Callable[..., Coroutine[Any, Any, int | None]]
Rows = Annotated[
    Path | None,
    typer.Option(help='JSONL with {"id", "user_request"}: one JSON line with the plan for each.'),
]
RawRows = Annotated[
    Path | None,
    typer.Option(help="JSONL with plans as a language model wrote them: one JSON line for each."),
]
PlannedBy = Literal["embedded", "llm"]
Vocabulary = Literal["troupe", "taskbench"]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def main() -> None:
    """The entry point. What is wrong with the settings or the start is told in a sentence."""
    gc.disable()  # until everything is loaded: a tenth of the start went into collections
    try:
        app(standalone_mode=True)
    except Exception as error:
        if (known := cause(error)) is None:
            raise
        sys.exit(say("en", known.sentence))


@app.command()
def run() -> None:
    """Start everything that is configured; the web page when nothing else is."""
    from bot.serve import serve  # noqa: PLC0415 - only what a command needs is imported

    _start(serve, read_settings())


@app.command()
def chat() -> None:
    """Talk here, in the terminal."""
    from bot.serve import chat_here  # noqa: PLC0415

    _start(chat_here, read_settings())


@app.command()
def ask(text: str, file: Files = None, *, json: AsJson = False) -> None:
    """Ask one thing, print the answer, and where its files are."""
    from bot.ask import ask_once  # noqa: PLC0415

    _start(ask_once, read_settings(), text, tuple(file or ()), as_json=json)


@app.command()
def plan(  # noqa: PLR0913 - the options of the command
    text: Annotated[str, typer.Argument(help="What is asked.")] = "",
    file: Files = None,
    *,
    json: AsJson = False,
    batch: Rows = None,
    read: RawRows = None,
    planner: Annotated[PlannedBy, typer.Option(help="Who plans the rows.")] = "embedded",
    vocabulary: Annotated[Vocabulary, typer.Option(help="The names of tasks.")] = "troupe",
) -> None:
    """Show the plan for a request, or for every row of a file, without running it."""
    if sum(map(bool, (text, batch, read))) != 1:
        raise typer.BadParameter("Give a request, or --batch FILE, or --read FILE.")
    words = "taskbench" if vocabulary == "taskbench" else ""
    if batch:
        from bot.evaluation.batch import plan_rows  # noqa: PLC0415

        _start(plan_rows, read_settings(), batch, planner=planner, words=words)
    elif read:
        from bot.evaluation.batch import read_plans  # noqa: PLC0415

        _start(read_plans, read_settings(), read, words=words)
    else:
        from bot.ask import plan_once  # noqa: PLC0415

        _start(plan_once, read_settings(), text, tuple(file or ()), as_json=json)


@app.command()
def evaluate(
    file: Annotated[
        Path, typer.Argument(help="JSONL of labelled requests, as TaskBench has them.")
    ],
    planner: Annotated[PlannedBy, typer.Option(help="Who plans.")] = "embedded",
    *,
    judge: Annotated[bool, typer.Option(help="Have the language model judge, too.")] = False,
    answers: Annotated[
        bool,
        typer.Option(help="With --judge: carry out requests that need no file, for the response."),
    ] = True,
    json: AsJson = False,
) -> None:
    """Score a controller on labelled requests, as in the paper."""
    from bot.evaluation.evaluating import evaluate as evaluated  # noqa: PLC0415

    options = {"planner": planner, "judge": judge, "as_json": json, "answers": answers}
    _start(evaluated, read_settings(), file, **options)


@app.command()
def doctor(
    channel: Annotated[str, typer.Option(help="A channel to make a round trip in.")] = "",
) -> None:
    """Check settings, tokens, permissions, models and data; say how to mend what is wrong."""
    from bot.doctor import examine  # noqa: PLC0415

    _start(examine, read_settings(), channel)


@app.command()
def experts(
    models: Annotated[
        list[Path] | None,
        typer.Option(help="Where models lie: a folder of org/name, or the Hub's cache."),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes any.")] = 8090,
    memory_mb: Annotated[
        int, typer.Option(min=1, help="What all loaded models may weigh, in MiB.")
    ] = 8192,
    workers: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 2,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto.")] = "auto",
) -> None:
    """Run models from Hugging Face here, for TROUPE_EXPERTS_URL (the extra "local")."""
    from adapters.local.options import MEBIBYTE, ExpertServerOptions  # noqa: PLC0415
    from bot.providers import serve_experts  # noqa: PLC0415

    options = ExpertServerOptions(
        tuple(models or ()), host, port, memory_mb * MEBIBYTE, workers, device=device
    )
    _start(serve_experts, read_settings(), options)


@slack.command()
def manifest() -> None:
    """Print the app's manifest, and the link that makes the app of it."""
    from adapters.slack.manifest import create_link, manifest  # noqa: PLC0415
    from bot.commands import list_commands  # noqa: PLC0415

    settings = read_settings()
    public = settings.troupe_public_url if settings.slack_mode == "http" else ""
    typer.echo(json_module.dumps(manifest(list_commands(), public_url=public), indent=2))
    typer.echo(create_link(list_commands(), public_url=public), err=True)


@discord.command()
def invite(application: str) -> None:
    """Print the link with which a server takes the bot in, given the application's id."""
    from adapters.discord import invite as link  # noqa: PLC0415

    typer.echo(link(application))


@db.command()
def upgrade() -> None:
    """Bring the tables up to date (the program does so itself when it starts)."""
    from adapters.store import upgrade as upgraded  # noqa: PLC0415

    asyncio.run(upgraded(read_settings().database_url))


@db.command()
def downgrade(revision: str) -> None:
    """Take the tables back to an older revision ("base" for none)."""
    from adapters.store import downgrade as downgraded  # noqa: PLC0415

    asyncio.run(downgraded(read_settings().database_url, revision))


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(f"Troupe {VERSION}")


def _start(work: Work, settings: Settings, *args: object, **options: object) -> None:
    begin_logging(settings.troupe_log_level)
    for note in find_odd_settings():
        typer.echo(say("en", note), err=True)
    gc.freeze()
    gc.enable()
    try:
        code = asyncio.run(work(settings, *args, **options))
    except KeyboardInterrupt:
        code = 130
    except asyncio.CancelledError:  # told to stop
        code = 0
    raise typer.Exit(code or 0)


def begin_logging(level: str) -> None:
    """Structured, on standard error: lines for people on a terminal, JSON otherwise.

    Neither secrets nor messages are logged, and tracebacks show no values.
    """
    number = getattr(logging, level.upper())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
    ]
    structlog.configure(
        processors=[*shared, *list_log_renderers(terminal=sys.stderr.isatty())],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=max(number, logging.WARNING), stream=sys.stderr)


def list_log_renderers(*, terminal: bool) -> list[structlog.typing.Processor]:
    """The last processors of a line."""
    if terminal:
        return [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
