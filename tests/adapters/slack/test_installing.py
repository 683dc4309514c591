"""OAuth: several workspaces and a whole organisation, each with its own token."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from pathlib import Path
from typing import cast

import pytest
from aiohttp import ClientSession, web
from cryptography.fernet import Fernet, MultiFernet
from slack_sdk.oauth.installation_store import Installation

from adapters.chat.presenter import Rhythm
from adapters.slack import SlackAccess, SlackChat, SlackOAuth
from adapters.slack.acting.requests import FORM
from adapters.slack.connecting.doctor import examine_installations
from adapters.slack.connecting.installations import SlackInstallations
from adapters.slack.connecting.manifest import SCOPES
from adapters.slack.connecting.oauth import SlackStates
from adapters.slack.connecting.workspace import SlackWorkspace
from adapters.slack.connecting.workspaces import InstalledWorkspaces, find_place
from adapters.slack.web_api.client import SlackClient
from adapters.slack.web_api.errors import SlackRefused
from adapters.slack.web_api.limits import SlackLimits
from pipeline.domain import LocalizedText, Reply
from pipeline.errors import ChatGone, FetchError, SettingsError, cause
from pipeline.ports import Installations, Interactions, PendingInteraction
from tests.adapters.slack.installing import KEY, Program
from tests.adapters.slack.runs import whole
from tests.adapters.slack.stage import COMMANDS, Stage, listening
from tests.fakes.chat import FakeListener
from tests.fakes.events import one_by_one
from tests.fakes.hanging import HangingListener
from tests.fakes.persistence import FakeCache, FakeInstallations
from tests.servers.slack import SlackServer
from tests.servers.slack.delivery import signed
from tests.servers.slack.installing import CLIENT_ID, CLIENT_SECRET, SlackApp
from tests.servers.slack.people import Sent
from tests.servers.slack.workspace import ANNA, GENERAL
from tests.words import english

A, B, ORG = "T0FIRST01", "T0SECOND2", "E0ORG0001"


@pytest.fixture
async def app() -> AsyncIterator[SlackApp]:
    async with SlackApp(scopes=set(SCOPES)) as app:
        await app.add(A)
        await app.add(B)
        yield app
        assert app.violations == []


@pytest.fixture(params=["socket", "http"])
def program(request: pytest.FixtureRequest, app: SlackApp, tmp_path: Path) -> Program:
    return Program(app, tmp_path / "troupe.db", http=request.param == "http")


def said(app: SlackApp, team: str) -> list[str]:
    """What the bot has said in a workspace."""
    channel = app.workspaces[team].space.channels[GENERAL]
    return [message.text for message in channel.messages.values() if message.by_bot]


async def test_each_workspace_is_answered_with_its_own_token(
    app: SlackApp, program: Program
) -> None:
    async with program.run() as run:
        await run.install(A)
        await run.install(B)
        for number, team in enumerate((A, B), start=1):
            message, id_ = await run.hear(app.workspaces[team], "hello", number)
            assert message.thread.channel.workspace == team
            await run.answer(message, id_, f"an answer for {team}")
        await app.workspaces[A].settled()
        await app.workspaces[B].settled()

    assert [f"an answer for {A}" in text for text in said(app, A)] == [True]
    assert [f"an answer for {B}" in text for text in said(app, B)] == [True]


async def test_a_restart_keeps_all_workspaces(app: SlackApp, program: Program) -> None:
    async with program.run() as run:
        await run.install(A)
        await run.install(B)
        message, id_ = await run.hear(app.workspaces[B], "before", 1)

    async with program.run() as run:
        await run.answer(message, id_, "delivered after the restart")
        await run.hear(app.workspaces[A], "after", 2)
        await app.workspaces[A].settled()

    assert "delivered after the restart" in said(app, B)[0]
    assert said(app, A) == []


@pytest.mark.parametrize("event", ["app_uninstalled", "tokens_revoked"])
async def test_a_workspace_that_removes_the_app_does_not_stop_the_others(
    app: SlackApp, program: Program, event: str
) -> None:
    async with program.run() as run:
        await run.install(A)
        await run.install(B)
        lost, lost_run = await run.hear(app.workspaces[A], "hello", 1)
        app.uninstall(A, event)
        await run.until_gone(A)
        with pytest.raises(ChatGone):
            await run.answer(lost, lost_run, "too late")
        message, id_ = await run.hear(app.workspaces[B], "still there?", 2)
        await run.answer(message, id_, "yes")
        await app.workspaces[B].settled()

    assert "yes" in said(app, B)[0]
    assert said(app, A) == []
    async with program.run() as run:
        with pytest.raises(ChatGone):
            await run.answer(lost, lost_run, "too late")


async def test_a_workspace_that_removed_the_app_is_not_read_for_ever(
    app: SlackApp, program: Program
) -> None:
    async with program.run() as run:
        await run.install(A)
        workspace = await run.chat._workspaces.find(A)  # noqa: SLF001 - it lost its connection
        backfill = workspace.events.backfill
        backfill.pause = 0.01
        await backfill.read(A)
        backfill.suspend(A)
        app.uninstall(A)
        async with asyncio.timeout(10):
            with pytest.raises(SlackRefused):
                await backfill.read(A)
        await run.until_gone(A)


@dataclass
class FailingInstallations:
    """Fails to remove one as often as told, as with a disk that is full for a moment."""

    inner: Installations
    failures: int = 2

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    async def remove(self, platform: str, place: str) -> None:
        if self.failures:
            self.failures -= 1
            raise OSError("disk full")
        await self.inner.remove(platform, place)


@dataclass
class SlowInteractions:
    """Lists what is pending only once more is accepted, or after a while."""

    inner: Interactions
    accepted: asyncio.Event = field(default_factory=asyncio.Event)

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    async def accept(self, *args: str) -> bool:
        is_new = await self.inner.accept(*args)
        self.accepted.set()
        return is_new

    async def list_pending(self, *args: str) -> Sequence[PendingInteraction]:
        with suppress(TimeoutError):
            async with asyncio.timeout(0.2):
                await self.accepted.wait()
        return await self.inner.list_pending(*args)


async def test_a_command_given_while_a_workspace_begins_is_carried_out_once(
    app: SlackApp, program: Program
) -> None:
    program.interactions_of = lambda inner: cast("Interactions", SlowInteractions(inner))
    async with program.run() as run:
        await run.install(A)
        await app.workspaces[A].people.command("help")
        await app.workspaces[A].until(lambda: app.workspaces[A].space.responses)

    assert [each.command for each in program.listener.invocations] == ["help"]


async def test_a_fault_in_one_workspace_s_work_ends_neither_it_nor_the_others(
    app: SlackApp, program: Program
) -> None:
    program.installations_of = lambda inner: cast("Installations", FailingInstallations(inner))
    async with program.run() as run:
        await run.install(A)
        await run.install(B)
        app.uninstall(A)
        await run.until_gone(A)
        await run.hear(app.workspaces[B], "still there?", 1)


@dataclass
class SlowInstallations(FakeInstallations):
    """Loads slowly."""

    loading: asyncio.Event = field(default_factory=asyncio.Event)

    async def load(self, platform: str) -> Mapping[str, str]:
        bodies = await FakeInstallations.load(self, platform)
        self.loading.set()
        await asyncio.sleep(0.05)
        return bodies


async def test_an_installation_made_during_the_start_keeps_its_token() -> None:
    port = SlowInstallations()
    store = SlackInstallations(
        SlackOAuth(
            client_id="",
            client_secret="",
            public_url="",
            secret_key=KEY,
            installations=port,
        )
    )
    client = SlackClient(SlackAccess(""), SlackLimits())
    make = partial(SlackWorkspace, ports=Stage(SlackServer()).ports, rhythm=Rhythm())
    workspaces = InstalledWorkspaces(make, client, store)
    await store.async_save(Installation(user_id=ANNA, team_id=A, bot_token="old"))

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(workspaces.check())
        await port.loading.wait()
        await store.async_save(Installation(user_id=ANNA, team_id=A, bot_token="new"))

    assert (await store.load())[A].bot_token == "new"


async def test_tokens_that_expire_are_refused_with_a_sentence(
    app: SlackApp, program: Program
) -> None:
    app.rotates_tokens = True
    async with program.run() as run:
        status, text = await app.install(run.oauth.install_url, A)

        assert status == 500
        assert english("slack-rotation") in unescape(text)
        assert await run.oauth.installations.load("slack") == {}


async def test_a_command_of_a_workspace_without_the_app_is_told_so(
    app: SlackApp, program: Program
) -> None:
    async with program.run() as run:
        await run.install(A)
        app.uninstall(A)
        await run.until_gone(A)
        acknowledgement = await app.workspaces[A].people.command("help")

    assert acknowledgement["payload"]["text"] == english("slack-not-installed", team=A)
    assert program.listener.invocations == []


async def test_slack_may_check_the_address_before_anybody_has_installed_the_app(
    app: SlackApp, tmp_path: Path
) -> None:
    body = json.dumps({"type": "url_verification", "challenge": "c-0", "token": "t"})
    async with Program(app, tmp_path / "troupe.db", http=True).run() as run:
        target = app.workspaces[A].delivery.target
        headers = {**signed(body, app.signing_secret), "Content-Type": "application/json"}
        async with ClientSession() as slack, slack.post(target, data=body, headers=headers) as page:
            assert (page.status, await page.json()) == (200, {"challenge": "c-0"})
        forged = {**headers, "X-Slack-Signature": "v0=0"}
        async with ClientSession() as slack, slack.post(target, data=body, headers=forged) as page:
            assert page.status == 401
        assert await run.oauth.installations.load("slack") == {}


async def test_a_token_lost_without_an_event_is_noticed(app: SlackApp, program: Program) -> None:
    program.token_seconds = 0.05
    async with program.run() as run:
        await run.install(A)
        await run.install(B)
        app.lose(A)
        await run.until_gone(A)
        message, id_ = await run.hear(app.workspaces[B], "still there?", 1)
        await run.answer(message, id_, "yes")

    assert "yes" in said(app, B)[0]


async def test_who_installs_again_is_answered_with_the_new_token(
    app: SlackApp, program: Program
) -> None:
    async with program.run() as run:
        await run.install(A)
        app.uninstall(A)
        await run.until_gone(A)
        await run.install(A)
        message, id_ = await run.hear(app.workspaces[A], "hello", 1)
        await run.answer(message, id_, "welcome back")

    assert "welcome back" in said(app, A)[0]


async def test_an_organisation_has_one_token_for_its_workspaces(tmp_path: Path) -> None:
    async with SlackApp(scopes=set(SCOPES)) as app:
        for team in (A, B):
            await app.add(team, ORG)
        program = Program(app, tmp_path / "troupe.db")
        async with program.run() as run:
            await run.install(ORG)
            messages = [
                await run.hear(app.workspaces[team], "hello", number)
                for number, team in enumerate((A, B), start=1)
            ]
            await app.workspaces[B].people.command("help")
            (invocation,) = await run.listener.next_commands()
        async with program.run() as run:
            for message, id_ in messages:
                await run.answer(message, id_, f"for {message.thread.channel.workspace}")
            app.uninstall(ORG)
            await run.until_gone(ORG)
            with pytest.raises(ChatGone):
                await run.answer(*messages[0], "too late")

        assert invocation.thread.channel.workspace == B
        assert [f"for {A}" in said(app, A)[0], f"for {B}" in said(app, B)[0]] == [True, True]
        assert app.violations == []


async def test_slacks_own_stop_goes_on_after_a_restart_in_an_organisation_too(
    tmp_path: Path,
) -> None:
    hanging = HangingListener(commands=COMMANDS)
    async with SlackApp(scopes=set(SCOPES)) as app:
        server = await app.add(A, ORG)
        program = Program(app, tmp_path / "troupe.db", listener=hanging)
        async with program.run() as run:
            await run.install(ORG)
            message, _ = await run.hear(server, "draw a cat", 1)
            server.streams.sessions[GENERAL, message.thread.root] = "processing"
            server.people.stop(GENERAL, message.thread.root)
            await hanging.reached.wait()
            await server.settled()
            (pending,) = await run.interactions.list_pending("slack")

        assert find_place(json.loads(pending.payload)) == (A, ORG), "else it is dropped"
        program.listener = FakeListener(commands=COMMANDS)
        async with program.run() as run:
            (stop,) = await run.listener.next_commands()

        assert (stop.command, stop.thread) == ("stop", message.thread)


async def test_files_are_fetched_with_the_token_of_their_workspace(
    app: SlackApp, tmp_path: Path
) -> None:
    async with Program(app, tmp_path / "troupe.db").run() as run:
        links = {}
        for number, team in enumerate((A, B), start=1):
            await run.install(team)
            sent = Sent("note.txt", "text/plain", team.encode())
            server = app.workspaces[team]
            server.people.say(f"{server.space.mention} read this", files=(sent,))
            message, _ = await run.listener.next(number)
            (links[team],) = message.files
        assert {team: (await run.chat.download(links[team])).data for team in links} == {
            A: A.encode(),
            B: B.encode(),
        }
        app.uninstall(A)
        await run.until_gone(A)
        with pytest.raises(FetchError):
            await run.chat.download(links[A])
        assert (await run.chat.download(links[B])).data == B.encode()


@pytest.mark.parametrize(
    ("outer", "authorized", "place"),
    [
        ((A, None, False), (A, None, False), (A, "")),
        ((A, ORG, False), (A, ORG, False), (A, ORG)),
        ((A, ORG, False), (None, ORG, True), (A, ORG)),
        ((A, None, False), (None, ORG, True), (A, ORG)),
        ((A, ORG, True), (None, ORG, True), (A, ORG)),
        ((A, "E0OTHERS1", True), (None, ORG, True), (ORG, ORG)),
        ((A, None, True), (None, ORG, True), (ORG, ORG)),
        ((B, None, True), (A, None, False), (A, "")),
    ],
)
def test_an_event_belongs_to_the_workspace_that_authorized_it(
    outer: tuple[str, str | None, bool],
    authorized: tuple[str | None, str | None, bool],
    place: tuple[str, str],
) -> None:
    """Channels are shared, so the event's own workspace may be another organisation's."""
    team, enterprise, org_wide = authorized
    authorization = {"team_id": team, "enterprise_id": enterprise}
    body = {
        "type": "event_callback",
        "team_id": outer[0],
        "enterprise_id": outer[1],
        "is_ext_shared_channel": outer[2],
        "event": {"type": "message", "team": outer[0]},
        "authorizations": [{**authorization, "is_enterprise_install": org_wide}],
    }

    assert find_place(body) == place


async def test_commands_go_on_after_a_restart_in_their_own_workspace(
    app: SlackApp, program: Program
) -> None:
    async with program.run() as run:
        await run.install(A)
        await run.install(B)
        for team in (A, B):
            payload = {
                "trigger_id": f"1.{team}",
                "team_id": team,
                "channel_id": GENERAL,
                "user_id": ANNA,
                "command": "/troupe",
                "text": "help",
            }
            await run.interactions.accept("slack", f"1.{team}", json.dumps(payload))
    app.lose(A)

    program.token_seconds = 0.05
    async with program.run() as run:
        await run.until_gone(A)
        await app.workspaces[B].until(lambda: app.workspaces[B].space.ephemerals)
        await run.until_finished(f"1.{A}")

    teams = {each.thread.channel.workspace for each in program.listener.invocations}
    assert B in teams
    assert app.workspaces[A].space.ephemerals == []


# --- the installation itself ---


async def test_the_database_file_holds_no_token_in_clear(app: SlackApp, program: Program) -> None:
    async with program.run() as run:
        await run.install(A)

    files = list(program.file.parent.glob("troupe.db*"))
    contents = b"".join(file.read_bytes() for file in files)
    assert app.token(A).encode() not in contents
    assert b"xoxb" not in contents
    assert b"installations" in contents


async def test_a_wrong_state_is_refused(app: SlackApp, program: Program) -> None:
    async with program.run() as run:
        url = run.oauth.install_url
        status, _ = await app.install(url, A, keeps_cookies=False)
        assert status == 400
        await run.install(A)
        status, _ = await app.browse(app.opened[-1], app.cookies)
        assert status >= 400, "Slack accepts each code once"
        status, _ = await app.browse(app.opened[-1].replace("state=", "state=x"), app.cookies)
        assert status == 400
        assert set(await run.oauth.installations.load("slack")) == {A}


def make_states(cipher: MultiFernet) -> SlackStates:
    return SlackStates(cipher, FakeCache())


async def test_a_state_is_refused_when_it_is_old_or_not_ours() -> None:
    cipher = MultiFernet([Fernet(Fernet.generate_key())])
    states, past = make_states(cipher), int(time.time()) - 601
    said = cipher.decrypt(f"{await states.async_issue()}==".encode())
    old = cipher.encrypt_at_time(said, past).decode().rstrip("=")
    other = make_states(MultiFernet([Fernet(Fernet.generate_key())]))

    assert await states.async_consume(await states.async_issue())
    for state in (old, await other.async_issue(), cipher.encrypt(b"xoxb").decode(), "", "é"):
        assert not await states.async_consume(state)


async def test_a_state_is_used_once_however_it_is_spelt() -> None:
    cipher = MultiFernet([Fernet(Fernet.generate_key())])
    cache = FakeCache()
    states, beside = (SlackStates(cipher, cache) for _ in range(2))
    state = await states.async_issue()

    assert await states.async_consume(state)
    for again in (state, f"{state}=", f"{state[:-1]}{chr(ord(state[-1]) + 1)}"):
        assert not await states.async_consume(again)
    assert not await beside.async_consume(state), "nor in another replica, or after a restart"
    assert await beside.async_consume(await states.async_issue()), "one ends what another began"


@pytest.mark.parametrize(("wrong", "status"), [("secret", 401), ("redirect", 400), ("denied", 200)])
async def test_an_installation_that_slack_refuses_leaves_nothing(
    app: SlackApp, tmp_path: Path, wrong: str, status: int
) -> None:
    program = Program(app, tmp_path / "troupe.db")
    if wrong == "secret":
        program.client_secret = "wrong"
    program.redirect_known = wrong != "redirect"
    async with program.run() as run:
        place = "nowhere" if wrong == "denied" else A
        seen, _ = await app.install(run.oauth.install_url, place)

        assert seen == status
        assert await run.oauth.installations.load("slack") == {}


async def test_a_new_secret_key_reads_what_an_old_one_wrote(app: SlackApp, tmp_path: Path) -> None:
    program, new = Program(app, tmp_path / "troupe.db"), Fernet.generate_key().decode()
    async with program.run() as run:
        await run.install(A)
    for keys in (f"{new},{KEY}", new):
        program.secret_key = keys
        async with program.run() as run:
            message, id_ = await run.hear(
                app.workspaces[A], "hello", len(run.listener.received) + 1
            )
            await run.answer(message, id_, "hi")

    assert len(said(app, A)) == 2


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXphYmNkZWY=", "slack-secret-key-wrong"),
        ("short", "slack-secret-key-bad"),
        (" , ", "slack-secret-key-bad"),
    ],
)
async def test_a_wrong_secret_key_is_told_at_the_start(
    app: SlackApp, tmp_path: Path, key: str, sentence: str
) -> None:
    program = Program(app, tmp_path / "troupe.db")
    async with program.run() as run:
        await run.install(A)
    program.secret_key = key

    with pytest.raises((SettingsError, ExceptionGroup)) as refused:
        async with program.run():
            pass

    error = cause(refused.value)
    assert error is not None
    assert error.sentence.id == sentence


async def test_the_doctor_counts_the_workspaces_and_names_what_is_wrong_with_them(
    app: SlackApp, tmp_path: Path
) -> None:
    program = Program(app, tmp_path / "troupe.db")
    async with program.run() as run:
        access = run.chat.access
        nothing = [finding async for finding in examine_installations(access, run.oauth)]
        await run.install(A)
        await run.install(B)
        app.lose(A)
        app.scopes.discard("files:read")
        findings = [finding async for finding in examine_installations(access, run.oauth)]

    link = run.oauth.install_url
    assert nothing[0].what == LocalizedText("doctor-slack-none-installed", {"link": link})
    assert findings[0].what == LocalizedText("doctor-slack-installed", {"count": 2, "link": link})
    lost, poor = [finding for finding in findings if not finding.good]
    assert (lost.what.id, lost.what.args["name"]) == ("doctor-slack-place-bad", A)
    assert poor.what.args == {"name": B, "scopes": "files:read"}
    assert lost.mend == poor.mend == link


async def test_the_environment_is_not_read_behind_our_back(
    slack: SlackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_CLIENT_ID", "1.2")
    monkeypatch.setenv("SLACK_CLIENT_SECRET", "secret")
    monkeypatch.setenv("SLACK_REDIRECT_URI", "https://elsewhere.example")
    async with listening(Stage(slack)) as stage:
        run = await stage.mention("hello")
        message, _ = await stage.listener.next()
        await stage.chat.follow(message, run, one_by_one(*whole(run, "hi")))

    assert "hi" in slack.said(GENERAL, message.thread.root)[-1].text


async def test_nobody_installs_the_app_before_slack_is_listened_to(app: SlackApp) -> None:
    oauth = SlackOAuth(
        client_id=CLIENT_ID,
        client_secret=CLIENT_SECRET,
        public_url="http://127.0.0.1:9",
        secret_key=KEY,
        installations=FakeInstallations(),
        authorize_url=app.authorize_url,
    )
    access = SlackAccess("", app_token=app.app_token, api_url=app.api)
    chat = SlackChat(access, Stage(app.workspaces[A]).ports, oauth=oauth)
    pages = web.Application()
    pages.add_routes(chat.routes())
    runner = web.AppRunner(pages, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()

    status, _ = await app.install(f"http://127.0.0.1:{runner.addresses[0][1]}/slack/install", A)
    await runner.cleanup()

    assert status == 502


async def test_forms_and_home_belong_to_the_workspace_where_they_are_opened(
    app: SlackApp, program: Program
) -> None:
    server, program.listener.reply = app.workspaces[B], Reply("")
    sent = (Sent("cat.png", "image/png", b"PNG picture"),)
    async with program.run() as run:
        for team in (A, B):
            await run.install(team)
        message, id_ = await run.hear(server, "hello", 1)
        await run.answer(message, id_, "an answer")
        await server.people.global_shortcut(FORM)
        await server.people.submit("describe this", files=sent)
        (invocation,) = await run.listener.next_commands()
        blob = await run.chat.download(invocation.files[0])
        server.people.open_app("home")
        await server.until(lambda: server.views.homes)
        await server.settled()

    assert invocation.thread.channel.workspace == B
    assert blob.data == b"PNG picture"
    assert app.workspaces[A].views.homes == {}
