"""The dashboard and the alerts ask for metrics and labels that the program has."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import promql_parser
import pytest
import yaml

from tests.house.source import ROOT, read

DASHBOARD = "deploy/grafana/troupe.json"
RULES = "deploy/prometheus/troupe-rules.yml"
OF_PROMETHEUS = {"up": {"instance", "job"}}
OF_PROCESSES = ("process_cpu_seconds_total", "process_resident_memory_bytes")
VARIABLES = {"$__rate_interval": "5m", "$instance": "a|b"}
OF_THE_SAME = {"troupe_inbox_waiting", "troupe_inbox_oldest_seconds", "troupe_database_bytes"}
"""What each replica tells of the shared database."""


def exported() -> Mapping[str, set[str]]:
    """The metrics of the operator guide, which a test compares with the program; their labels."""
    rows = re.findall(
        r"^\| `(troupe_\w+)` \|([^|]*)\| (\w+)", read("docs/operator-guide.md"), re.MULTILINE
    )
    metrics = dict[str, set[str]]()
    for name, labels, begins in rows:
        known = {*re.findall(r"`(\w+)`", labels), "instance", "job"}
        if begins == "Histogram":
            metrics |= {f"{name}_bucket": {*known, "le"}, f"{name}_sum": known}
            name += "_count"  # noqa: PLW2901 - as Prometheus names it
        metrics[name] = known
    return metrics | OF_PROMETHEUS | {name: {"instance", "job"} for name in OF_PROCESSES}


def panels() -> Sequence[Mapping[str, Any]]:
    return [each for each in json.loads(read(DASHBOARD))["panels"] if each["type"] != "row"]


def rules() -> Sequence[Mapping[str, Any]]:
    (group,) = yaml.safe_load(read(RULES))["groups"]
    return list(group["rules"])


def queries() -> Sequence[str]:
    texts = [target["expr"] for panel in panels() for target in panel["targets"]]
    texts += [rule["expr"] for rule in rules()]
    for name, value in VARIABLES.items():
        texts = [text.replace(name, value) for text in texts]
    return texts


def walk(node: Any) -> Iterator[Any]:
    """A parsed query and all that it is made of."""
    yield node
    for name in ("lhs", "rhs", "expr", "vector_selector"):
        if (below := getattr(node, name, None)) is not None:
            yield from walk(below)
    for below in getattr(node, "args", ()) or ():
        yield from walk(below)


def asks_for(query: str) -> tuple[set[str], set[str]]:
    """The metrics of a query, and the labels that it names."""
    names, labels = set[str](), set[str]()
    for node in walk(promql_parser.parse(query)):
        if isinstance(node, promql_parser.VectorSelector):
            names.add(str(node.name))
            labels |= {each.name for each in node.matchers.matchers}
        labels |= set(getattr(getattr(node, "modifier", None), "labels", None) or ())
    return names, labels


@pytest.mark.parametrize("query", queries())
def test_a_query_asks_for_what_the_program_exports(query: str) -> None:
    metrics = exported()

    names, labels = asks_for(query)

    assert names, query
    assert names <= metrics.keys(), names - metrics.keys()
    assert labels <= set().union(*(metrics[name] for name in names)), query


@pytest.mark.parametrize("query", queries())
def test_what_each_replica_tells_of_the_database_is_not_added_up(query: str) -> None:
    """A sum over the platforms of one replica is no sum over replicas."""
    sums = [
        node
        for node in walk(promql_parser.parse(query))
        if isinstance(node, promql_parser.AggregateExpr) and str(node.op) == "sum"
    ]
    for each in sums:
        summed = {
            node.name for node in walk(each) if isinstance(node, promql_parser.VectorSelector)
        }
        by = set(getattr(each.modifier, "labels", None) or ())
        assert not summed & OF_THE_SAME or "instance" in by, query


def test_a_query_for_what_is_not_there_would_be_found() -> None:
    names, labels = asks_for('sum by (colour) (rate(troupe_missing_total{shape="round"}[5m])) > 0')

    assert names == {"troupe_missing_total"}
    assert labels == {"colour", "shape"}
    assert not names <= exported().keys()


def test_every_metric_of_replicas_is_on_the_dashboard() -> None:
    asked = {name for panel in panels() for each in panel["targets"] for name in [each["expr"]]}

    for name in ("troupe_leases_held", "troupe_takeovers_total", "troupe_lease_losses_total"):
        assert any(name in query for query in asked), name


def test_the_panels_of_the_dashboard_do_not_lie_on_each_other() -> None:
    dashboard = json.loads(read(DASHBOARD))
    places = [each["gridPos"] for each in dashboard["panels"]]
    ids = [each["id"] for each in dashboard["panels"]]

    assert len(ids) == len(set(ids))
    assert all(place["x"] + place["w"] <= 24 for place in places)
    for one, other in combinations(places, 2):
        is_beside = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
        is_below = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
        assert is_beside or is_below, (one, other)


def test_each_alert_says_what_happened_and_what_to_do() -> None:
    names = [rule["alert"] for rule in rules()]

    assert len(names) == len(set(names))
    for rule in rules():
        assert rule["labels"]["severity"] in ("critical", "warning"), rule["alert"]
        assert {"summary", "action"} <= rule["annotations"].keys(), rule["alert"]


@pytest.mark.program
@pytest.mark.parametrize(
    "command",
    [
        ["check", "rules", "troupe-rules.yml"],
        ["check", "config", "--syntax-only", "prometheus.yml"],
        ["test", "rules", "troupe-tests.yml"],
    ],
)
def test_prometheus_itself_takes_the_files(command: Sequence[str]) -> None:
    if (promtool := shutil.which("promtool")) is None:
        pytest.skip("promtool is not installed: Debian's package prometheus has it")

    done = subprocess.run(
        [promtool, *command],
        cwd=ROOT / "deploy/prometheus",
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
