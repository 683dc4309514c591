"""REST: messages, their files, reactions, typing and threads."""

import time
from collections.abc import Iterable

from tests.servers.discord import payloads
from tests.servers.discord.layouts import number, resolve_media
from tests.servers.discord.permissions import may, sending
from tests.servers.discord.rules import check_message, check_thread, invalid
from tests.servers.discord.values import (
    COMMAND,
    DEFAULT,
    FORUM,
    LAYOUT,
    NEWS,
    NO_PREVIEWS,
    REPLY,
    TEXT,
    THREAD,
    THREAD_CREATED,
    THREAD_STARTER,
    Channel,
    Json,
    Message,
    Refusal,
    Upload,
)
from tests.servers.discord.world import Call, World

Answer = tuple[int, object]


def create(world: World, call: Call) -> Answer:
    place = world.channel(call.path["channel"])
    needs = [sending(place)] + (["attach_files"] if call.files else [])
    check_message(call.body)
    if place.type == FORUM:
        raise Refusal(400, 50008, "Cannot send messages in a non-text channel", fault=True)
    world.demand(place, *needs)
    if place.locked:
        raise Refusal(400, 160005, "Thread is locked")
    repeated = _repeated(world, place, call.body)
    if repeated is not None:
        return 200, payloads.message(repeated, world.address)
    said = Message(world.ids.next(), place, world.bot, call.body.get("content") or "")
    said.reference = _referenced(world, place, call.body)
    said.type = REPLY if said.reference else DEFAULT
    fill(world, said, call)
    _keep_nonce(world, said, call.body)
    world.add_message(said)
    return 200, payloads.message(said, world.address)


def _repeated(world: World, place: Channel, body: Json) -> Message | None:
    if world.demand_nonce and not body.get("enforce_nonce"):
        world.blame("POST message", "a post without a nonce that is enforced")
    if body.get("nonce") is None or not body.get("enforce_nonce"):
        return None
    return world.nonces.get((place.id, str(body["nonce"])))


def _keep_nonce(world: World, said: Message, body: Json) -> None:
    if body.get("nonce") is not None:
        said.nonce = str(body["nonce"])
        world.nonces[said.channel.id, said.nonce] = said


def _referenced(world: World, place: Channel, body: Json) -> Message | None:
    reference = body.get("message_reference")
    if reference is None:
        return None
    world.demand(place, "read_message_history")
    said = place.messages.get(int(reference["message_id"]))
    if said is not None and not said.deleted:
        return said
    if reference.get("fail_if_not_exists", True):
        raise Refusal(400, 50035, "Invalid Form Body: Unknown message")
    return None


def fill(
    world: World,
    said: Message,
    call: Call,
    *,
    old: Iterable[Upload] = (),
    content: str | None = None,
) -> None:
    """Give a message its text, files, components and embeds; refuse it whole or not at all."""
    body, content = call.body, said.content if content is None else content
    uploads = _uploads(world, said.channel, call, {upload.id: upload for upload in old})
    components = (body["components"] or []) if "components" in body else said.components
    embeds = body.get("embeds") or said.embeds
    flags = said.flags & ~NO_PREVIEWS | body.get("flags", 0)
    number(components)
    if flags & LAYOUT and "components" in body:
        listed = [part.get("filename", "") for part in body.get("attachments") or ()]
        names = [] if world.faults.loses_kept_files else listed
        names = [*names, *(upload.filename for upload in call.files.values())]
        names = [] if world.faults.refuses_shown_files else names
        resolve_media(components, uploads, names, f"{world.address}/attachments/{said.channel.id}")
    if not (content.strip() or uploads or embeds or flags & LAYOUT):
        raise Refusal(400, 50006, "Cannot send an empty message", fault=True)
    said.content, said.uploads, said.components = content, uploads, components
    said.embeds, said.flags = embeds, flags


def _uploads(world: World, place: Channel, call: Call, old: dict[int, Upload]) -> list[Upload]:
    listed = call.body.get("attachments")
    if listed is None:
        return [*old.values(), *call.files.values()]
    limit = place.guild.file_limit if place.guild else 10 << 20
    if sum(upload.size for upload in call.files.values()) > world.faults.request_bytes:
        raise Refusal(413, 40005, "Request entity too large")
    kept: list[Upload] = []
    unused = set(call.files)
    for part in listed:
        number = int(part["id"])
        unused.discard(number)
        upload = call.files.get(number) or old.get(number)
        if upload is None:
            raise invalid("attachments", f"no file {number} in the request or on the message")
        if upload.size > limit:
            raise Refusal(413, 40005, "Request entity too large", fault=True)
        upload.description = part.get("description") or upload.description
        upload.id = upload.id if number in old else world.ids.next()
        kept.append(upload)
    if unused:
        raise invalid("attachments", f"files {sorted(unused)} are not listed")
    return kept


def edit(world: World, call: Call) -> Answer:
    place = world.channel(call.path["channel"])
    world.demand(place)
    said = world.message(place, call.path["message"])
    if said.author is not world.bot:
        raise Refusal(403, 50005, "Cannot edit a message authored by another user", fault=True)
    if place.archived:
        raise Refusal(400, 50083, "Thread is archived")
    apply_edit(world, said, call)
    return 200, payloads.message(said, world.address)


