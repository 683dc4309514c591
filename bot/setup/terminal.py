"""`troupe setup`: the same in the terminal. What is secret is typed unseen, or read from stdin."""

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence

import typer

from bot.app import open_app
from bot.setting_sources import read_settings
from bot.setup.applying import apply, undo
from bot.setup.env_file import ENV
from bot.setup.history import SettingsHistory
from bot.setup.panel import SetupPanel
from bot.setup.providers import OTHER, PROVIDERS, find_provider
from bot.setup.renewal import Renewal
from pipeline.domain import (
    LocalizedText,
    SetupFields,
    SetupRequest,
    SetupResult,
    SetupStatus,
    SetupStep,
)
from pipeline.words import say


def run_step(step: SetupStep, fields: SetupFields) -> int:
    """Check what was entered and write it. Returns 1 if that was not possible."""
    settings = read_settings()
    history = SettingsHistory(settings.home, ENV)
    _tell("setup-checking")
    result = asyncio.run(apply(SetupRequest(step=step, fields=fields), settings, history))
    return _report(result, history)


def run_undo() -> int:
    """Take the last change back. Returns 1 if there is none."""
    history = SettingsHistory(read_settings().home, ENV)
    return _report(asyncio.run(undo(history)), history)


def read_secret(label: str, *, stdin: bool) -> str:
    """A secret: the next line of stdin, or what is typed without being shown."""
    if stdin:
        return sys.stdin.readline().strip()
    return str(typer.prompt(label, hide_input=True)).strip()


def ask_all() -> None:
    """Say what works, ask what to do, and do it, until nothing more is wanted."""
    while True:
        status = asyncio.run(_describe())
        _show(status)
        choices = _list_choices(status)
        for number, (words, _) in enumerate(choices, 1):
            typer.echo(f"  {number}  {words}")
        typer.echo(f"  0  {_word('setup-nothing-more')}")
        chosen = typer.prompt(_word("setup-choose"), type=int, default=0)
        if not 0 < chosen <= len(choices):
            return
        choices[chosen - 1][1](status)


async def _describe() -> SetupStatus:
    settings = read_settings()
    async with open_app(settings) as app:
        history = SettingsHistory(settings.home, ENV)
        return await SetupPanel(app, Renewal(), history).describe()


def _show(status: SetupStatus) -> None:
    typer.echo("")
    for state in status.states:
        typer.echo(
            f"{'on ' if state.is_on else 'off'}  {say('en', state.text)} {state.problem}".rstrip()
        )
    _tell("page-setup-lead", can=status.can, all=status.of)
    typer.echo("")


_Do = Callable[[SetupStatus], object]
"""What a choice does. What went wrong is told; the questions go on."""


def _list_choices(status: SetupStatus) -> Sequence[tuple[str, _Do]]:
    undoing = ", ".join(status.undo)
    choices: list[tuple[str, _Do]] = [(_word("setup-by-key"), _ask_key)]
    if status.servers:
        choices.append((_word("setup-by-server"), _ask_server))
    choices.append((_word("setup-by-slack"), _ask_slack))
    choices.append((_word("setup-by-discord"), _ask_discord))
    choices.append((_word("setup-by-local"), _explain_local))
    choices.append((_word("setup-by-sharing"), lambda _: run_step(SetupStep.SHARING, {})))
    if status.undo:
        choices.append((_word("setup-by-undo", names=undoing), lambda _: run_undo()))
    return choices


def _ask_key(_status: SetupStatus) -> None:
    _tell("page-setup-key-lead")
    key = read_secret(_word("page-setup-key"), stdin=False)
    fields = {"key": key}
    if find_provider(key) is None:
        for provider in PROVIDERS:
            typer.echo(f"  {provider.id}  {provider.name}")
        typer.echo(f"  {OTHER}  {_word('page-setup-service-other')}")
        fields["provider"] = _ask_service()
        if fields["provider"] == OTHER:
            fields["address"] = typer.prompt(_word("page-setup-address"))
    run_step(SetupStep.KEY, fields)


def _ask_service() -> str:
    """One of the names that were listed, asked for until there is one."""
    names = {provider.id for provider in PROVIDERS} | {OTHER}
    while True:
        name = typer.prompt(_word("page-setup-service"), default="", show_default=False)
        if name.strip().lower() in names:
            return str(name.strip().lower())
        _tell("setup-type-service")


def _ask_server(status: SetupStatus) -> None:
    rows = [(server.address, model) for server in status.servers for model in server.models]
    for number, (address, model) in enumerate(rows, 1):
        typer.echo(f"  {number}  {model}  {address}")
    chosen = typer.prompt(_word("page-setup-model"), type=int, default=1)
    if 0 < chosen <= len(rows):
        address, model = rows[chosen - 1]
        run_step(SetupStep.SERVER, {"address": address, "model": model})


def _ask_slack(status: SetupStatus) -> None:
    _tell("page-setup-slack-1")
    typer.echo(status.manifest_url)
    _tell("page-setup-slack-2")
    fields = {"bot_token": read_secret(_word("page-setup-bot-token"), stdin=False)}
    if run_step(SetupStep.SLACK, fields):
        return
    _tell("page-setup-slack-3")
    fields["app_token"] = read_secret(_word("page-setup-app-token"), stdin=False)
    if not run_step(SetupStep.SLACK, fields):
        _tell("page-setup-slack-4")


def _ask_discord(_status: SetupStatus) -> None:
    for step in ("page-setup-discord-1", "page-setup-discord-2", "page-setup-discord-3"):
        _tell(step)
    token = read_secret(_word("page-setup-bot-token"), stdin=False)
    run_step(SetupStep.DISCORD, {"token": token})


def _explain_local(status: SetupStatus) -> None:
    commands: Mapping[str, str] = {
        "page-setup-local-1": "make local",
        "page-setup-local-2": ".venv/bin/hf download openai/whisper-small",
        "page-setup-local-3": "make run",
    }
    for step, command in commands.items():
        _tell(step)
        typer.echo(f"  {command}")
    typer.echo(f"{_word('page-setup-local-folders')} {', '.join(status.folders)}")


def _report(result: SetupResult, history: SettingsHistory) -> int:
    """Print what was found and done. Returns 1 if it is not what was wanted."""
    for finding in result.findings:
        typer.echo(f"{finding.sign:<4}{say('en', finding.what)}")
        mend = say("en", finding.advice) if finding.advice else finding.mend
        for line in filter(None, (finding.why, mend)):
            typer.echo(f"      {line}")
    if result.problem:
        typer.echo(say("en", result.problem))
    elif not result.is_good:
        _tell("page-setup-not-written")
    elif result.renews:
        names = ", ".join(result.written) or _word("setup-no-change")
        _tell("setup-saved", names=names, file=str(history.env.absolute()))
    return int(not result.is_good or result.problem is not None)


def _word(sentence: str, **facts: str | int) -> str:
    return say("en", LocalizedText(sentence, facts))


def _tell(sentence: str, **facts: str | int) -> None:
    typer.echo(_word(sentence, **facts))
