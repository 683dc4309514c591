"""Every client of the program reaches its vendor through the proxy alone, which alone knows where.

The vendors' names exist at the proxy only, and only the company's authority vouches for them.
"""

import ast
import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adapters.chat.rendering import Page
from adapters.chat.uploads import Upload
from adapters.discord.connecting.chat import DiscordChat
from adapters.discord.connecting.doctor import examine as examine_discord
from adapters.discord.web_api.library import Addresses
from adapters.huggingface.doctor import examine as examine_hub
from adapters.slack.acting.replies import Asker, SlackReplies
from adapters.slack.connecting.doctor import examine as examine_slack
from adapters.slack.showing.surface import SlackSurface
from adapters.slack.web_api.client import SlackClient
from adapters.slack.web_api.limits import SlackLimits
from bot.app import App, open_app
from bot.chats import open_chats, read_slack_access
from bot.operations.doctor import examine
from bot.operations.pull import PullOptions, pull
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline.domain import (
    AnswerFile,
    Attachment,
    Blob,
    FileHash,
    HealthCheck,
    Person,
    Reply,
    RunId,
    TaskId,
)
from pipeline.ports import Chat, Message, Prompt, stream_text
from pipeline.task_kinds import KINDS
from tests.adapters.discord.scene import QUICK
from tests.adapters.network.conftest import certificate  # noqa: F401 - a fixture
from tests.bot.operations.test_pull import FILES
from tests.cassettes.recording import record
from tests.contracts.buckets import make_bucket
from tests.fakes.chat import FakeListener
from tests.fakes.jobs import job
from tests.fakes.known_experts import known_experts
from tests.fakes.outside import FakeWorkers
from tests.fakes.persistence import FakeLedger
from tests.fakes.places import HOSTED, LOCAL
from tests.house.source import modules, name_of
from tests.servers.discord import play_discord
from tests.servers.experts import ExpertServer, experts_at_work
from tests.servers.hub import HubServer, hub_at_work
from tests.servers.hub.rows import row
from tests.servers.openai import openai_at_work
from tests.servers.pages import serving
from tests.servers.proxy import ForwardProxy, proxy_at_work
from tests.servers.s3 import stand_between
from tests.servers.slack import SlackServer
from tests.servers.slack.workspace import GENERAL

ADDRESS = "93.184.216.34"
"""A public one, so that the guarded downloads have no name to resolve."""
PICTURE = Upload(
    AnswerFile(
        attachment=Attachment(
            hash=FileHash("0" * 64), media_type="image/png", name="cat.png", size=3
        ),
        alt="a cat",
        model="m",
        kind="k",
        task=TaskId(1),
    ),
    Blob(b"PNG", "image/png", "cat.png"),
)
HELLO = Prompt((Message("user", "hello"),))


@dataclass
class Street:
    """Where the vendors are: at names that the proxy knows, or without `names` on loopback."""

    has_names: bool
    places: dict[str, str] = field(default_factory=dict)

    def find(self, host: str, base: str) -> str:
        """The base URL under which a player is reached."""
        self.places[host] = base
        return f"https://{host}" if self.has_names else base


Use = Callable[[Settings], Awaitable[object]]
Vendor = Callable[[Street], AbstractAsyncContextManager[tuple[Mapping[str, str], Use]]]
"""Plays a vendor. Settings, and what uses every client of that vendor."""


def with_app(use: Callable[[App], Awaitable[object]]) -> Use:
    async def run(settings: Settings) -> None:
        async with open_app(settings, FakeWorkers()) as app:
            await use(app)

    return run


@asynccontextmanager
async def listening(app: App) -> AsyncIterator[Chat]:
    """The only chat, while it listens."""
    (chat,) = open_chats(app)
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(chat.listen(FakeListener()))
        try:
            yield chat
        finally:
            task.cancel()


async def check(findings: AsyncIterator[HealthCheck]) -> None:
    assert all([finding.good async for finding in findings])


@asynccontextmanager
async def slack(street: Street) -> AsyncIterator[tuple[Mapping[str, str], Use]]:
    async with SlackServer() as server:
        server.files.base = server.socket.base = street.find("slack.test", server.files.base)

        async def use(app: App) -> None:
            async with listening(app):
                await server.until(lambda: server.socket.lines)
            access = read_slack_access(app.settings)
            client = SlackClient(access, SlackLimits())
            await check(examine_slack(access))
            url = f"{server.files.base}/response/{GENERAL}/U1/R1"
            asker = Asker(
                id="1",
                person=Person("U1", "ann"),
                thread=client.find_thread(GENERAL),
                response_url=url,
            )
            await SlackReplies(client, FakeLedger()).send(asker, Reply("done"))
            assert server.space.responses
            posted = await client.call("chat.postMessage", channel=GENERAL, text="Here it is.")
            thread = client.find_thread(GENERAL, posted["ts"])
            surface = SlackSurface(
                client=client, ledger=FakeLedger(), thread=thread, run=RunId("1")
            )
            await surface.upload("1", [PICTURE], "", Page(()))
            assert server.space.files

        tokens = {"SLACK_BOT_TOKEN": server.bot_token, "SLACK_APP_TOKEN": server.app_token}
        yield {**tokens, "SLACK_API_BASE_URL": server.api, "TROUPE_PLACES": "llm"}, with_app(use)
        assert server.violations == []


