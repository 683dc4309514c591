"""Setting up: the invitation asks for what is used, the doctor names what is missing."""

import discord
import pytest

from adapters.discord.acting.listener import DiscordListener
from adapters.discord.connecting.client import INTENTS
from adapters.discord.connecting.doctor import examine
from adapters.discord.connecting.invitation import PERMISSIONS
from adapters.discord.web_api.library import Addresses
from pipeline.domain import HealthCheck
from pipeline.errors import SettingsError
from pipeline.words import say
from tests.adapters.discord.events import picture, told, whole
from tests.adapters.discord.scene import DiscordScene, scene


async def _findings(at: DiscordScene, channel: str = "", token: str = "") -> list[HealthCheck]:
    addresses = Addresses(at.server.api, at.server.gateway.address, ())
    token, findings = token or at.server.world.token, list[HealthCheck]()
    try:
        async for finding in examine(token, addresses, channel=channel):
            findings.append(finding)
    except* SettingsError as group:
        problems = (error for error in group.exceptions if isinstance(error, SettingsError))
        findings += [HealthCheck(problem.sentence, good=False) for problem in problems]
    return findings


def _wrong(findings: list[HealthCheck]) -> list[str]:
    return [finding.what.id for finding in findings if not finding.good]


async def test_the_invitation_asks_for_exactly_the_permissions_that_are_used() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        await at.server.world.until(lambda: at.place.said[0].thread)
        files = [await picture(at.files)]
        await at.chat.follow(message, run, told(*whole(run, "A dot.", files)))
        await at.chat.history(message.thread, before="", most=50)
        at.server.people.deny(at.place, "create_public_threads")
        message, run = await at.asks("draw another")
        await at.server.world.until(lambda: at.place.said[-1].reactions)
        await at.chat.follow(message, run, told(*whole(run, "A dot.", files)))

        used = discord.Permissions(**dict.fromkeys(at.server.world.demanded, True))
        assert used == PERMISSIONS


def test_the_intents_are_the_fewest() -> None:
    wanted = {"guilds", "guild_messages", "dm_messages", "message_content"}

    assert {name for name, on in INTENTS if on} == wanted


def test_every_event_listened_to_needs_one_of_these_intents() -> None:
    events = {name for name in vars(DiscordListener) if name.startswith("on_")}

    assert events == {
        "on_message",
        "on_raw_message_edit",
        "on_raw_message_delete",
        "on_raw_bulk_message_delete",
        "on_guild_available",
        "on_guild_join",
        "on_shard_connect",
        "on_shard_given_up",
        "on_shard_ready",
    }
    assert not INTENTS.value & discord.Intents(members=True, presences=True).value


async def test_the_doctor_finds_nothing_wrong_and_makes_a_round_trip() -> None:
    async with scene() as at:
        findings = await _findings(at, "#general")

        assert _wrong(findings) == []
        assert findings[-2].what.id == "doctor-discord-round-trip"
        assert at.place.said == []
        assert all(say("en", finding.what) for finding in findings)


@pytest.mark.parametrize(
    "permission", ["read_messages", "send_messages_in_threads", "attach_files"]
)
async def test_the_doctor_names_each_missing_permission_and_where_to_mend_it(
    permission: str,
) -> None:
    async with scene() as at:
        at.server.people.deny(at.place, permission)
        findings = await _findings(at, str(at.place.id))
        named = {f.what.args.get("permission"): f for f in findings if not f.good}
        words = "view channel" if permission == "read_messages" else permission.replace("_", " ")

        assert named[words].what.args["where"] == "#general"
        assert named[words].mend.startswith("https://discord.com/oauth2/authorize?client_id=")


async def test_the_doctor_names_a_wrong_token() -> None:
    async with scene() as at:
        assert _wrong(await _findings(at, token="wrong")) == ["discord-token-wrong"]


async def test_the_doctor_says_what_a_missing_intent_means() -> None:
    async with scene() as at:
        at.server.world.application_flags = 0
        findings = await _findings(at)

        assert _wrong(findings) == []
        assert findings[1].what.id == "doctor-discord-intent-missing"


async def test_the_doctor_names_a_bot_that_is_nowhere_and_a_channel_that_is_not_seen() -> None:
    async with scene() as at:
        at.server.world.guilds.clear()

        assert _wrong(await _findings(at, "#lounge")) == [
            "doctor-discord-no-server",
            "doctor-discord-channel",
        ]
