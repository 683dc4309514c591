"""The web page and its HTTP API."""

from adapters.web.chat import WebChat
from adapters.web.options import WebOptions, WebPorts
from adapters.web.run_logs import PLATFORM

__all__ = ["PLATFORM", "WebChat", "WebOptions", "WebPorts"]
