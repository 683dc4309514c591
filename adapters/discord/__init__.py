"""Discord: a chat surface and its doctor.

`connecting` holds the connection; what people do is passed on by `acting`, which understands it by
`reading` and answers by `showing`. All of them call Discord by `web_api`.
"""

from adapters.discord.connecting.chat import DiscordChat
from adapters.discord.connecting.invitation import invite
from adapters.discord.web_api.library import Addresses

__all__ = ["Addresses", "DiscordChat", "invite"]
