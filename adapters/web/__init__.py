"""The web page and its HTTP API."""

from adapters.web.chat import WebChat
from adapters.web.options import WebOptions, WebPorts

__all__ = ["WebChat", "WebOptions", "WebPorts"]