def apply_edit(world: World, said: Message, call: Call) -> None:
    check_message(call.body, edit=said)
    if call.files and said.channel.guild and said.channel.has(world.bot):
        world.demand(said.channel, "attach_files")
    before, content = said.text, call.body.get("content", said.content) or ""
    fill(world, said, call, old=said.uploads, content=content)
    said.versions.append(before)
    said.edited_at = time.time()
    world.tell_message("MESSAGE_UPDATE", said)


def delete(world: World, call: Call) -> Answer:
    place = world.channel(call.path["channel"])
    said = world.message(place, call.path["message"])
    if said.author is not world.bot:
        world.demand(place, "manage_messages")
    world.remove(said)
    return 204, None


def get(world: World, call: Call) -> Answer:
    place = world.channel(call.path["channel"])
    world.demand(place, "read_message_history")
    return 200, payloads.message(world.message(place, call.path["message"]), world.address)


def history(world: World, call: Call) -> Answer:
    place = world.channel(call.path["channel"])
    world.demand(place)
    limit = int(call.query.get("limit", "50"))
    if not 1 <= limit <= 100:
        raise invalid("limit", "must be 1 to 100")
    if not may_read(world, place):
        return 200, []
    said = sorted((m for m in place.said), key=lambda m: m.id, reverse=True)
    page = _page(said, call.query, limit)
    return 200, [payloads.message(m, world.address) for m in page]


def search(world: World, call: Call) -> Answer:
    """The messages of a server that mention somebody, oldest first."""
    guild = world.guilds[int(call.path["guild"])]
    limit = int(call.query.get("limit", "25"))
    if not 1 <= limit <= 25:
        raise invalid("limit", "must be 1 to 25")
    if not world.has_index:
        body = {"message": "Index not yet available. Try again later", "code": 110000}
        return 202, body | {"documents_indexed": 0, "retry_after": 2}
    who, since = int(call.query.get("mentions", "0")), int(call.query.get("min_id", "0"))
    hits = sorted(
        (
            said
            for place in guild.channels.values()
            if may(place, world.bot, "view_channel") and may_read(world, place)
            for said in place.said
            if said.id > since and any(person.id == who for person in said.mentions)
        ),
        key=lambda said: said.id,
    )
    shown = [[payloads.message(said, world.address)] for said in hits[:limit]]
    return 200, {"total_results": len(hits), "messages": shown, "threads": [], "members": []}


def may_read(world: World, place: Channel) -> bool:
    return may(place, world.bot, "read_message_history")


def _page(newest_first: list[Message], query: dict[str, str], limit: int) -> list[Message]:
    if "after" in query:
        later = [m for m in newest_first if m.id > int(query["after"])]
        return later[-limit:]
    if "before" in query:
        return [m for m in newest_first if m.id < int(query["before"])][:limit]
    if "around" in query:
        middle = int(query["around"])
        later = [m for m in newest_first if m.id > middle]
        others = [m for m in newest_first if m.id <= middle]
        return [*later[-(limit // 2) :], *others[: limit - limit // 2]]
    return newest_first[:limit]


def react(world: World, call: Call) -> Answer:
    place = world.channel(call.path["channel"])
    said = world.message(place, call.path["message"])
    emoji = call.path["emoji"]
    world.demand(place, "read_message_history")
    if not said.reactions.get(emoji):
        world.demand(place, "add_reactions")
    who = said.reactions.setdefault(emoji, [])
    if world.bot.id not in who:
        who.append(world.bot.id)
    world.ring()
    return 204, None


def unreact(world: World, call: Call) -> Answer:
    said = world.message(world.channel(call.path["channel"]), call.path["message"])
    who = said.reactions.get(call.path["emoji"], [])
    if world.bot.id in who:
        who.remove(world.bot.id)
    world.ring()
    return 204, None


def typing(world: World, call: Call) -> Answer:
    place = world.channel(call.path["channel"])
    world.demand(place, sending(place))
    place.typing += 1
    world.ring()
    return 204, None


def start_thread(world: World, call: Call) -> Answer:
    """A thread from a message; it begins with a system message that shows the root."""
    place = world.channel(call.path["channel"])
    if place.type not in (TEXT, NEWS):
        raise Refusal(400, 50024, "Cannot execute action on this channel type", fault=True)
    check_thread(call.body)
    root = world.message(place, call.path["message"])
    world.demand(place, "create_public_threads")
    if root.thread is not None:
        raise Refusal(400, 160004, "A thread has already been created for this message")
    thread = world.open_thread(place, call.body["name"], world.bot, root)
    root.thread = thread
    root.flags |= 1 << 5
    starter = Message(world.ids.next(), thread, root.author, "", type=THREAD_STARTER)
    starter.reference = root
    world.add_message(starter)
    world.tell_message("MESSAGE_UPDATE", root)
    return 201, payloads.thread(thread)


def start_bare_thread(world: World, call: Call) -> Answer:
    place = world.channel(call.path["channel"])
    check_thread(call.body)
    world.demand(place, "create_public_threads")
    thread = world.open_thread(place, call.body["name"], world.bot, None)
    notice = Message(world.ids.next(), place, world.bot, thread.name, type=THREAD_CREATED)
    world.add_message(notice)
    return 201, payloads.thread(thread)


def join_thread(world: World, call: Call) -> Answer:
    place = world.channel(call.path["channel"])
    world.demand(place)
    if place.type != THREAD:
        raise Refusal(400, 50024, "Cannot execute action on this channel type", fault=True)
    if world.bot not in place.people:
        place.people.append(world.bot)
    return 204, None


__all__ = ["COMMAND", "create", "delete", "edit", "get", "history", "react", "typing", "unreact"]
