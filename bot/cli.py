"""The command line: `troupe run`, `chat`, `ask`, `doctor` and others.

Packages above this one add theirs by entry points (pyproject.toml): `plan` and `evaluate`.
"""

import asyncio
import gc
import json as json_module
import os
import select
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextvars import ContextVar
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from bot import VERSION
from bot.logs import begin_logging
from bot.setting_sources import find_odd_settings, read_settings
from bot.settings import Settings
from pipeline.domain import LocalizedText, SetupStep
from pipeline.errors import cause
from pipeline.words import say

_ADDED_COMMANDS = "troupe.commands"
"""A group of entry points: each names a `typer.Typer` whose commands are added to `troupe`."""

app = typer.Typer(
    help="HuggingGPT where teams already talk.", no_args_is_help=True, add_completion=False
)
db = typer.Typer(help="Manage the database tables.", no_args_is_help=True)
slack = typer.Typer(help="Set up Slack.", no_args_is_help=True)
discord = typer.Typer(help="Set up Discord.", no_args_is_help=True)
files = typer.Typer(help="Manage the files.", no_args_is_help=True)
setup = typer.Typer(help="Set up models and chats, each checked live before it is written to .env.")
experts = typer.Typer(help="Serve Hugging Face models on this machine, and download them.")
app.add_typer(db, name="db")
app.add_typer(slack, name="slack")
app.add_typer(discord, name="discord")
app.add_typer(setup, name="setup")
app.add_typer(experts, name="experts")
app.add_typer(files, name="files")


Files = Annotated[
    list[Path] | None,
    typer.Option("--file", "-f", help="A file to send along.", exists=True, dir_okay=False),
]
Work = Callable[..., Coroutine[Any, Any, int | None]]
wrapper: ContextVar[Work | None] = ContextVar("wrapper", default=None)
"""Does a command's work instead, given that work and the settings. Set by a tool of the tests."""
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def main(words: Sequence[str] | None = None) -> None:
    """The entry point. Known errors are printed as one sentence, without a traceback.

    When nobody reads the output any more, as after `| head`, it ends without a word.
    `words`: the command and its arguments; None: those of the process.
    """
    gc.disable()  # until everything is imported: collections took a tenth of the start-up time
    called = (sys.argv[1:] if words is None else words)[:1]
    if [*called] != [run.__name__]:  # looking for them takes a twentieth of the start
        for entry in entry_points(group=_ADDED_COMMANDS):
            app.add_typer(entry.load())
    try:
        app(words, "troupe")
    except Exception as error:
        if _stop_printing():
            sys.exit(1)
        if (known := cause(error)) is None:
            raise
        sys.exit(say("en", known.sentence))
    finally:
        _stop_printing()


def _stop_printing() -> bool:
    """Whether nobody reads the output any more. If so, what is left of it goes nowhere."""
    lost = [stream for stream in (sys.__stdout__, sys.__stderr__) if stream and _is_unread(stream)]
    if lost:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in lost:
            os.dup2(nowhere, stream.fileno())
    return bool(lost)


def _is_unread(stream: TextIO) -> bool:
    """Whether a stream is a pipe whose other end was closed."""
    poll = select.poll()
    poll.register(stream.fileno(), select.POLLERR)
    return any(event & select.POLLERR for _, event in poll.poll(0))


@app.command()
def run() -> None:
    """Start everything that is configured; if nothing is, the web page."""
    from bot.serve import serve  # noqa: PLC0415 - import only what the command needs

    start(serve, load_settings())


@app.command()
def chat() -> None:
    """Chat in the terminal."""
    from bot.serve import chat_here  # noqa: PLC0415

    start(chat_here, load_settings())


@app.command()
def ask(
    text: Annotated[str, typer.Argument(help="The request.")],
    file: Files = None,
    *,
    json: AsJson = False,
) -> None:
    """Send one request; print the answer and the paths of its files."""
    from bot.ask import ask_once  # noqa: PLC0415

    start(ask_once, load_settings(), text, tuple(file or ()), as_json=json)


@app.command()
def doctor(
    channel: Annotated[str, typer.Option(help="Also send a test message to this channel.")] = "",
) -> None:
    """Check settings, tokens, permissions, models and data; say how to fix what is wrong."""
    from bot.operations.doctor import examine  # noqa: PLC0415

    start(examine, read_settings(), channel)  # it reports misspelt settings itself


@app.command()
def backup(
    file: Annotated[str, typer.Argument(help='The tar file to write; "-" for standard output.')],
) -> None:
    """Save the database, the files and the secret in one file, also while Troupe runs."""
    from bot.operations.backup import back_up  # noqa: PLC0415

    start(back_up, load_settings(), file)


@app.command()
def restore(
    file: Annotated[str, typer.Argument(help='A backup; "-" for standard input.')],
    *,
    replace: Annotated[bool, typer.Option(help="Replace the conversations that are here.")] = False,
) -> None:
    """Put a backup back, while Troupe is stopped."""
    from bot.operations.backup import restore as put_back  # noqa: PLC0415

    start(put_back, load_settings(), file, replace=replace)


