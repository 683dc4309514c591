"""The workspaces that are served: that of the bot token, or those with the app installed."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.interactions import InteractionQueue
from adapters.chat.retrying import make_retrying
from adapters.slack.connecting.app import build_app
from adapters.slack.connecting.installations import SlackInstallation, SlackInstallations
from adapters.slack.connecting.workspace import SlackWorkspace
from adapters.slack.reading.messages import SHARED
from adapters.slack.web_api.client import APPS, BotIdentity, Json, SlackClient
from adapters.slack.web_api.errors import SlackRefused
from pipeline.errors import ChatGone, SettingsError
from pipeline.ports import Listener
from pipeline.words import say

log = structlog.get_logger()


class OneWorkspace:
    """The only workspace, with the bot token of the settings."""

    def __init__(self, workspace: SlackWorkspace) -> None:
        self._workspace, self.client = workspace, workspace.client

    async def check(self) -> None:
        """Raises SettingsError if Slack rejects the token, ChatError."""
        await self.client.check_bot_token()

    async def open(
        self, listener: Listener, queue: InteractionQueue, tasks: asyncio.TaskGroup
    ) -> AsyncApp:
        self._workspace.open(listener, queue, tasks)
        tasks.create_task(queue.watch())
        self._workspace.events.catch_up()
        return self._workspace.app

    def close(self) -> None:
        pass

    async def find(self, *_: str) -> SlackWorkspace:
        return self._workspace

    def list_served(self) -> Sequence[SlackWorkspace]:
        return (self._workspace,)

    def update(self) -> None:
        """Nothing: the token is that of the settings."""

    async def check_tokens(self) -> None:
        """Raises SettingsError if the token is lost."""
        if await self.client.has_lost_token():
            raise SettingsError("slack-revoked", link=APPS)


class InstalledWorkspaces:
    """Makes a workspace when it is needed, and drops it when its token is lost.

    An organisation's installation has one token for all of its workspaces.
    """

    def __init__(
        self,
        make: Callable[[SlackClient], SlackWorkspace],
        client: SlackClient,
        store: SlackInstallations,
    ) -> None:
        """`client` has no bot token."""
        self.client = client
        self._make, self._store = make, store
        self._served: dict[str, tuple[SlackWorkspace, SlackInstallation]] = {}
        """By workspace."""
        self._listening: tuple[Listener, InteractionQueue, asyncio.TaskGroup] | None = None
        self._background = Dispatcher()
        self._persist = make_retrying(client.limits.retry_seconds, _is_fault)
        store.on_save = self._begin

    async def check(self) -> None:
        """Encrypt all with the newest key. Raises SettingsError if one cannot be decrypted."""
        async with self._store.changing:
            for installation in (await self._store.load()).values():
                await self._store.save(installation)

    async def open(
        self, listener: Listener, queue: InteractionQueue, tasks: asyncio.TaskGroup
    ) -> AsyncApp:
        """The app that passes each request to its workspace."""
        self._served.clear()
        self._listening, self._background.tasks = (listener, queue, tasks), tasks
        for installation in (await self._store.load()).values():
            self._begin(installation)
        tasks.create_task(queue.watch())
        return build_app(self.client, before=self._route)

    def close(self) -> None:
        self._listening = self._background.tasks = None

    def list_served(self) -> Sequence[SlackWorkspace]:
        return [workspace for workspace, _ in self._served.values()]

    async def find(self, team: str, enterprise: str = "") -> SlackWorkspace:
        """A workspace by its id. Raises ChatGone if the app is not installed there, ChatError."""
        if team not in self._served:
            async with self._store.changing:
                installed = await self._store.load()
                found = installed.get(team) or installed.get(enterprise)
                found = found or await self._find_organisation(team, installed.values())
                if found is None:
                    raise ChatGone("slack-not-installed", team=team)
                if team not in self._served:  # by another call meanwhile
                    self._add(team, found)
        return self._served[team][0]

    async def _find_organisation(
        self, team: str, installed: Iterable[SlackInstallation]
    ) -> SlackInstallation | None:
        for each in installed:
            if not each.team and team in await self._list_teams(each):
                return each
        return None

    async def _list_teams(self, organisation: SlackInstallation) -> Sequence[str]:
        client = self.client.with_token(organisation.bot_token, "")
        return [str(each["id"]) async for each in client.read_pages("auth.teams.list", "teams")]

    def _begin(self, installation: SlackInstallation) -> None:
        self._drop(installation.place)  # it may be installed again, with another token
        if installation.team:
            self._add(installation.team, installation)
        else:
            self._background.start(self._persist, self._add_teams, installation)

    async def _add_teams(self, organisation: SlackInstallation) -> None:
        """Add the workspaces of an organisation, which may have missed messages."""
        teams = await self._list_teams(organisation)
        async with self._store.changing:
            if (await self._store.load()).get(organisation.place) != organisation:
                return  # removed or installed again meanwhile
            for team in teams:
                if team not in self._served:
                    self._add(team, organisation)

    def _add(self, team: str, installation: SlackInstallation) -> None:
        place = "" if installation.team else team
        client = self.client.with_token(installation.bot_token, place)
        client.me = BotIdentity(team, installation.bot_user, installation.bot_id)
        workspace = self._make(client)
        self._served[team] = workspace, installation
        if self._listening:
            workspace.open(*self._listening)
            workspace.events.catch_up()

    async def check_tokens(self) -> None:
        """Remove the installations whose tokens are lost."""
        await self._persist(self._check_all)

    async def _check_all(self) -> None:
        await self._update()
        async with asyncio.TaskGroup() as group:
            for each in (await self._store.load()).values():
                group.create_task(self._check(each))

    def update(self) -> None:
        """Another replica may have changed the installations."""
        self._background.start(self._persist, self._update)

    async def _update(self) -> None:
        """Serve what is installed by now, with its newest token, and nothing else."""
        async with self._store.changing:
            installed = await self._store.load()
            served = {each.place: each for _, each in self._served.values()}
            for place, installation in served.items():
                if place not in installed:
                    self._drop(place)
                elif installed[place] != installation:
                    self._begin(installed[place])

    async def _check(self, installation: SlackInstallation) -> None:
        place, client = installation.place, self.client.with_token(installation.bot_token, "")
        if not await client.has_lost_token():
            return
        async with self._store.changing:
            if (await self._store.load()).get(place) == installation:  # else installed again
                log.warning("slack app removed", place=place, name=installation.name)
                self._drop(place)
                await self._store.remove(place)
                await self._store.tell(place)

    def _drop(self, place: str) -> None:
        """Serve the workspaces of an installation no longer."""
        for team, (workspace, installation) in [*self._served.items()]:
            if installation.place == place:
                del self._served[team]
                if self._listening:
                    workspace.events.backfill.leave(team)

    async def _route(
        self, request: AsyncBoltRequest, next_: Callable[[], Awaitable[None]]
    ) -> BoltResponse | None:
        """Pass a request, whose signature is checked, to the app of its workspace."""
        team, enterprise = find_place(request.body)
        if not team:  # a check of the address
            await next_()
            return None
        try:
            workspace = await self.find(team, enterprise)
        except ChatGone as gone:
            log.warning("request of a workspace without the app", team=team)
            is_command = "command" in request.body
            return BoltResponse(status=200, body=say("en", gone.sentence) if is_command else "")
        return await workspace.app.async_dispatch(request)


def _is_fault(error: BaseException) -> bool:
    """Whether the same may work later: no refusal of Slack's, and no cancellation."""
    is_fault = isinstance(error, Exception) and not isinstance(error, SlackRefused)
    if is_fault:
        log.warning("slack workspaces: trying again", exc_info=error)
    return is_fault


def find_place(body: Json) -> tuple[str, str]:
    """The ids of the workspace and of the organisation that a request is for, or "".

    An organisation's installation gets events without a workspace; then the workspace is that of
    the event, unless that is of another organisation, with which the channel is shared.
    """
    context = AsyncBoltRequest(body=body, mode="socket_mode").context
    team, enterprise = context.team_id or "", context.enterprise_id or ""
    sender = body.get("enterprise_id") or (None if body.get(SHARED) else enterprise)
    if not team and sender == enterprise:
        team = str(body.get("team_id") or "")
    return team or enterprise, enterprise