@asynccontextmanager
async def discord(street: Street) -> AsyncIterator[tuple[Mapping[str, str], Use]]:
    async with play_discord() as server:
        server.people.guild("team", server.people.person("ada"))
        server.world.address = street.find("discord.test", server.world.address)

        async def use(app: App) -> None:
            (chat,) = open_chats(app)
            assert isinstance(chat, DiscordChat)
            chat.times = QUICK
            async with asyncio.TaskGroup() as tasks:
                listening = tasks.create_task(chat.listen(FakeListener()))
                await server.world.until(lambda: server.gateway.identified)
                listening.cancel()
            addresses = Addresses(*app.settings.discord_addresses)
            network = app.settings.network
            await check(examine_discord(server.world.token, addresses, network=network))

        addresses = {
            "DISCORD_API_BASE_URL": server.api,
            "DISCORD_GATEWAY_URL": server.gateway.address,
        }
        yield (
            {"DISCORD_TOKEN": server.world.token, **addresses, "TROUPE_PLACES": "llm"},
            with_app(use),
        )
        assert server.violations == []


@asynccontextmanager
async def language_model(street: Street) -> AsyncIterator[tuple[Mapping[str, str], Use]]:
    async with openai_at_work() as server:

        async def use(app: App) -> None:
            assert app.llm
            assert [piece async for piece in stream_text(app.llm, HELLO)]
            assert server.chats

        base = street.find("llm.test", server.base.removesuffix("/v1"))
        yield {"OPENAI_BASE_URL": f"{base}/v1", "TROUPE_PLACES": "llm"}, with_app(use)


@asynccontextmanager
async def hub(street: Street) -> AsyncIterator[tuple[Mapping[str, str], Use]]:
    rows = [row("org/tell", "text-classification", "hf-inference")]
    experts = ExpertServer(kinds={"org/tell": "text-classification"})
    async with hub_at_work(HubServer(rows, experts=experts)) as server:

        async def use(app: App) -> None:
            kind = KINDS["text-classification"]
            assert await app.tools.candidates.catalogue.candidates(kind, limit=5)
            assert server.asked
            await app.tools.experts[HOSTED].run(
                job(kind.name, model="org/tell", text="fine", place=HOSTED)
            )
            assert server.experts.asked
            settings = app.settings
            await check(
                examine_hub(settings.hf_endpoint, settings.hf_token, network=settings.network)
            )

        addresses = {
            "HF_ENDPOINT": street.find("hub.test", server.base),
            "HF_ROUTER_URL": street.find("router.test", server.base),
        }
        yield {"HF_TOKEN": "hf_ann", **addresses, "TROUPE_PLACES": "hosted"}, with_app(use)


@asynccontextmanager
async def expert_server(street: Street) -> AsyncIterator[tuple[Mapping[str, str], Use]]:
    async with experts_at_work(known_experts()) as server:

        async def use(settings: Settings) -> None:
            async with open_app(settings, FakeWorkers()) as app:
                kind = KINDS["text-classification"]
                assert await app.tools.candidates.catalogue.candidates(kind, limit=5)
                await app.tools.experts[LOCAL].run(job(kind.name, text="fine"))
            assert server.asked
            assert await examine(settings) == 0

        base = street.find("experts.test", server.base)
        yield {"TROUPE_EXPERTS_URL": base, "TROUPE_PLACES": "local"}, use


@asynccontextmanager
async def recording(street: Street) -> AsyncIterator[tuple[Mapping[str, str], Use]]:
    async with language_model(street) as (given, use):

        async def record_it(settings: Settings) -> None:
            async def work(settings: Settings) -> None:
                await use(settings)

            assert await record(settings.home / "tape.jsonl", ("ask",), work, settings) == 0

        yield given, record_it


@asynccontextmanager
async def downloads(street: Street) -> AsyncIterator[tuple[Mapping[str, str], Use]]:
    async with serving() as pages:
        base = street.find(ADDRESS, pages.url(""))

        async def use(app: App) -> None:
            blob = await app.ports.fetch.get(f"{base}/file.png", max_bytes=100)
            assert blob.data == b"picture"

        allowed = {} if street.has_names else {"TROUPE_FETCH_HOSTS": base.removeprefix("http://")}
        yield {"TROUPE_PLACES": "llm", **allowed}, with_app(use)


@asynccontextmanager
async def bucket(street: Street) -> AsyncIterator[tuple[Mapping[str, str], Use]]:
    made = await make_bucket()

    async def use(app: App) -> None:
        await app.ports.files.check()

    async with stand_between() as server:  # by its own name it would be asked for another bucket
        settings = {
            "TROUPE_FILES_URL": made.address,
            "AWS_ENDPOINT_URL_S3": street.find("files.test", server.address),
            "AWS_ACCESS_KEY_ID": made.key,
            "AWS_SECRET_ACCESS_KEY": made.secret,
        }
        yield {**settings, "TROUPE_PLACES": "llm"}, with_app(use)