@app.command()
def status(
    since: Annotated[
        str, typer.Option(help="From when on: 6h, 30m, 2d, 18:00 or 2026-11-29T18:00.")
    ] = "24h",
    *,
    json: AsJson = False,
) -> None:
    """Show what the running program does, who waits, and what failed; also when it is down."""
    from bot.operations.status import show_status  # noqa: PLC0415

    start(show_status, read_settings(), since, as_json=json)


@app.command(
    hidden=True,
    context_settings={
        "ignore_unknown_options": True,
        "allow_interspersed_args": False,
        "help_option_names": [],
    },
)
def record(words: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """Moved: `python -m tests.cassettes record`, in a checkout. See docs/recording.md."""
    module = "tests.cassettes"
    if not (Path(__file__).parents[1] / module.replace(".", "/")).is_dir():
        raise typer.BadParameter(f"In a checkout of Troupe: python -m {module} record")
    os.execv(sys.executable, [sys.executable, "-m", module, "record", *(words or ())])  # noqa: S606


Models = Annotated[
    list[Path] | None,
    typer.Option(help="A folder with models: org/name folders, or a Hub cache."),
]


@experts.callback(invoke_without_command=True)
def serve_models(  # noqa: PLR0913 - options of the command line
    context: typer.Context,
    models: Models = None,
    *,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes any.")] = 8090,
    memory_mb: Annotated[
        int, typer.Option(min=1, help="Memory limit for all loaded models, in MiB.")
    ] = 8192,
    workers: Annotated[int, typer.Option(min=1, help="Worker processes.")] = 2,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto.")] = "auto",
) -> None:
    """Serve Hugging Face models, for TROUPE_EXPERTS_URL (needs the extra "local")."""
    if context.invoked_subcommand:
        return
    from adapters.local.options import MEBIBYTE, ExpertServerOptions  # noqa: PLC0415
    from bot.serve import serve_experts  # noqa: PLC0415

    options = ExpertServerOptions(
        tuple(models or ()),
        host=host,
        port=port,
        memory_bytes=memory_mb * MEBIBYTE,
        workers=workers,
        device=device,
    )
    start(serve_experts, load_settings(), options)


@experts.command("pull")
def pull_models(
    what: Annotated[
        list[str] | None,
        typer.Argument(help='"starter", kinds of tasks, ids of models; nothing lists them.'),
    ] = None,
    *,
    card: Annotated[
        str, typer.Option("--tier", help="cpu, 8, 16, 24 or 80 (GB of the card); auto looks.")
    ] = "auto",
    accept_licence: Annotated[
        bool, typer.Option("--accept-licence", help="Also models not for commercial use.")
    ] = False,
    models: Annotated[
        Path | None, typer.Option(help="The folder to put them in; by default the Hub's cache.")
    ] = None,
) -> None:
    """Download models that suit this machine; an interrupted download goes on where it was."""
    from bot.operations.pull import PullOptions, pull  # noqa: PLC0415 - as above

    settings = load_settings()
    begin_logging(settings.troupe_log_level)
    options = PullOptions(folder=models, card=card, any_licence=accept_licence)
    raise typer.Exit(pull(settings, what or (), options))


@app.command()
def sign_out() -> None:
    """Sign everybody out of the web page and end all links to files, also while Troupe runs."""
    from bot.secret import sign_everybody_out  # noqa: PLC0415 - import only what the command needs

    settings = read_settings()
    sign_everybody_out(settings.home, settings.troupe_secret)
    typer.echo(say("en", LocalizedText("signed-out")))


Stdin = Annotated[bool, typer.Option("--stdin", help="Read what is secret from standard input.")]
Model = Annotated[str, typer.Option(help="The model to use; by default the server's best.")]


@setup.callback(invoke_without_command=True)
def set_up(context: typer.Context) -> None:
    """Say what works, and ask what to set up; what is secret is typed unseen."""
    begin_logging("error")
    if context.invoked_subcommand is None:
        from bot.setup.terminal import ask_all  # noqa: PLC0415 - import only what is needed

        ask_all()


@setup.command()
def key(
    *,
    stdin: Stdin = False,
    provider: Annotated[str, typer.Option(help="Whose key it is, if it does not show.")] = "",
    address: Annotated[str, typer.Option(help="The address of another server.")] = "",
    model: Model = "",
) -> None:
    """Use a key for a language model, or a token of Hugging Face."""
    from bot.setup.terminal import read_secret, run_step  # noqa: PLC0415 - as above

    fields = {"provider": provider, "address": address, "model": model}
    secret = read_secret("Key", stdin=stdin)
    raise typer.Exit(run_step(SetupStep.KEY, {"key": secret, **fields}))


@setup.command()
def server(
    address: Annotated[str, typer.Argument(help="Such as http://127.0.0.1:11434/v1.")],
    model: Model = "",
) -> None:
    """Use a server of language models on this machine."""
    from bot.setup.terminal import run_step  # noqa: PLC0415 - as above

    raise typer.Exit(run_step(SetupStep.SERVER, {"address": address, "model": model}))


@setup.command("slack")
def connect_slack(*, stdin: Stdin = False) -> None:
    """Connect Slack: the bot token, then the app token."""
    from bot.setup.terminal import read_secret, run_step  # noqa: PLC0415 - as above

    labels = {"bot_token": "Bot token (xoxb-…)", "app_token": "App token (xapp-…)"}
    tokens = {name: read_secret(label, stdin=stdin) for name, label in labels.items()}
    raise typer.Exit(run_step(SetupStep.SLACK, tokens))


@setup.command("discord")
def connect_discord(*, stdin: Stdin = False) -> None:
    """Connect Discord by the bot's token."""
    from bot.setup.terminal import read_secret, run_step  # noqa: PLC0415 - as above

    token = read_secret("Bot token", stdin=stdin)
    raise typer.Exit(run_step(SetupStep.DISCORD, {"token": token}))


@setup.command("sharing")
def allow_sharing() -> None:
    """Let people share conversations of the page by a link."""
    from bot.setup.terminal import run_step  # noqa: PLC0415 - as above

    raise typer.Exit(run_step(SetupStep.SHARING, {}))


@setup.command("undo")
def undo_setup() -> None:
    """Take the last change of the settings back."""
    from bot.setup.terminal import run_undo  # noqa: PLC0415 - as above

    raise typer.Exit(run_undo())


@slack.command()
def manifest() -> None:
    """Print the app's manifest, and a link that creates the app from it."""
    from adapters.slack import create_link, make_manifest  # noqa: PLC0415
    from bot.commands.table import COMMANDS  # noqa: PLC0415

    settings = read_settings()
    urls = {
        "public_url": settings.troupe_public_url if settings.slack_mode == "http" else "",
        "install_at": settings.troupe_public_url if settings.slack_oauth else "",
    }
    typer.echo(json_module.dumps(make_manifest(COMMANDS, **urls), indent=2))
    typer.echo(create_link(COMMANDS, **urls), err=True)


@discord.command()
def invite(
    application: Annotated[str, typer.Argument(help="The id of your application at Discord.")],
    *,
    for_oneself: Annotated[bool, typer.Option(help="Add it to your own account instead.")] = False,
) -> None:
    """Print the link that adds the bot to a server, given the application's id."""
    from adapters.discord import invite as link  # noqa: PLC0415

    typer.echo(link(application, for_oneself=for_oneself))


@db.command()
def upgrade() -> None:
    """Upgrade the tables (the program does this itself at start)."""
    from adapters.store import upgrade as upgraded  # noqa: PLC0415

    asyncio.run(upgraded(read_settings().database_url))


@db.command("copy")
def copy_database(
    source: Annotated[
        Path | None, typer.Argument(help="The file; by default troupe.db in TROUPE_HOME.")
    ] = None,
) -> None:
    """Copy an SQLite database into the empty one on a server that TROUPE_DATABASE_URL names."""
    from bot.operations.database_move import copy_to_server  # noqa: PLC0415

    start(copy_to_server, load_settings(), source)


@db.command()
def downgrade(
    revision: Annotated[str, typer.Argument(help='The number of a revision, or "base".')],
) -> None:
    """Downgrade the tables to an older revision ("base" removes them)."""
    from adapters.store import downgrade as downgraded  # noqa: PLC0415

    asyncio.run(downgraded(read_settings().database_url, revision))


@files.command()
def move(
    source: Annotated[
        str, typer.Option("--from", help="A folder or s3://bucket/prefix; else as it is set.")
    ] = "",
    target: Annotated[str, typer.Option("--to", help="The same.")] = "",
    *,
    delete: Annotated[
        bool, typer.Option(help="Delete there what is whole here. Not where files are kept now.")
    ] = False,
) -> None:
    """Copy all files from one place to another, also while Troupe runs; start it again any time."""
    from bot.operations.moving import move_files  # noqa: PLC0415 - import only what is needed

    start(move_files, load_settings(), source, target, delete=delete)


@app.command()
def version() -> None:
    """Print the version."""
    typer.echo(f"Troupe {VERSION}")


def load_settings() -> Settings:
    """The settings; misspelt ones are reported."""
    for note in find_odd_settings():
        typer.echo(say("en", note), err=True)
    return read_settings()


def start(work: Work, settings: Settings, *args: object, **options: object) -> None:
    """Do a command's work, and exit with the status that it returns; 130 after Ctrl-C."""
    begin_logging(settings.troupe_log_level)
    gc.freeze()
    gc.enable()
    wrap = wrapper.get()

    async def run_command(settings: Settings) -> int | None:
        return await work(settings, *args, **options)

    try:
        code = asyncio.run(wrap(run_command, settings) if wrap else run_command(settings))
    except KeyboardInterrupt:
        code = 130
    except asyncio.CancelledError:  # SIGTERM
        code = 0
    raise typer.Exit(code or 0)
