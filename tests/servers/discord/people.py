"""What the people of the played Discord do: talk, edit, press buttons, use commands."""

import mimetypes
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.servers.discord import interactions, modals, payloads, permissions
from tests.servers.discord.values import (
    DEFAULT,
    DM,
    FORUM,
    GROUP,
    REPLY,
    TEXT,
    Account,
    Channel,
    Guild,
    Json,
    Message,
    Upload,
)
from tests.servers.discord.world import Interaction, World

File = tuple[str, bytes]
SUB, SUB_GROUP, MENU, ATTACHMENT = 1, 2, 3, 11


@dataclass(frozen=True, slots=True)
class People:
    """Acts for anybody but the bot."""

    world: World

    def person(self, name: str, locale: str = "en-US") -> Account:
        account = Account(self.world.ids.next(), name, locale=locale)
        self.world.accounts[account.id] = account
        return account

    def install(self, person: Account) -> None:
        """Install the application for oneself."""
        assert 1 in self.world.installs
        self.world.installed_by.add(person.id)

    def guild(self, name: str, owner: Account, *, tier: int = 0, shard: int = 0) -> Guild:
        guild = Guild(self.world.ids.next(shard), name, owner, tier, everyone=permissions.DEFAULT)
        guild.members = {owner.id: owner, self.world.bot.id: self.world.bot}
        self.world.guilds[guild.id] = guild
        return guild

    def channel(self, guild: Guild, name: str) -> Channel:
        return self.world.add_channel(Channel(self.world.ids.next(), TEXT, name, guild))

    def forum(self, guild: Guild, name: str) -> Channel:
        return self.world.add_channel(Channel(self.world.ids.next(), FORUM, name, guild))

    def post(self, person: Account, forum: Channel, title: str, text: str) -> Message:
        """A post in a forum: a thread whose first message has its id."""
        thread = self.world.open_thread(forum, title, person, None)
        mentions = self.mentioned(text)
        return self.world.add_message(Message(thread.id, thread, person, text, mentions=mentions))

    def foreign_channel(self, owner: Account, name: str) -> Channel:
        """A channel of a server in which the bot is not."""
        guild = self.guild("elsewhere", owner)
        del guild.members[self.world.bot.id]
        return self.channel(guild, name)

    def group(self, *people: Account) -> Channel:
        """A conversation among people."""
        place = Channel(self.world.ids.next(), GROUP, "friends", people=[*people])
        return self.world.add_channel(place)

    def dm(self, person: Account) -> Channel:
        people = [person, self.world.bot]
        return self.world.add_channel(
            Channel(self.world.ids.next(), DM, person.name, people=people)
        )

    def deny(self, place: Channel, permission: str, *, announced: bool = True) -> None:
        """Take one permission from the bot here."""
        self._overwrite(place, permissions.bit(permission), announced=announced)

    def _overwrite(self, place: Channel, denied: int, *, announced: bool) -> None:
        allows, denies = place.overwrites.get(self.world.bot.id, (0, 0))
        place.overwrites[self.world.bot.id] = (allows & ~denied, denies | denied)
        if announced:
            self.world.tell("CHANNEL_UPDATE", payloads.channel(place), place)

    def allow(self, place: Channel, permission: str) -> None:
        allows, denies = place.overwrites.get(self.world.bot.id, (0, 0))
        bit = permissions.bit(permission)
        place.overwrites[self.world.bot.id] = (allows, denies & ~bit)
        self.world.tell("CHANNEL_UPDATE", payloads.channel(place), place)

    def upload(self, file: File, seconds: float | None = None) -> Upload:
        name, body = file
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return Upload(self.world.ids.next(), name, body, kind, seconds=seconds)

    def say(
        self,
        person: Account,
        place: Channel,
        text: str,
        files: Sequence[File | Upload] = (),
        reply_to: Message | None = None,
    ) -> Message:
        said = Message(self.world.ids.next(), place, person, text)
        said.uploads = [f if isinstance(f, Upload) else self.upload(f) for f in files]
        said.mentions = self.mentioned(text)
        if reply_to is not None:
            said.type, said.reference = REPLY, reply_to
            if reply_to.author not in said.mentions and reply_to.author is not person:
                said.mentions.append(reply_to.author)
        return self.world.add_message(said)

    def mentioned(self, text: str) -> list[Account]:
        found = [int(number) for number in re.findall(r"<@!?(\d+)>", text)]
        known = {**self.world.accounts, self.world.bot.id: self.world.bot}
        return [known[number] for number in dict.fromkeys(found) if number in known]

    def speak(self, person: Account, place: Channel, sound: bytes, text: str = "") -> Message:
        """A voice message: no text, one sound."""
        said = Message(self.world.ids.next(), place, person, text, mentions=self.mentioned(text))
        said.uploads = [self.upload(("voice-message.ogg", sound), seconds=2.5)]
        return self.world.add_message(said)

    def forward(self, person: Account, said: Message, place: Channel) -> Message:
        copy = Message(self.world.ids.next(), place, person, "", type=DEFAULT, snapshots=[said])
        return self.world.add_message(copy)

    def edit(self, said: Message, text: str) -> None:
        said.mentions = self.mentioned(text)
        self.world.change(said, text, time.time())

    def delete(self, said: Message) -> None:
        self.world.remove(said)

    def thread(self, person: Account, root: Message, name: str) -> Channel:
        root.thread = self.world.open_thread(root.channel, name, person, root)
        return root.thread

    def private_thread(self, person: Account, place: Channel, name: str) -> Channel:
        """One into which the bot was let."""
        thread = self.world.open_thread(place, name, person, None, private=True)
        thread.people.append(self.world.bot)
        return thread

    def press(self, person: Account, said: Message, label: str) -> Interaction:
        custom_id = said.button(label)["custom_id"]
        data = {"custom_id": custom_id, "component_type": 2}
        return self._interact(interactions.COMPONENT, person, said.channel, data, said)

    def press_id(self, person: Account, said: Message, custom_id: str) -> Interaction:
        data = {"custom_id": custom_id, "component_type": 2}
        return self._interact(interactions.COMPONENT, person, said.channel, data, said)

    def choose(self, person: Account, said: Message, value: str) -> Interaction:
        """Choose an option of a select under a message."""
        (select,) = (
            each
            for each in said.buttons
            if value in [option["value"] for option in each.get("options", ())]
        )
        data = {"custom_id": select["custom_id"], "component_type": 3, "values": [value]}
        return self._interact(interactions.COMPONENT, person, said.channel, data, said)

    def command(
        self,
        person: Account,
        place: Channel,
        path: str,
        options: Mapping[str, object] | None = None,
    ) -> Interaction:
        """Use a registered slash command: "ask" or, with subcommands, "forget me"."""
        data = self._command_data(path.split(), dict(options or {}), place, None)
        return self._interact(interactions.SLASH, person, place, data, None)

    def use_menu(self, person: Account, said: Message, name: str) -> Interaction:
        """Choose an entry of a message's menu."""
        known = next(c for c in self.world.commands if (c["type"], c["name"]) == (MENU, name))
        shown = payloads.message(said, self.world.address)
        data = {"id": known["id"], "name": name, "type": MENU, "target_id": str(said.id)}
        data |= {"resolved": {"messages": {str(said.id): shown}}}
        return self._interact(interactions.SLASH, person, said.channel, data, None)

    def submit(
        self, person: Account, use: Interaction, values: Mapping[str, object] | None = None
    ) -> Interaction:
        """Fill in the modal that answered a command, and submit it."""
        assert use.callback is not None
        assert use.callback["type"] == interactions.MODAL_ANSWER
        data = modals.fill(use.callback, values or {}, self.upload_apart)
        return self._interact(interactions.MODAL, person, use.place, data, None, trigger=use)

    def suggest(
        self, person: Account, place: Channel, path: str, option: str, typed: str
    ) -> Interaction:
        data = self._command_data(path.split(), {option: typed}, place, option)
        return self._interact(interactions.AUTOCOMPLETE, person, place, data, None)

    def _command_data(
        self, path: list[str], values: dict[str, object], place: Channel, focused: str | None
    ) -> Json:
        known = next((c for c in self.world.commands if c["name"] == path[0]), None)
        assert known is not None, f"/{path[0]} is not registered"
        options, nest = known.get("options") or [], []
        for part in path[1:]:
            step = next(
                (o for o in options if o["name"] == part and o["type"] in (SUB, SUB_GROUP)), None
            )
            assert step is not None, f"/{' '.join(path)} is not registered"
            nest.append(step)
            options = step.get("options") or []
        resolved: Json = {}
        given = [self._option(o, values, resolved, focused) for o in options if o["name"] in values]
        needed = {o["name"] for o in options if o.get("required")}
        assert focused or needed <= set(values), f"{needed} must be given"
        assert set(values) <= {o["name"] for o in options}, f"unknown options among {set(values)}"
        for step in reversed(nest):
            given = [{"name": step["name"], "type": step["type"], "options": given}]
        data = {"id": known["id"], "name": known["name"], "type": 1, "options": given}
        data |= {"guild_id": str(place.guild.id)} if place.guild else {}
        return data | ({"resolved": resolved} if resolved else {})

    def _option(
        self, option: Json, values: dict[str, object], resolved: Json, focused: str | None
    ) -> Json:
        value = values[option["name"]]
        if option["type"] == ATTACHMENT:
            shown = self.upload_apart(value)
            value = shown["id"]
            resolved.setdefault("attachments", {})[value] = shown
        extra = {"focused": True} if option["name"] == focused else {}
        return {"name": option["name"], "type": option["type"], "value": value} | extra

    def upload_apart(self, file: object) -> Json:
        """Upload a file that is in no message."""
        assert isinstance(file, tuple)
        upload = self.upload(file)
        home = next(iter(self.world.channels.values()))
        keep = Message(self.world.ids.next(), home, self.world.bot, "", uploads=[upload])
        keep.deleted = True
        home.messages[keep.id] = keep
        return payloads.upload(upload, self.world.address, home)

    def _interact(
        self,
        kind: int,
        person: Account,
        place: Channel,
        data: Json,
        on: Message | None,
        *,
        trigger: Interaction | None = None,
    ) -> Interaction:
        number = self.world.ids.next()
        owners = self._find_owners(person, place)
        use = Interaction(
            id=number,
            token=f"tok{number}",
            kind=kind,
            place=place,
            person=person,
            at=self.world.now(),
            owners=owners,
            message=on,
        )
        use.trigger = trigger
        _check_where(self.world, use, data)
        self.world.interactions[use.token] = use
        payload = _interaction_payload(self.world, use, data)
        self.world.hear("INTERACTION_CREATE", payload, place)
        self.world.ring()
        return use

    def _find_owners(self, person: Account, place: Channel) -> dict[str, str]:
        """Whose installations of the application allow its use here."""
        owners = {"1": str(person.id)} if person.id in self.world.installed_by else {}
        if place.has(self.world.bot):
            owners["0"] = str(place.guild.id if place.guild else 0)
        assert owners, "the application is not installed here"
        return owners


