"""`troupe doctor`: what works, what does not, and how to mend it."""

import importlib.util
from collections.abc import AsyncIterator

import typer

from bot.experts import EMBEDDED
from bot.owning import installed, model_folders
from bot.platforms import discord_addresses, slack_access
from bot.settings import Settings
from bot.wiring import House, opened
from pipeline.domain import Finding, Sentence
from pipeline.errors import LlmError, TroupeError
from pipeline.ports import Message, Prompt
from pipeline.table import KINDS
from pipeline.words import say

_BEGINNING = 30.0


async def examine(settings: Settings, channel: str = "") -> int:
    """Look at everything that is configured, print what was found. 1 when something is wrong."""
    wrong = 0
    async with opened(settings) as house:
        async for finding in _findings(house, channel):
            sign = "ok  " if finding.good else "FIX "
            typer.echo(sign + say("en", finding.what))
            if finding.mend:
                typer.echo(f"      {finding.mend}")
            wrong += not finding.good
    typer.echo(say("en", Sentence("doctor-done", {"wrong": wrong})))
    return min(wrong, 1)


async def _findings(house: House, channel: str) -> AsyncIterator[Finding]:
    settings = house.settings
    yield Finding(Sentence("doctor-data", {"where": str(settings.home)}), good=True)
    yield await _controller(house)
    yield _embedded()
    if (found := await _experts(house)) is not None:
        yield found
    can = [kind for kind in KINDS.values() if await house.tools.catalogue.candidates(kind, limit=1)]
    yield Finding(Sentence("doctor-kinds", {"can": len(can), "all": len(KINDS)}), good=bool(can))
    if settings.slack:
        from adapters.slack.doctor import examine as slack  # noqa: PLC0415 - only where it is on

        async for finding in slack(slack_access(settings), channel=channel):
            yield finding
    if settings.discord:
        from adapters.discord.doctor import examine as discord  # noqa: PLC0415

        addresses = discord_addresses(settings)
        async for finding in discord(settings.discord_token, addresses, channel=channel):
            yield finding
    if not (settings.slack or settings.discord):
        yield Finding(Sentence("doctor-no-platform"), good=True)


async def _controller(house: House) -> Finding:
    settings = house.settings
    if house.llm is None:
        return Finding(Sentence("doctor-no-llm"), good=True)
    prompt = Prompt((Message("user", "Say ok."),), max_tokens=5, purpose="doctor")
    try:
        async for _ in house.llm.stream(prompt):
            pass
    except LlmError as error:
        return Finding(
            Sentence("doctor-llm-bad", {"model": settings.troupe_model}),
            good=False,
            mend=say("en", error.sentence),
        )
    except TroupeError as error:
        return Finding(error.sentence, good=False)
    return Finding(Sentence("doctor-llm-good", {"model": settings.troupe_model}), good=True)


async def _experts(house: House) -> Finding | None:
    """The expert server that the program runs itself."""
    keeper, settings = house.keeper, house.settings
    if keeper is None:
        if settings.troupe_experts_url or settings.troupe_experts == "off" or not installed():
            return None
        folders = ", ".join(map(str, model_folders(settings)))
        return Finding(Sentence("doctor-experts-none", {"folders": folders}), good=True)
    if await keeper.decided(_BEGINNING):
        return Finding(Sentence("doctor-experts-good", {"address": keeper.base}), good=True)
    mend = say("en", keeper.trouble) if keeper.trouble else ""
    return Finding(Sentence("doctor-experts-bad"), good=False, mend=mend)


def _embedded() -> Finding:
    missing = [name for name in EMBEDDED if importlib.util.find_spec(name) is None]
    if missing:
        return Finding(
            Sentence("doctor-embedded-bad", {"missing": ", ".join(missing)}),
            good=False,
            mend="pip install 'troupe[embedded]'",
        )
    return Finding(Sentence("doctor-embedded-good"), good=True)
