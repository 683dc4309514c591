"""Acme, played: an imaginary service that runs models."""

from tests.servers.acme.server import AcmeServer, acme_at_work

__all__ = ["AcmeServer", "acme_at_work"]
