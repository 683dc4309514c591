"""The doctor's look at the network: proxies, certificates, and who is reached through what."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence

from yarl import URL

from adapters.files.places import Bucket
from adapters.network.proxies import is_exception_readable
from bot.settings import OPENAI, Settings
from pipeline.domain import HealthCheck, report_bad, report_good


async def check_network(settings: Settings) -> AsyncIterator[HealthCheck]:
    """Which proxies and certificates count, and who is reached through a proxy."""
    network = settings.network
    for scheme, proxy in (("https", network.https), ("http", network.http)):
        if proxy:
            facts = {"proxy": str(proxy.address), "setting": proxy.setting}
            yield report_good("network-proxy", scheme=scheme, **facts)
    if network.https or network.http:
        for finding in _divide_clients(settings):
            yield finding
    else:
        yield report_good("network-no-proxy")
    if network.certificates:
        yield report_good("network-certificates", files=", ".join(network.certificates))


def _divide_clients(settings: Settings) -> Iterable[HealthCheck]:
    network = settings.network
    if entries := network.exceptions:
        yield report_good("network-exceptions", entries=", ".join(entries))
    for entry in entries:
        if not is_exception_readable(entry):
            yield report_bad("network-exception-odd", entry=entry)
    through, past = dict[str, list[str]](), dict[str, list[str]]()
    for name, address in _list_clients(settings):
        group = through if network.find_proxy(address) else past
        group.setdefault(name, []).append(address.host or "")
    if through:
        yield report_good("network-through", clients=_join_clients(through))
    if past:
        yield report_good("network-past", clients=_join_clients(past))


def _list_clients(settings: Settings) -> Iterable[tuple[str, URL]]:
    """Whom the program calls: names and addresses. "*" stands for the hosts of links."""
    if settings.slack:
        files = (f"https://{host}" for host in settings.slack_file_hosts)
        yield from (("Slack", URL(each)) for each in (settings.slack_api_base_url, *files))
    if settings.discord:
        api, gateway, hosts = settings.discord_addresses
        files = (f"https://{host}" for host in hosts)
        yield from (("Discord", URL(each)) for each in (api, gateway, *files))
    if settings.language_model:
        default = OPENAI if settings.openai else settings.hf_router_url
        yield "language model", URL(settings.openai_base_url or default)
    if settings.hf_token:
        yield "Hugging Face", URL(settings.hf_endpoint)
        yield "Hugging Face", URL(settings.hf_router_url)
    if settings.troupe_experts_url:
        yield "expert server", URL(settings.troupe_experts_url)
    if isinstance(bucket := settings.files_place, Bucket):
        yield "files", URL(bucket.server)
    yield "links", URL("https://*")


def _join_clients(clients: Mapping[str, Sequence[str]]) -> str:
    return ", ".join(f"{name} ({', '.join(dict.fromkeys(clients[name]))})" for name in clients)
