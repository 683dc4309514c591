"""The played Discord's things as the JSON that its API speaks."""

from datetime import UTC, datetime

from tests.servers.discord.values import (
    DIRECT,
    EPOCH_MS,
    GROUP,
    PRIVATE_THREAD,
    REPLY,
    THREAD,
    THREAD_STARTER,
    VOICE,
    Account,
    Channel,
    Guild,
    Json,
    Message,
    Upload,
)

VOCAL = (2, 13)


def moment(snowflake: int) -> str:
    return datetime.fromtimestamp(((snowflake >> 22) + EPOCH_MS) / 1000, UTC).isoformat()


def user(account: Account) -> Json:
    return {
        "id": str(account.id),
        "username": account.name,
        "discriminator": "0",
        "global_name": account.shown_as,
        "avatar": None,
        "bot": account.bot,
        "flags": 0,
        "public_flags": 0,
        "primary_guild": None,
    }


def member(account: Account, *, whole: bool = True) -> Json:
    payload: Json = {
        "roles": [],
        "joined_at": moment(account.id),
        "deaf": False,
        "mute": False,
        "flags": 0,
        "nick": None,
        "avatar": None,
    }
    return payload | ({"user": user(account)} if whole else {})


def role(guild: Guild) -> Json:
    return {
        "id": str(guild.id),
        "name": "@everyone",
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": 0,
        "permissions": str(guild.everyone),
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }


def channel(place: Channel) -> Json:
    if place.type in DIRECT:
        people = [user(person) for person in place.people if not person.bot]
        payload = {"id": str(place.id), "type": place.type, "flags": 0, "recipients": people}
        group = {"name": place.name, "icon": None, "owner_id": people[0]["id"]}
        return payload | {"last_message_id": None} | (group if place.type == GROUP else {})
    if place.type == THREAD:
        return thread(place)
    overwrites = [
        {"id": str(target), "type": int(place.guild is None or target != place.guild.id)}
        | {"allow": str(grants), "deny": str(denies)}
        for target, (grants, denies) in place.overwrites.items()
    ]
    return {
        "id": str(place.id),
        "type": place.type,
        "name": place.name,
        "position": 0,
        "nsfw": False,
        "rate_limit_per_user": 0,
        "topic": None,
        "parent_id": None,
        "last_message_id": str(max(place.messages, default=0)) if place.messages else None,
        "permission_overwrites": overwrites,
        "flags": 0,
        **({"bitrate": 64000, "user_limit": 0, "rtc_region": None} if place.type in VOCAL else {}),
    } | ({"guild_id": str(place.guild.id)} if place.guild else {})


def thread(place: Channel) -> Json:
    assert place.guild is not None
    assert place.parent is not None
    owner = place.owner or place.guild.owner
    return {
        "id": str(place.id),
        "guild_id": str(place.guild.id),
        "parent_id": str(place.parent.id),
        "owner_id": str(owner.id),
        "type": PRIVATE_THREAD if place.private else THREAD,
        "name": place.name,
        "last_message_id": str(max(place.messages)) if place.messages else None,
        "message_count": len(place.said),
        "member_count": len(place.people),
        "total_message_sent": len(place.messages),
        "rate_limit_per_user": 0,
        "flags": 0,
        "thread_metadata": {
            "archived": place.archived,
            "auto_archive_duration": 1440,
            "archive_timestamp": moment(place.id),
            "locked": place.locked,
            "create_timestamp": moment(place.id),
        },
    }


def guild(server: Guild, bot: Account) -> Json:
    places = [p for p in server.channels.values() if p.type != THREAD]
    return {
        "id": str(server.id),
        "name": server.name,
        "icon": None,
        "owner_id": str(server.owner.id),
        "roles": [role(server)],
        "emojis": server.emojis,
        "stickers": [],
        "features": [],
        "premium_tier": server.tier,
        "preferred_locale": server.locale,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "afk_timeout": 300,
        "joined_at": moment(server.id),
        "large": False,
        "unavailable": False,
        "member_count": len(server.members),
        "members": [member(bot)],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "channels": [channel(p) for p in places],
        "threads": [thread(t) for t in server.threads() if not t.archived],
    }


def upload(file: Upload, cdn: str, place: Channel) -> Json:
    address = f"{cdn}/attachments/{place.id}/{file.id}/{file.filename}?ex=ffffffff&is=1&hm=cafe"
    voice = {"duration_secs": file.seconds, "waveform": "AAAA"} if file.seconds is not None else {}
    described = {"description": file.description} if file.description is not None else {}
    return {
        "id": str(file.id),
        "filename": file.filename,
        "size": file.size,
        "url": address,
        "proxy_url": address,
        "content_type": file.media_type,
        **described,
        **voice,
        **({"title": file.title} if file.title else {}),
        **({"flags": 1 << 3} if file.hidden else {}),
    }


def message(said: Message, cdn: str, *, deep: bool = True) -> Json:
    payload: Json = _content(said, cdn) | {
        "id": str(said.id),
        "channel_id": str(said.channel.id),
        "author": user(said.author),
        "tts": False,
        "mention_everyone": False,
        "pinned": False,
    }
    if deep:
        payload["reactions"] = [
            {"emoji": {"id": None, "name": emoji}, "count": len(who)}
            | {"count_details": {"normal": len(who), "burst": 0}, "burst_colors": []}
            | {"me": False, "me_burst": False}
            for emoji, who in said.reactions.items()
        ]
    if said.nonce is not None:
        payload["nonce"] = said.nonce
    if said.thread is not None:
        payload["thread"] = thread(said.thread)
    if said.interaction is not None:
        application = str(said.author.id)
        payload |= {"application_id": application, "webhook_id": application}
        payload["interaction_metadata"] = said.interaction
    return payload | _reference(said, cdn, deep=deep)


def _content(said: Message, cdn: str) -> Json:
    """What a forwarded message keeps."""
    place = said.channel
    return {
        "content": said.content,
        "timestamp": moment(said.id),
        "edited_timestamp": _edited(said),
        "mentions": [user(person) for person in said.mentions],
        "mention_roles": [],
        "attachments": [upload(file, cdn, place) for file in said.uploads if not said.has_layout],
        "embeds": said.embeds,
        "components": said.components,
        "type": said.type,
        "flags": said.flags | (VOICE if any(f.seconds for f in said.uploads) else 0),
    }


def _edited(said: Message) -> str | None:
    return (
        None if said.edited_at is None else datetime.fromtimestamp(said.edited_at, UTC).isoformat()
    )


def _reference(said: Message, cdn: str, *, deep: bool) -> Json:
    """What a message refers to; a message inside another one names only its id."""
    if said.snapshots:
        first = said.snapshots[0]
        snapshots = [{"message": _content(one, cdn)} for one in said.snapshots]
        return {"message_reference": _pointer(first) | {"type": 1}, "message_snapshots": snapshots}
    if said.reference is None:
        return {}
    answer: Json = {"message_reference": _pointer(said.reference) | {"type": 0}}
    if deep and said.type in (REPLY, THREAD_STARTER):
        gone = said.reference.deleted
        answer["referenced_message"] = None if gone else message(said.reference, cdn, deep=False)
    return answer


def _pointer(said: Message) -> Json:
    pointer = {"message_id": str(said.id), "channel_id": str(said.channel.id)}
    return pointer | ({"guild_id": str(said.channel.guild.id)} if said.channel.guild else {})
