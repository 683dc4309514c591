"""What the handlers of requests share."""

from dataclasses import dataclass, field

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

from adapters.web.options import WebOptions, WebPorts
from adapters.web.runs import RunLogs
from pipeline.ports import Listener


class Figures:
    """What is counted for Prometheus."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self.requests = Counter(
            "troupe_web_requests",
            "Requests of the web page and API.",
            ("route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "troupe_web_request_seconds",
            "How long requests took.",
            ("route",),
            registry=self.registry,
        )
        self.runs = Counter(
            "troupe_web_runs", "Runs followed to their end.", ("end",), registry=self.registry
        )
        self.under_way = Gauge(
            "troupe_web_runs_under_way", "Runs being followed.", registry=self.registry
        )


@dataclass(frozen=True, slots=True)
class WebState:
    """The settings, the ports, the runs and the conversation behind it all."""

    options: WebOptions
    ports: WebPorts
    listener: Listener
    runs: RunLogs
    figures: Figures = field(default_factory=Figures)


STATE = web.AppKey("state", WebState)
