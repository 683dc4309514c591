"""Each place is known wherever it has to be: to the doctor, the kinds and the network's check."""

import ast

from bot.operations import doctor
from bot.places import PLACES
from bot.settings import Settings
from pipeline.task_kinds import KINDS, is_enabled_by
from tests.house.source import read

_NOT_CALLED = {
    "troupe_database_url",
    "troupe_files_url",
    "troupe_files_old_url",
    "troupe_public_url",
}
"""Addresses at which no vendor is called over HTTP."""
_OF_BROWSERS = {"slack_authorize_url", "troupe_files_public_url"}
"""Addresses that only a person's browser opens."""
_BY_ANOTHER_NAME = {
    *("discord_api_base_url", "discord_gateway_url"),
    "aws_endpoint_url",
}
"""Addresses that `Settings.discord_addresses` and `Settings.files_place` hold."""


def test_the_doctor_checks_each_place() -> None:
    calls = [
        node
        for node in ast.walk(ast.parse(read("bot/operations/doctor.py")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Check"
    ]
    names = {
        argument.id
        for call in calls
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        if isinstance(argument, ast.Name)
    }

    unchecked = [
        place for place in PLACES if not any(getattr(doctor, n, 0) is place for n in names)
    ]

    assert not unchecked, "yield a Check with the place in _list_checks of doctor.py"


def test_each_place_enables_a_kind() -> None:
    idle = [
        place for place in PLACES if not any(is_enabled_by(kind, place) for kind in KINDS.values())
    ]

    assert not idle, "name the setting in `enabled_by` of kinds in pipeline/task_kinds.py"


def test_the_doctor_says_of_each_address_how_it_is_reached() -> None:
    addresses = {name for name in Settings.model_fields if name.endswith(("_url", "_endpoint"))}
    called = addresses - _NOT_CALLED - _OF_BROWSERS - _BY_ANOTHER_NAME
    source = read("bot/operations/network_checks.py")

    unlisted = [name for name in called if f"settings.{name}" not in source]

    assert not unlisted, "yield it in _list_clients of bot/operations/network_checks.py"
