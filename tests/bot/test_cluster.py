"""What a replica on a machine of a cluster is started with, and when it is not."""

from pathlib import Path

import pytest
import yaml

from bot.cluster import ExpertArguments, read_options
from tests.cluster.nodes import FILES, read_variables
from tests.house.source import ROOT
from tests.words import english

ARGUMENTS = ExpertArguments(models=(Path("/models"),), memory_mb=7, table="played:TABLE")
NODE = {**read_variables(FILES / "node.env"), "TROUPE_EXPERTS_TOKEN": "secret"}


def test_a_replica_has_the_options_of_the_configuration_and_the_token_of_its_machine() -> None:
    options = read_options(ARGUMENTS, NODE)

    assert options.folders == (Path("/models"),)
    assert (options.memory_bytes, options.workers, options.token) == (7 << 20, 2, "secret")
    assert "TROUPE_EXPERTS_TOKEN" not in options.environment


def test_without_a_token_on_the_wire_it_does_not_start() -> None:
    with pytest.raises(RuntimeError, match=english("cluster-token-missing")):
        read_options(ARGUMENTS, NODE | {"TROUPE_EXPERTS_TOKEN": ""})


@pytest.mark.parametrize("name", ["RAY_AUTH_MODE", "RAY_SERVE_HTTP_PROXY_CALLBACK_IMPORT_PATH"])
def test_without_rays_token_or_our_front_it_does_not_start(name: str) -> None:
    sentence = english("cluster-environment", variables=f"{name}={NODE[name]}")

    with pytest.raises(RuntimeError) as refused:
        read_options(ARGUMENTS, NODE | {name: "disabled"})

    assert str(refused.value) == sentence


def test_the_configuration_names_only_arguments_that_there_are() -> None:
    config = yaml.safe_load((FILES / "experts.yaml").read_text())
    (application,) = config["applications"]

    assert ExpertArguments.model_validate(application["args"]).memory_mb == 16384


def test_the_manifest_deploys_what_the_configuration_does() -> None:
    service, policy = yaml.safe_load_all((FILES / "rayservice.yaml").read_text())
    spec = service["spec"]
    cluster = spec["rayClusterConfig"]
    groups = [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]

    assert yaml.safe_load(spec["serveConfigV2"]) == yaml.safe_load(
        (FILES / "experts.yaml").read_text()
    )
    assert cluster["authOptions"] == {"mode": "token"}
    assert f"ray=={cluster['rayVersion']} " in (ROOT / "requirements-cluster.lock").read_text()
    for group in groups:
        (container,) = group["template"]["spec"]["containers"]
        assert container["envFrom"] == [
            {"configMapRef": {"name": "experts"}},
            {"secretRef": {"name": "experts"}},
        ]
        assert container["securityContext"]["readOnlyRootFilesystem"]
    assert policy["spec"]["policyTypes"] == ["Ingress"]
