"""Open the chats that are configured. Only their SDKs are imported."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from adapters.chat.links import Signer
from adapters.chat.ports import ChatPorts
from adapters.web import WebChat, WebOptions, WebPorts
from adapters.web.elsewhere import Elsewhere
from adapters.web.health import HealthPorts
from adapters.web.owner.ports import OwnerPorts
from bot.app import App
from bot.environment import find_locale
from bot.secret import derive_link_key, find_secret
from bot.settings import Settings
from pipeline.domain import Incoming, PlanPreview
from pipeline.ports import Chat, Setup


def open_chats(app: App, setup: Setup | None = None, owner: OwnerPorts | None = None) -> list[Chat]:
    """Open every configured chat. Only their SDKs are imported.

    `setup` and `owner` are behind the page.
    """
    settings = app.settings
    secret = find_secret(settings.home, settings.troupe_secret)
    token = settings.troupe_web_token
    signer = Signer(settings.troupe_public_url, lambda: derive_link_key(secret(), token))
    ports = ChatPorts(
        ledger=app.ports.persistence.ledger,
        files=app.tools.files,
        media=app.tools.media,
        sign=lambda file, run: signer.link(file, run, datetime.now(UTC)),
        fetch=app.ports.fetch,
        chat_log=app.ports.persistence.store,
        cache=app.ports.persistence.cache,
        interactions=app.ports.persistence.interactions,
        leases=app.ports.persistence.leases,
        rate_limits=app.ports.persistence.rate_limits,
        notifications=app.ports.persistence.notifications,
        outage=app.ports.persistence.outage,
    )
    chats: list[Chat] = []
    routes: tuple[Any, ...] = ()
    if settings.slack:
        from adapters.slack import SlackChat  # noqa: PLC0415 - not imported where it is off

        slack = SlackChat(read_slack_access(settings), ports, oauth=read_slack_oauth(app))
        chats.append(slack)
        routes = slack.routes()
    if settings.discord:
        from adapters.discord import Addresses, DiscordChat  # noqa: PLC0415

        addresses = Addresses(*settings.discord_addresses)
        discord = DiscordChat(
            token=settings.discord_token,
            ports=ports,
            addresses=addresses,
            max_download=settings.max_file,
            network=settings.chat_network,
        )
        chats.append(discord)
    if settings.web:
        chats.append(_open_web(app, secret, signer, routes, (setup, owner)))
    return chats


def open_console(app: App) -> Chat:
    """The chat in the terminal; files of answers are saved in the home folder."""
    from adapters.console import ConsoleChat  # noqa: PLC0415 - imports rich

    folder = app.settings.home / "answers"
    return ConsoleChat(
        files=app.tools.files,
        folder=folder,
        ledger=app.ports.persistence.ledger,
        language=find_locale(),
    )


def _open_web(
    app: App,
    secret: Callable[[], bytes],
    signer: Signer,
    routes: tuple[Any, ...],
    behind: tuple[Setup | None, OwnerPorts | None],
) -> WebChat:
    settings, persistence = app.settings, app.ports.persistence
    options = WebOptions(
        host=settings.troupe_web_host,
        port=settings.troupe_web_port,
        token=settings.troupe_web_token,
        owner_token=settings.troupe_owner_token,
        secret=secret,
        public_url=settings.troupe_public_url,
        max_text=settings.troupe_max_text,
        max_file=settings.max_file,
        extra_routes=routes,
        signer=signer,
        sharing=settings.troupe_sharing == "on",
    )

    async def plan(message: Incoming) -> PlanPreview:
        return await app.conversation.preview(message, chat)

    ports = WebPorts(
        files=app.tools.files,
        store=persistence.store,
        inbox=persistence.inbox,
        fetch=app.ports.fetch,
        cache=persistence.cache,
        rate_limits=persistence.rate_limits,
        plan=plan,
        health=HealthPorts(
            ready=app.health.check,
            registry=app.monitor.metrics.registry,
            sample=app.monitor.sample,
        ),
        notifications=persistence.notifications if settings.may_have_replicas else None,
        elsewhere=Elsewhere(progress=persistence.progress, are_there=app.replicas.are_there)
        if persistence.progress is not None
        else None,
        setup=behind[0],
        owner=behind[1],
    )
    chat = WebChat(options, ports)
    return chat


def read_slack_access(settings: Settings) -> Any:  # noqa: ANN401 - a SlackAccess, not imported where it is off
    """The tokens and addresses with which Slack is reached."""
    from adapters.slack import SlackAccess  # noqa: PLC0415

    return SlackAccess(
        bot_token=settings.slack_bot_token,
        app_token=settings.slack_app_token,
        signing_secret=settings.slack_signing_secret,
        api_url=settings.slack_api_base_url,
        http=settings.slack_mode == "http",
        ping_interval=settings.slack_ping_interval,
        file_hosts=frozenset(settings.slack_file_hosts),
        max_download=settings.max_file,
        network=settings.chat_network,
    )


def read_slack_oauth(app: App) -> Any:  # noqa: ANN401 - a SlackOAuth or None, as above
    """The settings for several workspaces, if there is no bot token for one."""
    from adapters.slack import SlackOAuth  # noqa: PLC0415

    settings = app.settings
    if not settings.slack_oauth:
        return None
    return SlackOAuth(
        client_id=settings.slack_client_id,
        client_secret=settings.slack_client_secret,
        public_url=settings.troupe_public_url,
        secret_key=settings.troupe_secret_key,
        installations=app.ports.persistence.installations,
        authorize_url=settings.slack_authorize_url,
    )
