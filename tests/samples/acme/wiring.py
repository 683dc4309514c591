"""What would be a method of `Opening` in bot/providers.py; its settings are arguments here."""

from adapters.network.connections import open_session
from bot.providers import Opening
from tests.samples.acme.catalogue import AcmeCatalogue
from tests.samples.acme.expert import AcmeExpert


async def open_acme(opening: Opening, *, base: str, key: str) -> None:
    """Open Acme if there is a key for it."""
    if not key:
        return
    headers = {"Authorization": f"Bearer {key}"}
    session = open_session(opening.settings.network, seconds=None, headers=headers)
    await opening.stack.enter_async_context(session)
    opening.add(AcmeExpert(session, base), AcmeCatalogue(session, base))
