"""The command line: `python -m tests.cassettes record …`, and `played`. See docs/recording.md."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from bot import cli
from tests.cassettes import recording
from tests.cassettes.tape import Deck

PLAYED = Path(__file__).with_name("played.jsonl")
app = typer.Typer(no_args_is_help=True, add_completion=False)


@app.command(context_settings={"allow_interspersed_args": False})
def record(
    file: Annotated[Path, typer.Argument(help="The cassette, JSON Lines. Never overwritten.")],
    command: Annotated[
        list[str] | None,
        typer.Argument(help="A command of `troupe`; to replay, the recorded one by default."),
    ] = None,
    *,
    replay: Annotated[bool, typer.Option(help="Answer from the cassette, offline.")] = False,
) -> None:
    """Run a command and record its traffic with language models, the Hub and expert servers."""
    words = tuple(command or ())
    words = words[words[:1] == ("--",) :]
    if replay:
        try:
            deck = Deck(file)
        except (OSError, ValueError) as error:
            raise typer.BadParameter(f"{file} is not a readable cassette.") from error
        words, wrapper = words or deck.head.command, partial(recording.replay, deck)
    elif not words or file.exists():
        raise typer.BadParameter("Give a new FILE, and a command to record.")
    else:
        wrapper = partial(recording.record, file, words)
    cli.wrapper.set(wrapper)
    cli.main(words)


@app.command()
def played() -> None:
    """Record played.jsonl anew, from played servers."""
    from tests.cassettes.played import record_played  # noqa: PLC0415 - needs what tests need

    PLAYED.unlink(missing_ok=True)
    raise typer.Exit(asyncio.run(record_played(PLAYED)))


if __name__ == "__main__":
    app()
