"""compose.yaml, as Docker Compose reads it: what each profile starts, and how it is confined."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.settings import Settings
from tests.house.source import ROOT, read

PINNED = re.compile(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}")
SECRETS = {
    name: f"{name}-of-the-test-which-is-long-enough"
    for name in (
        *("TROUPE_WEB_TOKEN", "TROUPE_SECRET", "POSTGRES_PASSWORD", "OBJECTS_SECRET"),
        "TROUPE_EXPERTS_TOKEN",
    )
}


def find_compose() -> str:
    beside = Path(sys.executable).parent / "docker-compose"
    if (program := shutil.which(str(beside)) or shutil.which("docker-compose")) is None:
        pytest.skip("Docker Compose is not installed: there is a wheel of it for Linux on x86-64")
    return program


def compose(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [find_compose(), "--project-directory", str(ROOT), *arguments],
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def services(*profiles: str) -> Mapping[str, Mapping[str, Any]]:
    """The services that would be started, with everything filled in."""
    options = [word for profile in profiles for word in ("--profile", profile)]
    done = compose(*options, "config", "--format", "json", **SECRETS)
    assert done.returncode == 0, done.stderr
    told: Mapping[str, Mapping[str, Any]] = json.loads(done.stdout)["services"]
    return told


pytestmark = pytest.mark.program


@pytest.mark.parametrize(
    ("profiles", "expected"),
    [
        ((), {"troupe"}),
        (("replicas",), {"troupe", "replica", "balancer", "postgres", "objects"}),
        (("experts",), {"troupe", "experts"}),
        (("experts-gpu",), {"troupe", "experts-gpu"}),
    ],
)
def test_each_profile_starts_its_services(profiles: tuple[str, ...], expected: set[str]) -> None:
    assert services(*profiles).keys() == expected


def test_without_a_token_for_the_page_nothing_starts_and_compose_says_why() -> None:
    done = compose("config", "-q")

    assert done.returncode != 0
    assert "set TROUPE_WEB_TOKEN in .env" in done.stderr


def test_three_replicas_share_a_database_a_store_and_a_secret() -> None:
    replica = services("replicas")["replica"]

    told = replica["environment"]
    assert replica["deploy"]["replicas"] == 3
    assert told["TROUPE_DATABASE_URL"].startswith("postgresql+asyncpg://troupe:")
    assert told["TROUPE_FILES_URL"].startswith("s3://troupe/")
    assert told["TROUPE_SECRET"] == SECRETS["TROUPE_SECRET"]
    assert "volumes" not in replica, "what it knows is elsewhere"
    assert "ports" not in replica, "only the balancer is reached from outside"
    assert {"/data"} <= {each.split(":")[0] for each in replica["tmpfs"]}


def test_only_loopback_reaches_what_is_started() -> None:
    for profile in ("replicas", "experts", "experts-gpu"):
        for name, service in services(profile).items():
            for port in service.get("ports", ()):
                assert port["host_ip"] == "127.0.0.1", name


def test_what_is_ours_cannot_write_its_root_nor_gain_rights() -> None:
    ours = {**services("replicas"), **services("experts"), **services("experts-gpu")}

    for name in ("troupe", "replica", "experts", "experts-gpu"):
        service = ours[name]
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        written = {each.split(":")[0] for each in service["tmpfs"]}
        written |= {each["target"] for each in service.get("volumes", ())}
        assert {"/tmp", "/home/troupe", "/data"} <= written, name


def test_the_expert_server_gets_graphics_cards_only_where_it_is_to_have_them() -> None:
    without, with_ = services("experts")["experts"], services("experts-gpu")["experts-gpu"]

    (device,) = with_["deploy"]["resources"]["reservations"]["devices"]
    assert device["capabilities"] == ["gpu"]
    assert "deploy" not in without


def test_images_of_others_are_pinned_by_digest() -> None:
    images = {each["image"] for each in services("replicas").values() if "build" not in each}

    assert len(images) == 3
    assert all(PINNED.fullmatch(image) for image in images), images
    assert re.search(rf"^ARG PYTHON={PINNED.pattern}$", read("Dockerfile"), re.MULTILINE)


def test_every_setting_of_the_replicas_is_one_that_there_is() -> None:
    told = services("replicas")["replica"]["environment"]
    known = {name.upper() for name in Settings.model_fields} | {"TROUPE_SECRET"}

    assert {name for name in told if name.startswith("TROUPE_")} <= known


def test_every_lock_that_the_image_can_be_built_from_is_let_into_the_build() -> None:
    let_in = set(re.findall(r"^!(requirements\S+)$", read(".dockerignore"), re.MULTILINE))
    named = set(re.findall(r"requirements-\w+\.lock", read("Dockerfile") + read("compose.yaml")))

    assert named <= let_in
    assert all((ROOT / name).is_file() for name in named)
