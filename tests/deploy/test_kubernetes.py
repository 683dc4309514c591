"""The manifests as Kustomize builds them: valid by the schemas of Kubernetes, and confined."""

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from bot.settings import Settings
from tests.house.source import ROOT, read

pytestmark = pytest.mark.program
OVERLAYS = ("single", "replicas", "experts", "experts-gpu")
VERSIONS = ("1.31", "1.34", "1.37")
"""Of Kubernetes: an older one, one of today and the newest that the validator knows."""


def find_kubectl() -> str:
    beside = Path(sys.executable).parent / "kubectl"
    if (program := shutil.which(str(beside)) or shutil.which("kubectl")) is None:
        pytest.skip("kubectl is not installed: there is a wheel of it for Linux on x86-64")
    return program


@cache
def build(overlay: str) -> Sequence[Mapping[str, Any]]:
    """The resources that `kubectl apply -k` would send."""
    done = subprocess.run(
        [find_kubectl(), "kustomize", str(ROOT / "deploy/kubernetes/overlays" / overlay)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [*yaml.safe_load_all(done.stdout)]


def find(overlay: str, kind: str, name: str = "troupe") -> Mapping[str, Any]:
    (found,) = [
        each
        for each in build(overlay)
        if each["kind"] == kind and re.sub(r"-[a-z0-9]{10}$", "", each["metadata"]["name"]) == name
    ]
    return found


def deployments(overlay: str) -> Sequence[Mapping[str, Any]]:
    return [each for each in build(overlay) if each["kind"] == "Deployment"]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_resource_is_valid_by_the_schema_of_kubernetes(overlay: str, version: str) -> None:
    for resource in build(overlay):
        kubernetes_validate.validate(resource, version, strict=True)


def test_the_validator_refuses_what_is_no_field() -> None:
    wrong = {**find("single", "Service"), "specification": {}}

    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSIONS[-1], strict=True)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_nothing_runs_as_root_or_writes_its_root(overlay: str) -> None:
    for deployment in deployments(overlay):
        pod = deployment["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            confined = container["securityContext"]
            assert confined["readOnlyRootFilesystem"]
            assert confined["allowPrivilegeEscalation"] is False
            assert confined["capabilities"] == {"drop": ["ALL"]}
            assert {"/tmp", "/home/troupe", "/data"} <= {
                mount["mountPath"] for mount in container["volumeMounts"]
            }


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_the_user_is_that_of_the_image(overlay: str) -> None:
    uid = re.findall(r"--uid (\d+)", read("Dockerfile"))

    for deployment in deployments(overlay):
        context = deployment["spec"]["template"]["spec"]["securityContext"]
        assert [str(context["runAsUser"])] == uid


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_each_container_is_watched_and_bounded(overlay: str) -> None:
    for deployment in deployments(overlay):
        for container in deployment["spec"]["template"]["spec"]["containers"]:
            assert {"startupProbe", "livenessProbe"} <= container.keys()
            assert "memory" in container["resources"]["limits"]


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_what_is_named_is_there(overlay: str) -> None:
    """Ports, volumes, claims, settings and labels that one resource names in another."""
    claims = {
        each["metadata"]["name"]
        for each in build(overlay)
        if each["kind"] == "PersistentVolumeClaim"
    }
    settings = {each["metadata"]["name"] for each in build(overlay) if each["kind"] == "ConfigMap"}
    labels = list[Mapping[str, str]]()
    for deployment in deployments(overlay):
        pod = deployment["spec"]["template"]["spec"]
        labels.append(deployment["spec"]["template"]["metadata"]["labels"])
        volumes = {each["name"]: each for each in pod["volumes"]}
        for container in pod["containers"]:
            ports = {each["name"] for each in container["ports"]}
            probes = [value for name, value in container.items() if name.endswith("Probe")]
            asked = {(each.get("httpGet") or each["tcpSocket"])["port"] for each in probes}
            assert asked <= ports
            assert {each["name"] for each in container["volumeMounts"]} == volumes.keys()
            for source in container.get("envFrom", ()):
                assert (
                    source.get("configMapRef", {"name": next(iter(settings))})["name"] in settings
                )
        used = {
            each["persistentVolumeClaim"]["claimName"]
            for each in volumes.values()
            if "persistentVolumeClaim" in each
        }
        assert used <= claims
    for service in (each for each in build(overlay) if each["kind"] == "Service"):
        assert any(service["spec"]["selector"].items() <= each.items() for each in labels)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_every_setting_is_one_that_there_is(overlay: str) -> None:
    told = find(overlay, "ConfigMap", "troupe-settings")["data"]

    assert {name for name in told if name.startswith("TROUPE_")} <= {
        name.upper() for name in Settings.model_fields
    }


def test_one_bot_on_sqlite_is_never_two() -> None:
    spec = find("single", "Deployment")["spec"]

    assert (spec["replicas"], spec["strategy"]) == (1, {"type": "Recreate"})
    assert spec["template"]["spec"]["volumes"][0] == {
        "name": "data",
        "persistentVolumeClaim": {"claimName": "troupe-data"},
    }


def test_replicas_are_changed_one_after_the_other_and_keep_nothing() -> None:
    spec = find("replicas", "Deployment")["spec"]

    assert spec["replicas"] == 3
    assert spec["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
    assert all("emptyDir" in each for each in spec["template"]["spec"]["volumes"])
    assert find("replicas", "PodDisruptionBudget")["spec"]["maxUnavailable"] == 1


def test_the_expert_server_gets_a_graphics_card_only_where_it_is_to_have_one() -> None:
    limits = [
        find(overlay, "Deployment", "troupe-experts")["spec"]["template"]["spec"]["containers"][0][
            "resources"
        ]["limits"]
        for overlay in ("experts", "experts-gpu")
    ]

    assert [each.get("nvidia.com/gpu") for each in limits] == [None, "1"]
    for overlay in ("experts", "experts-gpu"):
        told = find(overlay, "ConfigMap", "troupe-settings")["data"]
        assert told["TROUPE_EXPERTS_URL"] == "http://troupe-experts:8090"
