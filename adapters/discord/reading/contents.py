"""The text of a message, with names for ids, and what else in it are words."""

import re

import discord

from adapters.discord.web_api.components import read_texts

_CUSTOM_EMOJI = re.compile(r"<a?(:\w+:)\d+>")
"""An emoji of a server: its name between colons, then its id."""


def read_text(message: discord.Message, me: discord.ClientUser | None) -> str:
    """The text, with that of forwarded messages; a sticker by name, a poll as a list.

    With cards that bots post, but without the previews that Discord adds to links. A post in a
    forum begins with its title.
    """
    bot, room = message.guild.me if message.guild else me, message.channel
    texts = [strip_mention(_resolve_names(message), bot.display_name if bot else "")]
    if isinstance(room, discord.Thread) and isinstance(room.parent, discord.ForumChannel):
        texts[:0] = [room.name] if room.id == message.id else []
    texts += read_texts(message)
    texts += [_read_embed(embed) for embed in message.embeds if embed.type == "rich"]
    for snapshot in message.message_snapshots:
        texts += [snapshot.content, *read_texts(snapshot), *map(_read_embed, snapshot.embeds)]
    texts += [f":{sticker.name}:" for sticker in message.stickers]
    if message.poll is not None:
        answers = [f"- {answer.text}" for answer in message.poll.answers]
        texts.append("\n".join([message.poll.question, *answers]))
    return "\n\n".join(_CUSTOM_EMOJI.sub(r"\1", text) for text in texts if text)


def _resolve_names(message: discord.Message) -> str:
    """The content with names for ids; a channel that its author cannot see goes by its id."""
    text, guild = message.clean_content, message.guild
    for id_ in message.raw_channel_mentions if guild else ():
        room = guild.get_channel_or_thread(id_) if guild else None
        if room is not None and room != message.channel and not _can_see(message.author, room):
            text = text.replace(f"#{room.name}", f"#{id_}")
    return text


def _can_see(
    author: discord.User | discord.Member, room: discord.abc.GuildChannel | discord.Thread
) -> bool:
    """Whether a person can see a channel; of somebody unknown, whether everybody can."""
    known = author if isinstance(author, discord.Member) else room.guild.default_role
    is_closed = isinstance(room, discord.Thread) and room.is_private()
    return room.permissions_for(known).view_channel and not is_closed


def _read_embed(embed: discord.Embed) -> str:
    """The words of a card, from its author to its footer."""
    fields = [f"{field.name}: {field.value}" for field in embed.fields]
    parts = (embed.author.name, embed.title, embed.description, *fields, embed.footer.text)
    return "\n".join(part for part in parts if part)


def strip_mention(text: str, name: str) -> str:
    """Remove mentions of the bot from the start and end of a text."""
    mention = rf"@{re.escape(name)}(?!\w)"
    return re.sub(rf"^(?:{mention}[\s,:]*)+|{mention}$", "", text.strip()).strip()
