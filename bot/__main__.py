"""`python -m bot` and `troupe`: the command line."""

from collections.abc import Sequence

from bot.environment import refuse_plugins


def main(words: Sequence[str] | None = None) -> None:
    """The entry point; `words` are the command and its arguments, None: those of the process."""
    refuse_plugins()
    from bot.cli import main as run_command  # noqa: PLC0415 - settings are checked by pydantic

    run_command(words)


if __name__ == "__main__":
    main()