def _check_where(world: World, use: Interaction, data: Json) -> None:
    """A person sees only the commands that are for this place and this installation."""
    known = next((c for c in world.commands if c["id"] == data.get("id")), None)
    if known is not None and "contexts" in known:
        assert _context(world, use.place) in known["contexts"]
        assert {*map(int, use.owners)} & {*known["integration_types"]}


def _context(world: World, place: Channel) -> int:
    if place.guild is not None:
        return 0
    return 1 if place.has(world.bot) else 2


def _interaction_payload(world: World, use: Interaction, data: Json) -> Json:
    place, guild = use.place, use.place.guild
    payload: Json = {
        "id": str(use.id),
        "application_id": str(world.bot.id),
        "type": use.kind,
        "token": use.token,
        "version": 1,
        "data": data,
        "channel_id": str(place.id),
        "channel": payloads.channel(place) | {"permissions": str(permissions.DEFAULT)},
        "locale": use.person.locale,
        "entitlements": [],
        "authorizing_integration_owners": use.owners,
        "context": _context(world, place),
        "attachment_size_limit": guild.file_limit if guild else 10 << 20,
        "app_permissions": str(permissions.allowed(place, world.bot)),
    }
    if guild is not None:
        bits = {"permissions": str(permissions.allowed(place, use.person))}
        payload["guild_id"] = str(guild.id)
        payload["guild"] = {"id": str(guild.id), "locale": guild.locale, "features": []}
        payload["guild_locale"] = guild.locale
        payload["member"] = payloads.member(use.person) | bits
    else:
        payload["user"] = payloads.user(use.person)
    if use.message is not None:
        payload["message"] = payloads.message(use.message, world.address)
    return payload


async def acknowledged(world: World, use: Interaction) -> Interaction:
    await world.until(lambda: use.callback is not None)
    return use
