"""The chats, as the settings configure them. The SDK of a platform that is not configured is not imported."""

import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.web import WebChat, WebOptions, WebPorts
from bot.planning import plan_of
from bot.settings import Settings, language
from bot.wiring import House
from pipeline.domain import Incoming, RunId, Sketch
from pipeline.links import Sign, Signer
from pipeline.ports import Chat

_MEBI = 1 << 20


def configured(house: House) -> list[Chat]:
    """Every chat that the settings turn on."""
    signer = Signer(
        house.settings.troupe_public_url, installation_secret(house.settings.home / "secret")
    )
    chats: list[Chat] = []
    routes: tuple[Any, ...] = ()
    if house.settings.slack:
        chats.append(slack := _slack(house, signer))
        routes = slack.routes() if house.settings.slack_mode == "http" else ()
    if house.settings.discord:
        chats.append(_discord(house, signer))
    if house.settings.web:
        chats.append(_web(house, signer, routes))
    return chats


def in_the_terminal(house: House) -> Chat:
    from adapters.console import ConsoleChat  # noqa: PLC0415 - rich is only loaded where it is shown

    folder = house.settings.home / "answers"
    return ConsoleChat(house.files, folder=folder, ledger=house.lasting.ledger, language=language())


def _web(house: House, signer: Signer, routes: tuple[Any, ...]) -> WebChat:
    settings = house.settings
    options = WebOptions(
        host=settings.troupe_web_host,
        port=settings.troupe_web_port,
        token=settings.troupe_web_token,
        public_url=settings.troupe_public_url,
        max_text=settings.troupe_max_text,
        max_file=settings.troupe_max_file_mb * _MEBI,
        extra_routes=routes,
        signer=signer,
    )

    async def plan(message: Incoming) -> Sketch:
        return await plan_of(message, chat, house)

    async def kept(run: RunId) -> bool:
        return await house.lasting.inbox.message(run) is not None

    ports = WebPorts(house.files, house.lasting.store, house.fetch, plan, kept=kept)
    chat = WebChat(options, ports)
    return chat


def _slack(house: House, signer: Signer) -> Any:  # noqa: ANN401 - a SlackChat, not imported where it is off
    from adapters.slack import SlackChat, SlackPorts  # noqa: PLC0415 - not loaded where it is off

    ports = SlackPorts(
        ledger=house.lasting.ledger,
        seen=house.lasting.seen,
        files=house.files,
        fetch=house.fetch,
        media=house.media,
        active=lambda platform, since: house.lasting.store.active_threads(platform, since=since),
        sign=_signing(signer),
    )
    return SlackChat(slack_access(house.settings), ports)


def slack_access(settings: Settings) -> Any:  # noqa: ANN401 - a SlackAccess, not imported where it is off
    """What the settings say about Slack."""
    from adapters.slack import SlackAccess  # noqa: PLC0415

    return SlackAccess(
        bot_token=settings.slack_bot_token,
        app_token=settings.slack_app_token,
        signing_secret=settings.slack_signing_secret,
        api_url=settings.slack_api_base_url,
        http=settings.slack_mode == "http",
        ping_interval=settings.slack_ping_interval,
        file_hosts=frozenset(settings.slack_file_hosts),
        max_download=settings.troupe_max_file_mb * _MEBI,
    )


def _discord(house: House, signer: Signer) -> Chat:
    from adapters.discord import DiscordChat, DiscordPorts  # noqa: PLC0415

    ports = DiscordPorts(
        fetch=house.fetch,
        files=house.files,
        media=house.media,
        ledger=house.lasting.ledger,
        store=house.lasting.store,
        sign=_signing(signer),
    )
    return DiscordChat(house.settings.discord_token, ports, discord_addresses(house.settings))


def discord_addresses(settings: Settings) -> Any:  # noqa: ANN401 - Addresses, likewise
    """What the settings say about where Discord is."""
    from adapters.discord import Addresses  # noqa: PLC0415

    own = Addresses()
    return Addresses(
        settings.discord_api_base_url or own.api,
        settings.discord_gateway_url or own.gateway,
        settings.discord_cdn_hosts,
    )


def _signing(signer: Signer) -> Sign:
    return lambda file: signer.link(file, datetime.now(UTC))


def installation_secret(path: Path) -> bytes:
    """The installation's own secret, made once, whole or not at all, readable by nobody else."""
    if not path.exists():
        made = path.with_suffix(".new")
        made.touch(mode=0o600)
        made.write_bytes(secrets.token_bytes(32))
        made.replace(path)
    return path.read_bytes()
