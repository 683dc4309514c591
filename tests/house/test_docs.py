"""What the documentation says is true: every setting, command and kind of task is in it."""

import re
import textwrap
from pathlib import Path

from adapters.embedded.experts.expert import embedded_models
from adapters.web.options import WebMetrics
from adapters.wire.formats import WIRE_FORMATS
from bot.app import open_app
from bot.commands.table import COMMANDS
from bot.places import PLACES
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline import errors
from pipeline.parameters import list_parameters
from pipeline.task_kinds import KINDS
from tests.house import tasks_page
from tests.house.source import ROOT, read


def test_every_setting_is_described_in_the_operator_guide() -> None:
    guide = read("docs/operator-guide.md")

    described = set(
        re.findall(r"^\| `([A-Z0-9_]+)` \| [^|]+ \| [^|]{15,} \|$", guide, re.MULTILINE)
    )

    assert described >= {name.upper() for name in Settings.model_fields}


def test_the_documented_default_of_the_places_is_their_order_in_the_code() -> None:
    default = ",".join(map(str, PLACES))

    is_example_right = f"#TROUPE_PLACES={default}\n" in read(".env.example")
    is_guide_right = f"| `TROUPE_PLACES` | `{default}` |" in read("docs/operator-guide.md")

    assert is_example_right, f".env.example: TROUPE_PLACES={default}"
    assert is_guide_right, f"docs/operator-guide.md: TROUPE_PLACES={default}"


def test_each_place_is_named_where_people_learn_of_places() -> None:
    for page, row in (("user-guide", "places"), ("architecture", "place")):
        (line,) = re.findall(
            rf"^\| `?{row}`? \| where models .*$", read(f"docs/{page}.md"), re.MULTILINE
        )
        missing = [place for place in PLACES if f"`{place}`" not in line]
        assert not missing, f"docs/{page}.md: {line}"


def test_the_operator_guide_names_no_setting_that_is_not_there() -> None:
    rows = [line for line in read("docs/operator-guide.md").splitlines() if line.startswith("| `")]
    named = {name for row in rows if (name := row.split("`")[1]).isupper()}

    assert named == {name.upper() for name in Settings.model_fields}


def test_the_example_environment_has_every_setting() -> None:
    example = read(".env.example")

    assert not [name for name in Settings.model_fields if f"#{name.upper()}=" not in example]


async def test_every_metric_is_described_in_the_operator_guide(tmp_path: Path) -> None:
    rows = re.findall(r"^\| `(troupe_\w+)", read("docs/operator-guide.md"), re.MULTILINE)

    async with open_app(read_settings({"TROUPE_HOME": str(tmp_path)})) as app:
        registry = app.monitor.metrics.registry
        WebMetrics(registry)
        families = list(registry.collect())
    suffixes = {"counter": "_total", "info": "_info"}
    names = {family.name + suffixes.get(family.type, "") for family in families}

    assert sorted(rows) == sorted(name for name in names if name.startswith("troupe_"))


def test_every_command_is_in_the_user_guide() -> None:
    guide = read("docs/user-guide.md")

    assert not [command.name for command in COMMANDS if f"| `{command.name}" not in guide]


def test_every_kind_of_task_is_in_the_user_guide() -> None:
    guide = read("docs/user-guide.md")

    assert not [kind for kind in KINDS if f"| {kind} |" not in guide], "docs/user-guide.md"


def test_every_parameter_is_in_the_page_of_tasks() -> None:
    parameters = {name for kind in KINDS.values() for name in list_parameters(kind)}

    rows = re.findall(r"^\| `([a-z_]+)` \|", read("docs/tasks.md"), re.MULTILINE)

    assert sorted(rows) == sorted(parameters)


def test_the_drawn_tree_of_errors_is_the_real_one() -> None:
    drawn = errors.__doc__ or ""
    real = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.TroupeError)
    }

    assert {name for name in real if name not in drawn} == set()


def test_the_page_of_tasks_is_what_the_tables_say() -> None:
    assert tasks_page.written() == tasks_page.table(), "run python -m tests.house.tasks_page"


def test_the_page_of_tasks_tells_of_the_kinds_that_never_leave_the_program() -> None:
    _, _, told = read("docs/tasks.md").partition("## Where there is little")

    untold = [kind for kind in KINDS.keys() - WIRE_FORMATS.keys() if kind not in told]

    assert not untold, 'name them in docs/tasks.md under "Where there is little"'


def test_a_kind_that_runs_nowhere_is_explained() -> None:
    page = read("docs/tasks.md")

    unexplained = [kind for kind in tasks_page.without_any_place() if f"**{kind}**" not in page]

    assert not unexplained, 'docs/tasks.md, "Where there is little": why no place can do it'


def test_the_pages_count_the_kinds_as_the_code_does() -> None:
    nowhere = len([*tasks_page.without_any_place()])
    without_key = len(embedded_models())
    words = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    readme = " ".join(read("README.md").split())
    hint = f"{len(KINDS)} kinds, {without_key} without a key, {words[nowhere]} nowhere"

    assert f"**{len(KINDS)} kinds of tasks**" in readme, f"README.md: {hint}"
    assert f"{without_key} of them need no key, and {words[nowhere]} run nowhere yet" in readme, (
        hint
    )
    assert f"* {len(KINDS)} kinds of tasks" in read("CHANGELOG.md"), f"CHANGELOG.md: {hint}"


def test_no_page_holds_what_a_merge_left() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/**/*.md")]
    marks = ("<<<<<<< ", "=======", ">>>>>>> ")

    assert not [
        (page.name, line)
        for page in pages
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith(marks)
    ]


def test_every_decision_has_a_number_and_a_form_of_its_own() -> None:
    pages = sorted(ROOT.glob("docs/adr/[0-9]*.md"))
    numbers = [page.name[:4] for page in pages]
    parts = ("**Context.**", "**Decision.**", "**Consequences.**")

    index = re.findall(r"^\* \[(\d{4})\]\(", read("docs/adr/README.md"), re.MULTILINE)

    assert numbers == sorted(set(numbers)) == sorted(index)
    assert not [
        page.name for page in pages if any(part not in page.read_text("utf-8") for part in parts)
    ]


def test_every_link_between_pages_leads_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]

    broken = [
        (page.name, target)
        for page in pages
        for target in re.findall(r"\]\(([^)#:\s]+)[^):\s]*\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]

    assert not broken


def test_the_container_has_the_versions_that_are_tested_and_no_tools_of_developers() -> None:
    tested, run = (
        set(re.findall(r"^([\w.-]+==[\w.]+)", read(name), re.MULTILINE))
        for name in ("requirements.lock", "requirements-run.lock")
    )

    assert run < tested
    assert not {"pytest", "mypy", "ruff", "playwright"} & {pin.partition("==")[0] for pin in run}


def test_the_sample_expert_of_contributing_is_the_one_that_is_tested() -> None:
    (sample,) = re.findall(r"```python\n(.*?)\n *```", read("CONTRIBUTING.md"), re.DOTALL)

    assert textwrap.indent(textwrap.dedent(sample), "    ") in read("tests/samples/acme/expert.py")


def test_the_operator_guide_says_of_each_place_what_it_costs_and_where_data_goes() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| `?([^|`]+)`? \| (\w+) \| (\w+) \|$",
        read("docs/operator-guide.md"),
        re.MULTILINE,
    )
    words = {True: "yes", False: "no"}

    assert rows == [
        (place.name, place.enabled_by, words[place.costs], words[place.data_leaves])
        for place in PLACES
    ]