@asynccontextmanager
async def pulls(street: Street) -> AsyncIterator[tuple[Mapping[str, str], Use]]:
    name = "org/tell"
    async with hub_at_work(HubServer([row(name, "text-classification", licence="mit")])) as server:
        server.repositories.files[name] = FILES

        async def use(settings: Settings) -> None:
            options = PullOptions(folder=settings.home, card="cpu")
            assert await asyncio.to_thread(pull, settings, (name,), options) == 0

        yield {"HF_ENDPOINT": street.find("hub.test", server.base)}, use


CLIENTS: Mapping[Vendor, tuple[str, ...]] = {
    slack: (
        "adapters/slack/acting/replies.py",
        "adapters/slack/connecting/socket.py",
        "adapters/slack/web_api/client.py",
    ),
    discord: (
        "adapters/discord/connecting/client.py",
        "adapters/discord/connecting/doctor.py",
    ),
    language_model: ("adapters/openai/server.py",),
    hub: (
        "adapters/huggingface/doctor.py",
        "adapters/huggingface/hub.py",
        "adapters/wire/expert.py",
    ),
    expert_server: ("adapters/local/client.py", "adapters/local/doctor.py"),
    recording: (),  # tests/cassettes/proxy.py
    downloads: ("adapters/fetch/http.py",),
    bucket: ("adapters/files/s3.py",),
    pulls: ("adapters/local/downloads.py",),
}
"""Each vendor, and the modules that open a client for it. A new client gets a line here."""
every_client = pytest.mark.parametrize(
    "vendor",
    [
        *(vendor for vendor in CLIENTS if vendor is not expert_server),
        pytest.param(expert_server, marks=pytest.mark.program),  # the doctor starts a worker
    ],
    ids=lambda vendor: vendor.__name__,
)


def read(home: Path, **given: str) -> Settings:
    return read_settings({"TROUPE_HOME": str(home), "TROUPE_EXPERTS": "off", **given})


@every_client
async def test_every_client_reaches_its_vendor_through_the_proxy(
    vendor: Vendor,
    tmp_path: Path,
    certificate: str,  # noqa: F811
) -> None:
    street = Street(has_names=True)
    async with (
        vendor(street) as (given, use),
        proxy_at_work(ForwardProxy(street.places, login="Basic YW5uOnNlY3JldA==")) as proxy,
    ):
        address = proxy.address.replace("//", "//ann:secret@")
        await use(read(tmp_path, **given, HTTPS_PROXY=address, SSL_CERT_FILE=certificate))

    assert proxy.hosts == street.places.keys()
    assert {each.partition(" ")[0] for each in proxy.asked} == {"CONNECT"}
    assert proxy.logins == {proxy.login}


@every_client
async def test_no_client_reaches_this_machine_through_a_proxy(
    vendor: Vendor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        vendor(Street(has_names=False)) as (given, use),
        proxy_at_work(ForwardProxy()) as proxy,
    ):
        for name in ("HTTPS_PROXY", "http_proxy", "WS_PROXY"):
            monkeypatch.setenv(name, proxy.address)  # for libraries that read it themselves
        await use(read(tmp_path, **given, ALL_PROXY=proxy.address))

    assert proxy.asked == []


OPENERS = {
    *("open_session", "Connector"),
    *("AsyncWebClient", "AsyncWebhookClient", "AsyncSocketModeHandler", "SocketModeClient"),
    *("AsyncOpenAI", "DefaultAioHttpClient"),
    *("discord.Client", "discord.AutoShardedClient", "InferenceClient", "HfApi"),
}
"""Called to open a client."""
FORBIDDEN = {
    *("aiohttp.ClientSession", "aiohttp.TCPConnector", "aiohttp.request", "ClientSession"),
    *("TCPConnector", "httpx2.AsyncClient", "httpx2.Client", "urlopen", "urllib.request.urlopen"),
    *("asyncio.open_connection", "socket.create_connection", "requests.get", "requests.post"),
}
THE_RULE = "adapters/network/connections.py"
THE_LIBRARYS = "adapters/local/hub_client.py"
"""What huggingface_hub wants is no session of aiohttp; `pulls` shows that it keeps to the rule."""
NEARBY = "adapters/nearby/__init__.py"
"""Asks this machine only, and by the rule above never through a proxy."""


def list_calls(path: Path, names: set[str]) -> set[str]:
    """Those of the names that a module calls."""
    text = path.read_text("utf-8")
    if not any(f"{name}(" in text for name in names):
        return set()
    calls = (node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    return names & {
        ast.unparse(call) for call in calls if isinstance(call, ast.Name | ast.Attribute)
    }


def test_every_module_that_opens_a_client_is_tried_here() -> None:
    opening = {name_of(path) for path in modules() if list_calls(path, OPENERS)}
    past_the_rule = {name_of(path) for path in modules() if list_calls(path, FORBIDDEN)}

    assert opening - {THE_RULE, NEARBY} == {name for names in CLIENTS.values() for name in names}
    assert past_the_rule == {THE_RULE, THE_LIBRARYS}
