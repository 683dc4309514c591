"""What would be a method of `Opening` in bot/providers.py; its settings are arguments here."""

from bot.providers import Opening
from tests.samples.acme.catalogue import AcmeCatalogue
from tests.samples.acme.client import open_client
from tests.samples.acme.expert import AcmeExpert


async def open_acme(opening: Opening, *, base: str, key: str) -> None:
    """Open Acme if there is a key for it."""
    if not key:
        return
    client = open_client(key, opening.settings.network)
    session = await opening.stack.enter_async_context(client)
    opening.add(AcmeExpert(session, base), AcmeCatalogue(session, base))
