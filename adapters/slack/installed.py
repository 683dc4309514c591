"""All workspaces in which the app is installed, each with its own token."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import stamina
import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from adapters.slack.client import LOST_TOKEN, PLATFORM, BotIdentity, Json, SlackClient, SlackRefused
from adapters.slack.messages import SHARED
from adapters.slack.oauth import SlackInstallation, SlackInstallations
from adapters.slack.workspace import SlackWorkspace, build_app
from pipeline.errors import ChatGone, SettingsError
from pipeline.ports import Interactions, Listener
from pipeline.words import say

_LONGEST_WAIT = 60.0

log = structlog.get_logger()


@dataclass(slots=True)
class _Served:
    """A workspace, with what answers its requests while we listen."""

    workspace: SlackWorkspace
    installation: SlackInstallation
    task: asyncio.Task[None] | None = None


class InstalledWorkspaces:
    """Makes a workspace when it is needed, and drops it when its token is lost.

    An organisation's installation has one token for all of its workspaces.
    """

    def __init__(
        self,
        make: Callable[[str, str], SlackWorkspace],
        client: SlackClient,
        store: SlackInstallations,
        interactions: Interactions,
    ) -> None:
        """`make` gets a bot token and, if it is an organisation's, the workspace's id.

        `client` has no bot token.
        """
        self.client = client
        self._make, self._store, self._interactions = make, store, interactions
        self._served: dict[str, _Served] = {}
        """By workspace."""
        self._listening: tuple[Listener, asyncio.TaskGroup] | None = None
        store.on_save = self._on_install

    async def check(self) -> None:
        """Raises SettingsError if the installations cannot be decrypted."""
        await self._store.load()

    async def open(self, listener: Listener, tasks: asyncio.TaskGroup) -> AsyncApp:
        """The app that passes each request to its workspace."""
        self._served.clear()
        self._listening = listener, tasks
        for installation in (await self._store.load()).values():
            self._begin(installation)
        await self._drop_interactions()
        return build_app(self.client, before=self._route)

    def close(self) -> None:
        self._listening = None

    async def backfill(self) -> None:
        for each in [*self._served.values()]:
            if each.workspace.opened.is_set():
                await self._backfill(each.workspace)

    def check_tokens(self) -> None:
        for each in self._served.values():
            each.workspace.client.token_lost.set()

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
        return self._served[team].workspace

    async def _find_organisation(
        self, team: str, installed: Iterable[SlackInstallation]
    ) -> SlackInstallation | None:
        for each in installed:
            if not each.team and team in await self._list_teams(each):
                return each
        return None

    async def _list_teams(self, organisation: SlackInstallation) -> Sequence[str]:
        client = self._make(organisation.bot_token, "").client
        return [str(each["id"]) async for each in client.read_pages("auth.teams.list", "teams")]

    # --- the work of each workspace ---

    def _begin(self, installation: SlackInstallation) -> None:
        if installation.team:
            self._add(installation.team, installation)
        elif self._listening:
            self._start(partial(self._add_teams, installation), installation.place)

    async def _add_teams(self, organisation: SlackInstallation) -> None:
        """Add the workspaces of an organisation, which may have missed messages."""
        try:
            teams = await self._list_teams(organisation)
        except SlackRefused as refused:
            log.warning("slack workspaces unknown", place=organisation.place, why=str(refused))
            if refused.code in LOST_TOKEN:
                await self._lose(organisation)
            return
        for team in teams:
            if team not in self._served:
                self._add(team, organisation)

    def _add(self, team: str, installation: SlackInstallation) -> None:
        workspace = self._make(installation.bot_token, "" if installation.team else team)
        workspace.client.me = BotIdentity(team, installation.bot_user, installation.bot_id)
        if (before := self._served.get(team)) and before.task:
            before.task.cancel()
        served = self._served[team] = _Served(workspace, installation)
        served.task = self._start(partial(self._serve, workspace, installation), team)

    def _start(self, work: Callable[[], Awaitable[None]], place: str) -> asyncio.Task[None] | None:
        """Begin the work of a place while we listen; after a fault, begin it again."""

        def is_fault(error: BaseException) -> bool:
            is_one = isinstance(error, Exception)
            if is_one:
                log.warning("slack workspace broke, starting again", place=place, exc_info=error)
            return is_one

        wait = self.client.limits.retry_seconds
        retrying = stamina.AsyncRetryingCaller(
            attempts=None, timeout=None, wait_initial=wait, wait_max=_LONGEST_WAIT, wait_jitter=wait
        )
        return self._listening and self._listening[1].create_task(retrying(is_fault, work))

    async def _serve(self, workspace: SlackWorkspace, installation: SlackInstallation) -> None:
        """Answer a workspace's requests until its token is lost."""
        if self._listening is None:
            return
        team, listener = workspace.client.me.team, self._listening[0]
        try:
            async with asyncio.TaskGroup() as tasks:
                serving = workspace.serve(listener, lambda body: find_place(body)[0] == team)
                tasks.create_task(serving)
                await workspace.opened.wait()
                await self._backfill(workspace)
        except* SettingsError:
            await self._lose(installation)

    async def _backfill(self, workspace: SlackWorkspace) -> None:
        try:
            await workspace.backfill()
        except Exception:  # boundary: what was missed must not hold up what comes
            log.exception("could not backfill", team=workspace.client.me.team)

    async def _on_install(self, installation: SlackInstallation) -> None:
        self._drop(installation.place)
        self._begin(installation)

    async def _lose(self, installation: SlackInstallation) -> None:
        """Remove an installation whose token is lost, and drop what waits for it."""
        place = installation.place
        async with self._store.changing:
            if (await self._store.load()).get(place) == installation:  # else installed again
                log.warning("slack app removed", place=place, name=installation.name)
                self._drop(place)
                await self._store.remove(place)
        await self._drop_interactions()

    def _drop(self, place: str) -> None:
        """Stop to serve the workspaces of an installation."""
        for team, served in [*self._served.items()]:
            if served.installation.place == place:
                del self._served[team]
                if served.task and served.task is not asyncio.current_task():
                    served.task.cancel()

    async def _drop_interactions(self) -> None:
        """Drop the commands and clicks of workspaces without the app."""
        pendings = await self._interactions.list_pending(PLATFORM)
        installed = await self._store.load()
        for pending in pendings:
            team, enterprise = find_place(json.loads(pending.payload))
            if not installed.keys() & {team, enterprise}:
                log.warning("interaction dropped, the app is not installed", team=team)
                await self._interactions.finish(PLATFORM, pending.id)

    # --- requests ---

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
        await workspace.opened.wait()
        return await workspace.app.async_dispatch(request)


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
