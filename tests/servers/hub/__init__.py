"""A local server that plays the Hub, its router and a queueing provider, over real HTTP."""

from tests.servers.hub.rows import row
from tests.servers.hub.server import HubServer, hub_at_work

__all__ = ["HubServer", "hub_at_work", "row"]
